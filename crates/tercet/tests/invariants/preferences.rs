//! Properties of the preferences of all metrics in [`tercet::registry`].

use super::metrics::Example;
use tercet::metrics::{Preference, Segment, TranslationPair, prepare};

/// Probabilities that the first example's hypothesis of each segment is better than the second's, in batches of at most
/// this size.
fn probabilities(
    preference: &dyn Preference,
    pairs: &[(&str, &str)],
    references: &[Vec<&str>],
    batch_size: usize,
) -> Vec<f64> {
    let slices: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
    let prepared = preference.prepare(&slices).expect("references are only text");
    let preference = prepared.as_deref().unwrap_or(preference);
    let pairs: Vec<TranslationPair<'_>> = pairs
        .iter()
        .zip(&slices)
        .map(|(&(a, b), &references)| TranslationPair { references, a, b, source: None })
        .collect();
    let mut found = Vec::new();
    for batch in pairs.chunks(batch_size.max(1)) {
        let some = preference.prefer_all(batch).expect("translations are only text");
        assert_eq!(some.len(), batch.len(), "one probability per pair");
        found.extend(some);
    }
    found
}

/// Each example's hypothesis against the next one's: probabilities from 0 to 1; exchanging the two gives one minus the
/// probability, to the bit; a text and itself are as likely; batches change nothing.
pub fn is_antisymmetric(spec: &str, examples: &[Example], batch_size: usize) {
    let preference = tercet::registry().preference(spec, None).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let references: Vec<Vec<&str>> =
        examples.iter().map(|example| example.references.iter().map(String::as_str).collect()).collect();
    let text = |i: usize| examples[i % examples.len()].hypothesis.as_str();
    let pairs: Vec<(&str, &str)> = (0..examples.len()).map(|i| (text(i), text(i + 1))).collect();
    let exchanged: Vec<(&str, &str)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
    let same: Vec<(&str, &str)> = pairs.iter().map(|&(a, _)| (a, a)).collect();
    let run = |pairs: &[(&str, &str)], size| probabilities(preference.as_ref(), pairs, &references, size);
    let forwards = run(&pairs, examples.len());
    let backwards = run(&exchanged, examples.len());
    for (p, q) in forwards.iter().zip(&backwards) {
        assert!((0.0..=1.0).contains(p), "{spec}: {p} of {examples:?}");
        assert_eq!(p + q, 1.0, "{spec}: {p} and {q} of {examples:?}");
    }
    assert!(run(&same, examples.len()).iter().all(|&p| p == 0.5), "{spec}: a text and itself in {examples:?}");
    let bits = |found: &[f64]| found.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&run(&pairs, batch_size)), bits(&forwards), "{spec}: batches changed a bit");
}

/// Differences of strengths are the log-odds of the preference, for metrics that have strengths.
pub fn strengths_are_log_odds(spec: &str, examples: &[Example]) {
    let preference = tercet::registry().preference(spec, None).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let metric = tercet::registry().build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let references: Vec<Vec<&str>> =
        examples.iter().map(|example| example.references.iter().map(String::as_str).collect()).collect();
    let slices: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
    let metric = prepare(&metric, &slices).expect("references are only text");
    let text = |i: usize| examples[i % examples.len()].hypothesis.as_str();
    let pairs: Vec<(&str, &str)> = (0..examples.len()).map(|i| (text(i), text(i + 1))).collect();
    let expected = probabilities(preference.as_ref(), &pairs, &references, pairs.len());
    for ((&(a, b), references), expected) in pairs.iter().zip(&slices).zip(expected) {
        let segments = [a, b].map(|line| Segment::new(line, references));
        let tallies = metric.tally(&segments).expect("segments are only text");
        let strengths: Vec<f64> = tallies.iter().filter_map(|tally| metric.strength(tally)).collect();
        let [a, b] = strengths[..] else { continue };
        let p = 1.0 / (1.0 + (b - a).exp());
        assert!((p - expected).abs() < 1e-9, "{spec}: {p} is not {expected} of {examples:?}");
    }
}

/// The preference can be built again from its signature, slope included; any text is built or is an error.
pub fn signature_builds_the_preference_again(spec: &str) {
    match tercet::registry().preference(spec, None) {
        Ok(built) => {
            let printed = built.signature().with("refs", 1).to_string();
            let again = tercet::registry()
                .preference(&printed, None)
                .unwrap_or_else(|error| panic!("{spec} printed {printed}: {error}"));
            assert_eq!(again.signature(), built.signature(), "{spec}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
