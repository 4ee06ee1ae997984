//! `tercet train`, and what can be done with a model.

use crate::place::Place;
use std::time::Instant;

const WORDS: [&str; 10] = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "well", "today"];

/// Two systems on so many segments; the better one loses fewer words.
pub fn judgements(place: &Place, folder: &str, segments: usize, shift: usize) {
    let mut files = [String::new(), String::new(), String::new()];
    let mut pairs = "seg_id\tbetter\tworse\n".to_owned();
    for number in 0..segments {
        let words: Vec<&str> = (0..7).map(|place| WORDS[(number * 3 + place * place + shift) % 10]).collect();
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
    place.write(&format!("{folder}/references/newstest20{year}-ref.en"), files[0].as_bytes());
    for (system, text) in ["x", "y"].iter().zip(&files[1..]) {
        place.write(&format!("{folder}/system-outputs/cs-en/{system}"), text.as_bytes());
    }
    place.write(&format!("{folder}/pairs.cs-en.tsv"), pairs.as_bytes());
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

pub fn place() -> Place {
    let place = Place::new();
    judgements(&place, "wmt13-rr", 40, 0);
    judgements(&place, "wmt14-rr", 30, 1);
    let vectors: String =
        WORDS.iter().enumerate().map(|(i, word)| format!("{word} {i} {}\n", i * i % 7)).collect();
    place.write("vectors.txt", vectors.as_bytes());
    place.write("recipe.toml", RECIPE.as_bytes());
    place.write("ref", b"the cat sat on a mat\nthe cat slept well\n");
    place.write("a", b"the cat sat on a mat\nthe cat slept\n");
    place.write("b", b"the cat\na mat\n");
    place
}

#[test]
fn a_recipe_becomes_a_model_that_scores() {
    let place = place();
    let said = place.run(&["train", "pairwise", "recipe.toml", "-q"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    for line in [
        "pairwise.safetensors (",
        "wmt13-rr cs-en (30)",
        "wmt14-rr cs-en (30)",
        "development tau",
        "asymmetry",
    ] {
        assert!(said.stdout.contains(line), "{line}: {}", said.stdout);
    }
    assert!(!place.path("pairwise.safetensors.checkpoint").exists());
    assert!(
        String::from_utf8_lossy(&place.read("pairwise.safetensors")).contains("per_pair = 30"),
        "its recipe"
    );
    let model = "pairwise:model=pairwise.safetensors";
    let said = place.run(&["score", "-r", "ref", "-m", model, "-f", "json", "--level", "both", "a", "b"]);
    assert_eq!(said.code, 0, "{said:?}");
    let scores: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let [a, b] = [0, 1].map(|system| scores[system]["score"].as_f64().unwrap());
    assert!(a > b, "{a} {b}");
    let segments = scores[0]["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 2);
    let signature = scores[0]["signature"].as_str().unwrap();
    assert!(
        signature.starts_with("pairwise:model=pairwise.safetensors,empty=averages|sha256="),
        "{signature}"
    );
    // The signature gives the metric back.
    let again =
        place.run(&["score", "-r", "ref", "-m", signature, "-f", "json", "--level", "both", "a", "b"]);
    let again: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again[0]["segments"], scores[0]["segments"]);
    let zeros =
        place.run(&["score", "-r", "ref", "-m", &format!("{model},empty=zeros"), "-f", "json", "a", "b"]);
    assert!(zeros.code == 0 && zeros.stdout != said.stdout);
    let said =
        place.run(&["compare", "--model", "pairwise.safetensors", "-r", "ref", "-f", "json", "-q", "a", "b"]);
    assert_eq!(said.code, 0, "{said:?}");
    let duel: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert!(duel["signature"].as_str().unwrap().starts_with("pairwise:model=pairwise.safetensors"), "{duel}");
    assert!(duel["overall"]["p_a"].as_f64().unwrap() > 0.5, "{duel}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    let place = place();
    let model = |words: &[&str], name: &str| {
        let said = place.run(&[&["train", "pairwise", "recipe.toml", "-o", name], words].concat());
        assert_eq!(said.code, 0, "{said:?}");
        place.read(name)
    };
    let one = model(&["--threads", "1"], "one");
    assert!(one == model(&["--threads", "3"], "three"));
    assert!(one != model(&["--seed", "2"], "two"));
}

#[test]
fn there_is_hardly_a_line_without_a_terminal() {
    let place = place();
    let alone = RECIPE.replace("development = [\"wmt14-rr\"]", "").replace("patience = 8", "");
    place.write("alone.toml", alone.as_bytes());
    for (recipe, warnings) in [("recipe.toml", 0), ("alone.toml", 1)] {
        let began = Instant::now();
        let said = place.run(&["train", "pairwise", recipe, "-o", &format!("{recipe}.model")]);
        assert_eq!(said.code, 0, "{said:?}");
        let is_warning = |line: &&str| line.starts_with("warning: no [data] development: ");
        assert_eq!(said.stderr.lines().filter(is_warning).count(), warnings, "{said:?}");
        let most = warnings as u64 + began.elapsed().as_secs() / 5;
        assert!(said.stderr.lines().count() as u64 <= most, "{said:?}");
    }
}

#[test]
fn a_model_is_not_overwritten_unasked() {
    let place = place();
    place.write("m", b"mine");
    let error = place.error(2, &["train", "pairwise", "recipe.toml", "-o", "m"]);
    assert_eq!(error, "error: there is already a file m: name another with -o, or give --force\n");
    assert_eq!(place.read("m"), b"mine");
    place.stdout(&["train", "pairwise", "recipe.toml", "-q", "-o", "m", "--force"]);
    assert!(place.read("m") != b"mine");
}

#[test]
fn training_that_was_killed_goes_on_and_ends_the_same() {
    let place = place();
    place.write("long.toml", RECIPE.replace("epochs = 12\npatience = 8", "epochs = 400").as_bytes());
    let train = |words: &[&str]| place.run(&[&["train", "pairwise", "long.toml"], words].concat());
    assert_eq!(train(&["-o", "whole"]).code, 0);
    place.kill_once_there_is("killed.checkpoint", &["train", "pairwise", "long.toml", "-o", "killed"]);
    assert!(!place.path("killed").exists());
    // Without --resume the checkpoint is not thrown away; another seed or another network is another training.
    let said = train(&["-o", "killed"]);
    assert!(said.code == 2 && said.stderr.contains("go on with --resume"), "{said:?}");
    let said = train(&["-o", "killed", "--resume", "--seed", "9"]);
    assert!(said.code == 1 && said.stderr.contains("a run with seed 1; this one has seed 9"), "{said:?}");
    for (from, to, reason) in [
        ("wmt14-rr\"]", "wmt14-rr\"]\ndevelopment_size = 20", "another development set"),
        ("[training]", "[network]\nhidden = 3\n[training]", "hidden 4; this one has"),
    ] {
        let text = RECIPE.replace("epochs = 12\npatience = 8", "epochs = 400").replace(from, to);
        place.write("other.toml", text.as_bytes());
        let said = place.run(&["train", "pairwise", "other.toml", "-o", "killed", "--resume"]);
        assert!(said.code == 1 && said.stderr.contains(reason), "{said:?}");
    }
    let said = train(&["-o", "killed", "--resume"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(place.read("killed") == place.read("whole"));
    assert!(!place.path("killed.checkpoint").exists());
}

#[test]
fn what_cannot_be_trained_is_said_before_work_begins() {
    let place = place();
    let with = |from: &str, to: &str| {
        place.write("bad.toml", RECIPE.replace(from, to).as_bytes());
        let said = place.run(&["train", "pairwise", "bad.toml"]);
        assert!(said.code != 0 && said.stdout.is_empty(), "{said:?}");
        assert!(!place.path("pairwise.safetensors").exists());
        said.stderr
    };
    assert!(with("[\"wmt13-rr\"]", "[\"nowhere\"]").contains("nowhere"));
    assert!(
        with("epochs", "epoch")
            .contains("bad.toml:12: [training] has no key `epoch`, did you mean `epochs`?")
    );
    assert!(with("\"chrf\"", "\"chr\"").contains("did you mean `chrf`?"));
    assert!(with("vectors.txt", "lost.txt").contains("lost.txt"));
    assert!(with("per_pair = 30", "per_pair = 0").contains("nothing to learn from"));
    assert!(with("[\"wmt14-rr\"]", "[\"wmt13-rr\"]").contains("in both training and development data"));
    assert!(with("[\"wmt13-rr\"]", "[\"wmt13-rr\", \"wmt13-rr\"]").contains("is given twice"));
    place.write("other.txt", b"xyz 1 2\n");
    assert!(with("vectors.txt", "other.txt").contains("has a vector for none of"));
    place.write("vectors.txt", b"the 1 2\ncat 1\n");
    assert!(with("x", "x").contains("vectors.txt:2"));
    let said = place.run(&["train", "pairwise", "recipe.toml", "-o", "no/where"]);
    assert!(said.code == 2 && said.stderr.contains("there is no folder no"), "{said:?}");
    for (output, reason) in [("wmt13-rr", "that is a folder"), ("recipe.toml", "that is the recipe")] {
        let said = place.run(&["train", "pairwise", "recipe.toml", "-o", output]);
        assert!(said.code == 2 && said.stderr.contains(reason), "{said:?}");
    }
    let said = place.run(&["train", "pairwise", "recipe.toml", "--resume"]);
    assert!(said.code == 2 && said.stderr.contains("there is no checkpoint"), "{said:?}");
    let said = place.run(&["score", "-m", "pairwise", "-r", "ref", "a"]);
    assert!(said.code == 2 && said.stderr.contains("it needs model=FILE"), "{said:?}");
}
