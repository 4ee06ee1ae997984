//! Agreement with human scores of systems.
//!
//! A coefficient between human and metric scores of systems, or the share of pairs of systems that both order alike
//! (Kocmi et al., 2021; pairs tied by humans count only if the metric ties them too, as in mt-metrics-eval's
//! `Agreement`). Systems without a human or metric score are left out.
//!
//! Intervals draw segments and recompute human and metric scores of systems if these come from segments; human scores of
//! whole systems, or inferred by a model, stay fixed. If the metric has only scores of whole systems, systems are drawn;
//! pairs of a system with itself are then ignored.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use super::statistic::Statistic;
use crate::progress::Stopped;
use crate::statistics::correlation::{
    PairwiseAccuracy, kendall_b, kendall_c, pairwise_accuracy, pearson, spearman,
};

/// A coefficient between human and metric scores of systems.
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

/// Human scores of systems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HumanSystems {
    /// The name of the scores: `mqm`, `expected-wins`.
    pub name: String,
    /// The factor that scores were multiplied by: −1 for penalties.
    pub sign: f64,
    /// Higher is better; NaN for systems without a score or excluded.
    pub scores: Vec<f64>,
    /// The scores on draws of segments, `[system][draw]`, if they come from segments.
    pub replicates: Option<Vec<Vec<f64>>>,
}

/// A coefficient with the human scores of systems.
#[derive(Clone, Debug)]
pub struct SystemLevel<'a> {
    coefficient: SystemCoefficient,
    human: &'a HumanSystems,
    judged: Vec<bool>,
}

impl<'a> SystemLevel<'a> {
    /// Uses the systems for which `usable` is true.
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
    fn on_drawn_systems(&self, scores: &[f64], draws: &Draws<'_>) -> Result<Vec<f64>, Stopped> {
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

/// The share of pairs of different systems in a draw that both order alike.
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

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let Some(of_metric) = metric.replicates.as_ref() else {
            let Some(scores) = self.scores(metric) else { return Ok(None) };
            return self.on_drawn_systems(scores, draws).map(Some);
        };
        let on_draw = |of: &[Vec<f64>], draw: usize| -> Vec<f64> {
            self.chosen(&of.iter().map(|system| system[draw]).collect::<Vec<f64>>())
        };
        let fixed = self.chosen(&self.human.scores);
        let value = |draw: usize| {
            let human = self.human.replicates.as_ref().map(|human| on_draw(human, draw));
            self.coefficient.of(human.as_ref().unwrap_or(&fixed), &on_draw(of_metric, draw))
        };
        Ok(Some((0..draws.len()).map(value).collect()))
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }
}
