use crate::{Registry, Segment, Tally};

fn gtm(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    let metric = Registry::lexical().build(metric).unwrap();
    let tallies = metric.tally(&[Segment::new(hypothesis, references)]).unwrap();
    metric.score(&tallies[0])
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} {b}");
}

#[test]
fn identical_lines_score_one_for_every_exponent() {
    for metric in ["gtm", "gtm-2", "gtm-3", "gtm:e=1.5"] {
        assert!((gtm(metric, "a b c a b", &["a b c a b"]) - 1.0).abs() < 1e-12, "{metric}");
        assert_eq!(gtm(metric, "x y", &["a b c"]), 0.0);
    }
}

#[test]
fn greater_exponents_reward_longer_runs() {
    let reference = ["a b c d"];
    assert_eq!(gtm("gtm", "c d a b", &reference), 1.0);
    // Two runs of two: the root of 8, of 4 words.
    close(gtm("gtm-2", "c d a b", &reference), 8f64.sqrt() / 4.0);
    // A run of three and one of one.
    close(gtm("gtm-2", "d a b c", &reference), 10f64.sqrt() / 4.0);
    close(gtm("gtm-3", "d a b c", &reference), 28f64.powf(1.0 / 3.0) / 4.0);
}

#[test]
fn of_several_references_all_words_can_match_up_to_their_mean_length() {
    // Runs "a b" of the first and "c d" of the second reference; the mean length is 3.
    let metric = Registry::lexical().build("gtm-2").unwrap();
    let references = ["a b", "x c d y"];
    let tallies = metric.tally(&[Segment::new("a b c d", &references)]).unwrap();
    // The second run counts as the one word that is left: 4 + 1.
    assert_eq!(&tallies[0][..], [5f64.sqrt(), 4.0, 3.0, 0.0]);
}

#[test]
fn a_run_does_not_cross_the_end_of_a_reference() {
    close(gtm("gtm-2", "a b", &["x a", "b y"]), 2f64.sqrt() / 2.0);
}

#[test]
fn empty_lines_score_zero() {
    for metric in ["gtm", "gtm-2"] {
        for (hypothesis, references) in [("", &[""][..]), ("a", &[""]), ("", &["a"]), ("a", &[])] {
            assert_eq!(gtm(metric, hypothesis, references), 0.0);
        }
        assert_eq!(Registry::lexical().build(metric).unwrap().score(&Tally::default()), 0.0);
    }
}

#[test]
fn a_corpus_sums_matchings_and_lengths() {
    let gtm = Registry::lexical().build("gtm-2").unwrap();
    let (first, second) = (["a b c"], ["x"]);
    let tallies = gtm.tally(&[Segment::new("a b", &first), Segment::new("y", &second)]).unwrap();
    let total = Tally::sum(&tallies);
    assert_eq!(&total[..], [2.0, 3.0, 4.0, 0.0]);
    assert_eq!(gtm.score(&total), 2.0 * (2.0 / 3.0 * 0.5) / (2.0 / 3.0 + 0.5));
}

#[test]
fn many_repetitions_end_and_are_reported() {
    let (hypothesis, reference) = ("a b b ".repeat(700), "b a b ".repeat(650));
    let references = [reference.as_str()];
    let gtm = Registry::lexical().build("gtm-2").unwrap();
    let tallies = gtm.tally(&[Segment::new(&hypothesis, &references)]).unwrap();
    assert!(gtm.is_unfinished(&tallies[0]));
    let same = gtm.tally(&[Segment::new(&reference, &references)]).unwrap();
    assert!(!gtm.is_unfinished(&same[0]) && gtm.score(&same[0]) == 1.0);
}

#[test]
fn the_exponent_is_at_least_one() {
    assert!(Registry::lexical().build("gtm:e=0.5").is_err());
    assert_eq!(Registry::lexical().build("gtm:e=2.5").unwrap().title(), "GTM-2.5");
}
