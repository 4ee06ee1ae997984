//! Agreement with human scores of systems.
//!
//! A coefficient between human and metric scores of systems, or the share of pairs of systems that both order alike
//! (Kocmi et al., 2021; pairs tied by humans count only if the metric ties them too, as in mt-metrics-eval's
//! `Agreement`). Systems without a human or metric score are left out.
//!
//! There are two intervals. One draws segments and recomputes human and metric scores of systems if these come from
//! segments (human scores of whole systems, or inferred by a model, stay fixed): how far the value depends on the text.
//! It is narrow even for three systems, since it keeps the systems. The other draws systems: how far the value depends
//! on which systems took part, that is, what to expect of others. Pairs of a system with itself are ignored there. If
//! the metric has only scores of whole systems, both draw systems.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use super::statistic::{MIN_SYSTEMS, Statistic};
use crate::progress::Stopped;
use crate::statistics::correlation::{
    PairwiseAccuracy, kendall_b_value, kendall_c, pairwise_accuracy, pearson_value, spearman_value,
};
use crate::statistics::significance::permutation::FlatCoefficient;

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
    fn value(self, human: &[f64], metric: &[f64]) -> f64 {
        if human.len() < 2 || human.iter().chain(metric).any(|score| score.is_nan()) {
            return f64::NAN;
        }
        match self {
            SystemCoefficient::Pearson => pearson_value(human, metric),
            SystemCoefficient::Spearman => spearman_value(human, metric),
            SystemCoefficient::KendallB => kendall_b_value(human, metric),
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
    pub fn new(coefficient: SystemCoefficient, human: &'a HumanSystems, usable: impl Fn(usize) -> bool) -> Self {
        let judged = |(system, score): (usize, &f64)| !score.is_nan() && usable(system);
        SystemLevel { coefficient, human, judged: human.scores.iter().enumerate().map(judged).collect() }
    }

    /// The pairs of systems in the same order.
    pub fn pairs(&self, scores: &[f64]) -> PairwiseAccuracy {
        pairwise_accuracy(&self.chosen(&self.human.scores), &self.chosen(scores))
    }

    fn drawing_systems(&self, scores: &[f64], draws: &Draws<'_>) -> Result<Vec<f64>, Stopped> {
        let (human, metric) = (self.chosen(&self.human.scores), self.chosen(scores));
        let pick = |of: &[f64], draw: &[u32]| draw.iter().map(|&system| of[system as usize]).collect::<Vec<f64>>();
        draws.of_others(human.len()).map(|draw| match self.coefficient {
            SystemCoefficient::Accuracy => distinct_pairs(&human, &metric, draw).value(),
            other => other.value(&pick(&human, draw), &pick(&metric, draw)),
        })
    }

    fn chosen(&self, scores: &[f64]) -> Vec<f64> {
        scores.iter().zip(&self.judged).filter(|(_, judged)| **judged).map(|(score, _)| *score).collect()
    }
}

/// The pairs of different systems in a draw that both order alike.
pub(super) fn distinct_pairs(human: &[f64], metric: &[f64], draw: &[u32]) -> PairwiseAccuracy {
    let pick = |scores: &[f64]| draw.iter().map(|&system| scores[system as usize]).collect::<Vec<f64>>();
    let all = pairwise_accuracy(&pick(human), &pick(metric));
    let mut times = vec![0_u64; human.len()];
    draw.iter().for_each(|&system| times[system as usize] += 1);
    // A system and itself are tied by both and so counted as agreeing.
    let same: u64 = times.iter().map(|times| times * times.saturating_sub(1) / 2).sum();
    PairwiseAccuracy { agreeing: all.agreeing - same, pairs: all.pairs - same }
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
        self.coefficient.value(&self.chosen(&self.human.scores), &self.chosen(scores))
    }

    fn on_drawn_systems(&self, scores: &[f64], draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let systems = self.judged.iter().filter(|judged| **judged).count();
        (systems >= MIN_SYSTEMS).then(|| self.drawing_systems(scores, draws)).transpose()
    }

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let Some(of_metric) = metric.replicates.as_ref() else {
            let Some(scores) = self.scores(metric) else { return Ok(None) };
            return self.drawing_systems(scores, draws).map(Some);
        };
        let on_draw = |of: &[Vec<f64>], draw: usize| -> Vec<f64> {
            self.chosen(&of.iter().map(|system| system[draw]).collect::<Vec<f64>>())
        };
        let fixed = self.chosen(&self.human.scores);
        let value = |draw: usize| {
            let human = self.human.replicates.as_ref().map(|human| on_draw(human, draw));
            self.coefficient.value(human.as_ref().unwrap_or(&fixed), &on_draw(of_metric, draw))
        };
        Ok(Some((0..draws.len()).map(value).collect()))
    }

    fn flat(&self) -> Option<(FlatCoefficient, Vec<f64>)> {
        let coefficient = match self.coefficient {
            SystemCoefficient::Pearson => FlatCoefficient::Pearson,
            SystemCoefficient::Spearman => FlatCoefficient::Spearman,
            SystemCoefficient::KendallB => FlatCoefficient::KendallB,
            SystemCoefficient::KendallC | SystemCoefficient::Accuracy => return None,
        };
        Some((coefficient, self.chosen(&self.human.scores)))
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }

    fn between(&self, first: &[f64], second: &[f64]) -> Option<f64> {
        Some(self.coefficient.value(&self.chosen(first), &self.chosen(second)))
    }
}
