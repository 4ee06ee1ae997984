use crate::{Registry, Segment, Tally};

fn score(name: &str, hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build(name).unwrap().segment_scores(&[Segment::new(hypothesis, references)]).unwrap()[0]
}

#[test]
fn what_is_not_lost_is_preserved() {
    for (hypothesis, reference) in [("a b c", "a b d"), ("a", "b"), ("a b", "a b"), ("", "")] {
        let references = [reference];
        let lost = score("wil", hypothesis, &references);
        assert_eq!(lost, 100.0 - score("wip", hypothesis, &references), "{hypothesis:?} {reference:?}");
    }
}

#[test]
fn the_best_reference_counts() {
    assert_eq!(score("wip", "a b", &["a", "a b", "c"]), 100.0);
    assert_eq!(score("wil", "a b", &["a", "a b", "c"]), 0.0);
    assert_eq!(score("mer", "a b", &["a", "a b", "c"]), 0.0);
}

#[test]
fn no_segments_score_nothing() {
    for name in ["wil", "wip", "mer"] {
        assert_eq!(Registry::lexical().build(name).unwrap().score(&Tally::default()), 0.0, "{name}");
    }
}

#[test]
fn an_error_is_one_of_all_matches_and_errors() {
    assert_eq!(score("mer", "x a b", &["a b y"]), 50.0);
    assert_eq!(score("mer", "", &[""]), 0.0);
    assert_eq!(score("mer", "a", &[""]), 100.0);
}
