//! `tercet train RECIPE.toml`: the key `kind` says what is trained.

use crate::test_dir::TestDir;
use crate::toy_language::{CONSTITUENCY, DEPENDENCY, treebank, trees};
use crate::train::judgements;

const PAIRWISE: &str = "[data]\ntrain = [\"wmt13-rr\"]\n[inputs]\nmetrics = [\"chrf\"]\n[training]\nepochs = 3\n";

const REVAL: &str = "kind = \"reval\"
[data]
train = [\"wmt13-rr\"]
[words]
file = \"vectors.txt\"
[network]
memory = 4
hidden = 3
[training]
objective = \"pairs\"
epochs = 3
";

const INFERSENT: &str = "kind = \"infersent\"
[data]
train = [\"pairs.tsv\"]
[words]
file = \"vectors.txt\"
[network]
units = 3
[training]
epochs = 3
";

/// A recipe of each kind, and their data in another folder.
fn dir() -> TestDir {
    let dir = TestDir::new();
    judgements(&dir, "data/wmt13-rr", 20, 0);
    dir.write("data/train.conllu", treebank(0..20).as_bytes());
    dir.write("data/dev.conllu", treebank(20..24).as_bytes());
    dir.write("data/trees/T_a.ptb", trees(20).as_bytes());
    dir.write("data/vectors.txt", b"the 0.1 0.5\ncat -0.2 0.3\nsat 1 0\nmat 0 0.4\n");
    let pairs = "entailment\tthe cat sat\tthe cat\nneutral\tthe mat\tthe cat\n";
    dir.write("data/pairs.tsv", format!("gold_label\tsentence1\tsentence2\n{pairs}").as_bytes());
    dir.write("infersent.toml", INFERSENT.as_bytes());
    dir.write("reval.toml", REVAL.as_bytes());
    dir.write("plain.toml", PAIRWISE.as_bytes());
    dir.write("pairwise.toml", format!("kind = \"pairwise\"\n{PAIRWISE}").as_bytes());
    dir.write("dependency.toml", DEPENDENCY.replace("steps = 120", "steps = 12").as_bytes());
    dir.write("constituency.toml", CONSTITUENCY.replace("epochs = 20", "epochs = 2").as_bytes());
    dir
}

#[test]
fn the_recipe_says_what_is_trained() {
    let dir = dir();
    for (kind, old, flags, model) in [
        ("pairwise", "pairwise", ["--epochs", "2"], "pairwise.safetensors"),
        ("reval", "reval", ["--epochs", "2"], "reval.safetensors"),
        ("infersent", "infersent", ["--epochs", "2"], "infersent.safetensors"),
        ("dependency", "parser", ["--steps", "11"], "toy.safetensors"),
        ("constituency", "parser", ["--epochs", "1"], "phrases.safetensors"),
    ] {
        let recipe = format!("{kind}.toml");
        let common = [&["--data", "data", "-q", "--seed", "5"][..], &flags].concat();
        let output = dir.stdout(&[&["train", &recipe][..], &common].concat());
        assert!(output.starts_with("model ") && output.contains(model), "{output}");
        for spelling in [old, kind] {
            dir.stdout(&[&["train", spelling, &recipe, "-o", "again", "--force"][..], &common].concat());
            assert!(dir.read("again") == dir.read(model), "{spelling}");
        }
        let output = dir.run(&[&["train", &recipe][..], &common].concat());
        assert!(output.code == 2 && output.stderr.contains(&format!("there is already a file {model}")), "{output:?}");
    }
    // The key `kind` changes only the recipe that is stored in the model.
    dir.stdout(&["train", "plain.toml", "--data", "data", "-q", "-o", "plain"]);
    dir.stdout(&["train", "pairwise", "plain.toml", "--data", "data", "-q", "-o", "old"]);
    assert!(dir.read("plain") == dir.read("old"));
}

#[test]
fn flags_that_a_kind_does_not_have_are_refused() {
    let dir = dir();
    let error = |words: &[&str]| dir.error(2, &[&["train"], words, &["--data", "data"]].concat());
    for (words, expected) in [
        (
            &["dependency.toml", "--epochs", "3"][..],
            "the training of kind = \"dependency\" is counted in steps, not in epochs\n",
        ),
        (
            &["constituency.toml", "--steps", "3"],
            "the training of kind = \"constituency\" is counted in epochs, not in steps\n",
        ),
        (
            &["pairwise.toml", "--steps", "3"],
            "the training of kind = \"pairwise\" is counted in epochs, not in steps\n",
        ),
        (
            &["constituency.toml", "--epochs", "10001"],
            "constituency.toml:13: [training] epochs cannot be 10001: expected 1 at least, 10000",
        ),
        (&["plain.toml", "pairwise.toml"], "expected one recipe, found plain.toml and pairwise.toml\n"),
        (&["pairwise"], "`pairwise` is a kind, not a recipe: name the file of the recipe\n"),
        (&["parser"], "`parser` is a kind, not a recipe: name the file of the recipe\n"),
    ] {
        let found = error(words);
        assert!(found.starts_with(&format!("error: {expected}")), "{words:?}: {found}");
    }
    let found = dir.error(1, &["train", "nowhere.toml"]);
    assert!(found.contains("nowhere.toml"), "{found}");
}

#[test]
fn recipes_of_another_kind_are_refused() {
    let dir = dir();
    for (words, expected) in [
        (&["pairwise", "dependency.toml"][..], "dependency.toml:1: kind cannot be \"dependency\": expected pairwise"),
        (
            &["parser", "pairwise.toml"],
            "pairwise.toml:1: kind cannot be \"pairwise\": expected dependency or constituency",
        ),
        (&["parser", "plain.toml"], "plain.toml: kind is missing"),
        (
            &["dependency", "constituency.toml"],
            "constituency.toml:1: kind cannot be \"constituency\": expected dependency",
        ),
    ] {
        let error = dir.error(2, &[&["train"], words, &["--data", "data"]].concat());
        assert_eq!(error, format!("error: {expected}\n"), "{words:?}");
    }
}

#[test]
fn every_mistake_is_named_with_file_line_table_and_key() {
    let dir = dir();
    for (kind, recipe) in [
        ("pairwise", "pairwise.toml"),
        ("reval", "reval.toml"),
        ("infersent", "infersent.toml"),
        ("dependency", "dependency.toml"),
        ("constituency", "constituency.toml"),
    ] {
        let good = String::from_utf8(dir.read(recipe)).unwrap();
        let lines = good.lines().count();
        let epochs = if kind == "dependency" { "steps" } else { "epochs" };
        for (from, to, line, reason) in [
            (
                kind,
                "link",
                1,
                "kind cannot be \"link\": expected pairwise, reval, ruse, blend, siamese, infersent, dependency or \
                 constituency"
                    .to_owned(),
            ),
            (
                "[training]",
                "[trainig]",
                0,
                "a recipe of this kind has no key `trainig`, did you mean `training`?".to_owned(),
            ),
            (epochs, "epochz", 0, "[training] has no key `epochz`".to_owned()),
            (&format!("{epochs} = "), &format!("{epochs} = -"), 0, format!("[training] {epochs} cannot be -")),
            (
                &format!("{epochs} = "),
                &format!("{epochs} = 'x' #"),
                0,
                format!("[training] {epochs} cannot be \"x\": expected a whole"),
            ),
            (
                &format!("{epochs} = "),
                &format!("{epochs} = 0 #"),
                0,
                format!("[training] {epochs} cannot be 0: expected 1 at least"),
            ),
            ("train = [", "train = [1, ", 3, "[data] train, entry 1 cannot be 1: expected ".to_owned()),
            (
                "train = ",
                "# ",
                0,
                if ["pairwise", "reval", "infersent"].contains(&kind) {
                    "[data] train is empty"
                } else {
                    "[data] train is missing"
                }
                .to_owned(),
            ),
            ("[data]", "[data", 2, "this is not TOML: ".to_owned()),
        ] {
            let text = good.replacen(from, to, 1);
            dir.write("bad.toml", text.as_bytes());
            let error = dir.error(2, &["train", "bad.toml", "--data", "data"]);
            let found = error.strip_prefix("error: bad.toml:").unwrap_or_else(|| panic!("{error}"));
            let (number, what) = found.split_once(": ").unwrap();
            let number: usize = number.parse().unwrap();
            assert!(what.starts_with(&reason), "{kind}: {error}");
            let expected = text.lines().position(|line| line.contains(to.trim_end_matches(['#', ' ']))).unwrap() + 1;
            assert!(number <= lines && (to == "# " || number == if line > 0 { line } else { expected }), "{error}");
        }
    }
    let text = PAIRWISE.replace("epochs", "epoch");
    dir.write("bad.toml", text.as_bytes());
    let error = dir.error(2, &["train", "bad.toml", "--data", "data"]);
    assert!(error.starts_with("error: bad.toml:6: [training] has no key `epoch`, did you mean `epochs`?"), "{error}");
    assert!(error.ends_with("(kind is missing: read as kind = \"pairwise\")\n"), "{error}");
}

#[test]
fn former_names_of_keys_are_accepted() {
    let dir = dir();
    let model = |recipe: &str, line: &str, name: &str| {
        let text =
            String::from_utf8(dir.read(recipe)).unwrap().replace("[training]\n", &format!("[training]\n{line}\n"));
        dir.write("changed.toml", text.as_bytes());
        dir.stdout(&["train", "changed.toml", "--data", "data", "-q", "-o", name]);
        // The recipe that is stored in the model has either name.
        String::from_utf8_lossy(&dir.read(name)).replace("weight_decay", "decay").len()
    };
    for recipe in ["pairwise.toml", "dependency.toml"] {
        let [old, new] = [("decay = 0.5", "old"), ("weight_decay = 0.5", "new")]
            .map(|(line, name)| model(recipe, line, &format!("{recipe}.{name}")));
        assert!(old.abs_diff(new) < 16, "{recipe}: {old} {new}");
    }
    dir.write("bad.toml", format!("{PAIRWISE}decay = -1\n").as_bytes());
    let error = dir.error(2, &["train", "pairwise", "bad.toml", "--data", "data"]);
    assert_eq!(error, "error: bad.toml:7: [training] decay cannot be -1: expected 0 at least, 1000000000 at most\n");
    dir.write("bad.toml", format!("{PAIRWISE}decay = 1\nweight_decay = 1\n").as_bytes());
    let error = dir.error(2, &["train", "pairwise", "bad.toml", "--data", "data"]);
    assert_eq!(error, "error: bad.toml:8: [training] weight_decay is given twice: `decay` is its former name\n");
}

#[test]
fn keys_are_printed_as_a_recipe_and_listed_in_the_help() {
    let dir = dir();
    let help = dir.stdout(&["train", "--help"]);
    for kind in ["pairwise", "reval", "ruse", "blend", "infersent", "dependency", "constituency"] {
        let keys = dir.stdout(&["train", "--keys", kind]);
        let (comment, recipe) = keys.split_once('\n').unwrap();
        assert!(comment.starts_with("# All keys"), "{keys}");
        assert!(recipe.starts_with(&format!("kind = \"{kind}\"\n\n[data]\n")), "{keys}");
        assert!(help.contains(&format!("{kind}: ")), "{help}");
        dir.write("keys.toml", keys.as_bytes());
        // It is a valid recipe, but its files or its judgements do not exist.
        let output = dir.run(&["train", "keys.toml", "--data", "data", "-q"]);
        assert!(matches!(output.code, 1 | 2) && !output.stderr.contains("keys.toml:"), "{output:?}");
    }
    let keys = dir.stdout(&["train", "--keys", "siamese"]);
    assert!(keys.contains("\nkind = \"siamese\"\nstart = ") && help.contains("siamese: "), "{keys}{help}");
    for line in [
        "  [recursive] least candidates epochs ",
        "  [model] file",
        "`kind` decides what is trained;\nwithout it, pairwise",
    ] {
        assert!(help.contains(line), "{line}: {help}");
    }
    let error = dir.error(2, &["train", "--keys", "link"]);
    assert!(error.contains("pairwise, reval, ruse, blend, siamese, infersent, dependency, constituency"), "{error}");
}

#[test]
fn a_recipe_that_does_not_say_what_it_trains_is_warned_of() {
    let named = format!("kind = \"pairwise\"\n{PAIRWISE}");
    let cases: [(&[&str], &str, bool); 3] =
        [(&[], PAIRWISE, true), (&[], &named, false), (&["pairwise"], PAIRWISE, false)];
    for (kind, recipe, is_warned) in cases {
        let dir = TestDir::with(&[("r.toml", recipe)]);
        let output = dir.run(&[&["train"][..], kind, &["r.toml", "--data", "none"]].concat());
        let said = output.stderr.contains("it is read as kind = \"pairwise\"");
        assert_eq!(said, is_warned, "{recipe}");
    }
}

#[test]
fn a_wrong_metric_is_found_before_the_data_are_read() {
    let dir = TestDir::with(&[("r.toml", &PAIRWISE.replace("chrf", "comet"))]);
    let error = dir.error(2, &["train", "r.toml", "--data", "none"]);
    assert!(error.contains("`comet`: COMET is another tool"), "{error}");
}

#[test]
fn a_text_is_no_model() {
    let dir = TestDir::with(&[("text", "We missed the last train.\n")]);
    let error =
        dir.error(1, &["compare", "-r", "text", "text", "text", "--name", "a", "--name", "b", "--model", "text"]);
    assert!(error.contains("text: not a model that tercet wrote"), "{error}");
}
