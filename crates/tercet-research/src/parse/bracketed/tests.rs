use super::*;
use crate::error::Result;
use crate::parse::Tree;
use std::path::Path;

fn read(text: &str) -> Result<Vec<Tree>> {
    read_trees(Path::new("x.ptb"), text)
}

fn one(text: &str) -> Tree {
    let trees = read(text).unwrap();
    assert_eq!(trees.len(), 1);
    trees.into_iter().next().unwrap()
}

#[test]
fn trees_follow_each_other_on_one_line_or_many() {
    let trees = read("( (S\n  (NP-SBJ (PRP I))\n\t(VP (VBP run))))\r\n(A a)(ROOT (B b ) )").unwrap();
    let written: Vec<String> = trees.iter().map(Tree::to_string).collect();
    assert_eq!(written, ["( (S (NP-SBJ (PRP I)) (VP (VBP run))))", "(A a)", "(ROOT (B b))"]);
    assert!(read(" \n").unwrap().is_empty());
    assert_eq!(one("\u{feff}(A a\u{a0}b)").leaves().collect::<Vec<_>>(), [("A", "a\u{a0}b")]);
}

#[test]
fn a_tree_knows_its_words_and_spans() {
    let tree = one("(S (NP (DT the) (NN cat)) (VP (VBD sat)))");
    assert_eq!(tree.leaves().collect::<Vec<_>>(), [("DT", "the"), ("NN", "cat"), ("VBD", "sat")]);
    assert_eq!(tree.phrases().collect::<Vec<_>>(), [("S", 0..3), ("NP", 0..2), ("VP", 2..3)]);
}

#[test]
fn normalisation_strips_functions_indexes_and_empty_elements() {
    let plain = |text: &str| Normalisation::default().apply(&one(text)).map(|tree| tree.to_string());
    for (text, expected) in [
        (
            "( (S (NP-SBJ-1 (NN a)) (VP=2 (VB b) (NP (NP (-NONE- *T*-1)) (-NONE- *)))))",
            "(ROOT (S (NP (NN a)) (VP (VB b))))",
        ),
        ("(S (NN a))", "(ROOT (S (NN a)))"),
        ("(NN a)", "(ROOT (NN a))"),
        (
            "(S1 (S (-LRB- -LRB-) (NN-X a-b) (-RRB- d-LRB-e-RRB-)))",
            "(ROOT (S (-LRB- -LRB-) (NN-X a-b) (-RRB- d-LRB-e-RRB-)))",
        ),
        ("(TOP (-X-Y (A 1\\/2)))", "(ROOT (-X-Y (A 1/2)))"),
    ] {
        assert_eq!(plain(text).as_deref(), Some(expected));
    }
    assert_eq!(plain("(S (-NONE- *))"), None);
    assert_eq!(unescape("d-LRB-\\*-RCB-"), "d(*}");
}

#[test]
fn originals_are_kept_on_request() {
    let text = "( (S (NP-SBJ (-NONE- *)) (VP (-LRB- -LRB-))))";
    let keep = Normalisation { keep_functions: true, keep_empty_elements: true, keep_escapes: true, keep_root: true };
    assert_eq!(keep.apply(&one(text)).unwrap(), one(text));
    for (keep, expected) in [
        (Normalisation { keep_functions: true, ..Normalisation::default() }, "(ROOT (S-X (A a)))"),
        (Normalisation { keep_root: true, ..Normalisation::default() }, "(S (A a))"),
        (Normalisation { keep_empty_elements: true, ..Normalisation::default() }, "(ROOT (S (A a) (-NONE- *)))"),
    ] {
        assert_eq!(keep.apply(&one("(S-X (A a) (-NONE- *))")).unwrap().to_string(), expected);
    }
    let escaped = Normalisation { keep_escapes: true, ..Normalisation::default() };
    assert_eq!(escaped.apply(&one("(A 1\\/2)")).unwrap().words().next(), Some("1\\/2"));
}

#[test]
fn an_empty_bracket_is_a_sentence_without_parse() {
    let parses = read_parses(Path::new("x.ptb"), "(())\n(A a)\n( )\n( ( ) )\n").unwrap();
    assert_eq!(parses.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false, false]);
    let error = read("(A a)\n(())").unwrap_err().to_string();
    assert_eq!(error, "x.ptb:2: column 1: an empty tree, as parsers write that found none");
}

#[test]
fn errors_have_line_and_column() {
    for (text, message) in [
        ("(S\n (é a) (NP))", "2: column 8: a bracket with nothing but its label in it: expected a word or brackets"),
        ("(S (A a)\n", "1: column 1: this bracket is never closed"),
        ("(S (A a", "1: column 8: the text ends before the bracket of `a` is closed"),
        ("(A a))", "1: column 6: a closing bracket without an opening one"),
        ("word", "1: column 1: expected `(`, found `word`"),
        (
            "(NP the cat)",
            "1: column 9: expected `)` after the word `the` of `NP` (one word to a bracket; brackets in words are \
             written -LRB-, -RRB-)",
        ),
        ("(NP (A a) cat)", "1: column 11: the word `cat` is beside brackets: expected (tag word)"),
        ("(S ( a))", "1: column 4: the word `a` has no tag: expected (tag word)"),
        ("(S ())", "1: column 4: a bracket with nothing but its label in it: expected a word or brackets"),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), format!("x.ptb:{message}"), "{text}");
    }
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let depth = 200_000;
    let text = format!("{}(A a){}", "(X ".repeat(depth), ")".repeat(depth));
    let tree = one(&text);
    assert_eq!(tree.to_string(), text);
    assert_eq!(Normalisation::default().apply(&tree).unwrap().nodes().len(), depth + 2);
    assert!(read(&"(".repeat(depth)).is_err());
}

#[test]
fn long_trees_are_spread_over_lines() {
    let long = "(S (NP (DT the) (NN word)) (VP (VBZ goes) (PP (IN on) (PP (IN and) (IN on) (NP (DT the) (NN way))))))";
    let expected = "(S\n  (NP (DT the) (NN word))\n  (VP (VBZ goes) (PP (IN on) (PP (IN and) (IN on) (NP (DT the) (NN \
        way))))))";
    assert_eq!(one(long).indented(), expected);
    assert_eq!(one(&one(long).indented()), one(long));
    assert_eq!(one("(S (A a))").indented(), "(S (A a))");
}

#[test]
fn what_cannot_be_written_is_replaced() {
    let mut builder = crate::parse::TreeBuilder::new();
    builder.open("a b(");
    builder.word("", "(x\ty)");
    let tree = builder.finish().unwrap();
    assert_eq!(tree.to_string(), "(a_b-LRB- (_ -LRB-x_y-RRB-))");
    assert_eq!(one(&tree.to_string()).to_string(), tree.to_string());
}

#[test]
fn brackets_that_are_nested_too_deep_are_refused() {
    let error = read(&"(".repeat(1_000_001)).unwrap_err().to_string();
    assert!(error.ends_with(": brackets are nested more than 1,000,000 deep"), "{error}");
}
