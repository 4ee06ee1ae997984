use crate::{Registry, Segment};

fn scores(spec: &str, segments: &[(&str, &[&str])]) -> Vec<f64> {
    let segments: Vec<Segment<'_>> =
        segments.iter().map(|(hypothesis, references)| Segment::new(hypothesis, references)).collect();
    Registry::lexical().build(spec).unwrap().segment_scores(&segments).unwrap()
}

#[test]
fn the_reference_itself_has_ten_points() {
    let found = scores("cider", &[("a b c d", &["a b c d"]), ("e f g h", &["e f g h"])]);
    assert!(found.iter().all(|score| (score - 10.0).abs() < 1e-12), "{found:?}");
    // Lines of two words have n-grams of two of the four orders.
    assert_eq!(scores("cider", &[("a b", &["a b"]), ("c d", &["c d"])]), [5.0, 5.0]);
}

#[test]
fn what_all_segments_have_weighs_nothing() {
    assert_eq!(scores("cider", &[("a b c d", &["a b c d"])]), [0.0]);
    assert_eq!(scores("cider:max_order=1", &[("the a", &["the b"]), ("the c", &["the d"])]), [0.0, 0.0]);
}

#[test]
fn a_different_length_costs() {
    let found = scores("cider:max_order=1", &[("a", &["a"]), ("b c", &["b"])]);
    assert_eq!(found[0], 10.0);
    let penalised = scores("cider:max_order=2", &[("a b c d e f g", &["a b"]), ("x y", &["x y"])]);
    let free = scores("cider:max_order=2,sigma=1000000", &[("a b c d e f g", &["a b"]), ("x y", &["x y"])]);
    assert!((penalised[0] / free[0] - (-25.0 / 72.0_f64).exp()).abs() < 1e-9);
}

#[test]
fn words_that_no_reference_has_are_told_apart() {
    let same = scores("cider:max_order=1", &[("a x x", &["a"]), ("b", &["b"])]);
    let different = scores("cider:max_order=1", &[("a x y", &["a"]), ("b", &["b"])]);
    assert!(same[0] < different[0], "{same:?} {different:?}");
}

#[test]
fn a_segment_without_text_scores_nothing() {
    assert_eq!(scores("cider", &[("", &["a"]), ("a", &[""]), ("a", &[])]), [0.0; 3]);
}

#[test]
fn tallies_need_all_references() {
    let metric = Registry::lexical().build("cider").unwrap();
    assert!(metric.tally(&[Segment::new("a", &["a"])]).is_err());
}
