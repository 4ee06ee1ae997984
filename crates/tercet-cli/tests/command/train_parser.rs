//! `tercet train parser`.

use crate::place::Place;

/// Sentences such as `the old dog saw a cat .`, as CoNLL-U.
fn treebank(sentences: usize, shift: usize) -> String {
    let nouns = ["dog", "cat", "house", "idea"];
    let one = |number: usize| {
        let draw = |salt: usize, many: usize| (number * 5 + number / 4 * salt + salt + shift) % many;
        let (first, verb, second) =
            (nouns[draw(1, 4)], ["saw", "liked", "was"][draw(2, 3)], nouns[draw(3, 4)]);
        format!(
            "1\tthe\t_\tDET\tDT\t_\t3\tdet\t_\t_\n2\told\t_\tADJ\tJJ\t_\t3\tamod\t_\t_\n\
             3\t{first}\t_\tNOUN\tNN\t_\t4\tnsubj\t_\t_\n4\t{verb}\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n\
             5\ta\t_\tDET\tDT\t_\t6\tdet\t_\t_\n6\t{second}\t_\tNOUN\tNN\t_\t4\tobj\t_\t_\n\
             7\t.\t_\tPUNCT\t.\t_\t4\tpunct\t_\t_\n\n"
        )
    };
    (0..sentences).map(one).collect()
}

const RECIPE: &str = "\
kind = \"dependency\"
[data]
train = [\"train.conllu\"]
development = [\"dev.conllu\"]
[network]
width = 32
units = 16
layers = 2
tag_layer = 1
arc = 8
label = 8
character_width = 4
filters = 8
[training]
steps = 60
batch = 150
learning_rate = 0.01
warm_up = 5
checkpoint = 0
[model]
file = \"toy.safetensors\"
";

fn place() -> Place {
    let place = Place::new();
    place.write("data/train.conllu", treebank(40, 0).as_bytes());
    place.write("data/dev.conllu", treebank(12, 2).as_bytes());
    place.write("toy.toml", RECIPE.as_bytes());
    place
}

#[test]
fn a_recipe_becomes_a_parser_with_its_figures() {
    let place = place();
    let said = place.run(&["train", "parser", "toy.toml", "--data", "data"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    for line in ["toy.safetensors (", "train.conllu (40)", "dev.conllu (12)", "seed ", "steps "] {
        assert!(said.stdout.contains(line), "{line}: {}", said.stdout);
    }
    let las = said.stdout.lines().find_map(|line| line.strip_prefix("development las")).unwrap();
    assert!(las.trim().parse::<f64>().unwrap() > 95.0, "{}", said.stdout);
    assert!(!place.path("toy.safetensors.checkpoint").exists());
    assert!(String::from_utf8_lossy(&place.read("toy.safetensors")).contains("warm_up = 5"), "its recipe");
    // Whoever asks the model for something else is told what it is.
    place.write("ref", b"a\n");
    let said = place.run(&["score", "-m", "pairwise:model=toy.safetensors", "-r", "ref", "ref"]);
    assert!(said.stderr.contains("it holds a dependency parser, expected a pairwise"), "{said:?}");
}

#[test]
fn the_seed_decides_the_bytes_and_threads_do_not() {
    let place = place();
    let model = |words: &[&str], name: &str| {
        let common = ["train", "parser", "toy.toml", "--data", "data", "--steps", "12", "-q", "-o", name];
        let said = place.run(&[&common[..], words].concat());
        assert_eq!(said.code, 0, "{said:?}");
        place.read(name)
    };
    let one = model(&["--threads", "1"], "one");
    assert!(one == model(&["--threads", "3"], "three"));
    assert!(one != model(&["--seed", "2"], "two"));
}

#[test]
fn training_that_was_killed_goes_on_and_ends_the_same() {
    let place = place();
    let common = ["train", "parser", "toy.toml", "--data", "data", "--steps", "300", "-q", "-o"];
    let train = |words: &[&str]| place.run(&[&common[..], words].concat());
    assert_eq!(train(&["whole"]).code, 0);
    let mut child = place.start(&[&common[..], &["killed"]].concat());
    let checkpoint = place.path("killed.checkpoint");
    while !checkpoint.is_file() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!place.path("killed").exists());
    let said = train(&["killed"]);
    assert!(said.code == 2 && said.stderr.contains("go on with --resume"), "{said:?}");
    let said = train(&["killed", "--resume", "--seed", "9"]);
    assert!(said.code == 1 && said.stderr.contains("a run with seed 1; this one has seed 9"), "{said:?}");
    let said = train(&["killed", "--resume"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(place.read("killed") == place.read("whole"));
    assert!(!checkpoint.exists());
}

#[test]
fn what_cannot_be_trained_is_said_before_work_begins() {
    let place = place();
    let with = |from: &str, to: &str| {
        place.write("bad.toml", RECIPE.replace(from, to).as_bytes());
        let said = place.run(&["train", "parser", "bad.toml", "--data", "data"]);
        assert!(said.code != 0 && said.stdout.is_empty(), "{said:?}");
        assert!(!place.path("toy.safetensors").exists());
        said.stderr
    };
    assert!(with("train.conllu", "nowhere.conllu").contains("nowhere.conllu"));
    assert!(with("steps = 60", "stepz = 60").contains("unknown field `stepz`"));
    assert!(with("width = 32", "width = 0").contains("[network] width cannot be 0"));
    assert!(with("\"dependency\"", "\"link\"").contains("expected `dependency` or `constituency`"));
    place.write("data/bad.conllu", b"1\tI\t_\tPRON\tPRP\t_\t_\tnsubj\t_\t_\n\n");
    assert!(with("train.conllu", "bad.conllu").contains("bad.conllu:1: word 1, `I`, has no head"));
    place.write("data/bad.conllu", b"1\tI\t_\t_\tPRP\t_\t0\troot\t_\t_\n\n");
    assert!(with("train.conllu", "bad.conllu").contains("bad.conllu:1: `I` has no part of speech"));
    assert!(
        with("\"train.conllu\"", "{ file = \"train.conllu\", without = [\"x\"] }")
            .contains("is no tar archive")
    );
    let said = place.run(&["train", "parser", "toy.toml", "--data", "data", "-o", "data"]);
    assert!(said.code == 2 && said.stderr.contains("that is a folder"), "{said:?}");
    let said = place.run(&["train", "parser", "toy.toml", "--data", "data", "--resume"]);
    assert!(said.code == 2 && said.stderr.contains("there is no checkpoint"), "{said:?}");
}

/// Sentences such as `the old dog saw a cat .`, as trees.
fn trees(sentences: usize) -> String {
    let nouns = ["dog", "cat", "house", "idea"];
    let one = |number: usize| {
        let (first, second) = (nouns[number % 4], nouns[number / 4 % 4]);
        let adjective = if number.is_multiple_of(3) { "(JJ old) " } else { "" };
        format!(
            "(ROOT (S (NP (DT the) {adjective}(NN {first})) (VP (VBD saw) (NP (DT a) (NN {second}))) (. .)))\n"
        )
    };
    (0..sentences).map(one).collect()
}

const CONSTITUENCY: &str = "\
kind = \"constituency\"
[data]
train = [{ folder = \"trees\", split = \"splits.md\", part = \"train\", without = [\"c\"] }]
development = [{ folder = \"trees\", split = \"splits.md\", part = \"dev\" }]
[network]
width = 16
layers = 1
tag_layer = 1
hidden = 16
character_width = 4
filters = 8
dropout = 0.1
[training]
epochs = 20
batch = 100
learning_rate = 0.01
warm_up = 5
[model]
file = \"phrases.safetensors\"
";

#[test]
fn a_recipe_of_the_other_kind_becomes_a_constituency_parser() {
    let place = Place::new();
    place.write("data/trees/T_a.ptb", trees(40).as_bytes());
    place.write("data/trees/T_b.ptb", trees(10).as_bytes());
    place.write("data/trees/T_c.ptb", b"(ROOT (X (Y z)))");
    place.write("data/splits.md", b"## train\n  * T_a\n  * T_c\n## dev\n  * T_b\n");
    place.write("phrases.toml", CONSTITUENCY.as_bytes());
    let said = place.run(&["train", "parser", "phrases.toml", "--data", "data"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    for line in ["phrases.safetensors (", "trees train without c, 40 trees", "trees dev, 10 trees", "seed "] {
        assert!(said.stdout.contains(line), "{line}: {}", said.stdout);
    }
    let f1 = said.stdout.lines().find_map(|line| line.strip_prefix("development f1  ")).unwrap();
    assert!(f1.trim().parse::<f64>().unwrap() > 95.0, "{}", said.stdout);
    place.write("text", b"The cat saw the old dog.\n \nThe cat saw the old dog.\n");
    let tree = "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT the) (JJ old) (NN dog))) (. .)))";
    for more in [&[][..], &["--split"], &["--tok", "13a"]] {
        let said =
            place.run(&[&["parse", "-f", "brackets", "-m", "phrases.safetensors", "text"], more].concat());
        assert_eq!(said.stdout, format!("{tree}\n(())\n{tree}\n"), "a tree per line: {said:?}");
    }
    let said = place.run(&["train", "parser", "phrases.toml", "--data", "data", "--resume"]);
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.stderr.contains("--resume is not for a constituency parser"), "{said:?}");
    place.write("data/splits.md", b"## train\n  * T_a\n## dev\n  * T_b\n");
    place.write("data/trees/T_d.ptb", b"(ROOT (X (Y z)))");
    let said = place.run(&["train", "parser", "phrases.toml", "--data", "data"]);
    assert!(said.code == 1 && said.stderr.contains("T_d is in no part"), "{said:?}");
}
