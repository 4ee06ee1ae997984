//! Selects the statistics for a set: the requested ones, or the usual ones, as far as its judgements allow.

use super::job::CorrelateJob;
use super::scored_segments::ScoredSegments;
use super::set::JudgedSet;
use super::statistic::Statistic;
use super::statistic_name::{Average, DARR_THRESHOLD, GroupedStatistic, StatisticName};
use crate::corpora::{Judgements, Level};
use crate::error::{Error, Result};
use crate::statistics::Grouping;

/// The statistics to compute on a set.
pub(super) struct Plan {
    pub(super) entries: Vec<(Level, GroupedStatistic)>,
}

impl Plan {
    pub(super) fn new(set: &JudgedSet<'_>, job: &CorrelateJob) -> Result<Self> {
        let judgements = set.judgements();
        let rankings = !judgements.comparisons.is_empty();
        let scores = set.human_scores(Level::Segment, job.human.as_deref()).is_some();
        if let Some(name) = job.human.as_deref().filter(|name| !known_human(judgements, name)) {
            let mut known: Vec<String> = judgements.scores.iter().map(|scores| scores.name.clone()).collect();
            known.sort_unstable();
            known.dedup();
            let place = format!("{} {}", set.name(), set.pair());
            return Err(Error::NotInSet { place, what: "human scores", name: name.to_owned(), known });
        }
        let names = if job.statistics.is_empty() { usual(set, rankings, scores) } else { job.statistics.clone() };
        let mut entries = Vec::new();
        for &level in job.level.each() {
            for &name in names.iter().filter(|name| name.is_of(level)) {
                let possible = match (level, name) {
                    (Level::Segment, name) if name.tau().is_some() => rankings,
                    (Level::Segment, _) => scores,
                    (_, StatisticName::SoftAccuracy) => scores && set.systems() > 1,
                    _ => set.systems() > 1,
                };
                if possible {
                    entries.push((level, job.grouped(name, level, set.systems())?));
                }
            }
        }
        Ok(Plan { entries })
    }

    /// Whether systems must be scored.
    pub(super) fn systems(&self) -> bool {
        self.entries.iter().any(|(level, _)| *level == Level::System)
    }
}

/// Fails if the statistic does not support the requested grouping.
fn check_grouping(name: StatisticName, asked: Option<Grouping>) -> Result<()> {
    let refuse = |why: &str| Err(Error::BadRequest(format!("{name} {why}: leave the grouping out")));
    match (name, asked) {
        (name, Some(Grouping::Item | Grouping::System)) if name.tau().is_some() => refuse("pools all judgements"),
        _ => Ok(()),
    }
}

impl CorrelateJob {
    /// A statistic at a level with the job's grouping, ties and average, as far as they apply to it.
    fn grouped(&self, name: StatisticName, level: Level, systems: usize) -> Result<GroupedStatistic> {
        if !self.statistics.is_empty() {
            check_grouping(name, self.grouping)?;
        }
        let grouping = match level {
            Level::Segment if name.tau().is_none() => self.grouping.unwrap_or(name.default_grouping(systems)),
            _ => Grouping::None,
        };
        let threshold = self.threshold.unwrap_or(DARR_THRESHOLD);
        let takes_epsilon = matches!(name, StatisticName::Tau23 | StatisticName::Acc23);
        let epsilon = self.epsilon.filter(|_| takes_epsilon);
        let is_sum = matches!(name, StatisticName::Darr | StatisticName::PairwiseDifferencePearson);
        let average = match self.average {
            _ if grouping == Grouping::None || is_sum => Average::Macro,
            Average::Micro if takes_epsilon && epsilon.is_none() => {
                return Err(Error::BadRequest(format!(
                    "{name} with calibrated ties has no micro-average (fix the ties with epsilon, or take {name}-plain)"
                )));
            }
            average => average,
        };
        Ok(GroupedStatistic { name, grouping, threshold, epsilon, average })
    }

    /// The job's statistic of scores between human scores, `None` where there are none, and those of a metric, both
    /// given system by system; NaN where it is not defined. Nothing else of the job is used.
    ///
    /// ```
    /// use tercet_agreement::{CorrelateJob, StatisticName};
    ///
    /// let job = CorrelateJob { statistics: vec![StatisticName::Acc23Plain], ..CorrelateJob::default() };
    /// let (gold, metric) = ([Some(1.0), Some(2.0), None, Some(4.0)], [0.1, 0.3, 0.2, 0.2]);
    /// assert_eq!(job.between_scores(1, &gold, &metric)?, 2.0 / 3.0);
    /// # Ok::<(), tercet_base::Error>(())
    /// ```
    pub fn between_scores(&self, systems: usize, gold: &[Option<f64>], metric: &[f64]) -> Result<f64> {
        self.validate()?;
        let [name] = self.statistics[..] else {
            return Err(Error::BadRequest("expected one statistic".to_owned()));
        };
        if gold.len() != metric.len() || systems == 0 || !gold.len().is_multiple_of(systems) {
            let (gold, metric) = (gold.len(), metric.len());
            let what = format!("{gold} human and {metric} metric scores are not those of {systems} systems");
            return Err(Error::BadRequest(what));
        }
        let chosen = self.grouped(name, Level::Segment, systems)?;
        let Some(coefficient) = name.coefficient(chosen.threshold, chosen.epsilon) else {
            return Err(Error::BadRequest(format!("{name} is not a statistic of two arrays of scores")));
        };
        let scores = ScoredSegments::new(coefficient, chosen.grouping, systems, gold.to_vec());
        Ok(scores.averaged(chosen.average).value(metric))
    }
}

fn known_human(judgements: &Judgements, name: &str) -> bool {
    judgements.scores.iter().any(|scores| scores.name == name)
}

/// The default statistics of a set.
fn usual(set: &JudgedSet<'_>, rankings: bool, scores: bool) -> Vec<StatisticName> {
    let mut names = Vec::new();
    if rankings {
        names.push(match set.judgements().year() {
            Some(2011 | 2012) => StatisticName::TauWmt12,
            Some(2013) => StatisticName::TauWmt13,
            _ => StatisticName::TauWmt14,
        });
    }
    names.extend([StatisticName::Pearson, StatisticName::Spearman]);
    if scores {
        names.push(StatisticName::KendallB);
        if set.systems() > 1 {
            names.push(StatisticName::Acc23);
        }
    }
    names.push(StatisticName::Accuracy);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpora::{HumanScores, MetricScores};
    use crate::metrics::Registry;
    use crate::progress::Progress;
    use crate::{Agreement, correlate};

    const SYSTEMS: usize = 4;
    const ITEMS: usize = 9;

    /// A number for each output, system by system.
    fn each(value: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let value = &value;
        (0..SYSTEMS).flat_map(|system| (0..ITEMS).map(move |item| value(system, item))).collect()
    }

    fn score(system: usize, item: usize) -> f64 {
        ((system * 31 + item * 17) % 23) as f64 / 4.0 - (system * item % 5) as f64
    }

    fn first(system: usize, item: usize) -> f64 {
        score(system, item) + ((system * 5 + item * 13) % 7) as f64 / 3.0
    }

    /// Golden: `Correlation(4, gold, metric)` of mt-metrics-eval 68a481a with scipy 1.17.1 on the same scores, by
    /// `AverageCorrelation` with `macro=True` and `False`, `KendallVariants` with `epsilon`, `Pearson(…, pdp=True)`.
    #[test]
    fn statistics_of_two_arrays_are_those_of_mt_metrics_eval() {
        use Average::{Macro, Micro};
        use Grouping::{Item, None as All, System};
        use StatisticName::{Acc23, KendallB, PairwiseDifferencePearson, Pearson, Spearman, Tau23};
        let half = |value: f64| (value * 2.0).round_ties_even() / 2.0;
        let gold: Vec<Option<f64>> = each(|system, item| match (system * 7 + item * 3) % 11 {
            0 => f64::NAN,
            _ => half(score(system, item)),
        })
        .into_iter()
        .map(|score| Some(score).filter(|score| !score.is_nan()))
        .collect();
        let metric = each(first);
        for (name, grouping, epsilon, average, expected) in [
            (Pearson, All, None, Macro, 0.961_894_263_747_932_6),
            (Pearson, System, None, Macro, 0.953_606_956_689_743_2),
            (Pearson, System, None, Micro, 0.954_131_984_847_258_5),
            (Pearson, Item, None, Micro, 0.929_647_844_225_263_4),
            (Spearman, Item, None, Macro, 0.919_230_845_006_622),
            (Spearman, Item, None, Micro, 0.915_948_030_801_635),
            (KendallB, System, None, Micro, 0.940_426_573_013_066),
            (Tau23, All, Some(0.4), Macro, 0.768_939_393_939_393_9),
            (Tau23, Item, Some(0.4), Micro, 0.616_161_616_161_616_1),
            (Acc23, System, Some(0.0), Micro, 0.933_982_683_982_683_9),
            (Acc23, System, Some(0.4), Macro, 0.900_793_650_793_650_8),
            (Acc23, Item, Some(0.4), Macro, 0.814_814_814_814_814_8),
            (Acc23, All, None, Macro, 0.893_939_393_939_393_9),
            (PairwiseDifferencePearson, All, None, Macro, 0.961_894_263_747_932_9),
            (PairwiseDifferencePearson, System, None, Macro, 0.954_589_394_305_799),
            (PairwiseDifferencePearson, Item, None, Macro, 0.956_802_753_199_063),
        ] {
            let statistics = vec![name];
            let job =
                CorrelateJob { statistics, grouping: Some(grouping), epsilon, average, ..CorrelateJob::default() };
            let found = job.between_scores(SYSTEMS, &gold, &metric).unwrap();
            assert!((found - expected).abs() < 1e-12, "{name} {grouping} {epsilon:?} {average}: {found} {expected}");
        }
        let job = CorrelateJob { statistics: vec![Pearson], ..CorrelateJob::default() };
        let error = job.between_scores(5, &gold, &metric).unwrap_err().to_string();
        assert_eq!(error, "36 human and 36 metric scores are not those of 5 systems");
        let job = CorrelateJob { statistics: vec![StatisticName::Accuracy], ..CorrelateJob::default() };
        let error = job.between_scores(SYSTEMS, &gold, &metric).unwrap_err().to_string();
        assert_eq!(error, "accuracy is not a statistic of two arrays of scores");
    }

    /// Golden: `WilliamsSigDiff(…, AverageCorrelation(scipy's function, 4, average_by))` there.
    #[test]
    fn williams_test_of_averages_is_that_of_mt_metrics_eval() {
        let by_system =
            |scores: Vec<f64>| scores.chunks(ITEMS).map(|row| row.iter().copied().map(Some).collect()).collect();
        let systems: Vec<String> = (0..SYSTEMS).map(|system| format!("system{system}")).collect();
        let metric = |name: &str, scores: Vec<f64>| MetricScores {
            metric: name.to_owned(),
            level: Level::Segment,
            systems: systems.clone(),
            values: by_system(scores),
        };
        let second = each(|system, item| score(system, item) / 2.0 + ((system * 3 + item * 29) % 13) as f64 / 2.0);
        let judgements = Judgements {
            set: "made".to_owned(),
            systems: systems.clone(),
            segments: (0..ITEMS).map(|item| item.to_string()).collect(),
            scores: vec![HumanScores {
                name: "z".to_owned(),
                level: Level::Segment,
                higher_is_better: true,
                values: by_system(each(score)),
            }],
            ..Judgements::default()
        };
        let files = [metric("first", each(first)), metric("second", second)];
        for (name, grouping, expected) in [
            (StatisticName::Pearson, Grouping::None, 1.282_977_322_637_958_9e-8),
            (StatisticName::Pearson, Grouping::Item, 1.848_684_131_956_270_8e-7),
            (StatisticName::Spearman, Grouping::Item, 1.898_255_584_488_513_7e-6),
            (StatisticName::KendallB, Grouping::None, 4.091_153_104_195_728_3e-5),
            (StatisticName::KendallB, Grouping::System, 1.271_783_659_571_942_2e-8),
        ] {
            let job = CorrelateJob {
                statistics: vec![name],
                grouping: Some(grouping),
                level: crate::corpora::Levels::Segment,
                test: crate::Test::Williams,
                interval: crate::IntervalKind::None,
                ..CorrelateJob::default()
            };
            let found = correlate(&judgements, &files, &[], &job, &Registry::lexical(), Progress::none()).unwrap();
            let best: &Agreement = found.agreements.iter().find(|of| of.metric == "first").unwrap();
            let p = best.ahead_of[0].1;
            assert!((p / expected - 1.0).abs() < 1e-6, "{name} {grouping}: {p} {expected}");
        }
    }
}
