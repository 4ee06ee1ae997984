use crate::{Component, Registry, Segment, Tally};

fn sentence(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    let metric = Registry::lexical().build(metric).unwrap();
    metric.segment_score(&metric.tally(&[Segment::new(hypothesis, references)]).unwrap()[0])
}

#[test]
fn identical_text_scores_a_hundred_and_empty_text_nothing() {
    assert!((sentence("bleu", "one two three four five", &["one two three four five"]) - 100.0).abs() < 1e-9);
    assert_eq!(sentence("bleu", "", &["one two"]), 0.0);
    assert_eq!(sentence("bleu", "one two", &[""]), 0.0);
    assert_eq!(sentence("bleu", "", &[""]), 0.0);
}

#[test]
fn effective_order_counts_short_segments_only_up_to_their_length() {
    assert!((sentence("bleu", "yes indeed", &["yes indeed"]) - 100.0).abs() < 1e-9);
    assert_eq!(sentence("bleu:effective_order=no,smooth=none", "yes indeed", &["yes indeed"]), 0.0);
}

#[test]
fn the_closest_reference_length_counts_and_the_shorter_of_two() {
    let bleu = Registry::lexical().build("bleu").unwrap();
    let references = ["a b c d e f", "a b"];
    let tally = &bleu.tally(&[Segment::new("a b c d", &references)]).unwrap()[0];
    assert_eq!(tally[1], 2.0);
    let shortest = Registry::lexical().build("bleu:brevity=shortest").unwrap();
    let references = ["a b c d e", "a b"];
    assert_eq!(shortest.tally(&[Segment::new("a b c d", &references)]).unwrap()[0][1], 2.0);
    assert_eq!(bleu.tally(&[Segment::new("a b c d", &references)]).unwrap()[0][1], 5.0);
}

#[test]
fn mteval_smooths_without_any_match_and_ignores_missing_orders() {
    // Printed by mteval-v13a.pl, times 100.
    for (hypothesis, reference, score) in [
        ("yes", "yes", 100.0),
        ("no way", "yes indeed", 50.0),
        ("yes", "no", 84.0896415253715),
        ("a b c x", "a b c d e", 46.3077716199103),
        ("p q r s t u", "a b", 4.05834894343874),
        ("", "a b", 0.0),
    ] {
        let ours = sentence("mteval-bleu", hypothesis, &[reference]);
        assert!((ours - score).abs() < 1e-12, "{hypothesis}: {ours}");
    }
    assert_eq!(sentence("mteval-bleu", "", &[""]), 0.0);
    assert_eq!(sentence("mteval-bleu:smooth=none", "yes", &["yes"]), 0.0);
    let halved = sentence("bleu:smooth=mteval,effective_order=yes", "yes", &["no"]);
    assert!((halved - 50.0).abs() < 1e-12);
}

#[test]
fn components_are_bleucomp() {
    let bleu = Registry::lexical().build("bleu").unwrap();
    let references = ["the cat sat on the mat"];
    let total = Tally::sum(&bleu.tally(&[Segment::new("the cat on the mat", &references)]).unwrap());
    let components = bleu.components(&total);
    assert_eq!(components.len(), 16);
    let value = |name: &str| components.iter().find(|c: &&Component| c.name == name).unwrap().value;
    assert_eq!(value("precision_1"), 100.0);
    assert_eq!((value("matches_2"), value("totals_2")), (3.0, 4.0));
    assert_eq!((value("hyp_len"), value("ref_len")), (5.0, 6.0));
    assert_eq!(value("ratio"), 5.0 / 6.0);
    assert!((value("brevity_penalty") - (-0.2f64).exp()).abs() < 1e-15);
}

#[test]
fn single_precision_stays_close_to_double() {
    let bleu = Registry::lexical().build("bleu:smooth=floor").unwrap();
    let counts = [20.0, 22.0, 12.0, 5.0, 1.0, 0.0, 20.0, 19.0, 18.0, 17.0];
    let single: Vec<f32> = counts.iter().map(|&count| count as f32).collect();
    let Some(crate::Resampled::Double(score)) = bleu.sacrebleu().unwrap().score_single(&single) else { panic!() };
    let double = bleu.score(&Tally::new(counts.to_vec()));
    assert!((score / double - 1.0).abs() < 1e-6 && score != double);
}

#[test]
fn moses_sentence_bleu_adds_one_everywhere() {
    // m = (4, 1, 0, 0), t = (5, 4, 3, 2): ((5·2·1·1)/(6·5·4·3))^¼, and BP = e^(1 − 6/5)
    let score = sentence("sentbleu", "the cat lay on mat", &["the cat sat on the mat"]);
    let expected = (10.0f64 / 360.0).powf(0.25) * (-0.2f64).exp();
    assert!((score - expected).abs() < 1e-6, "{score} {expected}");
    assert_eq!(sentence("sentbleu", "", &["a"]), 0.0);
}
