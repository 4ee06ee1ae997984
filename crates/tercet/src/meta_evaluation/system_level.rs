//! Agreement with people about whole systems.
//!
//! A coefficient between what people and what a metric give the systems, or the share of pairs of systems that both put
//! in the same order (Kocmi et al., 2021; pairs that people tie count only if the metric ties them too, as in
//! mt-metrics-eval's `Agreement`). Systems without a score on either side take no part.
//!
//! Intervals draw segments and compute the scores of systems anew on both sides, where both come from segments; human
//! scores that are given for whole systems, or inferred by a model, stay as they are. Where the metric's scores are given
//! for whole systems, systems are drawn; a pair of a system with itself is then no pair.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use super::statistic::Statistic;
use crate::statistics::correlation::{
    PairwiseAccuracy, kendall_b, kendall_c, pairwise_accuracy, pearson, spearman,
};

/// How two vectors of system scores agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemCoefficient {
    /// Pearson's r.
    Pearson,
    /// Spearman's ρ.
    Spearman,
    /// Kendall's τ-b.
    KendallB,
    /// Kendall's τ-c.
    KendallC,
    /// The share of pairs in the same order.
    Accuracy,
}

impl SystemCoefficient {
    fn of(self, human: &[f64], metric: &[f64]) -> f64 {
        if human.len() < 2 || human.iter().chain(metric).any(|score| score.is_nan()) {
            return f64::NAN;
        }
        match self {
            SystemCoefficient::Pearson => pearson(human, metric).value,
            SystemCoefficient::Spearman => spearman(human, metric).value,
            SystemCoefficient::KendallB => kendall_b(human, metric).value,
            SystemCoefficient::KendallC => kendall_c(human, metric).value,
            SystemCoefficient::Accuracy => pairwise_accuracy(human, metric).value(),
        }
    }
}

/// What people make of the systems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanSystems {
    /// What the scores are: `mqm`, `expected-wins`.
    pub name: String,
    /// −1 for penalties: what the scores were multiplied by.
    pub sign: f64,
    /// More is better, NaN where there is none or the system takes no part.
    pub scores: Vec<f64>,
    /// The same on draws of segments, `[system][draw]`, if they come from segments.
    pub replicates: Option<Vec<Vec<f64>>>,
}

/// Human scores of systems, ready to be agreed with.
#[derive(Clone, Debug)]
pub struct SystemLevel<'a> {
    coefficient: SystemCoefficient,
    human: &'a HumanSystems,
    judged: Vec<bool>,
}

impl<'a> SystemLevel<'a> {
    /// The systems of which `usable` is true take part.
    pub fn new(
        coefficient: SystemCoefficient,
        human: &'a HumanSystems,
        usable: impl Fn(usize) -> bool,
    ) -> Self {
        let judged = |(system, score): (usize, &f64)| !score.is_nan() && usable(system);
        SystemLevel { coefficient, human, judged: human.scores.iter().enumerate().map(judged).collect() }
    }

    /// The pairs of systems in the same order.
    pub fn pairs(&self, scores: &[f64]) -> PairwiseAccuracy {
        pairwise_accuracy(&self.chosen(&self.human.scores), &self.chosen(scores))
    }

    /// The value on draws of systems.
    fn on_drawn_systems(&self, scores: &[f64], draws: &Draws) -> Vec<f64> {
        let (human, metric) = (self.chosen(&self.human.scores), self.chosen(scores));
        let pick =
            |of: &[f64], draw: &[u32]| draw.iter().map(|&system| of[system as usize]).collect::<Vec<f64>>();
        draws.of_others(human.len()).map(|draw| match self.coefficient {
            SystemCoefficient::Accuracy => accuracy_of_distinct(&human, &metric, draw),
            other => other.of(&pick(&human, draw), &pick(&metric, draw)),
        })
    }

    fn chosen(&self, scores: &[f64]) -> Vec<f64> {
        scores.iter().zip(&self.judged).filter(|(_, judged)| **judged).map(|(score, _)| *score).collect()
    }
}

/// The share of pairs of different systems of a draw in the same order.
fn accuracy_of_distinct(human: &[f64], metric: &[f64], draw: &[u32]) -> f64 {
    let mut pairs = PairwiseAccuracy::default();
    for (i, &one) in draw.iter().enumerate() {
        for &other in draw[i + 1..].iter().filter(|other| **other != one) {
            let of = |scores: &[f64]| [scores[one as usize], scores[other as usize]];
            pairs += pairwise_accuracy(&of(human), &of(metric));
        }
    }
    pairs.value()
}

impl Statistic for SystemLevel<'_> {
    fn n(&self) -> usize {
        let systems = self.judged.iter().filter(|judged| **judged).count();
        match self.coefficient {
            SystemCoefficient::Accuracy => systems * systems.saturating_sub(1) / 2,
            _ => systems,
        }
    }

    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]> {
        metric.systems.as_deref()
    }

    fn value(&self, scores: &[f64]) -> f64 {
        self.coefficient.of(&self.chosen(&self.human.scores), &self.chosen(scores))
    }

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws) -> Option<Vec<f64>> {
        let Some(of_metric) = metric.replicates.as_ref() else {
            return Some(self.on_drawn_systems(self.scores(metric)?, draws));
        };
        let on_draw = |of: &[Vec<f64>], draw: usize| -> Vec<f64> {
            self.chosen(&of.iter().map(|system| system[draw]).collect::<Vec<f64>>())
        };
        let fixed = self.chosen(&self.human.scores);
        let value = |draw: usize| {
            let human = self.human.replicates.as_ref().map(|human| on_draw(human, draw));
            self.coefficient.of(human.as_ref().unwrap_or(&fixed), &on_draw(of_metric, draw))
        };
        Some((0..draws.len()).map(value).collect())
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}
