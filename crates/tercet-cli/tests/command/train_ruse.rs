//! `tercet train` of kind = "ruse" and kind = "blend", and the use of a trained model.

use crate::test_dir::TestDir;

const WORDS: [&str; 8] = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran"];

pub const BLEND: &str = "\
kind = \"blend\"

[data]
train = [\"scores.tsv\"]

[inputs]
metrics = [\"chrf\", \"wer\"]

[regression]
folds = 4
";

/// The more words of a reference are replaced, the lower the score.
pub fn dir() -> TestDir {
    let dir = TestDir::new();
    let (mut table, mut references, mut translations) =
        ("score\treference\ttranslation\n".to_owned(), String::new(), String::new());
    for segment in 0..40 {
        let reference: Vec<&str> = (0..6).map(|place| WORDS[(segment + place * 3) % 8]).collect();
        let wrong = segment * 5 % 6;
        let mut words = reference.clone();
        (0..wrong).for_each(|place| words[place] = WORDS[(segment + place + 1) % 8]);
        let (reference, translation) = (reference.join(" "), words.join(" "));
        table += &format!("{}\t{reference}\t{translation}\n", 1.0 - wrong as f64 / 3.0);
        references += &format!("{reference}\n");
        translations += &format!("{translation}\n");
    }
    dir.write("scores.tsv", table.as_bytes());
    dir.write("ref.txt", references.as_bytes());
    dir.write("a.txt", translations.as_bytes());
    let row = |(place, word): (usize, &&str)| format!("{word} 0.{place} -0.{} 0.5\n", 9 - place);
    let vectors: String = WORDS.iter().enumerate().map(row).collect();
    dir.write("vectors.txt", vectors.as_bytes());
    dir.write("blend.toml", BLEND.as_bytes());
    dir
}

#[test]
fn a_model_is_trained_scores_and_compares() {
    let dir = dir();
    let summary = dir.stdout(&["train", "blend.toml"]);
    assert!(summary.contains("scores (40)") && summary.contains("svr, c "), "{summary}");
    let model = "blend:model=blend.safetensors";
    let scores = dir.stdout(&["score", "-q", "-m", model, "-r", "ref.txt", "a.txt", "ref.txt", "-f", "json"]);
    assert!(scores.contains("blend"), "{scores}");
    let compared = dir.stdout(&["compare", "-q", "-m", model, "-r", "ref.txt", "ref.txt", "a.txt"]);
    assert!(compared.contains("ref.txt"), "{compared}");
    let agreement = dir.run(&["correlate", "scores.tsv", "-m", model]);
    let warning =
        "blend:model=blend.safetensors was trained on scores; its agreement with these judgements is inflated";
    assert!(agreement.code == 0 && agreement.stderr.contains(warning), "{agreement:?}");
}

#[test]
fn the_same_recipe_gives_the_same_bytes() {
    let dir = dir();
    let ruse = BLEND
        .replace("kind = \"blend\"", "kind = \"ruse\"")
        .replace("metrics = [\"chrf\", \"wer\"]", "encoders = [\"average:file=vectors.txt\"]")
        .replace("folds = 4", "folds = 4\nmethod = \"mlp\"\nepochs = 3");
    dir.write("ruse.toml", ruse.as_bytes());
    dir.check_seed_and_threads(&["train", "ruse.toml"]);
}

#[test]
fn a_constant_feature_is_named() {
    let dir = dir();
    // Every reference has six words.
    dir.write("constant.toml", BLEND.replace("[\"chrf\", \"wer\"]", "[\"chrf\"]\ncomponents = [\"wer\"]").as_bytes());
    let output = dir.run(&["train", "constant.toml"]);
    let constant =
        |part: &str| output.stderr.lines().any(|line| line.contains("is 6 in all examples") && line.contains(part));
    assert!(output.code == 0 && constant("ref_len"), "{output:?}");
}

#[test]
fn mistakes_are_explained() {
    let dir = dir();
    let error = |words: &[&str]| dir.error(2, words);
    let epochs = error(&["train", "blend.toml", "--epochs", "3"]);
    assert!(epochs.contains("the training of kind = \"blend\" has no epochs"), "{epochs}");
    dir.write("few.toml", BLEND.replace("folds = 4", "folds = 41").as_bytes());
    let few = dir.run(&["train", "few.toml"]);
    assert!(few.stderr.contains("[regression] folds cannot be 41: there are 40 examples"), "{}", few.stderr);
    dir.write("typo.toml", BLEND.replace("folds", "fold").as_bytes());
    let typo = error(&["train", "typo.toml"]);
    assert!(typo.contains("typo.toml:10") && typo.contains("folds"), "{typo}");
    let missing = dir.run(&["score", "-m", "ruse", "-r", "ref.txt", "a.txt"]);
    assert!(missing.stderr.contains("it needs model=FILE"), "{}", missing.stderr);
}
