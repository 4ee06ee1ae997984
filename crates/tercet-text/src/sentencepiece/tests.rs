//! Expectations are what SentencePiece 0.2.2 prints. It trained both models on `sentences.txt` beside them:
//!
//! ```text
//! spm_train --input=sentences.txt --normalization_rule_tsv=rules.tsv --hard_vocab_limit=false --model_prefix=unigram
//!     --vocab_size=420 --character_coverage=0.99 --user_defined_symbols='<sep>,ine'
//! spm_train --input=sentences.txt --normalization_rule_tsv=rules.tsv --hard_vocab_limit=false --model_prefix=bpe
//!     --model_type=bpe --vocab_size=600 --character_coverage=0.98 --user_defined_symbols='<sep>,ine' --byte_fallback
//! ```

use super::*;

const UNIGRAM: &[u8] = include_bytes!("../../tests/sentencepiece_models/unigram.model");
const BPE: &[u8] = include_bytes!("../../tests/sentencepiece_models/bpe.model");

#[test]
fn pieces_of_a_unigram_model_are_sentencepieces() {
    let model = SentencePiece::new(UNIGRAM).unwrap();
    for (line, expected) in [
        ("The train leaves the garden.", "▁The ▁train ▁le a ve s ▁the ▁gar den ."),
        ("  Ｔｈｅ\u{3000}ﬁne\u{200b} letter … ", "▁The ▁ f ine ▁letter ▁ . . ."),
        ("pine <sep> machine", "▁ p ine ▁ <sep> ▁ma ch ine"),
        ("今日は古い橋で遊びます。", "▁ 今 日 は 古 い 橋 で 遊 び ま す 。"),
        ("안녕하세요 기차", "▁ 안녕하세요 ▁ 기 차"),
        ("Ωmega 😀😀 x", "▁ Ω me g a ▁ 😀😀 ▁ x"),
        ("cafe\u{301} café", "▁c a f é ▁c a f é"),
        ("", ""),
        ("   ", ""),
    ] {
        assert_eq!(model.pieces(line), expected, "{line:?}");
    }
}

#[test]
fn pieces_of_a_bpe_model_are_sentencepieces() {
    let model = SentencePiece::new(BPE).unwrap();
    for (line, expected) in [
        ("The train leaves the garden.", "▁The ▁train ▁l ea v es ▁the ▁g ard en ."),
        ("  Ｔｈｅ\u{3000}ﬁne\u{200b} letter … ", "▁The ▁f ine ▁letter ▁ . . ."),
        ("pine <sep> machine", "▁p ine ▁ <sep> ▁m a ch ine"),
        ("今日は古い橋で遊びます。", "▁ 今 日 は 古 い 橋 で 遊 <0xE3> <0x81> <0xB3> ま す 。"),
        ("zzzz qqq", "▁ <0x7A> <0x7A> <0x7A> <0x7A> ▁ q q q"),
    ] {
        assert_eq!(model.pieces(line), expected, "{line:?}");
    }
}

/// A field with a length, as protobuf writes it; at most 127 bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
}

fn piece(text: &str, score: f32, kind: u8) -> Vec<u8> {
    let score = score.to_le_bytes();
    field(1, &[field(1, text.as_bytes()), vec![2 << 3 | 5], score.to_vec(), vec![3 << 3, kind]].concat())
}

/// A model without rules that leaves spaces as they are.
fn small(kind: u8, pieces: &[(&str, f32, u8)]) -> Vec<u8> {
    let mut model: Vec<u8> = pieces.iter().flat_map(|(text, score, kind)| piece(text, *score, *kind)).collect();
    model.extend(field(2, &[3 << 3, kind]));
    model.extend(field(3, &[3 << 3, 0, 4 << 3, 0]));
    model
}

#[test]
fn unused_pieces_of_a_bpe_model_are_taken_apart() {
    let listed = [("<unk>", 0.0, 2), ("a", -9.0, 1), ("b", -9.0, 1), ("c", -9.0, 1), ("ab", -1.0, 5), ("abc", -2.0, 5)];
    let bytes = small(2, &listed);
    assert_eq!(SentencePiece::new(&bytes).unwrap().pieces("abcab"), "a b c a b");
    let bytes = small(2, &[&listed[..5], &[("abc", -2.0, 1)]].concat());
    assert_eq!(SentencePiece::new(&bytes).unwrap().pieces("abcab"), "abc a b");
}

#[test]
fn symbols_of_the_user_have_a_score_by_their_length() {
    let with = |score: f32| small(1, &[("<unk>", 0.0, 2), ("a", -5.0, 1), ("bbb", 0.0, 4), ("abbb", score, 1)]);
    assert_eq!(SentencePiece::new(&with(-4.79)).unwrap().pieces("abbb"), "abbb");
    assert_eq!(SentencePiece::new(&with(-4.81)).unwrap().pieces("abbb"), "a bbb");
}

#[test]
fn damaged_models_are_refused() {
    for length in [1, 7, UNIGRAM.len() / 2, UNIGRAM.len() - 1] {
        let error = SentencePiece::new(&UNIGRAM[..length]).err().unwrap();
        assert!(!error.is_empty(), "{error}");
    }
    let error = |bytes: &[u8]| SentencePiece::new(bytes).err().unwrap();
    assert_eq!(error(b""), "it has not exactly one piece for unknown text");
    assert_eq!(error(b"\x0a"), "it is no model of SentencePiece: it ends in the middle of a field");
    let unknown = ("<unk>", 0.0, 2);
    assert_eq!(error(&small(1, &[unknown])), "it has no pieces");
    assert_eq!(error(&small(1, &[unknown, ("a", 0.0, 1), ("a", 0.0, 1)])), "the piece `a` is there twice");
    assert_eq!(error(&small(1, &[unknown, ("", 0.0, 1)])), "a piece is empty");
    assert_eq!(error(&small(1, &[unknown, ("a", f32::NAN, 1)])), "the score of a piece is not finite");
    assert_eq!(
        error(&small(3, &[unknown, ("a", 0.0, 1)])),
        "it is a model of words or of characters (only unigram and BPE models are read)"
    );
    let mut rules = small(1, &[unknown, ("a", 0.0, 1)]);
    rules.extend(field(3, &field(2, &[200, 0, 0, 0, 1])));
    assert_eq!(error(&rules), "its rules for characters are damaged");
}

#[test]
fn a_long_line_takes_linear_time() {
    for bytes in [UNIGRAM, BPE] {
        let model = SentencePiece::new(bytes).unwrap();
        for line in ["a", "the ", "今日は", "z"] {
            assert!(model.pieces(&line.repeat(200_000)).len() >= 200_000);
        }
    }
}
