//! Pairwise accuracy over several language pairs: the pairs of systems of all of them together (Kocmi et al., 2021; the
//! main table of WMT21–23).
//!
//! Systems are compared within their language pair only. Metrics that are missing in a pair take no part.

use super::agreement::Agreement;
use super::choice::{Chosen, StatisticName, Test};
use super::clusters::{Protocol, Standing, standings};
use super::correlate::{Request, SystemScores};
use super::draws::Draws;
use super::measured::MetricOnSet;
use super::statistic::Statistic;
use crate::corpora::Level;
use crate::error::Result;
use crate::statistics::Grouping;
use crate::statistics::correlation::{PairwiseAccuracy, pairwise_accuracy};

/// Human scores of the systems of several language pairs, one after the other.
struct PooledAccuracy {
    human: Vec<f64>,
    /// How many systems each language pair has.
    sizes: Vec<usize>,
    judged: Vec<bool>,
}

impl PooledAccuracy {
    fn pairs(&self, scores: &[f64]) -> PairwiseAccuracy {
        let mut start = 0;
        let of = |&size: &usize| {
            let part = start..start + size;
            start += size;
            pairwise_accuracy(&self.human[part.clone()], &scores[part])
        };
        self.sizes.iter().map(of).sum()
    }
}

impl Statistic for PooledAccuracy {
    fn n(&self) -> usize {
        self.sizes.iter().map(|size| size * size.saturating_sub(1) / 2).sum()
    }

    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]> {
        metric.systems.as_deref()
    }

    fn value(&self, scores: &[f64]) -> f64 {
        self.pairs(scores).value()
    }

    fn replicates(&self, _: &MetricOnSet, _: &Draws) -> Option<Vec<f64>> {
        None
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}

/// The accuracy over all language pairs of one set, if there are several; the pair is called `all`.
pub fn pooled_accuracy(parts: &[SystemScores], request: &Request) -> Result<Vec<Agreement>> {
    let [first, _, ..] = parts else { return Ok(Vec::new()) };
    let accuracy = PooledAccuracy {
        human: parts.iter().flat_map(|part| part.human.iter().copied()).collect(),
        sizes: parts.iter().map(|part| part.human.len()).collect(),
        judged: vec![true; parts.iter().map(|part| part.human.len()).sum()],
    };
    let everywhere = |(name, signature, _): &(String, String, Vec<f64>)| {
        let of = |part: &SystemScores| {
            part.metrics.iter().find(|(other, _, _)| other == name).map(|(_, _, scores)| scores.clone())
        };
        let scores: Vec<Vec<f64>> = parts.iter().map(of).collect::<Option<_>>()?;
        Some(MetricOnSet {
            metric: name.clone(),
            signature: signature.clone(),
            systems: Some(scores.concat()),
            ..MetricOnSet::default()
        })
    };
    let metrics: Vec<MetricOnSet> = first.metrics.iter().filter_map(everywhere).collect();
    let metrics: Vec<&MetricOnSet> = metrics.iter().collect();
    let value =
        |metric: &&MetricOnSet| metric.systems.as_ref().map_or(f64::NAN, |scores| accuracy.value(scores));
    let values: Vec<f64> = metrics.iter().map(value).collect();
    let chosen = Chosen { name: StatisticName::Accuracy, grouping: Grouping::None };
    let by_scores = Request { test: request.test.map(|_| Test::Scores), ..request.clone() };
    let protocol = Protocol::Other(&accuracy, &accuracy.human);
    let standings = standings(&protocol, chosen, &metrics, &values, &by_scores)?;
    let agreement = |((metric, value), standing): ((&&MetricOnSet, f64), Standing)| Agreement {
        set: first.set.clone(),
        pair: "all".to_owned(),
        level: Level::System,
        statistic: chosen,
        human: first.human_name.clone(),
        metric: metric.metric.clone(),
        signature: metric.signature.clone(),
        value,
        low: None,
        high: None,
        n: accuracy.n(),
        cluster: standing.cluster,
        ahead_of: standing.ahead_of,
    };
    Ok(metrics.iter().zip(values).zip(standings).map(agreement).collect())
}
