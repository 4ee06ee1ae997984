//! `tercet train` of kind = "infersent", and the use of a trained encoder.

use crate::test_dir::TestDir;

pub const RECIPE: &str = "\
kind = \"infersent\"

[data]
train = [\"train.jsonl\"]
development = [\"SICK_trial.txt\"]
test = [\"test.txt\"]

[words]
file = \"vectors.txt\"
case = \"lower\"

[network]
units = 5
hidden = 8

[training]
batch = 8
epochs = 3
checkpoint = 0
";

const WORDS: [&str; 8] = ["big", "small", "old", "new", "hot", "cold", "good", "bad"];

/// Two sentences and their label: the same adjective, its opposite, or another one.
fn pair(number: usize) -> (String, String, &'static str) {
    let word = (number * 5 + number / 3) % 8;
    let (other, label) = match number % 3 {
        0 => (word, "entailment"),
        1 => (word ^ 1, "contradiction"),
        _ => ((word + 2) % 8, "neutral"),
    };
    (format!("The cat is {}.", WORDS[word]), format!("A dog is {}", WORDS[other]), label)
}

pub fn dir() -> TestDir {
    let dir = TestDir::new();
    let mut json = "{\"gold_label\":\"-\",\"sentence1\":\"x\",\"sentence2\":\"y\"}\n".to_owned();
    let mut sick = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n".to_owned();
    let mut table = "gold_label\tsentence1\tsentence2\tlabel1\n".to_owned();
    for number in 0..60 {
        let (first, second, label) = pair(number);
        json.push_str(&format!(
            "{{\"gold_label\":\"{label}\",\"sentence1\":\"{first}\",\"sentence2\":\"{second}\"}}\n"
        ));
        if number % 4 == 0 {
            sick.push_str(&format!("{number}\t{first}\t{second}\t3\t{}\n", label.to_uppercase()));
            table.push_str(&format!("{label}\t{second}\t{first}\n"));
        }
    }
    dir.write("train.jsonl", json.as_bytes());
    dir.write("SICK_trial.txt", sick.as_bytes());
    dir.write("test.txt", table.as_bytes());
    let number = |at: usize| ((at * 7 + 3) % 11) as f64 / 11.0 - 0.4;
    let words = WORDS.iter().chain(&["the", "a", "is", "cat", "dog", "."]).enumerate();
    let vector =
        |(at, word): (usize, &&str)| format!("{word} {} {} {}\n", number(at), number(at * at + 1), number(3 * at + 2));
    dir.write("vectors.txt", words.map(vector).collect::<String>().as_bytes());
    dir.write("recipe.toml", RECIPE.as_bytes());
    dir
}

#[test]
fn a_recipe_becomes_an_encoder_that_other_recipes_use() {
    let dir = dir();
    let output = dir.run(&["train", "recipe.toml"]);
    assert_eq!(output.code, 0, "{output:?}");
    for line in [
        "infersent.safetensors (",
        "trained on           train.jsonl (60, and 1 without a label)\n",
        "development          SICK_trial.txt (15)\n",
        "test                 test.txt (15)\n",
        "development accuracy 0.",
        "test accuracy        0.",
        " have a vector (100.0%)\n",
        "seed                 1\n",
        "epochs               3\n",
    ] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    assert!(!output.stdout.contains("[network]") && !dir.path("infersent.safetensors.checkpoint").exists());
    let mut scores = "score\treference\ttranslation\n".to_owned();
    (0..12).for_each(|number| {
        let (first, second, _) = pair(number);
        scores.push_str(&format!("{}\t{first}\t{second}\n", number % 3));
    });
    dir.write("scores.tsv", scores.as_bytes());
    dir.write(
        "ruse.toml",
        b"kind = \"ruse\"\n[data]\ntrain = [\"scores.tsv\"]\n[inputs]\n\
          encoders = [\"infersent:model=infersent.safetensors,vectors=vectors.txt\"]\n\
          [regression]\nmethod = \"ridge\"\nfolds = 3\n",
    );
    dir.stdout(&["train", "ruse.toml", "-q"]);
    dir.write("ref", b"The cat is big.\n");
    dir.write("hyp", b"The dog is big.\n");
    let output = dir.stdout(&["score", "-m", "ruse:model=ruse.safetensors", "-r", "ref", "hyp"]);
    assert!(output.contains("ruse"), "{output}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    dir().check_seed_and_threads(&["train", "recipe.toml", "-q"]);
}

#[test]
fn a_killed_training_resumes_with_the_same_result() {
    let dir = dir();
    // The learning rate stays high enough for all epochs.
    let long = RECIPE.replace("epochs = 3", "epochs = 60\nrate_divisor = 1.01");
    dir.write("long.toml", long.as_bytes());
    let train = |words: &[&str]| dir.run(&[&["train", "long.toml", "-q"], words].concat());
    assert_eq!(train(&["-o", "whole"]).code, 0);
    dir.kill_when_file_exists("killed.checkpoint", &["train", "long.toml", "-q", "-o", "killed"]);
    assert!(!dir.path("killed").exists());
    let output = train(&["-o", "killed", "--resume", "--seed", "9"]);
    assert!(output.code == 2 && output.stderr.contains("seed"), "{output:?}");
    let output = train(&["-o", "killed", "--resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(dir.read("killed") == dir.read("whole"));
    assert!(!dir.path("killed.checkpoint").exists());
}

#[test]
fn data_that_do_not_fit_are_an_error() {
    let dir = dir();
    dir.write("empty.txt", b"");
    dir.write("label.txt", b"gold_label\tsentence1\tsentence2\nmaybe\ta\tb\n");
    dir.write("column.txt", b"label\tsentence1\tsentence2\n");
    dir.write("other.txt", b"xyz 1 2\n");
    for (from, to, reason) in [
        ("train.jsonl", "nowhere.jsonl", "nowhere.jsonl"),
        ("train.jsonl", "empty.txt", "empty.txt is empty: expected JSON lines of SNLI or MultiNLI"),
        (
            "train.jsonl",
            "label.txt",
            "label.txt:2: expected the label entailment, neutral, contradiction, or - for none, found \"maybe\"",
        ),
        ("train.jsonl", "column.txt", "column.txt:1: expected a column `gold_label`"),
        ("SICK_trial.txt", "train.jsonl", "train.jsonl is in both training and development data"),
        ("vectors.txt", "other.txt", "other.txt: no word of the texts has a vector"),
        ("units = 5", "units = 20000", "bad.toml:13: [network] units cannot be 20000"),
        ("[training]", "[training]\nlearning_rate = 0", "[training] learning_rate cannot be 0: expected more than 0"),
    ] {
        dir.write("bad.toml", RECIPE.replacen(from, to, 1).as_bytes());
        let output = dir.run(&["train", "bad.toml", "-q"]);
        assert!(output.code != 0 && output.stdout.is_empty(), "{output:?}");
        assert!(output.stderr.contains(reason), "{reason}: {}", output.stderr);
        assert!(!dir.path("infersent.safetensors").exists());
    }
}
