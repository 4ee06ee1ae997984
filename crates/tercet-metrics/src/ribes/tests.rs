use crate::{Registry, Segment};

fn score(spec: &str, hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build(spec).unwrap().segment_scores(&[Segment::new(hypothesis, references)]).unwrap()[0]
}

#[test]
fn order_decides() {
    assert_eq!(score("ribes", "a b c", &["a b c"]), 1.0);
    assert_eq!(score("ribes", "c b a", &["a b c"]), 0.0);
    // One of six pairs is out of order.
    assert!((score("ribes", "a c b d", &["a b c d"]) - 5.0 / 6.0).abs() < 1e-12);
}

#[test]
fn words_without_a_place_and_short_lines_cost() {
    assert_eq!(score("ribes", "a b x c", &["a b c"]), 0.75_f64.powf(0.25));
    assert_eq!(score("ribes:alpha=0", "a b x c", &["a b c"]), 1.0);
    let short = (1.0 - 4.0 / 2.0_f64).exp().powf(0.1);
    assert_eq!(score("ribes", "a b", &["a b c d"]), short);
}

#[test]
fn one_word_has_no_order() {
    assert_eq!(score("ribes", "a", &["a"]), 0.0);
    assert_eq!(score("ribes", "", &["a b"]), 0.0);
    assert_eq!(score("ribes", "a b", &[""]), 0.0);
    assert_eq!(score("ribes", "a b", &[]), 0.0);
}

#[test]
fn a_corpus_scores_the_mean_of_its_segments_with_their_best_references() {
    let metric = Registry::lexical().build("ribes").unwrap();
    let (first, second) = (["b a", "a b"], ["a b"]);
    let segments = [Segment::new("a b", &first), Segment::new("b a", &second)];
    assert_eq!(metric.segment_scores(&segments).unwrap(), [1.0, 0.0]);
    assert_eq!(metric.corpus_score(&segments).unwrap(), 0.5);
}
