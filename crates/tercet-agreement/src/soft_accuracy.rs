//! Soft pairwise accuracy as a protocol: system level, from scores of segments (WMT24 on).
//!
//! See [`statistics::soft_pairwise_accuracy`](crate::statistics::soft_pairwise_accuracy). Only segments on which every
//! included system was judged are used. The p-values of human scores are computed once for all metrics.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use super::statistic::{MIN_SYSTEMS, Statistic, mean_of_defined};
use crate::progress::Stopped;
use crate::statistics::{CoinSigns, Permutations, soft_pairwise_agreement};
use std::sync::OnceLock;

/// The most comparisons of systems for an interval: a minute, or 350 systems on 1000 draws.
const MAX_COMPARISONS: usize = 1 << 36;

/// Soft pairwise accuracy with the human scores of segments judged for all systems.
#[derive(Clone, Debug)]
pub struct SoftAccuracy {
    systems: Vec<usize>,
    segments: Vec<usize>,
    /// The number of segments of the set.
    all: usize,
    gold: Vec<f64>,
    coins: CoinSigns,
    p_values: Vec<f64>,
    /// Random signs for draws of all segments, computed on first use.
    drawn_coins: OnceLock<CoinSigns>,
    /// The human p-values on each draw, computed on first use.
    drawn_p_values: OnceLock<Vec<Vec<f64>>>,
    judged: Vec<bool>,
}

impl SoftAccuracy {
    /// Human scores, higher being better, system by system; `None` where an output cannot be used. Systems without any
    /// score are excluded.
    pub fn new(systems: usize, gold: &[Option<f64>]) -> Self {
        let all = gold.len().checked_div(systems).unwrap_or(0);
        let place = |system: usize, segment: usize| system * all + segment;
        let any = |system: &usize| (0..all).any(|segment| gold[place(*system, segment)].is_some());
        let systems: Vec<usize> = (0..systems).filter(any).collect();
        let complete = |segment: &usize| systems.iter().all(|&system| gold[place(system, *segment)].is_some());
        let segments: Vec<usize> = (0..all).filter(complete).collect();
        let mut judged = vec![false; gold.len()];
        let mut chosen = Vec::with_capacity(systems.len() * segments.len());
        for &system in &systems {
            for &segment in &segments {
                judged[place(system, segment)] = true;
                chosen.extend(gold[place(system, segment)]);
            }
        }
        let coins = CoinSigns::new(segments.len(), Permutations::default());
        let p_values = coins.p_values(systems.len(), &chosen);
        SoftAccuracy {
            systems,
            segments,
            all,
            gold: chosen,
            coins,
            p_values,
            drawn_coins: OnceLock::new(),
            drawn_p_values: OnceLock::new(),
            judged,
        }
    }

    /// Whether there are enough systems and segments.
    pub fn is_possible(&self) -> bool {
        self.systems.len() > 1 && !self.segments.is_empty()
    }

    fn chosen(&self, scores: &[f64]) -> Vec<f64> {
        let of = |&system: &usize| self.segments.iter().map(move |segment| scores[system * self.all + segment]);
        self.systems.iter().flat_map(of).collect()
    }

    /// The p-values on each draw of segments. Segments of a draw that cannot be used count as 0 for all systems.
    fn on_draws(&self, scores: &[f64], draws: &Draws<'_>) -> Result<Vec<Vec<f64>>, Stopped> {
        let (rows, width) = (self.systems.len(), self.segments.len());
        let coins = self.drawn_coins.get_or_init(|| CoinSigns::new(self.all, Permutations::default()));
        let column_of: Vec<Option<usize>> =
            (0..self.all).map(|segment| self.segments.binary_search(&segment).ok()).collect();
        draws.map(|draw| {
            let score = |row: usize, segment: u32| {
                column_of[segment as usize].map_or(0.0, |column| scores[row * width + column])
            };
            let drawn: Vec<f64> =
                (0..rows).flat_map(|row| draw.iter().map(move |&segment| score(row, segment))).collect();
            coins.p_values(rows, &drawn)
        })
    }
}

impl Statistic for SoftAccuracy {
    fn n(&self) -> usize {
        self.systems.len() * self.systems.len().saturating_sub(1) / 2
    }

    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]> {
        metric.segments.as_deref()
    }

    fn value(&self, scores: &[f64]) -> f64 {
        soft_pairwise_agreement(&self.p_values, &self.coins.p_values(self.systems.len(), &self.chosen(scores)))
    }

    fn on_drawn_systems(&self, scores: &[f64], draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let systems = self.systems.len();
        if systems < MIN_SYSTEMS {
            return Ok(None);
        }
        let metric = self.coins.p_values(systems, &self.chosen(scores));
        let agreement: Vec<f64> =
            self.p_values.iter().zip(&metric).map(|(human, metric)| 1.0 - (human - metric).abs()).collect();
        // Pairs are numbered row by row above the diagonal; a system and itself are no pair.
        let of = |(&one, &other): (&u32, &u32)| {
            let (i, j) = (one.min(other) as usize, one.max(other) as usize);
            if i == j { f64::NAN } else { agreement[i * systems - i * (i + 1) / 2 + j - i - 1] }
        };
        let value = |draw: &[u32]| {
            let pairs = (0..draw.len()).flat_map(|i| draw[i + 1..].iter().map(move |other| (&draw[i], other)));
            mean_of_defined(pairs.map(of))
        };
        draws.of_others(systems).map(value).map(Some)
    }

    /// `None` also if there are so many systems that an interval would take hours.
    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let comparisons = self.n().saturating_mul(draws.len()).saturating_mul(Permutations::default().count);
        if comparisons > MAX_COMPARISONS {
            return Ok(None);
        }
        let Some(scores) = self.scores(metric) else { return Ok(None) };
        let people = match self.drawn_p_values.get() {
            Some(people) => people,
            None => {
                let people = self.on_draws(&self.gold, draws)?;
                self.drawn_p_values.get_or_init(|| people)
            }
        };
        let metric = self.on_draws(&self.chosen(scores), draws)?;
        let agreement = people.iter().zip(&metric).map(|(people, metric)| soft_pairwise_agreement(people, metric));
        Ok(Some(agreement.collect()))
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}
