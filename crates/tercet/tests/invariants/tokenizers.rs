//! Properties of the tokenizers. The same line always gives the same tokens, regardless of earlier contents of the
//! buffers.

use tercet::text::Scratch;
use tercet::text::Tokenizer;
use tercet::text::{Mecab, SentencePiece, is_whitespace, split};

#[path = "../../../tercet-text/tests/small_dictionary/mod.rs"]
mod small_dictionary;

/// Tokenizers that put one space between tokens and none at the ends.
const SINGLE_SPACED: &[&str] = &["13a", "intl", "zh", "ud-en", "rouge"];

/// Tokenizers that only add or remove white space.
const LETTERS_KEPT: &[&str] = &["intl", "zh", "char", "ud-en", "none"];

/// Checks one tokenizer, by its name, on one line.
pub fn tokenizer(name: &str, line: &str) {
    let tokenizer = Tokenizer::from_name(name).expect("a listed tokenizer");
    assert_eq!(tokenizer.name(), name);
    let tokens = tokenizer.tokenize(line);
    let (mut scratch, mut again) = (Scratch::default(), String::from("left over"));
    tokenizer.tokenize_into("Something, else: 1.5 «é» 字.", &mut scratch, &mut again);
    tokenizer.tokenize_into(line, &mut scratch, &mut again);
    assert_eq!(tokens, again, "{name} depends on what its buffers held: {line:?}");
    if SINGLE_SPACED.contains(&name) {
        let respaced: Vec<&str> = split(&tokens).collect();
        assert_eq!(tokens, respaced.join(" "), "{name} left odd white space: {line:?}");
    }
    if LETTERS_KEPT.contains(&name) {
        assert_eq!(letters(&tokens), letters(line), "{name} changed a letter: {line:?}");
    }
}

/// Checks a dictionary of MeCab that was damaged: it is refused, or its words have no more letters than the line. A
/// small dictionary is damaged at the places that the bytes name: the file, three bytes of offset, and the new byte.
pub fn mecab(bytes: &[u8], line: &str) {
    let mut files = small_dictionary::files();
    for change in bytes.chunks_exact(5) {
        let file = &mut files[usize::from(change[0]) % 5];
        let at = usize::from(change[1]) << 16 | usize::from(change[2]) << 8 | usize::from(change[3]);
        let at = at % file.len().max(1);
        match change[4] {
            0 => file.truncate(at),
            byte => file.get_mut(at).into_iter().for_each(|old| *old = byte),
        }
    }
    let files: [&[u8]; 5] = std::array::from_fn(|number| files[number].as_slice());
    if let Ok(mecab) = Mecab::new(files) {
        let line = line.replace('\0', "");
        let words = mecab.words(&line);
        assert!(letters(&words).len() <= letters(&line).len(), "{line:?} became {words:?}");
    }
}

/// Checks bytes as a model of SentencePiece: they are refused, or the same line always has the same pieces.
pub fn sentencepiece(bytes: &[u8], line: &str) {
    if let Ok(model) = SentencePiece::new(bytes) {
        assert_eq!(model.pieces(line), model.pieces(line));
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|&c| !is_whitespace(c)).collect()
}
