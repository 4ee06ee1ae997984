//! How far raters agree, and how far their noise lets a metric agree with them.
//!
//! - **Krippendorff's α** (interval scale) over all outputs that several raters judged: 1 minus the observed
//!   disagreement over that of scores drawn at random. The interval is a bootstrap over segments.
//! - Each rater: mean and spread of the scores; **Kendall's τ-b** with each other rater on their common outputs,
//!   averaged by their number; **Pearson's r** with the mean of the others; the difference to that mean; and α of the
//!   raters **without this one**.
//! - A rater is an **outlier** if r is lower than that of the median rater by Fisher's test at p < .01, or if the mean
//!   differs from that of the others on the same outputs by more than half a standard deviation of all scores; both
//!   need [`MIN_COMMON`] common outputs.
//! - **The ceiling**: the share of the variance of scores that is not noise, its square root being the largest Pearson
//!   that a metric without error reaches. Twice: from raters of the same output (one-way intraclass correlation of
//!   their mean), and from identical outputs of several systems for one segment, which were judged each on their own.
//!
//! A metric that scores every output several times is judged in the same way: its runs are raters.

mod ceiling;
mod job;
mod krippendorff;
mod statistics;

pub use ceiling::{Ceiling, ceiling_of_identical};
pub use job::{RatersJob, RatersReport};
pub use krippendorff::krippendorff_alpha;
pub use statistics::{MIN_COMMON, Outlier, RaterStatistics};

use crate::corpora::{HumanScores, Level, Ratings};

/// The scores of an output by rater, each rater's mean if they judged it several times.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RatedUnit {
    pub(crate) system: usize,
    pub(crate) segment: usize,
    /// Raters and scores, by rater.
    pub(crate) scores: Vec<(usize, f64)>,
}

/// The outputs with their scores by rater. Ratings without a rater or a score are left out.
pub(crate) fn units(ratings: &Ratings) -> Vec<RatedUnit> {
    let mut scored: Vec<(usize, usize, usize, f64)> = ratings
        .ratings
        .iter()
        .filter_map(|rating| Some((rating.system, rating.segment, rating.rater?, rating.score?)))
        .collect();
    scored.sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)).then(a.3.total_cmp(&b.3)));
    let mut units: Vec<RatedUnit> = Vec::new();
    for of_rater in scored.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
        let (system, segment, rater, _) = of_rater[0];
        let score = of_rater.iter().map(|of| of.3).sum::<f64>() / of_rater.len() as f64;
        match units.last_mut().filter(|unit| (unit.system, unit.segment) == (system, segment)) {
            Some(unit) => unit.scores.push((rater, score)),
            None => units.push(RatedUnit { system, segment, scores: vec![(rater, score)] }),
        }
    }
    units
}

/// Scores of segments and systems, standardised for each rater (minus their mean, over their standard deviation) and
/// averaged over raters; `NAME-z`. A rater who always gives the same score adds 0. `None` without raters.
pub fn standardised(ratings: &Ratings, systems: usize, segments: usize) -> Option<Vec<HumanScores>> {
    let units = units(ratings);
    if units.is_empty() {
        return None;
    }
    let mut of_raters = vec![Vec::new(); ratings.raters.len()];
    for (rater, score) in units.iter().flat_map(|unit| &unit.scores) {
        of_raters[*rater].push(*score);
    }
    let scales: Vec<(f64, f64)> = of_raters.iter().map(|scores| mean_and_deviation(scores)).collect();
    let z = |&(rater, score): &(usize, f64)| match scales[rater] {
        (_, 0.0) => 0.0,
        (mean, deviation) => (score - mean) / deviation,
    };
    let mut values = vec![vec![None; segments]; systems];
    for unit in &units {
        let scores: Vec<f64> = unit.scores.iter().map(z).collect();
        values[unit.system][unit.segment] = Some(mean(scores));
    }
    let of_systems = values.iter().map(|of| {
        let scores: Vec<f64> = of.iter().flatten().copied().collect();
        vec![(!scores.is_empty()).then(|| mean(scores))]
    });
    let of_systems = of_systems.collect();
    let name = format!("{}-z", ratings.name);
    let scores = |level, values| HumanScores { name: name.clone(), level, higher_is_better: true, values };
    Some(vec![scores(Level::Segment, values), scores(Level::System, of_systems)])
}

/// The mean; the smallest is added first.
pub(crate) fn mean(mut scores: Vec<f64>) -> f64 {
    scores.sort_unstable_by(f64::total_cmp);
    scores.iter().sum::<f64>() / scores.len() as f64
}

/// Mean and standard deviation (of the population).
pub(crate) fn mean_and_deviation(scores: &[f64]) -> (f64, f64) {
    let center = mean(scores.to_vec());
    let squares = mean(scores.iter().map(|score| (score - center).powi(2)).collect());
    (center, squares.sqrt())
}

#[cfg(test)]
mod tests;
