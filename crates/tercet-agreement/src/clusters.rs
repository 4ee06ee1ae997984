//! Significance clusters of metrics, as the WMT metrics tasks print them.
//!
//! Metrics are sorted by their values; every metric is tested against every one below it, and a metric that no member
//! of the current cluster outperforms significantly (p ≤ α) joins it ([`assign_ranks`], as mt-metrics-eval). Tests, all
//! one-sided:
//!
//! - PERM-BOTH by scores: the metrics exchange standardised scores of outputs or systems.
//! - by pairs: they exchange their verdicts on pairs of outputs, without recomputing tie thresholds.
//! - Williams: from the three correlations between human scores and the two metrics. It was derived for Pearson's r
//!   over
//!   one vector; for other coefficients and averages it is computed in the same way, as mt-metrics-eval does, and with
//!   as
//!   many scores as there are judged outputs, though what it then means is not clear.

use super::job::CorrelateJob;
use super::metric_on_set::MetricOnSet;
use super::relative_ranking::RelativeRanking;
use super::scored_segments::ScoredSegments;
use super::statistic::Statistic;
use super::statistic_name::{GroupedStatistic, Test};
use crate::error::{Error, Result};
use crate::progress::{Progress, Stopped};
use crate::statistics::Grouping;
use crate::statistics::random::Generator;
use crate::statistics::significance::permutation::{
    Coins, Draws, Gold, PermutationTest, assign_ranks, compare_all, compare_flat, perm_both_pairs,
};
use crate::statistics::significance::williams;
use rayon::prelude::*;

/// A statistic with the data that tests need besides its values.
pub(super) enum Protocol<'a> {
    /// Relative rankings.
    Ranking(&'a RelativeRanking),
    /// Scores of segments.
    Scores(&'a ScoredSegments),
    /// Any other statistic: scores can be exchanged.
    Other(&'a dyn Statistic),
}

impl<'a> Protocol<'a> {
    pub(super) fn statistic(&self) -> &'a dyn Statistic {
        match *self {
            Protocol::Ranking(ranking) => ranking,
            Protocol::Scores(scores) => scores,
            Protocol::Other(statistic) => statistic,
        }
    }
}

/// The cluster of a metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClusterPlace {
    /// Its cluster, 1 the best; `None` without a test or a value.
    pub(super) cluster: Option<usize>,
    /// The metrics below it, each with the p-value of the difference.
    pub(super) ahead_of: Vec<(String, f64)>,
}

/// The cluster of each metric; `values` has the statistic of each.
pub(super) fn cluster_places(
    protocol: &Protocol<'_>,
    chosen: GroupedStatistic,
    metrics: &[&MetricOnSet],
    values: &[f64],
    job: &CorrelateJob,
    progress: Progress<'_>,
) -> Result<Vec<ClusterPlace>> {
    let mut cluster_places = vec![ClusterPlace::default(); metrics.len()];
    if job.test == Test::None || metrics.len() < 2 {
        return Ok(cluster_places);
    }
    let mut order: Vec<usize> = (0..values.len()).filter(|&metric| !values[metric].is_nan()).collect();
    order.sort_by(|&a, &b| {
        f64::total_cmp(&values[b], &values[a]).then_with(|| metrics[a].metric.cmp(&metrics[b].metric))
    });
    let statistic = protocol.statistic();
    // Outputs without a judgement must not change the mean and deviation of a metric's scores.
    let judged_only = |scores: &[f64]| -> Vec<f64> {
        let places = scores.iter().zip(statistic.judged());
        places.map(|(score, judged)| if *judged { *score } else { f64::NAN }).collect()
    };
    let scores: Vec<Vec<f64>> =
        order.iter().filter_map(|&metric| statistic.scores(metrics[metric])).map(judged_only).collect();
    let scores: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
    let draws = Draws { count: job.resamples, coins: Coins::Generator(job.seed), early_stop: None };
    let p_values = p_values(protocol, chosen, &scores, job.test, draws, progress)?;
    let ranks = assign_ranks(&p_values, job.alpha);
    for (place, (&metric, rank)) in order.iter().zip(ranks).enumerate() {
        let below = order.iter().enumerate().skip(place + 1);
        cluster_places[metric] = ClusterPlace {
            cluster: Some(rank),
            ahead_of: below.map(|(other, &of)| (metrics[of].metric.clone(), p_values[place][other])).collect(),
        };
    }
    Ok(cluster_places)
}

/// For metrics sorted by value: the p-value of "row is better than column".
fn p_values(
    protocol: &Protocol<'_>,
    chosen: GroupedStatistic,
    metrics: &[&[f64]],
    test: Test,
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Vec<Vec<f64>>> {
    let by_two = |p_value: PairTest<'_>| by_two(metrics, progress, p_value);
    Ok(match (test, protocol) {
        (Test::Auto | Test::Pairs, Protocol::Scores(scores)) if scores.variant().is_some() => {
            let (gold, variant) = (gold(scores), scores.variant().expect("just seen"));
            match scores.is_calibrated() {
                true => compare_all(gold, metrics, PermutationTest::Pairs(variant), draws, progress),
                false => by_two(&|first, second| {
                    let ties = [scores.fixed_epsilon(); 2];
                    let found = perm_both_pairs(gold, [first, second], variant, ties, draws, progress);
                    found.map(|found| found.p_value)
                }),
            }
        }
        (Test::Scores, Protocol::Scores(scores)) if scores.is_calibrated() => {
            let variant = scores.variant().expect("what is calibrated has ties");
            compare_all(gold(scores), metrics, PermutationTest::Calibrated(variant), draws, progress)
        }
        (Test::Scores, Protocol::Scores(scores)) if scores.fixed_epsilon().is_some_and(|epsilon| epsilon > 0.0) => {
            let what = "epsilon is in units of the metric, but the test by scores standardises them: test by pairs";
            return Err(Error::BadRequest(what.to_owned()));
        }
        (Test::Pairs, Protocol::Ranking(ranking)) => {
            by_two(&|first, second| exchange_verdicts(ranking, first, second, draws, progress))
        }
        (Test::Auto | Test::Scores | Test::None, _) => exchange_scores(protocol.statistic(), metrics, draws, progress),
        (Test::Williams, _) => {
            let statistic = protocol.statistic();
            let is_possible = metrics.first().is_none_or(|scores| statistic.between(scores, scores).is_some());
            if !is_possible {
                let what = format!("Williams's test compares correlations of scores, not {}", chosen.name);
                return Err(Error::BadRequest(format!("{what} (test by scores)")));
            }
            by_two(&|first, second| Ok(by_williams(statistic, first, second)))
        }
        (Test::Pairs, _) => {
            return Err(Error::BadRequest(format!(
                "the test by pairs is for relative rankings, tau-23 and acc-23, not for {} (test by scores)",
                chosen.name
            )));
        }
    }?)
}

/// The p-value of two metrics.
type PairTest<'a> = &'a (dyn Fn(&[f64], &[f64]) -> Result<f64, Stopped> + Sync);

/// The p-value of every pair of metrics; the function gets the worse and the better one.
fn by_two(metrics: &[&[f64]], progress: Progress<'_>, p_value: PairTest<'_>) -> Result<Vec<Vec<f64>>, Stopped> {
    let count = metrics.len();
    let value = |better: usize, worse: usize| {
        if better >= worse {
            return Ok(0.0);
        }
        let found = p_value(metrics[worse], metrics[better])?;
        progress.advance(1).map(|()| found)
    };
    let row = |better: usize| (0..count).map(|worse| value(better, worse)).collect();
    (0..count).into_par_iter().map(row).collect()
}

fn gold(scores: &ScoredSegments) -> Gold<'_> {
    Gold { grouping: scores.grouping(), systems: scores.systems(), scores: scores.gold() }
}

/// PERM-BOTH by scores for any statistic: only scores of judged outputs are exchanged.
fn exchange_scores(
    statistic: &dyn Statistic,
    metrics: &[&[f64]],
    draws: Draws,
    progress: Progress<'_>,
) -> Result<Vec<Vec<f64>>, Stopped> {
    let judged = statistic.judged();
    if let Some((coefficient, gold)) = statistic.flat() {
        let pick = |scores: &&[f64]| -> Vec<f64> {
            scores.iter().zip(judged).filter(|(_, judged)| **judged).map(|(score, _)| *score).collect()
        };
        let picked: Vec<Vec<f64>> = metrics.iter().map(pick).collect();
        let picked: Vec<&[f64]> = picked.iter().map(Vec::as_slice).collect();
        if let Some(found) = compare_flat(&gold, &picked, coefficient, draws, progress)? {
            return Ok(found);
        }
    }
    let places: Vec<Option<f64>> = judged.iter().map(|judged| judged.then_some(0.0)).collect();
    let value = |_: &[f64], scores: &[f64]| {
        let mut scores = scores.iter();
        let spread: Vec<f64> = judged
            .iter()
            .map(|judged| if *judged { *scores.next().expect("one for each judged") } else { f64::NAN })
            .collect();
        statistic.value(&spread)
    };
    let all = Gold { grouping: Grouping::None, systems: 1, scores: &places };
    compare_all(all, metrics, PermutationTest::Scores(&value), draws, progress)
}

/// PERM-BOTH for relative rankings: the two verdicts on each judgement are exchanged or not.
fn exchange_verdicts(
    ranking: &RelativeRanking,
    first: &[f64],
    second: &[f64],
    draws: Draws,
    progress: Progress<'_>,
) -> Result<f64, Stopped> {
    let verdicts: Vec<(i8, i8)> =
        ranking.outcomes(first).into_iter().zip(ranking.outcomes(second)).filter(|(a, b)| a != b).collect();
    let definition = ranking.definition();
    let (votes, other_votes) = (ranking.votes(first), ranking.votes(second));
    let delta = other_votes.value(definition) - votes.value(definition);
    let Coins::Generator(seed) = draws.coins else { unreachable!("clusters draw from a generator") };
    let mut generator = Generator::new(Some(seed));
    let mut exceeding = 0;
    for _ in 0..draws.count {
        progress.check()?;
        let (mut one, mut other) = (votes, other_votes);
        let mut bits = 0;
        for (i, &(a, b)) in verdicts.iter().enumerate() {
            if i % 64 == 0 {
                bits = generator.next_u64();
            }
            if bits >> (i % 64) & 1 == 1 {
                one.change(a, b);
                other.change(b, a);
            }
        }
        exceeding += usize::from(other.value(definition) - one.value(definition) >= delta);
    }
    Ok(exceeding as f64 / draws.count.max(1) as f64)
}

/// Williams's test with the value of a statistic in place of Pearson's r.
fn by_williams(statistic: &dyn Statistic, first: &[f64], second: &[f64]) -> f64 {
    let between = statistic.between(first, second).unwrap_or(f64::NAN);
    let judged = statistic.judged().iter().filter(|judged| **judged).count();
    williams(statistic.value(first), statistic.value(second), between, judged)
}
