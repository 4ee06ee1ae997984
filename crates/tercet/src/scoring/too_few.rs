//! Warnings about segments and resamples that are too few for intervals and tests.

use super::evaluate::{EvaluateRequest, Pairs};

/// With fewer segments, or fewer that differ, there is a warning.
pub const FEW: usize = 30;

/// The warnings about scores: too few segments, or too few resamples. A test of one system is an error, which is told elsewhere.
pub fn of_scores(segments: usize, systems: usize, request: &EvaluateRequest) -> Vec<String> {
    let problem = match (&request.paired, &request.confidence) {
        (Some(_), _) if systems < 2 => None,
        (Some(_), _) => Some("with so few, p-values of resampling tests are too small"),
        (None, Some(_)) => Some("too few for reliable intervals"),
        (None, None) => None,
    };
    problem
        .and_then(|problem| of(segments, problem))
        .into_iter()
        .chain(of_resamples(systems, request))
        .collect()
}

/// The warning about an adjusted test in which no difference can be significant: the least p-value of n resamples is 1 / (n + 1).
pub fn of_resamples(systems: usize, request: &EvaluateRequest) -> Option<String> {
    let paired = request.paired.as_ref().filter(|paired| paired.holm)?;
    let pairs = match paired.pairs {
        Pairs::All => systems * systems.saturating_sub(1) / 2,
        Pairs::Against(_) => systems.saturating_sub(1),
    };
    let (samples, needed) = (paired.resampling.samples, 20 * pairs);
    let word = if pairs == 1 { "pair" } else { "pairs" };
    let least = (pairs as f64 / (samples as f64 + 1.0)).min(1.0);
    (samples < needed).then(|| {
        format!(
            "no difference can be significant: the least p-value of {samples} resamples, adjusted for {pairs} {word} of systems, \
             is {least:.3}, not below 0.05; ask for {needed} resamples or more"
        )
    })
}

/// The warning about a comparison of two systems.
pub fn of_comparison(segments: usize) -> Option<String> {
    of(segments, "too few for a reliable interval")
}

/// The warning on a page, which has intervals and tests.
pub fn of_page(segments: usize) -> Option<String> {
    of(segments, "too few for reliable intervals and tests")
}

fn of(segments: usize, problem: &str) -> Option<String> {
    let word = if segments == 1 { "segment" } else { "segments" };
    (segments < FEW).then(|| format!("only {segments} {word}: {problem}"))
}
