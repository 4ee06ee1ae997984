//! Soft pairwise accuracy as a protocol: system level, from scores of segments (WMT24 on).
//!
//! See [`statistics::soft_pairwise_accuracy`](crate::statistics::soft_pairwise_accuracy). Only segments on which every
//! system that takes part was judged are used. The p-values of people are drawn once for all metrics.

use super::draws::Draws;
use super::measured::MetricOnSet;
use super::statistic::Statistic;
use crate::statistics::{Permutations, pairwise_p_values, soft_pairwise_agreement};

/// Human scores of segments judged for all systems, ready to be agreed with.
#[derive(Clone, Debug)]
pub struct SoftAccuracy {
    systems: Vec<usize>,
    segments: Vec<usize>,
    /// Segments of the set.
    all: usize,
    gold: Vec<f64>,
    p_values: Vec<f64>,
    judged: Vec<bool>,
}

impl SoftAccuracy {
    /// Human scores, more being better, system by system; places that cannot be used are `None`. Systems without any
    /// score take no part.
    pub fn new(systems: usize, gold: &[Option<f64>]) -> Self {
        let all = gold.len().checked_div(systems).unwrap_or(0);
        let place = |system: usize, segment: usize| system * all + segment;
        let any = |system: &usize| (0..all).any(|segment| gold[place(*system, segment)].is_some());
        let systems: Vec<usize> = (0..systems).filter(any).collect();
        let complete =
            |segment: &usize| systems.iter().all(|&system| gold[place(system, *segment)].is_some());
        let segments: Vec<usize> = (0..all).filter(complete).collect();
        let mut judged = vec![false; gold.len()];
        let mut chosen = Vec::with_capacity(systems.len() * segments.len());
        for &system in &systems {
            for &segment in &segments {
                judged[place(system, segment)] = true;
                chosen.extend(gold[place(system, segment)]);
            }
        }
        let p_values = pairwise_p_values(systems.len(), &chosen, Permutations::default());
        SoftAccuracy { systems, segments, all, gold: chosen, p_values, judged }
    }

    /// Whether there is anything to compare.
    pub fn is_possible(&self) -> bool {
        self.systems.len() > 1 && !self.segments.is_empty()
    }

    fn chosen(&self, scores: &[f64]) -> Vec<f64> {
        let of =
            |&system: &usize| self.segments.iter().map(move |segment| scores[system * self.all + segment]);
        self.systems.iter().flat_map(of).collect()
    }

    /// The columns of a draw that can be used, in a matrix of the chosen systems and segments.
    fn drawn(&self, scores: &[f64], columns: &[usize]) -> Vec<f64> {
        let width = self.segments.len();
        (0..self.systems.len())
            .flat_map(|row| columns.iter().map(move |column| scores[row * width + column]))
            .collect()
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
        let metric = pairwise_p_values(self.systems.len(), &self.chosen(scores), Permutations::default());
        soft_pairwise_agreement(&self.p_values, &metric)
    }

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws) -> Option<Vec<f64>> {
        let scores = self.chosen(self.scores(metric)?);
        let column_of: Vec<Option<usize>> =
            (0..self.all).map(|segment| self.segments.binary_search(&segment).ok()).collect();
        Some(draws.map(|draw| {
            let columns: Vec<usize> =
                draw.iter().filter_map(|&segment| column_of[segment as usize]).collect();
            let p_values = |scores: &[f64]| {
                pairwise_p_values(self.systems.len(), &self.drawn(scores, &columns), Permutations::default())
            };
            soft_pairwise_agreement(&p_values(&self.gold), &p_values(&scores))
        }))
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}
