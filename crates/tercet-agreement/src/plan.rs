//! Selects the statistics for a set: the requested ones, or the usual ones, as far as its judgements allow.

use super::job::CorrelateJob;
use super::set::JudgedSet;
use super::statistic_name::{DARR_THRESHOLD, GroupedStatistic, StatisticName};
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
            let mut known: Vec<&str> = judgements.scores.iter().map(|scores| scores.name.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            return Err(Error::BadRequest(format!(
                "{} {} has no human scores `{name}` (it has: {})",
                set.name(),
                set.pair(),
                known.join(", ")
            )));
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
                    let grouping = match level {
                        Level::Segment if name.tau().is_none() => {
                            job.grouping.unwrap_or(name.default_grouping(set.systems()))
                        }
                        _ => Grouping::None,
                    };
                    if !job.statistics.is_empty() {
                        check_grouping(name, job.grouping)?;
                    }
                    let threshold = job.threshold.unwrap_or(DARR_THRESHOLD);
                    entries.push((level, GroupedStatistic { name, grouping, threshold }));
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
        (StatisticName::PairwiseDifferencePearson, Some(Grouping::None | Grouping::System)) => {
            refuse("is computed within items")
        }
        (name, Some(Grouping::Item | Grouping::System)) if name.tau().is_some() => refuse("pools all judgements"),
        _ => Ok(()),
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
