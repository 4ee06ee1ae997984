use crate::{Registry, Segment, Tally};
use proptest::prelude::*;

fn tally(metric: &str, hypothesis: &str, references: &[&str]) -> Tally {
    let metric = Registry::lexical().build(metric).unwrap();
    metric.tally(&[Segment::new(hypothesis, references)]).unwrap().remove(0)
}

fn sentence(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build(metric).unwrap().score(&tally(metric, hypothesis, references))
}

fn component(total: &Tally, name: &str) -> f64 {
    let components = Registry::lexical().build("wer").unwrap().components(total);
    components.iter().find(|part| part.name == name).unwrap().value
}

#[test]
fn identical_text_has_no_errors_and_lost_text_only_errors() {
    assert_eq!(sentence("wer", "a b c", &["a b c"]), 0.0);
    assert_eq!(sentence("wer", "", &["a b c"]), 100.0);
    assert_eq!(sentence("wer", "x y z", &["a b c"]), 100.0);
}

#[test]
fn against_nothing_every_word_is_a_whole_error() {
    assert_eq!(sentence("wer", "a b c d", &[""]), 400.0);
    assert_eq!(sentence("wer", "", &[""]), 0.0);
    assert_eq!(sentence("wer", "a b", &[]), 200.0);
    let nothing = tally("wer", " ", &["\t"]);
    assert_eq!((component(&nothing, "mer"), component(&nothing, "wil"), component(&nothing, "wip")), (0.0, 0.0, 100.0));
    let only_hypothesis = tally("wer", "a", &[""]);
    assert_eq!((component(&only_hypothesis, "mer"), component(&only_hypothesis, "wip")), (100.0, 0.0));
}

#[test]
fn operations_are_those_of_jiwer() {
    // jiwer 4.0.0: hits 2, substitutions 1, deletions 1, insertions 1, mer 0.6, wil 0.75
    let total = tally("wer", "b a d c", &["a b c d"]);
    assert_eq!(&total[..], [3.0, 4.0, 2.0, 1.0, 1.0, 1.0, 0.0]);
    assert_eq!((component(&total, "mer"), component(&total, "wil")), (60.0, 75.0));
}

#[test]
fn the_reference_with_the_lowest_rate_counts() {
    // One edit against four words beats one edit against two.
    let total = tally("wer", "a b c", &["a x", "a b c d", "a b c e"]);
    assert_eq!(&total[..2], [1.0, 4.0]);
}

#[test]
fn a_corpus_sums_its_counts() {
    let wer = Registry::lexical().build("wer").unwrap();
    let (first, second) = (["a b c d"], ["a"]);
    let tallies = wer.tally(&[Segment::new("a b c", &first), Segment::new("b", &second)]).unwrap();
    assert_eq!(wer.score(&Tally::sum(&tallies)), 40.0);
    assert_eq!(wer.score(&Tally::default()), 0.0);
    assert_eq!(wer.components(&Tally::default()).len(), 9);
}

#[test]
fn tokenizer_and_case_are_options() {
    assert_eq!(sentence("wer:tok=13a,lowercase=yes", "Hello, you!", &["hello , YOU !"]), 0.0);
    assert_eq!(sentence("wer", "Hello, you!", &["hello , YOU !"]), 100.0);
    assert!(Registry::lexical().build("wer:tok=14a").is_err());
}

#[test]
fn the_signature_builds_the_metric_again() {
    let wer = Registry::lexical().build("wer:lowercase=1").unwrap();
    let again = Registry::lexical().build(&wer.signature().to_string()).unwrap();
    assert_eq!(again.signature(), wer.signature());
}

proptest! {
    #[test]
    fn any_text_has_finite_rates(hypothesis in "\\PC{0,30}", reference in "[\\PC\t\u{1f}]{0,30}") {
        for name in ["wer", "per", "cer", "character", "wer:tok=char", "wer:tok=zh,lowercase=yes"] {
            let total = tally(name, &hypothesis, &[&reference]);
            let metric = Registry::lexical().build(name).unwrap();
            let components = metric.components(&total);
            prop_assert!(metric.score(&total).is_finite() && metric.score(&total) >= 0.0);
            prop_assert!(components.iter().all(|part| part.value.is_finite()));
        }
    }
}
