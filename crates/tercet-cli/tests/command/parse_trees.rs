//! `tercet parse --trees`.

use crate::test_dir::TestDir;
use crate::toy_language::{CONSTITUENCY_MODEL, tree, trees};
use std::io::Write;

fn dir(files: &[(&str, &str)]) -> TestDir {
    let dir = TestDir::with(files);
    dir.write("m", &CONSTITUENCY_MODEL);
    dir
}

#[test]
fn the_words_of_trees_are_parsed_again() {
    let given = "( (X (NP-SBJ-1 (A the) (A dog)) (X (-NONE- *T*-1))\n  (A saw)\n (A a) (A cat) (A .)))\n\n\
        (S (-NONE- *))";
    let dir = dir(&[("a.ptb", given), ("b.ptb", &tree(2))]);
    let ours = format!("{}(())\n", tree(4));
    assert_eq!(dir.stdout(&["parse", "-m", "m", "--trees", "a.ptb"]), ours);
    assert_eq!(dir.run_with(&["parse", "-m", "m", "--trees", "-", "--threads", "1"], given).stdout, ours);
    let both = ours + &tree(2);
    assert_eq!(dir.stdout(&["parse", "-m", "m", "--trees", "a.ptb", "b.ptb"]), both);
    let twice = ["parse", "--trees", "a.ptb", "-m", "m", "-o", "out", "-f", "brackets", "--trees", "b.ptb"];
    assert_eq!(dir.stdout(&twice), "");
    assert_eq!(dir.read("out"), both.as_bytes());
}

#[test]
fn words_are_written_as_they_were() {
    let words = ["1\\/2", "-LSB-", "-LRB-", "a-RRB-b", "[", "ca\u{a0}t"];
    let dir = dir(&[("a.ptb", &format!("(X {})", words.map(|word| format!("(Y {word})")).join(" ")))]);
    let parsed = dir.stdout(&["parse", "-m", "m", "--trees", "a.ptb"]);
    let found: Vec<&str> = parsed
        .split(' ')
        .filter(|part| !part.starts_with('('))
        .map(|part| part.trim_end_matches(['\n', ')']))
        .collect();
    assert_eq!(found, words, "{parsed}");
}

#[test]
fn compressed_and_long_files_are_read() {
    let dir = dir(&[]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(trees(2100).as_bytes()).unwrap();
    dir.write("a.gz", &packed.finish().unwrap());
    assert!(dir.stdout(&["parse", "-m", "m", "--trees", "a.gz"]) == trees(2100));
    let table = dir.stdout(&["parse", "-m", "m", "--trees", "a.gz", "--evaluate"]);
    assert!(table.starts_with("a.gz  2100 trees  constituency:sha256="), "{table}");
}

#[test]
fn phrases_are_indented_on_request() {
    let dir = dir(&[("a.ptb", &(tree(6) + &tree(1)))]);
    assert_eq!(
        dir.stdout(&["parse", "-m", "m", "--trees", "a.ptb", "-f", "tree"]),
        format!(
            "(ROOT\n  (S\n    (NP (DT the) (JJ old) (NN house))\n    (VP (VBD saw) (NP (DT a) (NN cat)))\n    (. \
             .)))\n\n{}\n",
            tree(1)
        )
    );
}

/// In gold, one tree lacks the first phrase and one has a noun tagged as a name; in the second file a full stop is
/// tagged as a noun, and one sentence is only a full stop. Our trees have four brackets each.
#[test]
fn phrases_are_compared_with_those_given() {
    let flat = tree(1).replace("(NP (DT the) (NN cat))", "(DT the) (NN cat)");
    let name = tree(2).replace("(NN house)", "(NNP house)").replace("(NP (DT the)", "(NP-SBJ-2 (DT the)");
    let first = format!("{}{flat}{name}{}", tree(0), trees(10).lines().skip(3).collect::<Vec<_>>().join("\n"));
    let second = tree(4).replace("(. .)", "(NN .)") + "(ROOT (FRAG (. .)))";
    let dir = dir(&[("a.ptb", &first), ("b.ptb", &second)]);
    let table = dir.stdout(&["parse", "-m", "m", "--evaluate", "--trees", "a.ptb", "b.ptb"]);
    let (title, rows) = table.split_once('\n').unwrap();
    assert!(title.starts_with("a.ptb and 1 more  12 trees  constituency:sha256="), "{title}");
    assert_eq!(
        rows,
        "                       EVALB   gold tags\n\
         errors                     1           0\n\
         skipped                    1           1\n\
         precision              97.50       97.73\n\
         recall                100.00      100.00\n\
         F1                     98.73       98.85\n\
         complete match         90.00       90.91\n\
         tagging accuracy       98.15       96.67\n"
    );
}

#[test]
fn bad_trees_are_named_with_file_and_line() {
    let dir = dir(&[("bad.ptb", "(S (A a))\n(S (A a)\n"), ("none.ptb", "\n"), ("a.ptb", &tree(0))]);
    let error = dir.error(1, &["parse", "-m", "m", "--trees", "bad.ptb"]);
    assert!(error.starts_with("error: bad.ptb:2: column 1: this bracket is never closed"), "{error}");
    let error = dir.error(1, &["parse", "-m", "m", "--trees", "nowhere.ptb"]);
    assert!(error.contains("nowhere.ptb"), "{error}");
    let error = dir.error(1, &["parse", "-m", "m", "--trees", "none.ptb", "--evaluate"]);
    assert_eq!(error, "error: none.ptb: no trees, so there is nothing to evaluate\n");
    assert_eq!(dir.stdout(&["parse", "-m", "m", "--trees", "none.ptb"]), "");
    let error = dir.error(1, &["parse", "-m", "a.ptb", "--trees", "a.ptb"]);
    assert!(error.contains("a.ptb"), "{error}");
}

#[test]
fn flags_that_would_do_nothing_beside_trees_are_refused() {
    let dir = dir(&[("a.ptb", &tree(0)), ("a.txt", "x\n"), ("g.conllu", "")]);
    for (words, why) in [
        (&["--split"][..], "--split cannot be used with --trees: it is for text"),
        (&["--tok", "13a"], "--tok cannot be used with --trees: it is for text"),
        (&["--keep-lemmas"], "brackets have no lemmas"),
        (&["-f", "conllu"], "it has no phrases: use `brackets`, or `tree`"),
        (&["--raw"], "cannot be used with '--raw'"),
        (&["--raw", "--evaluate"], "cannot be used with '--raw'"),
        (&["--conllu", "g.conllu"], "cannot be used with '--conllu"),
        (&["--evaluate", "-f", "tree"], "cannot be used with '--format"),
        (&["-o", "a.ptb"], "--output would overwrite a.ptb"),
    ] {
        let error = dir.error(2, &[&["parse", "-m", "m", "--trees", "a.ptb"], words].concat());
        assert!(error.contains(why), "{words:?}: {error}");
    }
    let error = dir.error(2, &["parse", "-m", "m", "a.txt", "--trees", "a.ptb"]);
    assert!(error.contains("'[FILE]...' cannot be used with '--trees"), "{error}");
    let error = dir.error(2, &["parse", "-m", "m", "--trees", "-", "-"]);
    assert!(error.contains("named more than once"), "{error}");
    let error = dir.error(2, &["parse", "-m", "m", "--evaluate", "a.txt"]);
    assert!(error.contains("name it with --conllu or --trees"), "{error}");
}
