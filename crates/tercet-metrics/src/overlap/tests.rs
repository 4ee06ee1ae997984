use crate::{Registry, Segment, Tally};

fn overlap(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    let metric = Registry::lexical().build(metric).unwrap();
    let tallies = metric.tally(&[Segment::new(hypothesis, references)]).unwrap();
    metric.score(&tallies[0])
}

#[test]
fn repeated_words_count_as_often_as_both_lines_have_them() {
    // a: 2 of 3, b: 0 of 1, c: 1 of 1.
    assert_eq!(overlap("ol", "a a c", &["a a a b c"]), 3.0 / 5.0);
    assert_eq!(overlap("ol", "c a a a b", &["b a c a a"]), 1.0);
}

#[test]
fn case_matters_only_if_asked() {
    assert_eq!(overlap("overlap", "Über A", &["über a"]), 1.0);
    assert_eq!(overlap("overlap:lowercase=no", "Über A", &["über a"]), 0.0);
    assert_eq!(overlap("overlap:tok=13a", "a, b", &["a , b"]), 1.0);
}

#[test]
fn empty_lines_score_zero() {
    for (hypothesis, references) in [("", &[""][..]), ("a", &[""]), ("", &["a"]), ("a", &[])] {
        assert_eq!(overlap("ol", hypothesis, references), 0.0);
    }
    assert_eq!(Registry::lexical().build("ol").unwrap().score(&Tally::default()), 0.0);
}

#[test]
fn the_best_reference_counts_and_a_corpus_sums_its_counts() {
    let ol = Registry::lexical().build("ol").unwrap();
    let (first, second) = (["x", "a b", "b a", "a b c d"], ["y z"]);
    let tallies = ol.tally(&[Segment::new("a b", &first), Segment::new("y", &second)]).unwrap();
    assert_eq!((&tallies[0][..], &tallies[1][..]), (&[2.0, 2.0][..], &[1.0, 2.0][..]));
    assert_eq!(ol.score(&Tally::sum(&tallies)), 0.75);
}
