//! `tercet parse --format vectors`, and parsing of capitals and escapes.

use crate::test_dir::TestDir;
use crate::toy_language;
use tercet::encode::{PrecomputedVectors, SentenceEncoder, SyntaxEncoder};

const TEXT: &str = "\u{feff}The cat sat on the mat. \n\nShe\tsaw it\n";

#[test]
fn a_row_is_a_line_and_its_vector_and_can_replace_the_parser() {
    let dir = TestDir::with(&[("a.txt", TEXT)]);
    assert_eq!(dir.stdout(&["parse", "-q", "-f", "vectors", "a.txt", "-o", "a.vectors"]), "");
    let (lines, encoder) = (["The cat sat on the mat.", "", "She\tsaw it"], SyntaxEncoder::default());
    let expected = encoder.encode(&lines).unwrap();
    let read = PrecomputedVectors::read(&dir.path("a.vectors")).unwrap();
    assert_eq!((read.len(), read.encode(&lines).unwrap()), (3, expected));
    let spaces = dir.stdout(&["parse", "-q", "-f", "vectors", "--tok", "none", "a.txt"]);
    let first = spaces.lines().next().unwrap();
    assert!(first.starts_with("The cat sat on the mat.\t") && first.split([' ', '\t']).count() == 6 + 25, "{first}");
    assert_ne!(spaces.as_bytes(), dir.read("a.vectors"));
}

#[test]
fn vectors_are_of_lines_of_text_and_of_a_parser_that_has_them() {
    let dir = TestDir::with(&[("a.txt", TEXT), ("a.ptb", "(ROOT (NN cat))"), ("a.conllu", "")]);
    for (words, what) in [
        (&["a.txt", "--split"][..], "--split cannot be used with --format vectors"),
        (&["--conllu", "a.conllu"], "--conllu cannot be used with --format vectors"),
        (&["--trees", "a.ptb"], "--format vectors cannot be used with --trees"),
    ] {
        let output = dir.error(2, &[&["parse", "-f", "vectors"], words].concat());
        assert!(output.contains(what), "{output}");
    }
    let output = dir.error(1, &["parse", "-f", "vectors", "--model", "a.ptb", "a.txt"]);
    assert!(output.contains("a.ptb"), "{output}");
}

#[test]
fn capitals_and_escapes_change_words_and_no_tree() {
    let plain = "the old man saw ( it seems ) a \" dog \" near us";
    let written = "THE OLD MAN SAW -LRB- IT SEEMS -RRB- A &quot; DOG &quot; NEAR US";
    for format in ["conllu", "brackets"] {
        let parsed = |text: &str| {
            let output = TestDir::new().run_with(&["parse", "-q", "--tok", "none", "-f", format], text);
            assert_eq!(output.code, 0, "{}", output.stderr);
            output.stdout
        };
        let (plain_trees, written_trees) = (parsed(plain), parsed(written));
        let mut expected = plain_trees.clone();
        for (plain, written) in plain.split(' ').zip(written.split(' ')) {
            let in_tree = if plain == "(" {
                "-LRB-"
            } else if plain == ")" {
                "-RRB-"
            } else {
                plain
            };
            expected = match format {
                "conllu" => expected.replacen(&format!("\t{plain}\t"), &format!("\t{written}\t"), 1),
                _ => expected.replacen(&format!(" {in_tree})"), &format!(" {written})"), 1),
            };
        }
        assert_eq!(written_trees.replace(written, plain), expected.replace(written, plain));
    }
}

#[test]
fn a_parser_of_a_treebank_in_capitals_reads_capitals() {
    let in_capitals = |line: &str| {
        let mut columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        columns.iter_mut().skip(1).take(1).for_each(|form| *form = form.to_uppercase());
        columns.join("\t") + "\n"
    };
    let treebank: String = toy_language::treebank(0..60).lines().map(in_capitals).collect();
    let recipe = toy_language::DEPENDENCY.replace("steps = 120", "steps = 120\nlower_case = 0.0");
    let files = [("train.conllu", &treebank), ("dev.conllu", &treebank), ("toy.toml", &recipe)];
    let dir = TestDir::with(&files.map(|(name, text)| (name, text.as_str())));
    let summary = dir.stdout(&["train", "parser", "toy.toml"]);
    assert!(summary.lines().any(|line| line.starts_with("written") && line.ends_with("capitals")), "{summary}");
    let table = dir.stdout(&["parse", "--conllu", "dev.conllu", "--evaluate", "--model", "toy.safetensors"]);
    assert!(table.lines().any(|line| line.starts_with("LAS ") && line.ends_with("100.00")), "{table}");
}
