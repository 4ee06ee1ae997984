use crate::{Registry, Segment};

fn score(spec: &str, hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build(spec).unwrap().segment_scores(&[Segment::new(hypothesis, references)]).unwrap()[0]
}

#[test]
fn the_longer_side_divides() {
    // Of `a b` against `a`: one n-gram of three, whichever side is longer.
    assert_eq!(score("gleu:tok=none", "a b", &["a"]), 1.0 / 3.0);
    assert_eq!(score("gleu:tok=none", "a", &["a b"]), 1.0 / 3.0);
}

#[test]
fn the_reference_with_the_highest_share_counts() {
    assert_eq!(score("gleu:tok=none", "a b", &["c", "a b", "a b c d"]), 1.0);
    assert_eq!(score("gleu:tok=none", "a b", &[]), 0.0);
}

#[test]
fn orders_can_be_chosen() {
    assert_eq!(score("gleu:tok=none,min_order=2,max_order=2", "a b c", &["x b c"]), 0.5);
    assert_eq!(score("gleu:tok=none,min_order=2,max_order=2", "a", &["a"]), 0.0);
    let error = Registry::lexical().build("gleu:min_order=3,max_order=2").err().unwrap().to_string();
    assert!(error.contains("the shortest n-gram is longer than the longest"), "{error}");
}

#[test]
fn a_segment_without_words_counts_nothing() {
    let metric = Registry::lexical().build("gleu").unwrap();
    let (empty, words) = ([""], ["a b"]);
    let segments = [Segment::new("", &empty), Segment::new("a b", &words)];
    assert_eq!(metric.corpus_score(&segments).unwrap(), 1.0);
    // Of an empty reference and another one, the other one counts.
    let both = ["", "a b"];
    let segments = [Segment::new("", &both), Segment::new("a b", &words)];
    assert_eq!(metric.corpus_score(&segments).unwrap(), 0.5);
}
