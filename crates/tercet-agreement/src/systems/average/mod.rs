//! Systems by the average of their scores: direct assessment (WMT16–21) and MQM.
//!
//! A system's score is the mean of its judged segments. For direct assessment WMT ranks systems by the average of z,
//! each judge's scores standardised, and also prints the raw average; both are segment scores, and `z` is the default.
//!
//! # Ranges and clusters
//! Every two systems are tested, one-sided, the better mean first. A system's best possible rank is one more than the
//! number of systems significantly better, its worst the number of systems minus those it is significantly better than.
//! A cluster ends where every system above is significantly better than every system below (p < .05): the clusters of
//! the findings since WMT17.
//!
//! - [`Test::RankSum`], the default: the rank-sum test of Wilcoxon, as WMT did for direct assessment. Segments of two
//!   systems need not be the same.
//! - [`Test::Paired`]: signs of the differences on segments both have are flipped at random; for MQM, where all systems
//!   were judged on the same segments.

use super::rank_range::RankRange;
use super::{RankRequest, RankedSystem};
use crate::corpora::{HumanScores, Judgements, Level};
use crate::error::{Error, Result};
use crate::progress::{Progress, Stopped};
use crate::statistics::random::{CoinTosses, Generator};
use crate::statistics::significance::{p_value, rank_sum};
use crate::warning::NotRanked;
use rayon::prelude::*;

tercet_base::choices! {
    /// The test between two systems.
    pub enum Test: "test" = RankSum {
        /// Wilcoxon's rank-sum test: WMT17 and later.
        RankSum = "rank-sum",
        /// Random flips of the signs of paired differences.
        Paired = "paired",
    }
}

const LEVEL: f64 = 0.05;

/// A system with all its scores, higher being better.
struct Scored<'a> {
    name: &'a str,
    /// The judged segments, in order, with its scores of them.
    values: Vec<(usize, f64)>,
    mean: f64,
}

/// The systems in the order of their means, and the name of the scores they were ranked by.
pub(super) fn rank(
    judgements: &Judgements,
    request: &RankRequest,
    progress: Progress<'_>,
) -> Result<(Vec<RankedSystem>, String)> {
    let scores = choose(judgements, request.scores.as_deref())?;
    let sign = if scores.higher_is_better { 1.0 } else { -1.0 };
    let mut systems = scored(judgements, scores, sign);
    systems.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(b.name.cmp(a.name)));
    let better = significantly_better(&systems, request, progress)?;
    let (ranges, clusters) = (ranges(&better), clusters(&better));
    let ranked = systems.iter().zip(ranges).zip(clusters).map(|((system, range), cluster)| RankedSystem {
        name: system.name.to_owned(),
        score: sign * system.mean,
        rank_low: range.low,
        rank_high: range.high,
        cluster,
        n: system.values.len(),
    });
    Ok((ranked.collect(), scores.name.clone()))
}

/// The requested segment scores; by default those named `z`, or the first.
fn choose<'a>(judgements: &'a Judgements, name: Option<&str>) -> Result<&'a HumanScores> {
    let mut of_segments = judgements.scores.iter().filter(|scores| scores.level == Level::Segment);
    let known: Vec<String> = of_segments.clone().map(|scores| scores.name.clone()).collect();
    let is_z = |scores: &&HumanScores| scores.name == "z" || scores.name.ends_with("-z");
    let found = match name {
        Some(name) => of_segments.find(|scores| scores.name == name),
        None => of_segments.clone().find(is_z).or_else(|| of_segments.next()),
    };
    let place = format!("{} {}", judgements.set, judgements.pair);
    found.ok_or_else(|| match name {
        Some(name) if !known.is_empty() => {
            Error::NotInSet { place, what: "segment scores", name: name.to_owned(), known }
        }
        _ => Error::NotRanked { set: place, because: NotRanked::NoScores },
    })
}

fn scored<'a>(judgements: &'a Judgements, scores: &HumanScores, sign: f64) -> Vec<Scored<'a>> {
    let system = |(name, values): (&'a String, &Vec<Option<f64>>)| {
        let judged = values.iter().enumerate().filter_map(|(segment, value)| Some((segment, sign * (*value)?)));
        let values: Vec<(usize, f64)> = judged.collect();
        let mean = values.iter().map(|(_, value)| value).sum::<f64>() / values.len() as f64;
        (!values.is_empty()).then_some(Scored { name, values, mean })
    };
    judgements.systems.iter().zip(&scores.values).filter_map(system).collect()
}

/// `better[i][j]`: i, which has the better mean, is significantly better than j.
fn significantly_better(
    systems: &[Scored<'_>],
    request: &RankRequest,
    progress: Progress<'_>,
) -> Result<Vec<Vec<bool>>, Stopped> {
    let count = systems.len();
    let test = |i: usize, j: usize| {
        if i >= j {
            return Ok(false);
        }
        progress.check()?;
        let p = match request.test {
            Test::RankSum => {
                let [a, b] = [i, j].map(|k| systems[k].values.iter().map(|(_, value)| *value).collect::<Vec<_>>());
                rank_sum::greater(&a, &b)
            }
            Test::Paired => {
                let stream = request.stream(i * count + j);
                flipped_signs(&systems[i].values, &systems[j].values, request.runs, stream)
            }
        };
        Ok(p < LEVEL)
    };
    let row = |i: usize| (0..count).map(|j| test(i, j)).collect();
    (0..count).into_par_iter().map(row).collect()
}

/// The p-value of random sign flips of the paired differences.
fn flipped_signs(a: &[(usize, f64)], b: &[(usize, f64)], trials: usize, mut generator: Generator) -> f64 {
    let other = |segment: usize| b.binary_search_by_key(&segment, |(segment, _)| *segment).ok().map(|i| b[i].1);
    let both = a.iter().filter_map(|&(segment, a)| Some(a - other(segment)?));
    let differences: Vec<f64> = both.collect();
    let observed: f64 = differences.iter().sum();
    let mut coins = CoinTosses::default();
    let exceeding = (0..trials)
        .filter(|_| {
            let flip = |&difference: &f64| if coins.toss(&mut generator) { difference } else { -difference };
            // Equal sums may differ by rounding.
            differences.iter().map(flip).sum::<f64>() >= observed - 1e-12 * observed.abs()
        })
        .count();
    p_value(exceeding, trials)
}

fn ranges(better: &[Vec<bool>]) -> Vec<RankRange> {
    let count = better.len();
    let range = |i: usize| RankRange {
        low: 1 + (0..count).filter(|&j| better[j][i]).count(),
        high: count - better[i].iter().filter(|&&better| better).count(),
    };
    (0..count).map(range).collect()
}

fn clusters(better: &[Vec<bool>]) -> Vec<usize> {
    let count = better.len();
    // For each system, the last place below it that it is not significantly better than.
    let not_beaten = |above: usize| (above + 1..count).rev().find(|&below| !better[above][below]).unwrap_or(above);
    let mut furthest = 0;
    let line_above: Vec<bool> = (0..count)
        .map(|place| {
            let line = place > 0 && furthest < place;
            furthest = furthest.max(not_beaten(place));
            line
        })
        .collect();
    let step = |cluster: &mut usize, place: usize| {
        *cluster += usize::from(line_above[place]);
        Some(*cluster)
    };
    (0..count).scan(1, step).collect()
}

#[cfg(test)]
mod tests;
