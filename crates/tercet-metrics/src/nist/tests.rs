use crate::{Metric, Registry, Segment, Tally, prepare};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

fn prepared(metric: &str, references: &[&[&str]]) -> Arc<dyn Metric> {
    prepare(&Registry::lexical().build(metric).unwrap(), references).unwrap()
}

/// Scores of the segments and of the corpus.
fn scores(metric: &str, segments: &[(&str, &[&str])]) -> (Vec<f64>, f64) {
    let references: Vec<&[&str]> = segments.iter().map(|segment| segment.1).collect();
    let metric = prepared(metric, &references);
    let batch: Vec<Segment<'_>> =
        segments.iter().map(|(hypothesis, references)| Segment::new(hypothesis, references)).collect();
    let tallies = metric.tally(&batch).unwrap();
    let each = tallies.iter().map(|tally| metric.score(tally)).collect();
    (each, metric.score(&Tally::sum(&tallies)))
}

fn assert_printed((each, corpus): (Vec<f64>, f64), segments: &[f64], system: f64) {
    for (ours, theirs) in each.iter().chain([&corpus]).zip(segments.iter().chain([&system])) {
        assert!((ours - theirs).abs() < 1e-13, "{ours} {theirs}");
    }
}

#[test]
fn several_references_are_averaged_in_length_and_clip_together() {
    // Printed by mteval-v13a.pl.
    let segments: [(&str, &[&str]); 2] =
        [("a b c d", &["a b c d e f", "a b e"]), ("the the cat", &["the cat sat", "cat the the the"])];
    assert_printed(scores("nist", &segments), &[4.08714528523486, 3.46789647664063], 3.83399423239608);
}

#[test]
fn short_and_wholly_wrong_segments_have_a_score() {
    // Printed by mteval-v13a.pl.
    let segments: [(&str, &[&str]); 5] = [
        ("yes", &["yes"]),
        ("no way", &["yes indeed"]),
        ("yes", &["no"]),
        ("a b c x", &["a b c d e"]),
        ("p q r s t u", &["a b"]),
    ];
    assert_printed(scores("nist", &segments), &[2.4594316186373, 0.0, 0.0, 2.37346693726955, 0.0], 1.05190109738843);
}

#[test]
fn the_word_0_is_no_context_as_in_perl() {
    // Printed by mteval-v13a.pl; Doddington's formula gives log₂ 4 / 3 · penalty without the pair `0 a`.
    let (each, corpus) = scores("nist", &[("0 a q", &["0 a b c"])]);
    assert_printed((each, corpus), &[1.64602488710651], 1.64602488710651);
    let segments: [(&str, &[&str]); 2] = [("0 c a", &["0 a b c"]), ("0 a", &["0 a d"])];
    assert_printed(scores("nist", &segments), &[1.51012549024719, 1.8073549220576], 1.619225671774);
}

#[test]
fn case_counts_only_where_it_is_requested() {
    let segments: [(&str, &[&str]); 1] = [("The Cat", &["the cat"])];
    assert_eq!(scores("nist", &segments).1, 1.0);
    assert_eq!(scores("nist:lowercase=no", &segments).1, 0.0);
    // mteval's default knows capitals of ASCII only.
    let segments: [(&str, &[&str]); 1] = [("Ö x", &["ö y"])];
    assert_eq!(scores("nist", &segments).1, 0.0);
    assert_eq!(scores("nist:tok=mteval-intl", &segments).1, 0.5);
}

#[test]
fn two_thirds_of_the_length_cost_half_the_score() {
    let metric = prepared("nist", &[&["a b c"]]);
    let tally = &metric.tally(&[Segment::new("a b", &["a b c"])]).unwrap()[0];
    let parts = metric.components(tally);
    let value = |name: &str| parts.iter().find(|part| part.name == name).unwrap().value;
    assert!((value("length_penalty") - 0.5).abs() < 1e-15);
    assert_eq!((value("hyp_len"), value("ref_len")), (2.0, 3.0));
    assert_eq!(value("cumulative_5"), metric.score(tally));
    assert!((value("individual_1") - 0.5 * 3f64.log2()).abs() < 1e-15);
}

#[test]
fn nothing_scores_nothing() {
    let segments: [(&str, &[&str]); 4] = [("", &[""]), ("a", &[""]), ("", &["a"]), ("a", &[])];
    assert_eq!(scores("nist", &segments), (vec![0.0; 4], 0.0));
    let metric = Registry::lexical().build("nist").unwrap();
    assert_eq!(metric.score(&Tally::default()), 0.0);
    assert!(metric.components(&Tally::default()).iter().all(|part| part.value == 0.0));
}

#[test]
fn scoring_before_prepare_says_what_to_do() {
    let error = Registry::lexical().build("nist").unwrap().tally(&[Segment::new("a", &["a"])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "metric `nist` has seen no references: its weights depend on all of them (call `prepare` with those of every \
         segment first)"
    );
}

#[test]
fn what_was_not_prepared_is_named() {
    let metric = prepared("nist", &[&["a b", "a a"], &["c"]]);
    for (reference, unknown) in [("x c", "x"), ("b a c", "a c")] {
        let error = metric.tally(&[Segment::new(reference, &[reference])]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "metric `nist` was not prepared with the reference that has `{unknown}`: its weights depend on all \
                 references (call `prepare` with those of every segment)"
            )
        );
    }
}

fn words(text: &[String]) -> Vec<&str> {
    text.iter().map(String::as_str).collect()
}

/// The formula, word for word.
fn naive(hypothesis: &[&str], references: &[Vec<&str>], order: usize) -> f64 {
    let mut counts: BTreeMap<&[&str], f64> = BTreeMap::new();
    let total: usize = references.iter().map(Vec::len).sum();
    for n in 1..=order {
        for ngram in references.iter().flat_map(|reference| reference.windows(n)) {
            *counts.entry(ngram).or_default() += 1.0;
        }
    }
    counts.insert(&[], total as f64);
    let occurrences = |text: &[&str], ngram: &[&str]| text.windows(ngram.len()).filter(|w| *w == ngram).count();
    let mut sum = 0.0;
    for n in 1..=order {
        let mut bits = 0.0;
        let mut ngrams: Vec<&[&str]> = hypothesis.windows(n).collect();
        ngrams.sort();
        ngrams.dedup();
        for ngram in ngrams {
            let most = references.iter().map(|r| occurrences(r, ngram)).max().unwrap_or(0);
            if most > 0 {
                let matches = occurrences(hypothesis, ngram).min(most) as f64;
                bits += matches * (counts[&ngram[..n - 1]] / counts[ngram]).log2();
            }
        }
        sum += bits / hypothesis.windows(n).count().max(1) as f64;
    }
    let ratio = hypothesis.len() as f64 / (total as f64 / references.len() as f64);
    let beta = 0.5f64.ln() / 1.5f64.ln().powi(2);
    sum * (beta * ratio.min(1.0).ln().powi(2)).exp()
}

proptest! {
    #[test]
    fn weights_are_those_of_the_formula(
        hypothesis in prop::collection::vec("[a-d]", 1..12),
        first in prop::collection::vec("[a-d]", 1..12),
        second in prop::collection::vec("[a-d]", 0..12),
        order in 1usize..=9,
    ) {
        let references = [first.join(" "), second.join(" ")];
        let references = [references[0].as_str(), references[1].as_str()];
        let (ours, _) = scores(&format!("nist:max_order={order}"), &[(&hypothesis.join(" "), &references)]);
        let texts = [words(&first), words(&second)];
        let theirs = naive(&words(&hypothesis), &texts, order);
        prop_assert!((ours[0] - theirs).abs() < 1e-9, "{} {}", ours[0], theirs);
    }

    #[test]
    fn any_text_has_a_finite_score(hypothesis in any::<String>(), reference in any::<String>()) {
        for tokenizer in ["mteval", "mteval-intl", "mteval-intl+nonascii", "none"] {
            let (each, corpus) = scores(&format!("nist:tok={tokenizer}"), &[(&hypothesis, &[&reference])]);
            prop_assert!(each[0].is_finite() && corpus.is_finite() && corpus >= 0.0);
        }
    }
}

#[test]
fn nltk_takes_the_best_reference_of_each_order_with_its_own_length() {
    // The words are those of both references, of which the second is longer, and the pair is that of the second.
    let both: (&str, &[&str]) = ("a b", &["b a", "a b c"]);
    let (_, nltk) = scores("nist:tok=none,max_order=2,version=nltk", &[both]);
    // NLTK 3.10.4: corpus_nist([["b a".split(), "a b c".split()]], ["a b".split()], n=2)
    assert!((nltk - 1.160_964_047_443_681).abs() < 1e-12, "{nltk}");
    assert_ne!(nltk, scores("nist:tok=none,max_order=2", &[both]).1);
    let one: (&str, &[&str]) = ("a b", &["a b c"]);
    assert_eq!(scores("nist:version=nltk", &[one]), scores("nist", &[one]));
    let zero: (&str, &[&str]) = ("0 b", &["0 b c 0"]);
    assert_ne!(scores("nist:version=nltk", &[zero]), scores("nist", &[zero]));
}
