//! Agreement with human scores of segments: direct assessment, MQM, ESA.
//!
//! A coefficient of [`statistics`](crate::statistics::correlation) over all scores at once, or averaged over systems or
//! over items ([`Grouping`]); groups where it is undefined (a single score, or all equal) are left out of the average,
//! as in mt-metrics-eval. Two coefficients are sums over items rather than averages: [`Coefficient::Darr`] pools the
//! pairs of all items (WMT17–20), and [`Coefficient::PairwiseDifferencePearson`] correlates the differences within
//! items.
//!
//! τ-23 and acc-23 (Deutsch et al., 2023) give credit for ties that are tied by humans too. With `calibrated`,
//! differences up to the threshold that is best for the metric count as ties; intervals keep the threshold of the whole
//! set. With a fixed threshold nothing is calibrated.
//!
//! # Agreement
//! Values are those of mt-metrics-eval's `AverageCorrelation` with scipy's coefficients.

use super::draws::Draws;
use super::metric_on_set::MetricOnSet;
use super::statistic::{Statistic, mean_of_defined};
use super::statistic_name::Average;
use crate::progress::Stopped;
use crate::statistics::correlation::{
    KendallLike, PairCounts, Term, Undefined, grouped, kendall_b_value, kendall_c, kendall_like,
    pairwise_difference_pearson, pearson_value, spearman_value,
};
use crate::statistics::rank_lanes::{RankCoefficient, WeightedRanks};
use crate::statistics::significance::permutation::FlatCoefficient;
use crate::statistics::{Calibration, Grouping, TieVariant, calibrate_ties};

/// A coefficient between human and metric scores of segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coefficient {
    /// Pearson's r.
    Pearson,
    /// Spearman's ρ.
    Spearman,
    /// Kendall's τ-b.
    KendallB,
    /// Kendall's τ-c (Stuart).
    KendallC,
    /// τ-23: pairs tied by both count for the metric, pairs tied by one against it.
    Tau23(Ties),
    /// acc-23: the share of pairs that are ordered or tied alike.
    Acc23(Ties),
    /// DARR: pairs whose human scores differ by at least a threshold, as relative rankings.
    Darr {
        /// The minimum difference; WMT17–20 used 25 points of raw scores.
        threshold: f64,
    },
    /// Pearson's r of the differences between the outputs of each group.
    PairwiseDifferencePearson,
}

/// Which differences of metric scores count as ties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ties {
    /// Those up to the threshold that is best for the metric.
    Calibrated,
    /// Those up to this.
    UpTo(f64),
}

impl Coefficient {
    /// The value for one vector of human and one of metric scores; metric differences up to `epsilon` are ties, where
    /// ties matter.
    fn value(self, gold: &[f64], metric: &[f64], epsilon: f64) -> f64 {
        if gold.len() < 2 {
            return f64::NAN;
        }
        match self {
            Coefficient::Pearson | Coefficient::PairwiseDifferencePearson => pearson_value(gold, metric),
            Coefficient::Spearman => spearman_value(gold, metric),
            Coefficient::KendallB => kendall_b_value(gold, metric),
            Coefficient::KendallC => kendall_c(gold, metric).value,
            Coefficient::Tau23(_) => PairCounts::new(gold, metric, epsilon).tau_23(),
            Coefficient::Acc23(_) => PairCounts::new(gold, metric, epsilon).acc_23(),
            Coefficient::Darr { threshold } => kendall_like(gold, metric, threshold).value(),
        }
    }

    /// How ties count, if they do, and which differences are ties.
    fn ties(self) -> Option<(TieVariant, Ties)> {
        match self {
            Coefficient::Tau23(ties) => Some((TieVariant::Tau23, ties)),
            Coefficient::Acc23(ties) => Some((TieVariant::Acc23, ties)),
            _ => None,
        }
    }

    /// The variant, if its ties are calibrated.
    fn calibrated(self) -> Option<TieVariant> {
        self.ties().filter(|(_, ties)| *ties == Ties::Calibrated).map(|(variant, _)| variant)
    }
}

/// A coefficient with the human scores of segments.
#[derive(Clone, Debug)]
pub struct ScoredSegments {
    coefficient: Coefficient,
    grouping: Grouping,
    average: Average,
    systems: usize,
    items: usize,
    gold: Vec<Option<f64>>,
    judged: Vec<bool>,
}

/// Human and metric scores of the same outputs.
type Vectors = (Vec<f64>, Vec<f64>);

impl ScoredSegments {
    /// Human scores, higher being better, system by system; `None` where an output cannot be used.
    pub fn new(coefficient: Coefficient, grouping: Grouping, systems: usize, gold: Vec<Option<f64>>) -> Self {
        let items = gold.len().checked_div(systems).unwrap_or(0);
        let judged = gold.iter().map(Option::is_some).collect();
        ScoredSegments { coefficient, grouping, average: Average::Macro, systems, items, gold, judged }
    }

    /// The same with groups averaged so.
    pub fn averaged(self, average: Average) -> Self {
        ScoredSegments { average, ..self }
    }

    pub fn gold(&self) -> &[Option<f64>] {
        &self.gold
    }

    pub fn grouping(&self) -> Grouping {
        self.grouping
    }

    /// All pairs within groups.
    pub(super) fn pairs(&self) -> usize {
        let groups = self.grouping.groups(self.systems, &self.gold);
        groups.iter().map(|group| group.len() * group.len().saturating_sub(1) / 2).sum()
    }

    /// How ties count, if they do.
    pub(super) fn variant(&self) -> Option<TieVariant> {
        self.coefficient.ties().map(|(variant, _)| variant)
    }

    /// Up to which difference scores are ties, if that is fixed.
    pub(super) fn fixed_epsilon(&self) -> Option<f64> {
        match self.coefficient.ties() {
            Some((_, Ties::UpTo(epsilon))) => Some(epsilon),
            _ => None,
        }
    }

    /// Whether ties are calibrated.
    pub(super) fn is_calibrated(&self) -> bool {
        self.coefficient.calibrated().is_some()
    }

    pub fn systems(&self) -> usize {
        self.systems
    }

    /// The best tie threshold for these scores; `None` if ties are not calibrated, or there is no pair.
    fn calibration(&self, scores: &[f64]) -> Option<Calibration> {
        let variant = self.coefficient.calibrated()?;
        calibrate_ties(self.grouping, self.systems, &self.gold, scores, variant)
    }

    /// Up to which difference scores are ties: by the calibration, if there is one.
    fn epsilon(&self, scores: &[f64]) -> f64 {
        self.fixed_epsilon().or_else(|| Some(self.calibration(scores)?.threshold)).unwrap_or(0.0)
    }

    /// The scores of one item for all systems judged on it.
    fn item(&self, scores: &[f64], item: usize) -> Vectors {
        (0..self.systems).filter_map(|system| self.pair(scores, system, item)).unzip()
    }

    fn pair(&self, scores: &[f64], system: usize, item: usize) -> Option<(f64, f64)> {
        let place = system * self.items + item;
        self.gold[place].map(|gold| (gold, scores[place]))
    }

    /// The vectors of all groups over these items.
    fn groups(&self, scores: &[f64], items: impl Iterator<Item = usize> + Clone) -> Vec<Vectors> {
        match self.grouping {
            Grouping::None => {
                let systems = self.systems;
                let places = items.flat_map(|item| (0..systems).map(move |system| (system, item)));
                vec![places.filter_map(|(system, item)| self.pair(scores, system, item)).unzip()]
            }
            Grouping::System => (0..self.systems)
                .map(|system| items.clone().filter_map(|item| self.pair(scores, system, item)).unzip())
                .collect(),
            Grouping::Item => items.map(|item| self.item(scores, item)).collect(),
        }
    }

    /// The average over groups.
    fn average(&self, groups: &[Vectors], epsilon: f64) -> f64 {
        self.mean(groups.iter().map(|(gold, metric)| (self.coefficient.value(gold, metric, epsilon), gold.len())))
    }

    /// The mean of the values of groups, of which each has so many scores.
    fn mean(&self, groups: impl Iterator<Item = (f64, usize)>) -> f64 {
        match self.average {
            Average::Macro => mean_of_defined(groups.map(|(value, _)| value)),
            Average::Micro => {
                let defined = groups.filter(|(value, _)| !value.is_nan());
                let (sum, count) = defined
                    .fold((0.0, 0), |(sum, count), (value, scores)| (sum + scores as f64 * value, count + scores));
                if count == 0 { f64::NAN } else { sum / count as f64 }
            }
        }
    }

    /// Pearson's r of the differences within groups, over these items, which may be drawn several times.
    fn of_differences(&self, scores: &[f64], items: &[usize]) -> f64 {
        let places = || (0..self.systems).flat_map(|system| items.iter().map(move |item| system * self.items + item));
        let gold: Vec<Option<f64>> = places().map(|place| self.gold[place]).collect();
        let metric: Vec<f64> = places().map(|place| scores[place]).collect();
        let found = pairwise_difference_pearson(self.grouping, self.systems, &gold, &metric);
        if found.n == 0 { f64::NAN } else { found.value }
    }

    /// All differences between the outputs of an item as in mt-metrics-eval: each pair in both directions, and each
    /// output with itself.
    fn differences(&self, scores: &[f64], item: usize) -> Vectors {
        let (gold, metric) = self.item(scores, item);
        let all = |values: &[f64]| values.iter().flat_map(|a| values.iter().map(move |b| b - a)).collect();
        (all(&gold), all(&metric))
    }

    /// The coefficient of ranks over all scores, many draws at once; `None` if it is none, or there are too many
    /// scores.
    fn ranks_on_draws(&self, scores: &[f64], draws: &Draws<'_>) -> Option<Result<Vec<f64>, Stopped>> {
        let coefficient = match self.coefficient {
            Coefficient::Spearman => RankCoefficient::Spearman,
            Coefficient::KendallB => RankCoefficient::KendallB,
            _ => return None,
        };
        if self.average != Average::default() {
            return None;
        }
        let places: Vec<usize> = (0..self.gold.len()).filter(|&place| self.judged[place]).collect();
        let gold: Vec<f64> = places.iter().filter_map(|&place| self.gold[place]).collect();
        let metric: Vec<f64> = places.iter().map(|&place| scores[place]).collect();
        let items = places.iter().map(|place| (place % self.items) as u32).collect();
        let weighted = WeightedRanks::new(&gold, &metric, items, self.items, self.items * self.systems)?;
        let defined = |value: f64| mean_of_defined(std::iter::once(value));
        Some(draws.map_many(|draws| weighted.values(coefficient, draws).into_iter().map(defined).collect()))
    }

    fn darr(&self, scores: &[f64], threshold: f64) -> Vec<KendallLike> {
        let groups = self.groups(scores, 0..self.items);
        groups.iter().map(|(gold, metric)| kendall_like(gold, metric, threshold)).collect()
    }
}

impl Statistic for ScoredSegments {
    /// Judged outputs; for DARR, the pairs that are far enough apart.
    fn n(&self) -> usize {
        match self.coefficient {
            Coefficient::Darr { threshold } => {
                let human: Vec<f64> = self.gold.iter().map(|score| score.unwrap_or(f64::NAN)).collect();
                self.darr(&human, threshold).iter().map(|pairs| pairs.pairs() as usize).sum()
            }
            _ => self.judged.iter().filter(|judged| **judged).count(),
        }
    }

    fn scores<'m>(&self, metric: &'m MetricOnSet) -> Option<&'m [f64]> {
        metric.segments.as_deref()
    }

    fn calibrated(&self, scores: &[f64]) -> (f64, Option<Calibration>) {
        if !self.is_calibrated() {
            return (self.value(scores), None);
        }
        let best = self.calibration(scores);
        (best.map_or(f64::NAN, |best| best.value), best)
    }

    fn value(&self, scores: &[f64]) -> f64 {
        let (systems, gold) = (self.systems, self.gold.as_slice());
        if self.is_calibrated() {
            return self.calibrated(scores).0;
        }
        let found = match self.coefficient {
            Coefficient::PairwiseDifferencePearson => pairwise_difference_pearson(self.grouping, systems, gold, scores),
            Coefficient::Darr { threshold } => {
                let pairs = |gold: &[f64], metric: &[f64]| kendall_like(gold, metric, threshold);
                grouped(self.grouping, systems, gold, scores, Undefined::LeftOut, pairs)
            }
            other => {
                let epsilon = self.fixed_epsilon().unwrap_or(0.0);
                let value = |gold: &[f64], metric: &[f64]| {
                    let weight = if self.average == Average::Micro { gold.len() as u64 } else { 1 };
                    Term { weight, ..other.value(gold, metric, epsilon).into() }
                };
                grouped(self.grouping, systems, gold, scores, Undefined::LeftOut, value)
            }
        };
        if found.n == 0 { f64::NAN } else { found.value }
    }

    fn replicates(&self, metric: &MetricOnSet, draws: &Draws<'_>) -> Result<Option<Vec<f64>>, Stopped> {
        let Some(scores) = self.scores(metric) else { return Ok(None) };
        let items = |draw: &[u32]| draw.iter().map(|&item| item as usize).collect::<Vec<_>>();
        let values = match (self.coefficient, self.grouping) {
            (Coefficient::Darr { threshold }, Grouping::Item) => {
                let by_item = self.darr(scores, threshold);
                draws.map(|draw| items(draw).iter().map(|&item| by_item[item]).sum::<KendallLike>().value())
            }
            (Coefficient::PairwiseDifferencePearson, Grouping::Item) => {
                let by_item: Vec<Vectors> = (0..self.items).map(|item| self.differences(scores, item)).collect();
                draws.map(|draw| pooled(items(draw).iter().map(|&item| &by_item[item])))
            }
            (Coefficient::PairwiseDifferencePearson, _) => draws.map(|draw| self.of_differences(scores, &items(draw))),
            (coefficient, Grouping::Item) => {
                let epsilon = self.epsilon(scores);
                let groups = self.groups(scores, 0..self.items);
                let value = |(gold, metric): &Vectors| (coefficient.value(gold, metric, epsilon), gold.len());
                let by_item: Vec<(f64, usize)> = groups.iter().map(value).collect();
                draws.map(|draw| self.mean(draw.iter().map(|&item| by_item[item as usize])))
            }
            (_, Grouping::None) => match self.ranks_on_draws(scores, draws) {
                Some(values) => values,
                None => {
                    let epsilon = self.epsilon(scores);
                    let by_item: Vec<Vectors> = (0..self.items).map(|item| self.item(scores, item)).collect();
                    draws.map(|draw| {
                        let groups = [together(draw.iter().map(|&item| &by_item[item as usize]))];
                        self.average(&groups, epsilon)
                    })
                }
            },
            (_, Grouping::System) => {
                let epsilon = self.epsilon(scores);
                draws.map(|draw| self.average(&self.groups(scores, items(draw).into_iter()), epsilon))
            }
        };
        values.map(Some)
    }

    fn flat(&self) -> Option<(FlatCoefficient, Vec<f64>)> {
        let coefficient = match self.coefficient {
            _ if self.grouping != Grouping::None || self.average != Average::default() => return None,
            Coefficient::Pearson => FlatCoefficient::Pearson,
            Coefficient::Spearman => FlatCoefficient::Spearman,
            Coefficient::KendallB => FlatCoefficient::KendallB,
            _ => return None,
        };
        Some((coefficient, self.gold.iter().flatten().copied().collect()))
    }

    fn judged(&self) -> &[bool] {
        &self.judged
    }

    fn between(&self, first: &[f64], second: &[f64]) -> Option<f64> {
        let places = first.iter().zip(&self.judged);
        let gold = places.map(|(score, judged)| judged.then_some(*score)).collect();
        Some(ScoredSegments { gold, ..self.clone() }.value(second))
    }
}

/// Pearson's r over the pairs of all items.
fn pooled<'a>(items: impl Iterator<Item = &'a Vectors>) -> f64 {
    let (gold, metric) = together(items);
    Coefficient::Pearson.value(&gold, &metric, 0.0)
}

/// The scores of all items.
fn together<'a>(items: impl Iterator<Item = &'a Vectors>) -> Vectors {
    let (mut gold, mut metric) = Vectors::default();
    for item in items {
        gold.extend_from_slice(&item.0);
        metric.extend_from_slice(&item.1);
    }
    (gold, metric)
}
