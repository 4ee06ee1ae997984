//! `tercet train` of kind = "reval", and the use of a trained model.

use crate::test_dir::TestDir;
use crate::train::judgements;

const WORDS: [&str; 10] = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "well", "today"];

/// Every translation was ranked four times: the fewer words it lost, the better.
pub const RECIPE: &str = "\
kind = \"reval\"

[data]
train = [\"wmt13-rr\"]
development = [\"wmt14-rr\"]

[words]
file = \"vectors.txt\"

[network]
memory = 6
hidden = 4

[training]
batch = 10
epochs = 5
checkpoint = 0
";

/// Rankings of four systems by four judges: `system-0` has all words, the next ones two fewer each.
fn rankings(dir: &TestDir, folder: &str, segments: usize) {
    let mut texts = vec![String::new(); 5];
    let mut rows = "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n".to_owned();
    for segment in 0..segments {
        let words: Vec<&str> = (0..8).map(|at| WORDS[(segment * 3 + at * at) % 10]).collect();
        texts[0].push_str(&format!("{}\n", words.join(" ")));
        for system in 0..4 {
            texts[system + 1].push_str(&format!("{}\n", words[..8 - 2 * system].join(" ")));
        }
        for (judge, system) in (0..4).flat_map(|judge| (0..4).map(move |system| (judge, system))) {
            let (ranking, group, rank) = (segment * 4 + judge, system + 1, system + 1);
            rows.push_str(&format!("{ranking}\t{}\tjudge{judge}\t{group}\tsystem-{system}\t{rank}\n", segment + 1));
        }
    }
    dir.write(&format!("{folder}/references/newstest2013-ref.en"), texts[0].as_bytes());
    for system in 0..4 {
        dir.write(&format!("{folder}/system-outputs/cs-en/system-{system}"), texts[system + 1].as_bytes());
    }
    dir.write(&format!("{folder}/rankings.cs-en.tsv"), rows.as_bytes());
}

pub fn dir() -> TestDir {
    let dir = TestDir::new();
    rankings(&dir, "wmt13-rr", 15);
    judgements(&dir, "wmt14-rr", 20, 1);
    let number = |at: usize| ((at * 7 + 3) % 11) as f64 / 11.0 - 0.4;
    let vectors: String = WORDS
        .iter()
        .enumerate()
        .map(|(at, word)| format!("{word} {} {} {}\n", number(at), number(at * at + 1), number(3 * at + 2)))
        .collect();
    dir.write("vectors.txt", vectors.as_bytes());
    dir.write("recipe.toml", RECIPE.as_bytes());
    dir.write("ref", b"the cat sat on a mat\nthe cat slept well\n");
    dir.write("a", b"the cat sat on a mat\nthe cat slept\n");
    dir.write("b", b"the cat\na mat\n");
    dir
}

#[test]
fn a_recipe_becomes_a_model_that_scores_compares_and_correlates() {
    let dir = dir();
    let output = dir.run(&["train", "recipe.toml", "-q", "--epochs", "30"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    for line in ["reval.safetensors (", "wmt13-rr cs-en (60)", "wmt14-rr cs-en (20)", "development tau", "slope"] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    assert!(!dir.path("reval.safetensors.checkpoint").exists());
    let model = "reval:model=reval.safetensors";
    let output = dir.run(&["score", "-r", "ref", "-m", model, "-f", "json", "--level", "both", "a", "b"]);
    assert_eq!(output.code, 0, "{output:?}");
    let scores: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let [a, b] = [0, 1].map(|system| scores[system]["score"].as_f64().unwrap());
    assert!(a > b && a <= 1.0 && b >= 0.0, "{a} {b}");
    let signature = scores[0]["signature"].as_str().unwrap();
    assert!(signature.starts_with("reval:model=reval.safetensors|sha256="), "{signature}");
    let again = dir.run(&["score", "-r", "ref", "-m", signature, "-f", "json", "--level", "both", "a", "b"]);
    let again: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again[0]["segments"], scores[0]["segments"]);
    let output = dir.run(&["compare", "-m", model, "-r", "ref", "-f", "json", "-q", "a", "b"]);
    assert_eq!(output.code, 0, "{output:?}");
    let compared: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert!(compared["overall"]["p_a"].as_f64().unwrap() > 0.5, "{compared}");
    dir.write("de", "Wir haben den letzten Zug um zwei Minuten verpasst und sind nach Hause gegangen.\n".as_bytes());
    let output = dir.run(&["score", "-r", "de", "-m", model, "de", "-l", "de"]);
    assert!(output.code == 0 && output.stderr.contains("reval is for English"), "{output:?}");
    for (set, is_known) in [("wmt13-rr", true), ("wmt14-rr", false)] {
        let output = dir.run(&["correlate", set, "-m", model, "-f", "tsv"]);
        assert!(output.code == 0 && output.stdout.contains("reval"), "{output:?}");
        let learned = format!("{model} was trained on {set} cs-en");
        assert_eq!(output.stderr.contains(&learned), is_known, "{output:?}");
    }
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    dir().check_seed_and_threads(&["train", "recipe.toml", "-q"]);
}

#[test]
fn a_killed_training_resumes_with_the_same_result() {
    let dir = dir();
    for (name, more) in [("one", ""), ("mixed", "[mix]\nwords = 5\nnetwork.hidden = 3\n")] {
        dir.write("long.toml", format!("{}{more}", RECIPE.replace("epochs = 5", "epochs = 30")).as_bytes());
        let train = |words: &[&str]| dir.run(&[&["train", "long.toml", "-q"], words].concat());
        assert_eq!(train(&["-o", name]).code, 0);
        let killed = format!("killed-{name}");
        // With two networks the first is kept in a file while the second is trained.
        let file = if more.is_empty() { "checkpoint" } else { "first-network" };
        dir.kill_when_file_exists(&format!("{killed}.{file}"), &["train", "long.toml", "-q", "-o", &killed]);
        assert!(!dir.path(&killed).exists());
        let output = train(&["-o", &killed, "--resume", "--seed", "9"]);
        assert!(output.code == 2 && output.stderr.contains("seed"), "{output:?}");
        let output = train(&["-o", &killed, "--resume"]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(dir.read(&killed) == dir.read(name), "{name}");
        for ending in ["checkpoint", "first-network"] {
            assert!(!dir.path(&format!("{killed}.{ending}")).exists());
        }
    }
}

#[test]
fn data_that_do_not_fit_are_an_error() {
    let dir = dir();
    let with = |from: &str, to: &str| {
        dir.write("bad.toml", RECIPE.replacen(from, to, 1).as_bytes());
        let output = dir.run(&["train", "bad.toml"]);
        assert!(output.code != 0 && output.stdout.is_empty(), "{output:?}");
        assert!(!dir.path("reval.safetensors").exists());
        output.stderr
    };
    let train = "train = [\"wmt13-rr\"]";
    for (from, to, reason) in [
        (train, "train = [\"nowhere\"]", "nowhere"),
        (train, "train = [\"wmt13-rr\", \"wmt13-rr\"]", "is given twice"),
        (train, "train = [\"wmt13-rr\"]\ntrain_pairs = [\"de-en\"]", "no judgements for de-en (there are: "),
        ("[\"wmt14-rr\"]", "[\"wmt13-rr\"]", "wmt13-rr cs-en is in both training and development data"),
        ("[\"wmt14-rr\"]", "[\"wmt14-rr\", \"fine.tsv\"]", "the development set has rankings and scores"),
        (train, "scored = [\"scored.tsv\"]", "scored: a score is 7, expected 1 to 5 (name the range: { file"),
        (train, "scored = [\"broken.tsv\"]", "broken.tsv:2: expected a number"),
        ("vectors.txt", "other.txt", "other.txt: no word of the texts has a vector"),
        ("vectors.txt", "lost.txt", "lost.txt"),
        ("[network]", "[trees]\nfiles = [\"t.conllu\"]\n[network]", "t.conllu:2: word 2 has the root as its head"),
        ("[network]", "[trees]\nparser = \"vectors.txt\"\n[network]", "vectors.txt"),
    ] {
        dir.write("other.txt", b"xyz 1 2\n");
        dir.write("scored.tsv", b"score\treference\ttranslation\n7\tthe cat\ta cat\n");
        dir.write("fine.tsv", b"score\treference\ttranslation\n3\tthe cat\ta cat\n");
        dir.write("broken.tsv", b"score\treference\ttranslation\nmany\tthe cat\ta cat\n");
        dir.write("t.conllu", b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
        let error = with(from, to);
        assert!(error.contains(reason), "{reason}: {error}");
    }
}

#[test]
fn scores_of_another_range_are_scaled() {
    let dir = dir();
    let table = |score: fn(usize) -> f64| {
        let row = |at: usize| format!("{}\tthe cat sat\tthe {}\n", score(at), WORDS[at % 10]);
        format!("score\treference\ttranslation\n{}", (0..20).map(row).collect::<String>())
    };
    dir.write("from-0-to-100.tsv", table(|at| at as f64 * 5.0).as_bytes());
    dir.write("from-1-to-5.tsv", table(|at| 1.0 + at as f64 / 5.0).as_bytes());
    dir.write("hyp", b"the cat\nthe mat sat\n");
    dir.write("ref", b"the cat sat\nthe cat sat\n");
    let scores = |file: &str, entry: &str| {
        let recipe = RECIPE.replace("train = [\"wmt13-rr\"]", &format!("scored = [{entry}]"));
        dir.write("scaled.toml", recipe.as_bytes());
        let output = dir.stdout(&["train", "scaled.toml", "-q", "-o", file]);
        assert!(output.contains("(20)"), "{output}");
        let metric = format!("reval:model={file}");
        let words = ["score", "-m", &metric, "-r", "ref", "--level", "segment", "-f", "tsv", "hyp"];
        let rows = dir.stdout(&words);
        let score = |row: &str| row.rsplit('\t').next().unwrap().to_string();
        rows.lines().skip(1).map(score).collect::<Vec<_>>()
    };
    let scaled = scores("scaled", "{ file = \"from-0-to-100.tsv\", low = 0, high = 100 }");
    assert_eq!(scaled.len(), 2, "{scaled:?}");
    assert_eq!(scaled, scores("plain", "\"from-1-to-5.tsv\""));
}

#[test]
fn a_model_is_inside() {
    let dir = dir();
    dir.write("ref.en", b"The cat sat on the red mat.\nHe said &quot;no&quot;.\n");
    dir.write("good.en", b"The cat was sitting on the red mat.\nHe said \"no\".\n");
    dir.write("bad.en", b"Cat mat of red the.\nIt is not says the.\n");
    let output = dir.run(&["score", "-q", "-m", "reval", "-r", "ref.en", "good.en", "bad.en", "-f", "tsv"]);
    assert_eq!(output.code, 0, "{output:?}");
    let score = |system: &str| -> f64 {
        let row = output.stdout.lines().find(|row| row.starts_with(system)).unwrap();
        row.split('\t').find_map(|cell| cell.parse().ok()).unwrap()
    };
    assert!(score("good.en") > score("bad.en"), "{output:?}");
    let output = dir.run(&["compare", "-q", "-m", "reval", "-r", "ref.en", "good.en", "bad.en"]);
    assert_eq!(output.code, 0, "{output:?}");
}
