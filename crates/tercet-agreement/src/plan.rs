//! Selects the statistics for a set: the requested ones, or the usual ones, as far as its judgements allow.

use super::correlate::CorrelateRequest;
use super::relative_ranking::TauDefinition;
use super::scored_segments::Coefficient;
use super::set::JudgedSet;
use super::statistic_name::{GroupedStatistic, StatisticName};
use crate::corpora::{Judgements, Level};
use crate::error::{Error, Result};
use crate::statistics::Grouping;

/// The statistics to compute on a set.
pub(super) struct Plan {
    pub(super) entries: Vec<(Level, GroupedStatistic)>,
}

impl Plan {
    pub(super) fn new(set: &JudgedSet<'_>, request: &CorrelateRequest) -> Result<Self> {
        let judgements = set.judgements();
        let rankings = !judgements.comparisons.is_empty();
        let scores = set.human_scores(Level::Segment, request.human.as_deref()).is_some();
        if let Some(name) = request.human.as_deref().filter(|name| !known_human(judgements, name)) {
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
        let names = if request.statistics.is_empty() {
            usual(set, rankings, scores)
        } else {
            request.statistics.clone()
        };
        let mut entries = Vec::new();
        for &level in &request.levels {
            for &name in names.iter().filter(|name| name.is_of(level)) {
                let possible = match (level, name) {
                    (Level::Segment, StatisticName::Tau(_)) => rankings,
                    (Level::Segment, _) => scores,
                    (_, StatisticName::SoftAccuracy) => scores && set.systems() > 1,
                    _ => set.systems() > 1,
                };
                if possible {
                    let grouping = match (level, name) {
                        (Level::Segment, StatisticName::Coefficient(_)) => {
                            request.grouping.unwrap_or(name.default_grouping(set.systems()))
                        }
                        _ => Grouping::None,
                    };
                    if !request.statistics.is_empty() {
                        check_grouping(name, request.grouping)?;
                    }
                    entries.push((level, GroupedStatistic { name, grouping }));
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
    let refuse = |why: &str| Err(Error::BadRequest(format!("{} {why}: leave the grouping out", name.name())));
    match (name, asked) {
        (
            StatisticName::Coefficient(Coefficient::PairwiseDifferencePearson),
            Some(Grouping::None | Grouping::System),
        ) => refuse("is computed within items"),
        (StatisticName::Tau(_), Some(Grouping::Item | Grouping::System)) => refuse("pools all judgements"),
        _ => Ok(()),
    }
}

fn known_human(judgements: &Judgements, name: &str) -> bool {
    judgements.scores.iter().any(|scores| scores.name == name)
}

/// The default statistics of a set.
fn usual(set: &JudgedSet<'_>, rankings: bool, scores: bool) -> Vec<StatisticName> {
    let coefficient = StatisticName::Coefficient;
    let mut names = Vec::new();
    if rankings {
        names.push(StatisticName::Tau(match set.judgements().year() {
            Some(2011 | 2012) => TauDefinition::Wmt12,
            Some(2013) => TauDefinition::Wmt13,
            _ => TauDefinition::Wmt14,
        }));
    }
    names.extend([coefficient(Coefficient::Pearson), coefficient(Coefficient::Spearman)]);
    if scores {
        names.push(coefficient(Coefficient::KendallB));
        if set.systems() > 1 {
            names.push(coefficient(Coefficient::Acc23 { calibrated: true }));
        }
    }
    names.push(StatisticName::Accuracy);
    names
}
