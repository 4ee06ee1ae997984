//! `tercet train parser`.

use crate::test_dir::TestDir;
use crate::toy_language::{CONSTITUENCY, DEPENDENCY, tree, treebank, trees};

const TRAIN: [&str; 5] = ["train", "parser", "toy.toml", "--data", "data"];
const TRAIN_PHRASES: [&str; 5] = ["train", "parser", "phrases.toml", "--data", "data"];

/// A recipe of each kind and their data.
fn dir() -> TestDir {
    let dir = TestDir::new();
    dir.write("data/train.conllu", treebank(0..60).as_bytes());
    dir.write("data/dev.conllu", treebank(60..72).as_bytes());
    dir.write("toy.toml", DEPENDENCY.as_bytes());
    dir.write("data/trees/T_a.ptb", trees(40).as_bytes());
    dir.write("phrases.toml", CONSTITUENCY.as_bytes());
    dir
}

fn run(dir: &TestDir, words: &[&str], more: &[&str]) -> crate::test_dir::CommandOutput {
    dir.run(&[words, more].concat())
}

#[test]
fn a_recipe_becomes_a_parser_with_its_figures() {
    let dir = dir();
    let output = run(&dir, &TRAIN, &["-q"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    for line in ["toy.safetensors (", "train.conllu (60)", "dev.conllu (12)", "seed ", "steps "] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    let las = output.stdout.lines().find_map(|line| line.strip_prefix("development las")).unwrap();
    assert!(las.trim().parse::<f64>().unwrap() > 95.0, "{}", output.stdout);
    assert!(!dir.path("toy.safetensors.checkpoint").exists());
    assert!(String::from_utf8_lossy(&dir.read("toy.safetensors")).contains("warm_up = 10"), "its recipe");
    // A model of the wrong kind is an error that names its kind.
    dir.write("ref", b"a\n");
    let output = dir.run(&["score", "-m", "pairwise:model=toy.safetensors", "-r", "ref", "ref"]);
    assert!(output.stderr.contains("it holds a dependency parser, not a pairwise network"), "{output:?}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    let dir = dir();
    dir.check_seed_and_threads(&[&TRAIN[..], &["--steps", "12", "-q"]].concat());
}

#[test]
fn without_a_terminal_the_first_score_has_a_line_and_then_there_is_one_every_five_seconds() {
    let dir = dir();
    let began = std::time::Instant::now();
    let output = run(&dir, &TRAIN, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    let line = "training the model: 60/120 steps  loss ";
    let scored = output.stderr.lines().find(|known| known.starts_with(line));
    assert!(scored.is_some_and(|line| line.contains(" words/s  dev LAS ")), "{output:?}");
    assert!(output.stderr.lines().count() as u64 <= 1 + began.elapsed().as_secs() / 5, "{output:?}");
    let output = run(&dir, &TRAIN_PHRASES, &[]);
    let lines: Vec<&str> = output.stderr.lines().collect();
    assert!(lines[0].starts_with("warning: no [data] development"), "{lines:#?}");
    assert!(lines.contains(&"reading trees  found 40 trees in 1 file"), "{lines:#?}");
    assert_eq!(run(&dir, &TRAIN_PHRASES, &["-q", "--force"]).stderr, "");
}

#[test]
fn a_killed_training_resumes_with_the_same_result() {
    let dir = dir();
    let train = |more: &[&str]| run(&dir, &TRAIN, &[&["--steps", "300", "-q", "-o"], more].concat());
    assert_eq!(train(&["whole"]).code, 0);
    // The old model stays until the new one is complete.
    dir.write("killed", b"mine");
    let words = [&TRAIN[..], &["--steps", "300", "-q", "-o", "killed", "--force"]].concat();
    dir.kill_when_file_exists("killed.checkpoint", &words);
    assert_eq!(dir.read("killed"), b"mine");
    let output = train(&["killed"]);
    assert!(output.code == 2 && output.stderr.contains("go on with --resume"), "{output:?}");
    let output = train(&["killed", "--resume", "--seed", "9"]);
    assert!(output.code == 2 && output.stderr.contains("a run with seed 1; this one has seed 9"), "{output:?}");
    let output = train(&["killed", "--resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(dir.read("killed") == dir.read("whole"));
    assert!(!dir.path("killed.checkpoint").exists());
}

#[test]
fn a_killed_training_of_a_constituency_parser_resumes_with_the_same_result() {
    let dir = dir();
    dir.write("phrases.toml", CONSTITUENCY.replace("[model]", "[recursive]\nepochs = 100\n[model]").as_bytes());
    let train = |more: &[&str]| run(&dir, &TRAIN_PHRASES, &[&["-q", "-o"], more].concat());
    assert_eq!(train(&["whole"]).code, 0);
    dir.kill_when_file_exists("killed.checkpoint", &[&TRAIN_PHRASES[..], &["-q", "-o", "killed"]].concat());
    let output = train(&["killed", "--resume", "--seed", "9"]);
    assert!(output.code == 2 && output.stderr.contains("a run with seed 1; this one has seed 9"), "{output:?}");
    let output = train(&["killed", "--resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(dir.read("killed") == dir.read("whole"));
    assert!(!dir.path("killed.checkpoint").exists());
}

#[test]
fn a_model_is_overwritten_only_with_force() {
    let dir = dir();
    for (words, file) in [(TRAIN, "toy.safetensors"), (TRAIN_PHRASES, "phrases.safetensors")] {
        dir.write(file, b"mine");
        let output = run(&dir, &words, &[]);
        let expected = format!("error: there is already a file {file}: name another with -o, or give --force\n");
        assert_eq!((output.code, output.stderr), (2, expected));
        assert_eq!(dir.read(file), b"mine");
        assert_eq!(run(&dir, &words, &["-q", "--force"]).code, 0);
        assert!(dir.read(file) != b"mine");
    }
}

#[test]
fn invalid_recipes_are_an_error_before_work_begins() {
    let dir = dir();
    let with = |code: i32, from: &str, to: &str| {
        dir.write("bad.toml", DEPENDENCY.replace(from, to).as_bytes());
        let error = dir.error(code, &["train", "parser", "bad.toml", "--data", "data", "-q"]);
        assert!(!dir.path("toy.safetensors").exists());
        error
    };
    assert!(with(1, "train.conllu", "nowhere.conllu").contains("nowhere.conllu"));
    dir.write("data/bad.conllu", b"1\tI\t_\tPRON\tPRP\t_\t_\tnsubj\t_\t_\n\n");
    assert!(with(1, "train.conllu", "bad.conllu").contains("bad.conllu:1: word 1, `I`, has no head"));
    dir.write("data/bad.conllu", b"1\tI\t_\t_\tPRP\t_\t0\troot\t_\t_\n\n");
    assert!(with(1, "train.conllu", "bad.conllu").contains("bad.conllu:1: `I` has no part of speech"));
    assert!(
        with(2, "\"train.conllu\"", "{ file = \"train.conllu\", without = [\"x\"] }").contains("is not a tar archive")
    );
    for (more, reason) in [
        (&["-o", "data"][..], "that is a folder"),
        (&["-o", "toy.toml"], "that is the recipe"),
        (&["-o", "no/where"], "there is no folder no"),
        (&["-o", "/dev/null", "--force"], "that is a device or a pipe, not a file"),
        (&["--resume"], "there is no checkpoint"),
        (&["--steps", "9"], "error: toy.toml:20: [training] warm_up cannot be 10: there are 9 steps"),
    ] {
        let output = run(&dir, &TRAIN, more);
        assert!(output.code == 2 && output.stderr.contains(reason), "{output:?}");
    }
}

#[test]
fn recipes_of_both_kinds_are_refused_alike() {
    let dir = dir();
    for (kind, recipe) in [("dependency", DEPENDENCY), ("constituency", CONSTITUENCY)] {
        let line_of = |text: &str, start: &str| {
            1 + text.lines().position(|line| line.starts_with(start)).expect("a line of the recipe")
        };
        for (from, to, reason) in [
            (
                "batch = ",
                "batch = \"many\" # ",
                "[training] batch cannot be \"many\": expected a whole number, 0 or more",
            ),
            ("batch = ", "batch = -", "[training] batch cannot be -1"),
            ("layers = ", "layers = 10", "[network] layers cannot be 10"),
            ("width = 16", "width = 0", "[network] width cannot be 0: expected 1 at least, 10000 at most"),
            ("width = 16", "width = 1.5", "[network] width cannot be 1.5: expected a whole number, 0 or more"),
            ("warm_up = ", "warmup = ", "[training] has no key `warmup`, did you mean `warm_up`? (known: "),
            ("train = ", "trein = ", "[data] has no key `trein`, did you mean `train`? (known: train, development"),
            ("train = ", "train = 3 #", "[data] train cannot be 3: expected a list in [ ]"),
            (
                "train = ",
                "train = [3] #",
                "[data] train, entry 1 cannot be 3: expected a path in quotes, or a table in { }",
            ),
            ("train = ", "train = [{ of = 1 }] #", "[data] train, entry 1 has no key `of`"),
            ("file = ", "file = [] # ", "[model] file cannot be a list: expected text in quotes"),
            ("[network]", "[netwrok]", "a recipe of this kind has no key `netwrok`, did you mean `network`?"),
            ("kind = ", "kind = \"link\" # ", "kind cannot be \"link\": expected dependency or constituency"),
            ("[model]", "[model", "this is not TOML: "),
        ] {
            let text = recipe.replace(from, to);
            dir.write("bad.toml", text.as_bytes());
            let line = line_of(&text, to.split('#').next().expect("a part").trim_end());
            let error = dir.error(2, &["train", "parser", "bad.toml", "--data", "data"]);
            assert!(error.starts_with(&format!("error: bad.toml:{line}: {reason}")), "{kind}: {error}");
        }
        for (text, reason) in [
            (recipe.replace("kind = ", "# "), "bad.toml: kind is missing"),
            (recipe.replace("train = ", "# "), "bad.toml:2: [data] train is missing"),
            (format!("kind = \"{kind}\"\n"), "bad.toml: [data] is missing"),
        ] {
            dir.write("bad.toml", text.as_bytes());
            let error = dir.error(2, &["train", "parser", "bad.toml", "--data", "data"]);
            assert_eq!(error, format!("error: {reason}\n"), "{kind}");
        }
    }
}

#[test]
fn a_recipe_of_the_other_kind_becomes_a_constituency_parser() {
    let dir = dir();
    dir.write("data/trees/T_b.ptb", (trees(10) + &tree(4).replace("(. .)", "(NN .)")).as_bytes());
    dir.write("data/trees/T_c.ptb", b"(ROOT (X (Y z)))");
    dir.write("data/splits.md", b"## train\n  * T_a\n  * T_c\n## dev\n  * T_b\n");
    let entries = "train = [{ folder = \"trees\", split = \"splits.md\", part = \"train\", without = [\"c\"] }]\n\
                   development = [{ folder = \"trees\", split = \"splits.md\", part = \"dev\" }]";
    dir.write("phrases.toml", CONSTITUENCY.replace("train = [\"trees\"]", entries).as_bytes());
    let output = run(&dir, &TRAIN_PHRASES, &["-q"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    for line in ["phrases.safetensors (", "trees train without c, 40 trees", "trees dev, 11 trees", "seed "] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    let figure = |name: &str| {
        let line = output.stdout.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split("  ").last()).unwrap_or_default().trim().to_owned()
    };
    assert!(figure("development f1  ").parse::<f64>().unwrap() > 95.0, "{}", output.stdout);
    // A full stop that is tagged as a noun in gold gives gold one more word.
    assert!(output.stdout.contains("development errors"), "{}", output.stdout);
    assert!(output.stdout.contains(" 1 of 11 sentences\n"), "{}", output.stdout);
    dir.write("text", b"The cat saw the old dog.\n \nThe cat saw the old dog.\n");
    let tree = "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT the) (JJ old) (NN dog))) (. .)))";
    for more in [&[][..], &["--split"], &["--tok", "13a"]] {
        let output = dir.run(&[&["parse", "-f", "brackets", "-m", "phrases.safetensors", "text"], more].concat());
        assert_eq!(output.stdout, format!("{tree}\n(())\n{tree}\n"), "a tree per line: {output:?}");
    }
    let output = run(&dir, &TRAIN_PHRASES, &["--resume"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("there is no checkpoint"), "{output:?}");
    dir.write("data/splits.md", b"## train\n  * T_a\n## dev\n  * T_b\n");
    dir.write("data/trees/T_d.ptb", b"(ROOT (X (Y z)))");
    let output = run(&dir, &TRAIN_PHRASES, &["-q", "--force"]);
    assert!(output.code == 1 && output.stderr.contains("T_d is in no part"), "{output:?}");
}

#[test]
fn files_of_trees_are_treebanks_too() {
    let dir = dir();
    dir.write("data/dev.mrg", trees(10).as_bytes());
    dir.write("data/other/notes.txt", b"no tree");
    let with =
        |entries: &str| dir.write("phrases.toml", CONSTITUENCY.replace("train = [\"trees\"]", entries).as_bytes());
    with("train = [\"trees/T_a.ptb\", { file = \"dev.mrg\" }]\ndevelopment = [\"dev.mrg\"]");
    let output = run(&dir, &TRAIN_PHRASES, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("trees/T_a.ptb, 40 trees; dev.mrg, 10 trees\n"), "{}", output.stdout);
    assert!(output.stderr.contains("reading trees/T_a.ptb  found 40 trees in 1 file\n"), "{}", output.stderr);
    assert!(!output.stdout.contains("development errors"), "{}", output.stdout);
    with("train = [\"other\"]");
    let error = dir.error(1, &[&TRAIN_PHRASES[..], &["-q", "--force"]].concat());
    let found = "expected files of trees, which end in .ptb or .mrg, found none of them among 1 file\n";
    assert!(error.ends_with(found), "{error}");
}
