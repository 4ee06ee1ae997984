//! `tercet train parser`.

use crate::place::Place;
use crate::toy_language::{CONSTITUENCY, DEPENDENCY, tree, treebank, trees};

const TRAIN: [&str; 5] = ["train", "parser", "toy.toml", "--data", "data"];
const TRAIN_PHRASES: [&str; 5] = ["train", "parser", "phrases.toml", "--data", "data"];

/// A recipe of each kind and their data.
fn place() -> Place {
    let place = Place::new();
    place.write("data/train.conllu", treebank(0..60).as_bytes());
    place.write("data/dev.conllu", treebank(60..72).as_bytes());
    place.write("toy.toml", DEPENDENCY.as_bytes());
    place.write("data/trees/T_a.ptb", trees(40).as_bytes());
    place.write("phrases.toml", CONSTITUENCY.as_bytes());
    place
}

fn run(place: &Place, words: &[&str], more: &[&str]) -> crate::place::Said {
    place.run(&[words, more].concat())
}

#[test]
fn a_recipe_becomes_a_parser_with_its_figures() {
    let place = place();
    let said = run(&place, &TRAIN, &["-q"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    for line in ["toy.safetensors (", "train.conllu (60)", "dev.conllu (12)", "seed ", "steps "] {
        assert!(said.stdout.contains(line), "{line}: {}", said.stdout);
    }
    let las = said.stdout.lines().find_map(|line| line.strip_prefix("development las")).unwrap();
    assert!(las.trim().parse::<f64>().unwrap() > 95.0, "{}", said.stdout);
    assert!(!place.path("toy.safetensors.checkpoint").exists());
    assert!(String::from_utf8_lossy(&place.read("toy.safetensors")).contains("warm_up = 10"), "its recipe");
    // Whoever asks the model for something else is told what it is.
    place.write("ref", b"a\n");
    let said = place.run(&["score", "-m", "pairwise:model=toy.safetensors", "-r", "ref", "ref"]);
    assert!(said.stderr.contains("it holds a dependency parser, not a pairwise network"), "{said:?}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    let place = place();
    let model = |more: &[&str], name: &str| {
        let said = run(&place, &TRAIN, &[&["--steps", "12", "-q", "-o", name], more].concat());
        assert_eq!(said.code, 0, "{said:?}");
        place.read(name)
    };
    let one = model(&["--threads", "1"], "one");
    assert!(one == model(&["--threads", "3"], "three"));
    assert!(one != model(&["--seed", "2"], "two"));
}

#[test]
fn without_a_terminal_there_are_lines_for_scores_and_counts() {
    let place = place();
    let said = run(&place, &TRAIN, &[]);
    assert_eq!(said.code, 0, "{said:?}");
    for line in ["training the model: 60/120 steps  loss ", "training the model: 120/120 steps  loss "] {
        let scored = said.stderr.lines().find(|known| known.starts_with(line));
        assert!(scored.is_some_and(|line| line.contains(" words/s  dev LAS ")), "{said:?}");
    }
    let said = run(&place, &TRAIN_PHRASES, &[]);
    let lines: Vec<&str> = said.stderr.lines().collect();
    assert!(lines[0].starts_with("warning: no [data] development"), "{lines:#?}");
    assert!(lines.contains(&"reading trees  found 40 trees in 1 file"), "{lines:#?}");
    assert_eq!(run(&place, &TRAIN_PHRASES, &["-q", "--force"]).stderr, "");
}

#[test]
fn training_that_was_killed_goes_on_and_ends_the_same() {
    let place = place();
    let train = |more: &[&str]| run(&place, &TRAIN, &[&["--steps", "300", "-q", "-o"], more].concat());
    assert_eq!(train(&["whole"]).code, 0);
    // A model that is to be overwritten stays until there is a new one.
    place.write("killed", b"mine");
    let words = [&TRAIN[..], &["--steps", "300", "-q", "-o", "killed", "--force"]].concat();
    place.kill_once_there_is("killed.checkpoint", &words);
    assert_eq!(place.read("killed"), b"mine");
    let said = train(&["killed"]);
    assert!(said.code == 2 && said.stderr.contains("go on with --resume"), "{said:?}");
    let said = train(&["killed", "--resume", "--seed", "9"]);
    assert!(said.code == 1 && said.stderr.contains("a run with seed 1; this one has seed 9"), "{said:?}");
    let said = train(&["killed", "--resume"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(place.read("killed") == place.read("whole"));
    assert!(!place.path("killed.checkpoint").exists());
}

#[test]
fn training_of_phrases_that_was_killed_goes_on_and_ends_the_same() {
    let place = place();
    place.write(
        "phrases.toml",
        CONSTITUENCY.replace("[model]", "[recursive]\nepochs = 100\n[model]").as_bytes(),
    );
    let train = |more: &[&str]| run(&place, &TRAIN_PHRASES, &[&["-q", "-o"], more].concat());
    assert_eq!(train(&["whole"]).code, 0);
    place.kill_once_there_is("killed.checkpoint", &[&TRAIN_PHRASES[..], &["-q", "-o", "killed"]].concat());
    let said = train(&["killed", "--resume", "--seed", "9"]);
    assert!(said.code == 1 && said.stderr.contains("a run with seed 1; this one has seed 9"), "{said:?}");
    let said = train(&["killed", "--resume"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(place.read("killed") == place.read("whole"));
    assert!(!place.path("killed.checkpoint").exists());
}

#[test]
fn a_model_is_not_overwritten_unasked() {
    let place = place();
    for (words, file) in [(TRAIN, "toy.safetensors"), (TRAIN_PHRASES, "phrases.safetensors")] {
        place.write(file, b"mine");
        let said = run(&place, &words, &[]);
        let expected =
            format!("error: there is already a file {file}: name another with -o, or give --force\n");
        assert_eq!((said.code, said.stderr), (2, expected));
        assert_eq!(place.read(file), b"mine");
        assert_eq!(run(&place, &words, &["-q", "--force"]).code, 0);
        assert!(place.read(file) != b"mine");
    }
}

#[test]
fn what_cannot_be_trained_is_said_before_work_begins() {
    let place = place();
    let with = |code: i32, from: &str, to: &str| {
        place.write("bad.toml", DEPENDENCY.replace(from, to).as_bytes());
        let error = place.error(code, &["train", "parser", "bad.toml", "--data", "data", "-q"]);
        assert!(!place.path("toy.safetensors").exists());
        error
    };
    assert!(with(1, "train.conllu", "nowhere.conllu").contains("nowhere.conllu"));
    place.write("data/bad.conllu", b"1\tI\t_\tPRON\tPRP\t_\t_\tnsubj\t_\t_\n\n");
    assert!(with(1, "train.conllu", "bad.conllu").contains("bad.conllu:1: word 1, `I`, has no head"));
    place.write("data/bad.conllu", b"1\tI\t_\t_\tPRP\t_\t0\troot\t_\t_\n\n");
    assert!(with(1, "train.conllu", "bad.conllu").contains("bad.conllu:1: `I` has no part of speech"));
    assert!(
        with(2, "\"train.conllu\"", "{ file = \"train.conllu\", without = [\"x\"] }")
            .contains("is not a tar archive")
    );
    for (more, reason) in [
        (&["-o", "data"][..], "that is a folder"),
        (&["-o", "toy.toml"], "that is the recipe"),
        (&["-o", "no/where"], "there is no folder no"),
        (&["-o", "/dev/null", "--force"], "that is a device or a pipe, not a file"),
        (&["--resume"], "there is no checkpoint"),
        (
            &["--steps", "9"],
            "error: --steps 9: toy.toml:20: [training] warm_up cannot be 10: there are 9 steps",
        ),
    ] {
        let said = run(&place, &TRAIN, more);
        assert!(said.code == 2 && said.stderr.contains(reason), "{said:?}");
    }
}

#[test]
fn recipes_of_both_kinds_are_refused_alike() {
    let place = place();
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
            (
                "width = 16",
                "width = 1.5",
                "[network] width cannot be 1.5: expected a whole number, 0 or more",
            ),
            ("warm_up = ", "warmup = ", "[training] has no key `warmup`, did you mean `warm_up`? (known: "),
            (
                "train = ",
                "trein = ",
                "[data] has no key `trein`, did you mean `train`? (known: train, development",
            ),
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
            place.write("bad.toml", text.as_bytes());
            let line = line_of(&text, to.split('#').next().expect("a part").trim_end());
            let error = place.error(2, &["train", "parser", "bad.toml", "--data", "data"]);
            assert!(error.starts_with(&format!("error: bad.toml:{line}: {reason}")), "{kind}: {error}");
        }
        for (text, reason) in [
            (recipe.replace("kind = ", "# "), "bad.toml: kind is missing"),
            (recipe.replace("train = ", "# "), "bad.toml:2: [data] train is missing"),
            (format!("kind = \"{kind}\"\n"), "bad.toml: [data] is missing"),
        ] {
            place.write("bad.toml", text.as_bytes());
            let error = place.error(2, &["train", "parser", "bad.toml", "--data", "data"]);
            assert_eq!(error, format!("error: {reason}\n"), "{kind}");
        }
    }
}

#[test]
fn a_recipe_of_the_other_kind_becomes_a_constituency_parser() {
    let place = place();
    place.write("data/trees/T_b.ptb", (trees(10) + &tree(4).replace("(. .)", "(NN .)")).as_bytes());
    place.write("data/trees/T_c.ptb", b"(ROOT (X (Y z)))");
    place.write("data/splits.md", b"## train\n  * T_a\n  * T_c\n## dev\n  * T_b\n");
    let entries = "train = [{ folder = \"trees\", split = \"splits.md\", part = \"train\", without = [\"c\"] }]\n\
                   development = [{ folder = \"trees\", split = \"splits.md\", part = \"dev\" }]";
    place.write("phrases.toml", CONSTITUENCY.replace("train = [\"trees\"]", entries).as_bytes());
    let said = run(&place, &TRAIN_PHRASES, &["-q"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    for line in ["phrases.safetensors (", "trees train without c, 40 trees", "trees dev, 11 trees", "seed "] {
        assert!(said.stdout.contains(line), "{line}: {}", said.stdout);
    }
    let figure = |name: &str| {
        let line = said.stdout.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split("  ").last()).unwrap_or_default().trim().to_owned()
    };
    assert!(figure("development f1  ").parse::<f64>().unwrap() > 95.0, "{}", said.stdout);
    // A full stop that gold takes for a noun leaves gold with a word more.
    assert!(said.stdout.contains("development errors"), "{}", said.stdout);
    assert!(said.stdout.contains(" 1 of 11 sentences\n"), "{}", said.stdout);
    place.write("text", b"The cat saw the old dog.\n \nThe cat saw the old dog.\n");
    let tree = "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT the) (JJ old) (NN dog))) (. .)))";
    for more in [&[][..], &["--split"], &["--tok", "13a"]] {
        let said =
            place.run(&[&["parse", "-f", "brackets", "-m", "phrases.safetensors", "text"], more].concat());
        assert_eq!(said.stdout, format!("{tree}\n(())\n{tree}\n"), "a tree per line: {said:?}");
    }
    let said = run(&place, &TRAIN_PHRASES, &["--resume"]);
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.stderr.contains("there is no checkpoint"), "{said:?}");
    place.write("data/splits.md", b"## train\n  * T_a\n## dev\n  * T_b\n");
    place.write("data/trees/T_d.ptb", b"(ROOT (X (Y z)))");
    let said = run(&place, &TRAIN_PHRASES, &["-q", "--force"]);
    assert!(said.code == 1 && said.stderr.contains("T_d is in no part"), "{said:?}");
}

#[test]
fn files_of_trees_are_treebanks_too() {
    let place = place();
    place.write("data/dev.mrg", trees(10).as_bytes());
    place.write("data/other/notes.txt", b"no tree");
    let with = |entries: &str| {
        place.write("phrases.toml", CONSTITUENCY.replace("train = [\"trees\"]", entries).as_bytes())
    };
    with("train = [\"trees/T_a.ptb\", { file = \"dev.mrg\" }]\ndevelopment = [\"dev.mrg\"]");
    let said = run(&place, &TRAIN_PHRASES, &[]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("trees/T_a.ptb, 40 trees; dev.mrg, 10 trees\n"), "{}", said.stdout);
    assert!(said.stderr.contains("reading dev.mrg  found 10 trees in 1 file\n"), "{}", said.stderr);
    assert!(!said.stdout.contains("development errors"), "{}", said.stdout);
    with("train = [\"other\"]");
    let error = place.error(1, &[&TRAIN_PHRASES[..], &["-q", "--force"]].concat());
    let found = "expected files of trees, which end in .ptb or .mrg, found none of them among 1 file\n";
    assert!(error.ends_with(found), "{error}");
}
