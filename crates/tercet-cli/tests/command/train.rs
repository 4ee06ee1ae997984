//! `tercet train`, and the use of a trained model.

use crate::test_dir::TestDir;
use std::time::Instant;

const WORDS: [&str; 10] = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "well", "today"];

/// Judgements of two systems on this many segments; the better one loses fewer words.
pub fn judgements(dir: &TestDir, folder: &str, segments: usize, shift: usize) {
    let mut files = [String::new(), String::new(), String::new()];
    let mut pairs = "seg_id\tbetter\tworse\n".to_owned();
    for number in 0..segments {
        let words: Vec<&str> = (0..7).map(|at| WORDS[(number * 3 + at * at + shift) % 10]).collect();
        let (good, bad) = (words[..6 - number % 2].join(" "), words[..3 - number % 2].join(" "));
        let first_is_better = number % 3 > 0;
        let (x, y) = if first_is_better { (good, bad) } else { (bad, good) };
        for (file, line) in files.iter_mut().zip([words.join(" "), x, y]) {
            file.push_str(&format!("{line}\n"));
        }
        let (better, worse) = if first_is_better { ("x", "y") } else { ("y", "x") };
        pairs.push_str(&format!("{}\t{better}\t{worse}\n", number + 1));
    }
    let year = &folder.rsplit("wmt").next().unwrap()[..2];
    dir.write(&format!("{folder}/references/newstest20{year}-ref.en"), files[0].as_bytes());
    for (system, text) in ["x", "y"].iter().zip(&files[1..]) {
        dir.write(&format!("{folder}/system-outputs/cs-en/{system}"), text.as_bytes());
    }
    dir.write(&format!("{folder}/pairs.cs-en.tsv"), pairs.as_bytes());
}

pub const RECIPE: &str = "\
[data]
train = [\"wmt13-rr\"]
per_pair = 30
development = [\"wmt14-rr\"]

[inputs]
metrics = [\"chrf\", \"ter\"]
components = [\"bleu\"]
encoders = [\"average:file=vectors.txt\"]

[training]
epochs = 12
patience = 8
checkpoint = 0
";

pub fn dir() -> TestDir {
    let dir = TestDir::new();
    judgements(&dir, "wmt13-rr", 40, 0);
    judgements(&dir, "wmt14-rr", 30, 1);
    let vectors: String = WORDS.iter().enumerate().map(|(i, word)| format!("{word} {i} {}\n", i * i % 7)).collect();
    dir.write("vectors.txt", vectors.as_bytes());
    dir.write("recipe.toml", RECIPE.as_bytes());
    dir.write("ref", b"the cat sat on a mat\nthe cat slept well\n");
    dir.write("a", b"the cat sat on a mat\nthe cat slept\n");
    dir.write("b", b"the cat\na mat\n");
    dir
}

#[test]
fn a_recipe_becomes_a_model_that_scores() {
    let dir = dir();
    let output = dir.run(&["train", "pairwise", "recipe.toml", "-q"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    for line in ["pairwise.safetensors (", "wmt13-rr cs-en (30)", "wmt14-rr cs-en (30)", "development tau", "asymmetry"]
    {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    assert!(!dir.path("pairwise.safetensors.checkpoint").exists());
    assert!(String::from_utf8_lossy(&dir.read("pairwise.safetensors")).contains("per_pair = 30"), "its recipe");
    let model = "pairwise:model=pairwise.safetensors";
    let output = dir.run(&["score", "-r", "ref", "-m", model, "-f", "json", "--level", "both", "a", "b"]);
    assert_eq!(output.code, 0, "{output:?}");
    let scores: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let [a, b] = [0, 1].map(|system| scores[system]["score"].as_f64().unwrap());
    assert!(a > b, "{a} {b}");
    let segments = scores[0]["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 2);
    let signature = scores[0]["signature"].as_str().unwrap();
    assert!(signature.starts_with("pairwise:model=pairwise.safetensors,empty=averages|sha256="), "{signature}");
    // The signature can be given as the metric.
    let again = dir.run(&["score", "-r", "ref", "-m", signature, "-f", "json", "--level", "both", "a", "b"]);
    let again: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again[0]["segments"], scores[0]["segments"]);
    let zeros = dir.run(&["score", "-r", "ref", "-m", &format!("{model},empty=zeros"), "-f", "json", "a", "b"]);
    assert!(zeros.code == 0 && zeros.stdout != output.stdout);
    let output = dir.run(&["compare", "--model", "pairwise.safetensors", "-r", "ref", "-f", "json", "-q", "a", "b"]);
    assert_eq!(output.code, 0, "{output:?}");
    let duel: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert!(duel["signature"].as_str().unwrap().starts_with("pairwise:model=pairwise.safetensors"), "{duel}");
    assert!(duel["overall"]["p_a"].as_f64().unwrap() > 0.5, "{duel}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    let dir = dir();
    dir.check_seed_and_threads(&["train", "pairwise", "recipe.toml"]);
}

#[test]
fn few_lines_are_printed_without_a_terminal() {
    let dir = dir();
    let alone = RECIPE.replace("development = [\"wmt14-rr\"]", "").replace("patience = 8", "");
    dir.write("alone.toml", alone.as_bytes());
    for (recipe, warnings) in [("recipe.toml", 0), ("alone.toml", 1)] {
        let began = Instant::now();
        let output = dir.run(&["train", "pairwise", recipe, "-o", &format!("{recipe}.model")]);
        assert_eq!(output.code, 0, "{output:?}");
        let is_warning = |line: &&str| line.starts_with("warning: no [data] development: ");
        assert_eq!(output.stderr.lines().filter(is_warning).count(), warnings, "{output:?}");
        let most = warnings as u64 + began.elapsed().as_secs() / 5;
        assert!(output.stderr.lines().count() as u64 <= most, "{output:?}");
    }
}

#[test]
fn a_feature_without_its_paraphrase_table_is_a_warning() {
    let dir = dir();
    dir.write("meteor.toml", RECIPE.replace("\"chrf\", \"ter\"", "\"meteor\"").as_bytes());
    let output = dir.run(&["train", "pairwise", "meteor.toml", "-o", "m", "--epochs", "1"]);
    assert!(output.code == 0 && output.stderr.starts_with("warning: meteor: no paraphrase table"), "{output:?}");
    assert_eq!(dir.run(&["train", "meteor.toml", "-o", "m", "--force", "-q"]).stderr, "");
}

#[test]
fn a_model_is_overwritten_only_with_force() {
    let dir = dir();
    dir.write("m", b"mine");
    let error = dir.error(2, &["train", "pairwise", "recipe.toml", "-o", "m"]);
    assert_eq!(error, "error: there is already a file m: name another with -o, or give --force\n");
    assert_eq!(dir.read("m"), b"mine");
    dir.stdout(&["train", "pairwise", "recipe.toml", "-q", "-o", "m", "--force"]);
    assert!(dir.read("m") != b"mine");
}

#[test]
fn a_killed_training_resumes_with_the_same_result() {
    let dir = dir();
    dir.write("long.toml", RECIPE.replace("epochs = 12\npatience = 8", "epochs = 400").as_bytes());
    let train = |words: &[&str]| dir.run(&[&["train", "pairwise", "long.toml"], words].concat());
    assert_eq!(train(&["-o", "whole"]).code, 0);
    dir.kill_when_file_exists("killed.checkpoint", &["train", "pairwise", "long.toml", "-o", "killed"]);
    assert!(!dir.path("killed").exists());
    // Without --resume the checkpoint is not overwritten; it cannot be resumed with another seed or network.
    let output = train(&["-o", "killed"]);
    assert!(output.code == 2 && output.stderr.contains("go on with --resume"), "{output:?}");
    let output = train(&["-o", "killed", "--resume", "--seed", "9"]);
    assert!(output.code == 2 && output.stderr.contains("a run with seed 1; this one has seed 9"), "{output:?}");
    for (from, to, reason) in [
        ("wmt14-rr\"]", "wmt14-rr\"]\ndevelopment_size = 20", "another development set"),
        ("[training]", "[network]\nhidden = 3\n[training]", "hidden 4; this one has"),
        ("[training]", "[training]\ncost = \"kendall\"", "it is of the phase logistic"),
    ] {
        let text = RECIPE.replace("epochs = 12\npatience = 8", "epochs = 400").replace(from, to);
        dir.write("other.toml", text.as_bytes());
        let output = dir.run(&["train", "pairwise", "other.toml", "-o", "killed", "--resume"]);
        assert!(output.code == 2 && output.stderr.contains(reason), "{output:?}");
    }
    let output = train(&["-o", "killed", "--resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(dir.read("killed") == dir.read("whole"));
    assert!(!dir.path("killed.checkpoint").exists());
}

#[test]
fn invalid_recipes_are_an_error_before_work_begins() {
    let dir = dir();
    let with = |from: &str, to: &str| {
        dir.write("bad.toml", RECIPE.replace(from, to).as_bytes());
        let output = dir.run(&["train", "pairwise", "bad.toml"]);
        assert!(output.code != 0 && output.stdout.is_empty(), "{output:?}");
        assert!(!dir.path("pairwise.safetensors").exists());
        output.stderr
    };
    assert!(with("[\"wmt13-rr\"]", "[\"nowhere\"]").contains("nowhere"));
    assert!(with("epochs", "epoch").contains("bad.toml:12: [training] has no key `epoch`, did you mean `epochs`?"));
    assert!(with("\"chrf\"", "\"chr\"").contains("did you mean `chrf`?"));
    assert!(with("vectors.txt", "lost.txt").contains("lost.txt"));
    assert!(with("per_pair = 30", "per_pair = 0").contains("nothing to learn from"));
    assert!(with("[\"wmt14-rr\"]", "[\"wmt13-rr\"]").contains("in both training and development data"));
    assert!(with("[\"wmt13-rr\"]", "[\"wmt13-rr\", \"wmt13-rr\"]").contains("is given twice"));
    dir.write("other.txt", b"xyz 1 2\n");
    assert!(with("vectors.txt", "other.txt").contains("has a vector for none of"));
    dir.write("vectors.txt", b"the 1 2\ncat 1\n");
    assert!(with("x", "x").contains("vectors.txt:2"));
    let output = dir.run(&["train", "pairwise", "recipe.toml", "-o", "no/where"]);
    assert!(output.code == 2 && output.stderr.contains("there is no folder no"), "{output:?}");
    for (output, reason) in [("wmt13-rr", "that is a folder"), ("recipe.toml", "that is the recipe")] {
        let output = dir.run(&["train", "pairwise", "recipe.toml", "-o", output]);
        assert!(output.code == 2 && output.stderr.contains(reason), "{output:?}");
    }
    let output = dir.run(&["train", "pairwise", "recipe.toml", "--resume"]);
    assert!(output.code == 2 && output.stderr.contains("there is no checkpoint"), "{output:?}");
    let output = dir.run(&["score", "-m", "pairwise", "-r", "ref", "a"]);
    assert!(output.code == 2 && output.stderr.contains("it needs model=FILE"), "{output:?}");
}
