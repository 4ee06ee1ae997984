//! `tercet train` of kind = "siamese", and the use of a trained model. The start is a small model, and the judges of
//! these tests prefer translations with more changed words: that must come from learning.

use crate::test_dir::TestDir;

const WORDS: [&str; 8] = ["the", "a", "cat", "dog", "sat", "on", "mat", "ran"];

pub const RECIPE: &str = "\
kind = \"siamese\"
start = \"small.safetensors\"

[data]
train = [\"wmt13-rr\"]
development = [\"wmt14-rr\"]
copies = 0

[training]
layers = 0
learning_rate = 0.03
epochs = 30
batch = 4
checkpoint = 0
";

/// A file of the compatibility tests.
fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tercet/tests/compatibility/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

/// Rankings of three systems: the more words one changes, the better.
fn rankings(dir: &TestDir, folder: &str, segments: usize, pair: &str) {
    let mut texts = vec![String::new(); 4];
    let mut rows = "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n".to_owned();
    for segment in 0..segments {
        let words: Vec<&str> = (0..6).map(|at| WORDS[(segment * 3 + at * at) % 8]).collect();
        texts[0].push_str(&format!("{}\n", words.join(" ")));
        for system in 0..3 {
            let mut words = words.clone();
            (0..2 * system).for_each(|at| words[at] = WORDS[(segment + at) % 8]);
            texts[system + 1].push_str(&format!("{}\n", words.join(" ")));
            let (group, rank) = (system + 1, 3 - system);
            rows.push_str(&format!("{segment}\t{}\tjudge\t{group}\tsystem-{system}\t{rank}\n", segment + 1));
        }
    }
    let target = &pair[3..];
    dir.write(&format!("{folder}/references/newstest2013-ref.{target}"), texts[0].as_bytes());
    for system in 0..3 {
        dir.write(&format!("{folder}/system-outputs/{pair}/system-{system}"), texts[system + 1].as_bytes());
    }
    dir.write(&format!("{folder}/rankings.{pair}.tsv"), rows.as_bytes());
}

pub fn dir() -> TestDir {
    let dir = TestDir::new();
    rankings(&dir, "wmt13-rr", 24, "cs-en");
    rankings(&dir, "wmt14-rr", 16, "de-en");
    dir.write("small.safetensors", &fixture("siamese.safetensors"));
    dir.write("pairwise.safetensors", &fixture("pairwise-ready.safetensors"));
    dir.write("recipe.toml", RECIPE.as_bytes());
    dir.write("ref", b"the cat sat on a mat\nthe dog ran\n");
    dir.write("a", b"the cat sat on a mat\nthe dog ran\n");
    dir.write("b", b"a a dog on\nmat mat the\n");
    dir
}

/// What a summary says of something: names and values are two spaces apart, or one after the longest name.
fn noted<'s>(summary: &'s str, name: &str) -> &'s str {
    let of_line = |line: &'s str| line.strip_prefix(name)?.strip_prefix(' ');
    summary.lines().filter_map(of_line).map(str::trim_start).next().unwrap()
}

/// Before and after training, from a line of the summary such as `development tau  0.6 (before: 0.1)`.
fn figures(summary: &str, name: &str) -> [f64; 2] {
    let line = summary.lines().find(|line| line.starts_with(name)).unwrap();
    let numbers: Vec<f64> = line.split([' ', '(', ')']).filter_map(|word| word.parse().ok()).collect();
    [numbers[1], numbers[0]]
}

#[test]
fn the_head_or_layers_learn_and_the_model_is_used_as_any_other() {
    let dir = dir();
    for (layers, learned) in
        [(0, "the head\n"), (1, "the head and the last layer\n"), (2, "the head and the last 2 layers\n")]
    {
        let recipe = RECIPE.replace("layers = 0", &format!("layers = {layers}"));
        let rate = if layers == 0 { "" } else { "encoder_rate = 0.03\n" };
        dir.write("recipe.toml", format!("{recipe}{rate}").as_bytes());
        let output = dir.run(&["train", "recipe.toml", "-q", "--force"]);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
        for line in
            ["siamese.safetensors (", "wmt13-rr cs-en (72)", "wmt14-rr de-en (48)", "fitted to 48 pairs", learned]
        {
            assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
        }
        let [before, after] = figures(&output.stdout, "development tau");
        assert!(before < 0.0 && after > 0.5, "{layers} layers: {before} to {after}");
    }
    assert!(!dir.path("siamese.safetensors.checkpoint").exists());
    let model = "siamese:model=siamese.safetensors";
    let output = dir.run(&["score", "-r", "ref", "-m", model, "-f", "json", "a", "b"]);
    assert_eq!(output.code, 0, "{output:?}");
    let scores: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let [a, b] = [0, 1].map(|system| scores[system]["score"].as_f64().unwrap());
    assert!(a < b && b <= 100.0 && a >= 0.0, "{a} {b}");
    let output = dir.run(&["compare", "-m", model, "-r", "ref", "-f", "json", "-q", "a", "b"]);
    let compared: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert!(compared["overall"]["p_a"].as_f64().unwrap() < 0.5, "{compared}");
    let ranked = dir.stdout(&["rank", "-q", "-m", model, "-r", "ref", "-f", "tsv", "a", "b"]);
    let first = ranked.lines().nth(1).unwrap().split('\t').any(|cell| cell == "b");
    assert!(first, "{ranked}");
    for (set, is_known) in [("wmt13-rr", true), ("wmt14-rr", false)] {
        let output = dir.run(&["correlate", set, "-m", model, "-f", "tsv"]);
        let learned = format!("{model} was trained on {set}");
        assert_eq!((output.code, output.stderr.contains(&learned)), (0, is_known), "{output:?}");
    }
}

#[test]
fn a_training_that_gained_nothing_says_so() {
    let dir = dir();
    let slow = RECIPE.replace("learning_rate = 0.03", "learning_rate = 1e-12").replace("epochs = 30", "epochs = 1");
    dir.write("slow.toml", slow.as_bytes());
    let output = dir.run(&["train", "slow.toml", "-o", "slow.safetensors"]);
    let warning = "warning: training gained nothing on the development set (tau ";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
    let output = dir.run(&["train", "recipe.toml"]);
    assert!(output.code == 0 && !output.stderr.contains("gained nothing"), "{output:?}");
}

#[test]
fn scores_are_learned_and_the_scale_is_kept_or_fitted() {
    let dir = dir();
    let mut table = "score\treference\ttranslation\n".to_owned();
    for segment in 0..60 {
        let word = |at: usize| WORDS[(segment * 3 + at * (at + segment / 8)) % 8];
        let reference: Vec<&str> = (0..6).map(word).collect();
        for wrong in 0..4 {
            let mut words = reference.clone();
            (0..wrong).for_each(|at| words[at] = WORDS[(segment + at) % 8]);
            table += &format!("{}\t{}\t{}\n", 30 + 20 * wrong, reference.join(" "), words.join(" "));
        }
    }
    dir.write("scores.tsv", table.as_bytes());
    let recipe = RECIPE
        .replace("train = [\"wmt13-rr\"]", "train = [\"scores.tsv\"]")
        .replace("development = [\"wmt14-rr\"]", "held_out = 0.5");
    let train = |more: &str| {
        dir.write("scored.toml", format!("{recipe}{more}").as_bytes());
        dir.stdout(&["train", "scored.toml", "-q", "--force"])
    };
    let kept = train("");
    let [before, after] = figures(&kept, "development pearson");
    assert!(before < 0.0 && after > 0.5, "{kept}");
    assert!(kept.contains("scores (240)") && kept.contains("references of the training set, held out"), "{kept}");
    assert_eq!(kept.matches("that of the start").count(), 2, "{kept}");
    assert!(kept.contains("(that of the start, scaled as the scores were)"), "{kept}");
    let fitted = train("[calibration]\nscale = \"fitted\"\n");
    assert!(fitted.contains("outputs of the development set"), "{fitted}");
    let single = train("[model]\nprecision = \"single\"\n");
    assert!(single.contains("development pearson"), "{single}");
}

#[test]
fn pairs_and_scores_of_a_set_are_two_kinds_of_judgements() {
    let dir = dir();
    rankings(&dir, "both", 24, "cs-en");
    for (role, file) in [
        ("reference", "both/references/newstest2013-ref.en"),
        ("mt-system", "both/system-outputs/cs-en/system-1"),
        ("source", "both/references/newstest2013-ref.en"),
    ] {
        dir.write(&format!("both/da.{role}.cs-en"), &dir.read(file));
    }
    let scores: String = (0..24).map(|line| format!("{line}\n")).collect();
    dir.write("both/da.human.cs-en", scores.as_bytes());
    let train = |entries: &str| {
        let recipe = RECIPE.replace("[\"wmt13-rr\"]", entries).replace("copies = 0", "per_pair = 20");
        dir.write("both.toml", recipe.as_bytes());
        noted(&dir.stdout(&["train", "both.toml", "-q", "--force"]), "fine tuned on").to_owned()
    };
    let (pairs, scores) =
        ("{ file = \"both\", judgements = \"pairs\" }", "{ file = \"both\", judgements = \"scores\" }");
    assert_eq!(train(&format!("[{pairs}]")), "both cs-en (20)");
    assert_eq!(train(&format!("[{scores}]")), "both cs-en (20)");
    assert_eq!(train(&format!("[{pairs}, {scores}]")), "both cs-en (20), both cs-en (20)");
    assert_eq!(train("[\"both\"]"), "both cs-en (20), both cs-en (20)");
}

#[test]
fn compare_says_how_a_model_of_this_kind_is_used() {
    let dir = dir();
    let error = dir.error(2, &["compare", "--model", "small.safetensors", "-r", "ref", "a", "b"]);
    let expected =
        "small.safetensors: it holds a siamese, not a pairwise network (use -m siamese:model=small.safetensors)\n";
    assert!(error.ends_with(expected), "{error}");
    assert_eq!(dir.run(&["compare", "-m", "siamese:model=small.safetensors", "-r", "ref", "a", "b"]).code, 0);
    let signature = format!("siamese:model=small.safetensors|sha256={}", "0".repeat(8));
    let error = dir.error(2, &["score", "-m", &signature, "-r", "ref", "a"]);
    assert!(error.contains("the signature says sha256=00000000, but here it is "), "{error}");
    assert!(!error.contains("key=value"), "{error}");
}

#[test]
fn what_is_left_out_is_said() {
    let dir = dir();
    let table = |rows: &[[&str; 3]]| {
        let rows: String = rows.iter().map(|row| format!("{}\n", row.join("\t"))).collect();
        format!("score\treference\ttranslation\n{rows}")
    };
    let one = table(&[["1", "the cat sat", "a cat sat"], ["2", "the cat sat", "the cat"]]);
    dir.write("one.tsv", one.as_bytes());
    let recipe = RECIPE.replace("development = [\"wmt14-rr\"]\n", "");
    dir.write("one.toml", recipe.replace("wmt13-rr", "one.tsv").as_bytes());
    let output = dir.run(&["train", "one.toml", "-o", "one.safetensors"]);
    let warning = "warning: too few references to hold some out: the last epoch is kept";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
    assert_eq!(noted(&output.stdout, "development"), "none", "{output:?}");
    let two = table(&[["1", "the cat sat", "a cat sat"], ["2", "a dog ran", "the dog"]]);
    dir.write("two.tsv", two.as_bytes());
    dir.write("two.toml", recipe.replace("wmt13-rr", "two.tsv").as_bytes());
    let output = dir.run(&["train", "two.toml", "-o", "two.safetensors"]);
    assert_eq!(noted(&output.stdout, "development"), "1 reference of the training set, held out");
    assert_eq!(noted(&output.stdout, "development pearson"), "undefined (before: undefined)");
    assert!(!output.stderr.contains("best -"), "{output:?}");
    let row = |i: usize| format!("{i}\t5{i}\t0.{i}\t0.1\tx\tthe cat sat {i}\ta cat sat {i}\n");
    let edited: String = (0..4).map(row).collect();
    let header = "index\tda_mean\tda_z_mean\thter\tsource\tmt\tpost_edit\n";
    dir.write("et-en.dev.tsv", format!("{header}{edited}").as_bytes());
    dir.write("edited.toml", recipe.replace("wmt13-rr", "et-en.dev.tsv").as_bytes());
    let output = dir.run(&["train", "edited.toml", "-o", "edited.safetensors"]);
    let warning = "warning: et-en.dev et-en: the references are post-edits of the judged outputs: ";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
    let long = "the cat sat on the mat ".repeat(40);
    let with_dog = format!("{long}dog");
    let rows = [["1", &long, &with_dog], ["2", "a dog ran", "the dog"], ["3", "the mat", "a mat"]];
    dir.write("long.tsv", table(&rows).as_bytes());
    dir.write("long.toml", recipe.replace("wmt13-rr", "long.tsv").as_bytes());
    let output = dir.run(&["train", "long.toml", "-o", "long.safetensors"]);
    let warning = "warning: 2 lines are longer than the encoder's window of ";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    let dir = dir();
    dir.check_seed_and_threads(&["train", "recipe.toml", "-q"]);
    let dir = self::dir();
    dir.write("recipe.toml", RECIPE.replace("layers = 0", "layers = 1").as_bytes());
    dir.check_seed_and_threads(&["train", "recipe.toml", "-q"]);
}

#[test]
fn a_killed_training_resumes_with_the_same_result() {
    let dir = dir();
    let recipe = RECIPE.replace("layers = 0", "layers = 2").replace("epochs = 30", "epochs = 60\npatience = 60");
    dir.write("long.toml", recipe.as_bytes());
    let train = |words: &[&str]| dir.run(&[&["train", "long.toml", "-q"], words].concat());
    assert_eq!(train(&["-o", "whole"]).code, 0);
    dir.kill_when_file_exists("killed.checkpoint", &["train", "long.toml", "-q", "-o", "killed"]);
    assert!(!dir.path("killed").exists());
    let output = train(&["-o", "killed", "--resume", "--seed", "9"]);
    assert!(output.code == 2 && output.stderr.contains("seed"), "{output:?}");
    let output = train(&["-o", "killed", "--resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(dir.read("killed") == dir.read("whole"));
}

#[test]
fn what_cannot_be_learned_is_an_error() {
    let dir = dir();
    dir.write("constant.tsv", b"score\treference\ttranslation\n3\tthe cat\ta cat\n3\tthe dog\ta dog\n");
    dir.write("empty.tsv", b"score\treference\ttranslation\n3\tthe cat\t\n2\tthe dog\t\n");
    let mut tied = String::from_utf8(dir.read("wmt13-rr/rankings.cs-en.tsv")).unwrap();
    tied = tied.replace("\t2\n", "\t1\n").replace("\t3\n", "\t1\n");
    for name in [
        "references/newstest2013-ref.en",
        "system-outputs/cs-en/system-0",
        "system-outputs/cs-en/system-1",
        "system-outputs/cs-en/system-2",
    ] {
        dir.write(&format!("tied/{name}"), &dir.read(&format!("wmt13-rr/{name}")));
    }
    dir.write("tied/rankings.cs-en.tsv", tied.as_bytes());
    let train = "train = [\"wmt13-rr\"]";
    for (from, to, reason) in [
        (train, "train = [\"nowhere\"]", "nowhere"),
        (train, "train = [\"tied\"]", "there are no judgements to learn from: tied cs-en (0)"),
        (
            train,
            "train = [\"wmt13-rr\", \"wmt13-rr\"]",
            "wmt13-rr cs-en is given twice (a set is known by the name of its folder or file: if they are two, rename \
             one)",
        ),
        (
            train,
            "train = [{ file = \"constant.tsv\", pairs = [\"cs-en\"] }]",
            "constant.tsv: it does not say its language pair: leave out `pairs`",
        ),
        (
            train,
            "train = [{ file = \"constant.tsv\", judgements = \"pairs\" }]",
            "error: constant: no judgements of which of two translations is better",
        ),
        ("[\"wmt14-rr\"]", "[\"empty.tsv\"]", "there are no judgements in the development set: every text is empty"),
        (
            train,
            "train = [{ file = \"wmt13-rr\", pairs = [\"fi-en\"] }]",
            "there are no judgements for fi-en; there are cs-en",
        ),
        (train, "train = [{ file = \"wmt13-rr\", judgements = \"scores\" }]", "wmt13-rr cs-en: no scores of segments"),
        (train, "train = [\"constant.tsv\"]", "constant: all scores are 3: there is nothing to learn"),
        (train, "train = [\"empty.tsv\"]", "every text is empty or far too long"),
        (train, "train = []", "[data] train is empty"),
        ("[\"wmt14-rr\"]", "[\"wmt13-rr\"]", "wmt13-rr cs-en is in both training and development data"),
        ("layers = 0", "layers = 3", "[training] layers cannot be 3: the encoder of the start has 2 layers"),
        ("small.safetensors", "pairwise.safetensors", "pairwise.safetensors"),
        ("small.safetensors", "lost.safetensors", "lost.safetensors"),
        (
            "checkpoint = 0",
            "checkpoint = 0\n[calibration]\nscale = \"fitted\"",
            "cannot be fitted to 44 outputs: the development set needs 101 at least",
        ),
    ] {
        dir.write("bad.toml", RECIPE.replacen(from, to, 1).as_bytes());
        let output = dir.run(&["train", "bad.toml"]);
        assert!(output.code != 0 && output.stdout.is_empty(), "{to}: {output:?}");
        assert!(output.stderr.contains(reason), "{reason}: {}", output.stderr);
        // Before the training: nothing is left of it.
        assert!(!dir.path("siamese.safetensors").exists() && !dir.path("siamese.safetensors.checkpoint").exists());
    }
}

#[test]
fn other_target_languages_are_warned_about() {
    let dir = dir();
    rankings(&dir, "german", 24, "en-de");
    let refused = RECIPE.replace("wmt13-rr", "german");
    dir.write("german.toml", refused.as_bytes());
    let output = dir.run(&["train", "german.toml"]);
    assert!(output.code != 0 && output.stderr.contains("nothing here is into English"), "{output:?}");
    let chosen = refused.replace("\"german\"", "{ file = \"german\", pairs = [\"en-de\"] }");
    dir.write("german.toml", chosen.as_bytes());
    let output = dir.run(&["train", "german.toml"]);
    let warning =
        "warning: german en-de: the references are not English, but de: the models of siamese know English only";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
    // Found in the texts where no language pair says it.
    let row =
        |text: &str| format!("1\tDer Hund und die Katze sind nicht in dem Haus, {text}\tdie Katze ist auf dem Haus\n");
    let table: String = ["und das ist gut.", "aber er ist da.", "wie sie es sagt."].map(row).concat();
    let scores = format!("score\treference\ttranslation\n{table}2\tDas ist nicht der Mann von der Frau.\tder Mann\n");
    dir.write("scores.tsv", scores.as_bytes());
    dir.write("texts.toml", RECIPE.replace("[\"wmt13-rr\"]", "[\"scores.tsv\"]").as_bytes());
    let output = dir.run(&["train", "texts.toml", "--force"]);
    let warning = "warning: scores: the references are not English, but German";
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
}

/// The embedded model, on our own sentences.
#[test]
fn the_example_is_trained() {
    let dir = TestDir::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let model = dir.path("tuned.safetensors");
    let (recipe, model) = (format!("{examples}/siamese.toml"), model.display().to_string());
    let output = dir.run(&["train", &recipe, "-o", &model, "-q"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    assert!(output.stdout.contains("rankings de-en (101), scores (64)"), "{output:?}");
    let [before, after] = figures(&output.stdout, "development tau");
    assert!(after >= before, "{output:?}");
    assert!(std::fs::metadata(&model).unwrap().len() < 36_000_000);
    let reference = format!("{examples}/reference.en.txt");
    let systems = ["a", "b", "d"].map(|name| format!("{examples}/system-{name}.en.txt"));
    let score = |metric: &str| -> Vec<f64> {
        let words =
            ["score", "-q", "-f", "json", "-m", metric, "-r", &reference, &systems[0], &systems[1], &systems[2]];
        let scores: serde_json::Value = serde_json::from_str(&dir.stdout(&words)).unwrap();
        scores.as_array().unwrap().iter().map(|system| system["score"].as_f64().unwrap()).collect()
    };
    let (before, after) = (score("siamese"), score(&format!("siamese:model={model}")));
    assert!(after[0] > after[1] && after[0] > after[2], "{after:?}");
    for (before, after) in before.iter().zip(&after) {
        assert!(before != after && (before - after).abs() < 15.0, "{before} {after}");
    }
}

#[test]
fn reference_and_source_are_learned_from_at_once() {
    let dir = TestDir::new();
    dir.write("small.safetensors", &fixture("siamese-multilingual.safetensors"));
    let judged = |sign: i32| {
        let mut rows = "lp,src,mt,ref,score,system\n".to_owned();
        for segment in 0..24 {
            let words: Vec<&str> = (0..6).map(|at| WORDS[(segment * 3 + at * at) % 8]).collect();
            for system in 0..3 {
                let mut other = words.clone();
                (0..2 * system).for_each(|at| other[at] = WORDS[(segment + at) % 8]);
                let (source, output, reference) = (words[..3].join(" "), other.join(" "), words.join(" "));
                let score = sign * system as i32;
                rows.push_str(&format!("ru-en,{source},{output},{reference},{score},system-{system}\n"));
            }
        }
        rows
    };
    let recipe = |way: &str| {
        format!(
            "kind = \"siamese\"\nstart = \"small.safetensors\"\n[data]\ntrain = [\"judged.csv\"]\nway = \"{way}\"\n\
             held_out = 0.25\n[training]\nlearning_rate = 0.03\nepochs = 30\npatience = 30\nbatch = 4\n"
        )
    };
    let mut learned = Vec::new();
    for (way, sign) in [("source", 1), ("source", -1), ("both", 1), ("both", -1)] {
        dir.write("judged.csv", judged(sign).as_bytes());
        dir.write("recipe.toml", recipe(way).as_bytes());
        let output = dir.run(&["train", "recipe.toml", "-q", "--force"]);
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(noted(&output.stdout, "way"), way);
        let [before, after] = figures(&output.stdout, "development pearson");
        // The judges of one sign contradict the start.
        if before < 0.0 {
            assert!(after > before + 0.3, "{way} {sign}: {before} to {after}");
            learned.push(way);
        }
    }
    assert_eq!(learned, ["source", "both"]);
    dir.write("small.safetensors", &fixture("siamese.safetensors"));
    let refused = dir.run(&["train", "recipe.toml", "-q", "--force"]);
    let message = "way cannot be both: the model to start from has learned nothing about sources";
    assert!(refused.stderr.contains(message), "{}", refused.stderr);
}
