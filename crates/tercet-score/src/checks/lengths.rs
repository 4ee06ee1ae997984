//! Outputs that are much longer or shorter than what they are compared with.

use super::findings::{Found, TextId};
use super::texts::{Texts, is_blank};
use crate::System;
use tercet_base::{CheckKind, Detail, TextRole};

/// Shorter texts may have any ratio.
const MIN_LENGTH: usize = 20;

/// Finds outputs that are longer than a reference by this factor, or shorter. Without references their lengths are
/// compared with the source, where the median of the system is usual.
pub(super) fn check(texts: &Texts<'_, '_>, number: usize, system: &System<'_>, max_ratio: f64, found: &mut Vec<Found>) {
    let of = if texts.references.is_empty() { TextRole::Source } else { TextRole::Reference };
    let usual = match of {
        TextRole::Source => {
            let with_source = |i| Some((system.hypotheses[i], texts.source(i)?));
            usual_ratio((0..texts.segments).filter_map(with_source))
        }
        _ => 1.0,
    };
    for (i, line) in system.hypotheses.iter().enumerate() {
        if is_blank(line) {
            continue;
        }
        let own = length(line);
        let others = texts.references_of(i).iter().copied().chain(texts.source(i).filter(|_| of == TextRole::Source));
        let distance = |ratio: &f64| distance(*ratio, usual);
        // Nothing is said if one reference is too short to compare with.
        let ratios: Option<Vec<f64>> = others.map(|other| of_any_length(own, length(other))).collect();
        let closest = ratios.and_then(|ratios| ratios.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))));
        if let Some(ratio) = closest.filter(|ratio| distance(ratio) > max_ratio) {
            found.push(Found::new(TextId::System(number), CheckKind::Length, i + 1, Detail::Ratio { ratio, of }));
        }
    }
}

/// How many times as long as its source an output usually is: the median, 1 if all are short.
pub(crate) fn usual_ratio<'a>(outputs_and_sources: impl Iterator<Item = (&'a str, &'a str)>) -> f64 {
    let usual = median(outputs_and_sources.filter_map(|(output, source)| ratio(length(output), source)));
    if usual > 0.0 { usual } else { 1.0 }
}

/// Whether an output is longer than usual in comparison with its source by this factor, or shorter.
pub(crate) fn is_off(output: &str, source: &str, usual: f64, max_ratio: f64) -> bool {
    of_any_length(length(output), length(source)).is_some_and(|ratio| distance(ratio, usual) > max_ratio)
}

fn distance(ratio: f64, usual: f64) -> f64 {
    (ratio / usual).max(usual / ratio)
}

/// The number of letters and the like.
fn length(line: &str) -> usize {
    if line.is_ascii() {
        return line.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    }
    // A character of a script without spaces says as much as some letters.
    line.chars()
        .map(|c| {
            if c.is_whitespace() {
                0
            } else if c >= '\u{2e80}' {
                3
            } else {
                1
            }
        })
        .sum()
}

fn of_any_length(own: usize, other: usize) -> Option<f64> {
    (own.max(other) >= MIN_LENGTH && other > 0).then(|| own as f64 / other as f64)
}

fn ratio(own: usize, source: &str) -> Option<f64> {
    let other = length(source);
    (other >= MIN_LENGTH && own > 0).then(|| own as f64 / other as f64)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}
