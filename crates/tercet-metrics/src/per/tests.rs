use crate::{Registry, Segment, Tally};
use proptest::prelude::*;

fn tally(metric: &str, hypothesis: &str, references: &[&str]) -> Tally {
    let metric = Registry::lexical().build(metric).unwrap();
    metric.tally(&[Segment::new(hypothesis, references)]).unwrap().remove(0)
}

fn sentence(hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build("per").unwrap().score(&tally("per", hypothesis, references))
}

#[test]
fn order_does_not_matter_and_repetition_does() {
    assert_eq!(sentence("c b a", &["a b c"]), 0.0);
    assert_eq!(sentence("a a a", &["a b c"]), 100.0 * 2.0 / 3.0);
}

#[test]
fn the_surplus_of_either_side_is_an_error() {
    assert_eq!(sentence("a b c d", &["a b"]), 100.0);
    assert_eq!(sentence("a", &["a b"]), 50.0);
}

#[test]
fn nothing_is_defined() {
    assert_eq!(sentence("", &[""]), 0.0);
    assert_eq!(sentence("", &["a b"]), 100.0);
    assert_eq!(sentence("a b", &[""]), 200.0);
    assert_eq!(sentence("a b", &[]), 200.0);
    assert_eq!(Registry::lexical().build("per").unwrap().score(&Tally::default()), 0.0);
}

#[test]
fn the_reference_with_the_lowest_rate_counts() {
    let total = tally("per", "a b c", &["x", "c b a d", "a"]);
    assert_eq!(&total[..], [1.0, 4.0, 3.0, 3.0]);
}

proptest! {
    #[test]
    fn wer_is_never_lower(hypothesis in "[ab ]{0,20}", reference in "[ab ]{0,20}") {
        let references = [reference.as_str()];
        prop_assert!(tally("per", &hypothesis, &references)[0] <= tally("wer", &hypothesis, &references)[0]);
    }
}
