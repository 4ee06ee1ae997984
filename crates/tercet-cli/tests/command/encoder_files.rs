//! Sentence encoders as folders that the user has: damaged files, files that do not belong together, lines over the
//! window, and the slope that `compare` needs.

use crate::test_dir::TestDir;
use std::path::Path;

const REFERENCE: &str = "The cat sat on the mat.\n";

/// A directory with a copy of a small encoder with random weights, called `encoder`, whose window has 16 tokens.
fn dir() -> TestDir {
    let dir = TestDir::with(&[("ref", REFERENCE), ("hyp", "the cat\n"), ("other", "mat\n")]);
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tercet-transformer/tests/small/bert");
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        dir.write(&format!("encoder/{file}"), &std::fs::read(small.join(file)).unwrap());
    }
    dir
}

const SCORE: [&str; 6] = ["score", "-m", "bertscore:model=encoder", "-r", "ref", "hyp"];

#[test]
fn a_tokenizer_of_other_weights_is_an_error() {
    let dir = dir();
    let vocabulary = [dir.read("encoder/vocab.txt"), b"more\n".to_vec()].concat();
    dir.write("encoder/vocab.txt", &vocabulary);
    let error = dir.error(1, &SCORE);
    let expected = "error: encoder: the tokenizer has 21 tokens, the weights have 20: they do not belong together\n";
    assert_eq!(error, expected);
}

#[test]
fn truncated_weights_are_an_error_that_names_the_file() {
    let dir = dir();
    let bytes = dir.read("encoder/model.safetensors");
    dir.write("encoder/model.safetensors", &bytes[..bytes.len() / 2]);
    let error = dir.error(1, &SCORE);
    assert!(error.starts_with("error: encoder/model.safetensors: not a whole safetensors file"), "{error}");
    std::fs::remove_file(dir.path("encoder/model.safetensors")).unwrap();
    // A field of a million bytes, of which three are there.
    dir.write("encoder/onnx/model.onnx", &[0x3a, 0xc0, 0x84, 0x3d, 1, 2, 3]);
    let error = dir.error(1, &SCORE);
    assert!(error.starts_with("error: encoder/onnx/model.onnx: not a whole ONNX file"), "{error}");
}

#[test]
fn a_line_over_the_window_is_scored_by_its_beginning_and_warned_of() {
    let dir = dir();
    let line = "the cat sat on the mat ".repeat(4);
    dir.write("hyp", format!("{line}\n").as_bytes());
    let output = dir.run(&SCORE);
    let warning = "BERTScore: 1 segment is longer than the encoder's window of 16 tokens; the end was left out";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
    let compared = dir.run(&["compare", "-m", "bertscore:model=encoder|slope=20", "-r", "ref", "hyp", "other"]);
    assert!(compared.code == 0 && compared.stderr.contains(warning), "{compared:?}");
    // 16 tokens are 14 words and the two special ones.
    dir.write("hyp", b"the cat sat on the mat the cat sat on the mat the cat\n");
    let beginning = dir.run(&SCORE);
    assert_eq!((beginning.stdout, beginning.stderr.contains("window")), (output.stdout, false));
}

#[test]
fn a_regression_warns_of_lines_over_the_window_of_its_encoder() {
    let dir = dir();
    let line = "the cat sat on the mat ".repeat(4);
    let words = ["the", "cat", "sat", "on", "mat"];
    let row = |i: usize| format!("0.{i}\tThe cat sat on the mat.\t{} {line}\n", words[i % 5]);
    let table: String = (0..12).map(row).collect();
    dir.write("scores.tsv", format!("score\treference\ttranslation\n{table}").as_bytes());
    dir.write("ruse.toml", RUSE.as_bytes());
    let trained = dir.run(&["train", "ruse.toml"]);
    let expected = "12 lines are longer than the encoder's window of 16 tokens; the end was left out";
    assert!(trained.code == 0 && trained.stderr.contains(expected), "{trained:?}");
    dir.write("hyp", format!("{line}\n").as_bytes());
    let model = "ruse:model=ruse.safetensors";
    for command in
        [["score", "-m", model, "-r", "ref", "hyp", "other"], ["compare", "-m", model, "-r", "ref", "hyp", "other"]]
    {
        let output = dir.run(&command);
        let warning = "1 segment is longer than the encoder's window of 16 tokens; the end was left out";
        assert!(output.code == 0 && output.stderr.contains(&format!("RUSE: {warning}")), "{output:?}");
    }
}

#[test]
fn a_combination_warns_of_lines_over_the_window_of_a_metric() {
    let dir = dir();
    let line = "the cat sat on the mat ".repeat(4);
    let row = |i: usize| format!("0.{i}\tThe cat sat.\t{} {line}\n", ["the", "cat", "sat"][i % 3]);
    let table: String = (0..9).map(row).collect();
    dir.write("scores.tsv", format!("score\treference\ttranslation\n{table}").as_bytes());
    let inputs = "metrics = [\"chrf\"]\ncomponents = [\"bertscore:model=encoder\"]";
    let recipe = RUSE.replace("\"ruse\"", "\"blend\"");
    let recipe = recipe.replace("encoders = [\"transformer:model=encoder\"]", inputs);
    dir.write("blend.toml", recipe.as_bytes());
    let trained = dir.run(&["train", "blend.toml"]);
    let expected = "warning: scores: BERTScore: 9 lines are longer than the encoder's window of 16 tokens; the end \
        was left out";
    assert!(trained.code == 0 && trained.stderr.contains(expected), "{trained:?}");
    dir.write("hyp", format!("{line}\n").as_bytes());
    let scored = dir.run(&["score", "-m", "blend:model=blend.safetensors", "-r", "ref", "hyp", "other"]);
    let expected = "Blend: 1 segment is longer than the encoder's window of 16 tokens";
    assert!(scored.code == 0 && scored.stderr.contains(expected), "{scored:?}");
}

const RUSE: &str = "\
kind = \"ruse\"

[data]
train = [\"scores.tsv\"]

[inputs]
encoders = [\"transformer:model=encoder\"]

[regression]
folds = 3
";

#[test]
fn features_that_are_all_constant_are_an_error() {
    let dir = dir();
    let table: String = (0..12).map(|i| format!("0.{i}\tthe cat\tthe mat\n")).collect();
    dir.write("scores.tsv", format!("score\treference\ttranslation\n{table}").as_bytes());
    dir.write("ruse.toml", RUSE.as_bytes());
    let error = dir.error(1, &["train", "ruse.toml"]);
    let expected = "every feature has the same value in all examples: there is nothing to learn from";
    assert!(error.contains(expected), "{error}");
    assert!(!dir.path("ruse.safetensors").exists());
}

#[test]
fn comparing_by_an_encoder_says_how_to_give_a_slope() {
    let dir = dir();
    let error = dir.error(2, &["compare", "-m", "bertscore:model=encoder", "-r", "ref", "hyp", "other"]);
    let expected = "error: no slope was fitted for bertscore, which turns its scores into probabilities \
                    (give one, as in 'bertscore:model=encoder|slope=20')\n";
    assert_eq!(error, expected);
    let given = ["compare", "-m", "bertscore:model=encoder|slope=20", "-r", "ref", "hyp", "other"];
    assert!(dir.stdout(&given).contains("slope=20"));
}
