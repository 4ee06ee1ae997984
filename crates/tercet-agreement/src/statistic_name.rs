//! Names of statistics, kinds of intervals, tests between metrics.

use super::relative_ranking::TauDefinition;
use super::scored_segments::Coefficient;
use crate::corpora::Level;
use crate::error::{Error, Result};
use crate::statistics::Grouping;

/// A statistic that can be requested by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatisticName {
    /// Kendall's τ on relative rankings, or the share of them a metric gets right.
    Tau(TauDefinition),
    /// A coefficient of segment scores; some are defined for system scores too.
    Coefficient(Coefficient),
    /// The share of pairs of systems in the same order as by humans (Kocmi et al., 2021).
    Accuracy,
    /// Soft pairwise accuracy (Thompson et al., 2024).
    SoftAccuracy,
}

/// Every name with its statistic and a description that starts with the data it needs.
const NAMES: &[(&str, StatisticName, &str)] = &[
    (
        "tau-wmt12",
        StatisticName::Tau(TauDefinition::Wmt12),
        "rankings: Kendall's tau, ties against (WMT11, WMT12)",
    ),
    ("tau-wmt13", StatisticName::Tau(TauDefinition::Wmt13), "rankings: Kendall's tau, ties left out (WMT13)"),
    (
        "tau-wmt14",
        StatisticName::Tau(TauDefinition::Wmt14),
        "rankings: Kendall's tau, ties count nothing (WMT14 to WMT16)",
    ),
    (
        "pair-accuracy",
        StatisticName::Tau(TauDefinition::Accuracy),
        "rankings: share of judgements a metric gets right",
    ),
    ("pearson", StatisticName::Coefficient(Coefficient::Pearson), "scores, systems: Pearson's r"),
    ("spearman", StatisticName::Coefficient(Coefficient::Spearman), "scores, systems: Spearman's rho"),
    ("kendall-b", StatisticName::Coefficient(Coefficient::KendallB), "scores, systems: Kendall's tau-b"),
    ("kendall-c", StatisticName::Coefficient(Coefficient::KendallC), "scores, systems: Kendall's tau-c"),
    (
        "tau-23",
        StatisticName::Coefficient(Coefficient::Tau23 { calibrated: true }),
        "scores: tau-23, ties calibrated",
    ),
    (
        "acc-23",
        StatisticName::Coefficient(Coefficient::Acc23 { calibrated: true }),
        "scores: pairwise accuracy with ties calibrated (WMT23 on)",
    ),
    (
        "tau-23-plain",
        StatisticName::Coefficient(Coefficient::Tau23 { calibrated: false }),
        "scores: tau-23, ties as they are",
    ),
    (
        "acc-23-plain",
        StatisticName::Coefficient(Coefficient::Acc23 { calibrated: false }),
        "scores: acc-23, ties as they are",
    ),
    (
        "darr",
        StatisticName::Coefficient(Coefficient::Darr { threshold: DARR_THRESHOLD }),
        "scores: rankings from raw scores 25 points apart (WMT17 to WMT20)",
    ),
    (
        "pairwise-difference-pearson",
        StatisticName::Coefficient(Coefficient::PairwiseDifferencePearson),
        "scores: Pearson's r of differences within a segment",
    ),
    (
        "accuracy",
        StatisticName::Accuracy,
        "systems: pairwise accuracy, pooled over language pairs too (WMT21 on)",
    ),
    ("spa", StatisticName::SoftAccuracy, "systems: soft pairwise accuracy (WMT24 on)"),
];

/// The default threshold of DARR, in points of raw scores.
pub const DARR_THRESHOLD: f64 = 25.0;

impl StatisticName {
    /// Every name and its description, for help texts.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        NAMES.iter().map(|(name, _, what)| (*name, *what))
    }

    /// Parses a name or a common alias: `kendall` is τ-b, `tau` that of WMT14.
    pub fn parse(text: &str) -> Result<Self> {
        let name = match text.to_lowercase().replace('_', "-").as_str() {
            "kendall" | "tau-b" => "kendall-b".to_owned(),
            "tau-c" => "kendall-c".to_owned(),
            "tau" => "tau-wmt14".to_owned(),
            "pdp" => "pairwise-difference-pearson".to_owned(),
            "acc" | "acc23" | "acc-t" | "acc*eq" => "acc-23".to_owned(),
            "tau23" => "tau-23".to_owned(),
            "pairwise-accuracy" => "accuracy".to_owned(),
            "soft-pairwise-accuracy" => "spa".to_owned(),
            other => other.to_owned(),
        };
        NAMES.iter().find(|(known, _, _)| *known == name).map(|(_, statistic, _)| *statistic).ok_or_else(
            || {
                let known: Vec<&str> = NAMES.iter().map(|(name, _, _)| *name).collect();
                Error::BadRequest(format!("unknown statistic `{text}` (known: {})", known.join(", ")))
            },
        )
    }

    /// The τ of a year: `wmt11` to `wmt16`.
    pub fn tau_of(year: &str) -> Result<Self> {
        let definition = match year.to_lowercase().trim_start_matches("wmt").trim_start_matches("20") {
            "11" | "12" => TauDefinition::Wmt12,
            "13" => TauDefinition::Wmt13,
            "14" | "15" | "16" => TauDefinition::Wmt14,
            _ => {
                return Err(Error::BadRequest(format!(
                    "there is no tau of `{year}`: expected wmt11 or wmt12 (ties count against), wmt13 (left out), \
                     wmt14, wmt15 or wmt16 (count for nothing)"
                )));
            }
        };
        Ok(StatisticName::Tau(definition))
    }

    /// The name that [`StatisticName::parse`] reads.
    pub fn name(self) -> &'static str {
        let same = |other: &StatisticName| match (self, *other) {
            (
                StatisticName::Coefficient(Coefficient::Darr { .. }),
                StatisticName::Coefficient(Coefficient::Darr { .. }),
            ) => true,
            (one, other) => one == other,
        };
        NAMES.iter().find(|(_, statistic, _)| same(statistic)).map_or("", |(name, _, _)| name)
    }

    /// Whether it is defined at this level.
    pub fn is_of(self, level: Level) -> bool {
        match self {
            StatisticName::Tau(_) => level == Level::Segment,
            StatisticName::Coefficient(
                Coefficient::Pearson | Coefficient::Spearman | Coefficient::KendallB | Coefficient::KendallC,
            ) => matches!(level, Level::Segment | Level::System),
            StatisticName::Coefficient(_) => level == Level::Segment,
            StatisticName::Accuracy | StatisticName::SoftAccuracy => level == Level::System,
        }
    }

    /// The default grouping: by item for statistics of the outputs of an item, else none.
    pub fn default_grouping(self, systems: usize) -> Grouping {
        let by_item = matches!(
            self,
            StatisticName::Coefficient(
                Coefficient::Tau23 { .. }
                    | Coefficient::Acc23 { .. }
                    | Coefficient::Darr { .. }
                    | Coefficient::PairwiseDifferencePearson
            )
        );
        if by_item && systems > 1 { Grouping::Item } else { Grouping::None }
    }
}

/// A statistic and its grouping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupedStatistic {
    /// The statistic.
    pub name: StatisticName,
    /// How scores were grouped.
    pub grouping: Grouping,
}

impl GroupedStatistic {
    /// The label in reports: the name, and the threshold of DARR if it is not the default.
    pub fn label(self) -> String {
        match self.name {
            StatisticName::Coefficient(Coefficient::Darr { threshold }) if threshold != DARR_THRESHOLD => {
                format!("{}:threshold={threshold}", self.name.name())
            }
            name => name.name().to_owned(),
        }
    }
}

/// The method of confidence intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalKind {
    /// Draws of segments with replacement.
    #[default]
    Bootstrap,
    /// Fisher's transformation for Pearson's r; bootstrap for all others.
    Fisher,
    /// Student's t for Pearson's r; bootstrap for all others.
    Student,
    /// No intervals.
    None,
}

/// A test of whether a metric agrees significantly better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// By pairs where ties count (τ-23 and acc-23), by scores elsewhere.
    Default,
    /// PERM-BOTH (Deutsch, Dror & Roth, 2021): metrics exchange scores.
    Scores,
    /// Metrics exchange verdicts on pairs of outputs.
    Pairs,
    /// Williams's test of dependent correlations (Williams, 1959; Graham & Baldwin, 2014), for Pearson's r.
    Williams,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for (name, _) in StatisticName::all() {
            assert_eq!(StatisticName::parse(name).unwrap().name(), name);
        }
        assert_eq!(StatisticName::parse("Kendall").unwrap().name(), "kendall-b");
        let error = StatisticName::parse("pearsson").unwrap_err().to_string();
        assert!(error.starts_with("unknown statistic `pearsson` (known: tau-wmt12, "), "{error}");
    }

    #[test]
    fn years_have_their_tau() {
        assert_eq!(StatisticName::tau_of("wmt11").unwrap().name(), "tau-wmt12");
        assert_eq!(StatisticName::tau_of("WMT2016").unwrap().name(), "tau-wmt14");
        assert!(StatisticName::tau_of("wmt17").is_err());
    }
}
