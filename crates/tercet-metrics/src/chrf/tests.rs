use crate::{Registry, Resampled, Segment};

fn sentence(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    let metric = Registry::lexical().build(metric).unwrap();
    metric.score(&metric.tally(&[Segment::new(hypothesis, references)]).unwrap()[0])
}

#[test]
fn identical_text_scores_a_hundred_and_nothing_scores_nothing() {
    for metric in ["chrf", "chrf++", "chrf:eps_smoothing=yes", "chrf:beta=1,whitespace=yes"] {
        assert!((sentence(metric, "Guten Tag, liebe Welt!", &["Guten Tag, liebe Welt!"]) - 100.0).abs() < 1e-9);
    }
    assert_eq!(sentence("chrf", "", &["a"]), 0.0);
    assert_eq!(sentence("chrf", "a", &[""]), 0.0);
    assert_eq!(sentence("chrf", " ", &[" "]), 0.0);
}

#[test]
fn the_best_reference_counts() {
    let alone = sentence("chrf", "a quick brown fox", &["the quick brown fox"]);
    assert_eq!(sentence("chrf", "a quick brown fox", &["something else", "the quick brown fox"]), alone);
}

#[test]
fn words_give_up_one_mark() {
    let metric = Registry::lexical().build("chrf:char_order=0,word_order=1").unwrap();
    let words = |text| metric.tally(&[Segment::new(text, &["x"])]).unwrap()[0][0];
    assert_eq!(words("(hi)"), 2.0); // (hi + )
    assert_eq!(words("(hi"), 2.0);
    assert_eq!(words("!"), 1.0);
    assert_eq!(words("hi..."), 2.0);
}

#[test]
fn a_resample_scored_by_smoothing_alone_is_double() {
    // sacreBLEU 2.6.0 with numpy 2.4.6: CHRF(eps_smoothing=True) of single-precision counts gives a Python float.
    let chrf = Registry::lexical().build("chrf:eps_smoothing=yes").unwrap();
    let expected = Some(Resampled::Double(1.0000000000000002e-14));
    assert_eq!(chrf.sacrebleu().unwrap().score_single(&[0.0; 18]), expected);
    assert_eq!(chrf.sacrebleu().unwrap().score_single(&[5.0, 4.0, 0.0].repeat(6)), expected);
    let matched = chrf.sacrebleu().unwrap().score_single(&[5.0, 4.0, 1.0].repeat(6));
    assert!(matches!(matched, Some(Resampled::Single(_))));
}
