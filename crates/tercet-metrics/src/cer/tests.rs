use crate::{Registry, Segment, Tally};

fn tally(hypothesis: &str, references: &[&str]) -> Tally {
    let metric = Registry::lexical().build("cer").unwrap();
    metric.tally(&[Segment::new(hypothesis, references)]).unwrap().remove(0)
}

fn sentence(hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build("cer").unwrap().score(&tally(hypothesis, references))
}

#[test]
fn code_points_are_counted() {
    assert_eq!(sentence("naïve", &["naive"]), 20.0);
    assert_eq!(sentence("e\u{301}", &["e"]), 100.0);
    assert_eq!(sentence("猫が好き", &["犬が好き"]), 25.0);
}

#[test]
fn white_space_counts_inside_a_line_only() {
    assert_eq!(sentence("  a b\t", &["a b"]), 0.0);
    assert_eq!(&tally("a  b", &["a b"])[..2], [1.0, 3.0]);
    assert_eq!(&tally("a\tb", &["a b"])[..2], [1.0, 3.0]);
}

#[test]
fn nothing_is_defined() {
    assert_eq!(sentence("", &[""]), 0.0);
    assert_eq!(sentence("", &["abc"]), 100.0);
    assert_eq!(sentence("abc", &[" "]), 300.0);
    assert_eq!(sentence("abc", &[]), 300.0);
}

#[test]
fn the_reference_with_the_lowest_rate_counts() {
    assert_eq!(&tally("abcd", &["abxx", "abcx", "abcy"])[..2], [1.0, 4.0]);
}

#[test]
fn components_add_up() {
    let total = tally("kitten", &["sitting"]);
    let components = Registry::lexical().build("cer").unwrap().components(&total);
    let value = |name: &str| components.iter().find(|part| part.name == name).unwrap().value;
    assert_eq!(value("hits") + value("substitutions") + value("deletions"), value("ref_len"));
    assert_eq!((value("hits"), value("ref_len"), value("hyp_len")), (4.0, 7.0, 6.0));
}

#[test]
fn a_comparison_in_pieces_is_unfinished() {
    let cer = Registry::lexical().build("cer").unwrap();
    let tally = |exact| super::Operations::new(crate::text::EditOperations { exact, ..Default::default() }).tally();
    assert!(cer.is_unfinished(&tally(false)) && !cer.is_unfinished(&tally(true)));
}
