//! Tokenizers with a dictionary or a model.

#[path = "../../../tercet-text/tests/small_dictionary/mod.rs"]
mod small_dictionary;

use crate::test_dir::TestDir;
use std::fs;

const UNIGRAM: &[u8] = include_bytes!("../../../tercet-text/tests/sentencepiece_models/unigram.model");
const BPE: &[u8] = include_bytes!("../../../tercet-text/tests/sentencepiece_models/bpe.model");

const REFERENCE: &str = "The old bridge was closed yesterday.\n今日は橋で遊びます。\n";
const HYPOTHESIS: &str = "Yesterday the old bridge was closed.\n今日は古い橋で遊びます。\n";

/// A folder with texts, models where sacreBLEU has them, and a dictionary.
fn dir() -> TestDir {
    let dir = TestDir::with(&[("ref", REFERENCE), ("hyp", HYPOTHESIS), ("ja.txt", "東京都に 今日は\n")]);
    fs::create_dir_all(dir.path("sacrebleu/models")).unwrap();
    fs::write(dir.path("sacrebleu/models/flores200sacrebleuspm"), UNIGRAM).unwrap();
    fs::write(dir.path("sacrebleu/models/sacrebleu_tokenizer_spm.model"), BPE).unwrap();
    fs::create_dir(dir.path("dictionary")).unwrap();
    small_dictionary::write(&dir.path("dictionary"));
    dir
}

#[test]
fn lines_are_tokenized_with_a_dictionary_or_model() {
    let dir = dir();
    for tok in ["ja-mecab", "ko-mecab"] {
        let printed = dir.stdout(&["tokenize", "-t", tok, "--tok-model", "dictionary", "ja.txt"]);
        assert_eq!(printed, "東 京都 に 今日 は\n");
    }
    let model = "sacrebleu/models/flores200sacrebleuspm";
    let printed = dir.stdout(&["tokenize", "-t", "spm", "--tok-model", model, "ref"]);
    assert!(printed.starts_with("▁The ▁ old ▁b"), "{printed}");
    let error = dir.error(2, &["tokenize", "-t", "13a", "--tok-model", model, "ref"]);
    assert!(error.contains("the tokenizer `13a` has no model (tok_model is for ja-mecab, "), "{error}");
}

#[test]
fn the_dictionary_of_the_environment_is_chosen_by_the_language() {
    let dir = dir();
    let environment = [("TERCET_JA_MECAB", "dictionary")];
    let output = dir.run_under(&environment, &["tokenize", "-l", "ja", "ja.txt"], "");
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("東 京都 に 今日 は\n", ""));
    let output = dir.run_under(&environment, &["score", "-l", "ja", "-r", "ja.txt", "-m", "bleu", "ja.txt"], "");
    assert!(output.stdout.contains("bleu:tok=ja-mecab,lowercase=no"), "{output:?}");
    assert!(!output.stderr.contains("mecab"), "{output:?}");
}

#[test]
fn python_packages_and_sacrebleus_models_are_found() {
    let dir = dir();
    let packages = dir.path("venv/lib/python3.12/site-packages/ipadic");
    fs::create_dir_all(&packages).unwrap();
    fs::rename(dir.path("dictionary"), packages.join("dicdir")).unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tercet"));
    command.current_dir(dir.path("")).env_remove("TERCET_JA_MECAB").env_remove("PYTHONPATH");
    command.env("VIRTUAL_ENV", dir.path("venv")).args(["tokenize", "-t", "ja-mecab", "ja.txt"]);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "東 京都 に 今日 は\n");
    let output = dir.run_under(&[("SACREBLEU", "sacrebleu")], &["tokenize", "-t", "flores200", "ref"], "");
    assert!(output.stdout.starts_with("▁The ▁ old ▁b"), "{output:?}");
}

#[test]
fn signatures_have_the_hash_and_give_the_same_score_again() {
    let dir = dir();
    let score = |metric: &str| dir.stdout(&["score", "-q", "-r", "ref", "-m", metric, "hyp"]);
    for metric in [
        "bleu:tok=spm,tok_model=sacrebleu/models/flores200sacrebleuspm",
        "wer:tok=ja-mecab,tok_model=dictionary",
        "rouge:tok=ko-mecab,tok_model=dictionary",
        "nist:tok=flores101,tok_model=sacrebleu/models/sacrebleu_tokenizer_spm.model",
    ] {
        let printed = score(metric);
        let signature = printed.lines().last().unwrap().split_whitespace().last().unwrap();
        assert!(signature.contains("|tok_model="), "{signature}");
        assert_eq!(score(signature), printed);
    }
    let other = "wer:tok=ja-mecab,tok_model=dictionary|tok_model=00000000";
    let error = dir.error(2, &["score", "-r", "ref", "-m", other, "hyp"]);
    assert!(error.contains("the signature says tok_model=00000000, but here it is "), "{error}");
}

/// The scores are what sacreBLEU 2.6.0 prints with the same models in its folder.
#[test]
fn sacrebleus_scores_with_models_are_printed() {
    let dir = dir();
    let environment = [("SACREBLEU", "sacrebleu")];
    for (tok, score) in [("flores200", "66.0633"), ("flores101", "68.6507"), ("spm", "68.6507")] {
        let words = ["sacrebleu", "ref", "-i", "hyp", "-tok", tok, "-b", "-w", "4"];
        assert_eq!(dir.run_under(&environment, &words, "").stdout, format!("{score}\n"));
        let output = dir.run_under(&environment, &words[..6], "");
        let name = if tok == "spm" { "flores101" } else { tok };
        assert!(output.stdout.contains(&format!("|tok:{name}|smooth:exp|")), "{output:?}");
    }
    // A model that the user names is not called one of sacreBLEU's.
    let environment = [("TERCET_SPM", "sacrebleu/models/flores200sacrebleuspm")];
    let words = ["sacrebleu", "ref", "-i", "hyp", "-tok", "spm", "-w", "4"];
    let output = dir.run_under(&environment, &words, "");
    assert!(output.stdout.contains("66.0633") && output.stdout.contains("|tok:spm-"), "{output:?}");
    assert!(!output.stdout.contains("flores"), "{output:?}");
    // Its signatures name the dictionary, so no other is used.
    let environment = [("TERCET_JA_MECAB", "dictionary")];
    let output = dir.run_under(&environment, &["sacrebleu", "ref", "-i", "hyp", "-l", "en-ja"], "");
    assert!(output.stderr.contains("is not the dictionary that sacreBLEU uses"), "{output:?}");
}

#[test]
fn damaged_dictionaries_and_models_are_errors_that_name_the_file() {
    let dir = dir();
    let matrix = fs::read(dir.path("dictionary/matrix.bin")).unwrap();
    fs::write(dir.path("dictionary/matrix.bin"), &matrix[..20]).unwrap();
    fs::write(dir.path("cut.model"), &UNIGRAM[..UNIGRAM.len() / 2]).unwrap();
    fs::write(dir.path("empty.model"), "").unwrap();
    for (model, tok, expected) in [
        ("dictionary", "ja-mecab", "matrix.bin: not usable by the tokenizer: its size is wrong"),
        ("sacrebleu", "ja-mecab", "cannot read sacrebleu/sys.dic"),
        ("dictionary", "spm", "cannot read dictionary"),
        ("cut.model", "spm", "cut.model: not usable by the tokenizer: it is no model of SentencePiece"),
        ("empty.model", "spm", "empty.model: not usable by the tokenizer: it has not exactly one piece"),
        ("nowhere", "flores200", "cannot read nowhere"),
    ] {
        let output = dir.run(&["tokenize", "-t", tok, "--tok-model", model, "ref"]);
        assert!(output.stderr.contains(expected) && output.stdout.is_empty(), "{output:?}");
    }
    let output = dir.run(&["tokenize", "-t", "spm", "--tok-model", "cut.model", "ref"]);
    assert!(output.stderr.contains("(install or copy it again)"), "{output:?}");
    // A model of words, which would be the same after a new installation.
    fs::write(dir.path("words.model"), b"\x0a\x09\x0a\x05<unk>\x18\x02\x12\x02\x18\x03").unwrap();
    let output = dir.run(&["tokenize", "-t", "spm", "--tok-model", "words.model", "ref"]);
    assert!(output.stderr.contains("(only unigram and BPE models are read)"), "{output:?}");
    assert!(!output.stderr.contains("install"), "{output:?}");
}
