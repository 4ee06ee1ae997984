//! Names of statistics, kinds of intervals, tests between metrics.

use super::relative_ranking::TauDefinition;
use super::scored_segments::{Coefficient, Ties};
use crate::choice::UnknownChoice;
use crate::corpora::Level;
use crate::statistics::Grouping;

tercet_base::choices! {
    /// A statistic of agreement. The descriptions start with the judgements that it needs.
    pub enum StatisticName: "statistic" {
        /// rankings: Kendall's tau, ties against (WMT11, WMT12)
        TauWmt12 = "tau-wmt12" | "tau-wmt11",
        /// rankings: Kendall's tau, ties left out (WMT13)
        TauWmt13 = "tau-wmt13",
        /// rankings: Kendall's tau, ties count nothing (WMT14 to WMT16)
        TauWmt14 = "tau-wmt14" | "tau-wmt15" | "tau-wmt16" | "tau",
        /// rankings: share of judgements a metric gets right
        PairAccuracy = "pair-accuracy",
        /// scores, systems: Pearson's r
        Pearson = "pearson",
        /// scores, systems: Spearman's rho
        Spearman = "spearman",
        /// scores, systems: Kendall's tau-b
        KendallB = "kendall-b" | "kendall" | "tau-b",
        /// scores, systems: Kendall's tau-c
        KendallC = "kendall-c" | "tau-c",
        /// scores: tau-23, ties calibrated
        Tau23 = "tau-23" | "tau23",
        /// scores: pairwise accuracy with ties calibrated (WMT23 on)
        Acc23 = "acc-23" | "acc23" | "acc" | "acc-t" | "acc*eq",
        /// scores: tau-23, ties as they are
        Tau23Plain = "tau-23-plain",
        /// scores: acc-23, ties as they are
        Acc23Plain = "acc-23-plain",
        /// scores: rankings from raw scores 25 points apart (WMT17 to WMT20)
        Darr = "darr",
        /// scores: Pearson's r of differences within a group
        PairwiseDifferencePearson = "pairwise-difference-pearson" | "pdp",
        /// systems: pairwise accuracy, pooled over language pairs too (WMT21 on)
        Accuracy = "accuracy" | "pairwise-accuracy",
        /// systems: soft pairwise accuracy (WMT24 on)
        SoftAccuracy = "spa" | "soft-pairwise-accuracy",
    }
}

/// The default threshold of DARR, in points of raw scores.
pub const DARR_THRESHOLD: f64 = 25.0;

impl StatisticName {
    /// The τ of a year: `wmt11` to `wmt16`.
    pub fn tau_of(year: &str) -> Result<Self, UnknownChoice> {
        let digits = year.to_lowercase();
        let digits = digits.trim_start_matches("wmt").trim_start_matches("20");
        format!("tau-wmt{digits}").parse().map_err(|_| UnknownChoice {
            what: "year of a tau",
            name: year.to_owned(),
            known: vec!["wmt11", "wmt12", "wmt13", "wmt14", "wmt15", "wmt16"],
        })
    }

    /// How it counts ties of a metric in rankings, if it is a statistic of rankings.
    pub fn tau(self) -> Option<TauDefinition> {
        match self {
            StatisticName::TauWmt12 => Some(TauDefinition::Wmt12),
            StatisticName::TauWmt13 => Some(TauDefinition::Wmt13),
            StatisticName::TauWmt14 => Some(TauDefinition::Wmt14),
            StatisticName::PairAccuracy => Some(TauDefinition::Accuracy),
            _ => None,
        }
    }

    /// The coefficient of segment scores that it is, if it is one; the threshold is DARR's. Metric differences up to
    /// `epsilon`, if it is given, count as ties where ties would be calibrated.
    pub fn coefficient(self, threshold: f64, epsilon: Option<f64>) -> Option<Coefficient> {
        let ties = epsilon.map_or(Ties::Calibrated, Ties::UpTo);
        Some(match self {
            StatisticName::Pearson => Coefficient::Pearson,
            StatisticName::Spearman => Coefficient::Spearman,
            StatisticName::KendallB => Coefficient::KendallB,
            StatisticName::KendallC => Coefficient::KendallC,
            StatisticName::Tau23 => Coefficient::Tau23(ties),
            StatisticName::Acc23 => Coefficient::Acc23(ties),
            StatisticName::Tau23Plain => Coefficient::Tau23(Ties::UpTo(0.0)),
            StatisticName::Acc23Plain => Coefficient::Acc23(Ties::UpTo(0.0)),
            StatisticName::Darr => Coefficient::Darr { threshold },
            StatisticName::PairwiseDifferencePearson => Coefficient::PairwiseDifferencePearson,
            _ => return None,
        })
    }

    /// Whether it is defined at this level.
    pub fn is_of(self, level: Level) -> bool {
        use StatisticName::{Accuracy, KendallB, KendallC, Pearson, SoftAccuracy, Spearman};
        match level {
            Level::System => {
                matches!(self, Pearson | Spearman | KendallB | KendallC | Accuracy | SoftAccuracy)
            }
            Level::Segment => !matches!(self, Accuracy | SoftAccuracy),
            Level::Domain | Level::Document => false,
        }
    }

    /// The default grouping: by item for statistics of the outputs of an item, else none.
    pub fn default_grouping(self, systems: usize) -> Grouping {
        use StatisticName::{Acc23, Acc23Plain, Darr, PairwiseDifferencePearson, Tau23, Tau23Plain};
        let by_item = matches!(self, Tau23 | Acc23 | Tau23Plain | Acc23Plain | Darr | PairwiseDifferencePearson);
        if by_item && systems > 1 { Grouping::Item } else { Grouping::None }
    }
}

/// A statistic, its grouping and its thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupedStatistic {
    /// The statistic.
    pub name: StatisticName,
    /// How scores were grouped.
    pub grouping: Grouping,
    /// The minimum difference that counts as a ranking, for DARR.
    pub threshold: f64,
    /// Metric differences up to this count as ties, for tau-23 and acc-23; calibrated if it is not given.
    pub epsilon: Option<f64>,
    /// How groups are averaged.
    pub average: Average,
}

impl GroupedStatistic {
    /// With the default threshold of DARR.
    pub fn new(name: StatisticName, grouping: Grouping) -> Self {
        GroupedStatistic { name, grouping, threshold: DARR_THRESHOLD, epsilon: None, average: Average::Macro }
    }

    /// The label in reports: the name, and what is not the default.
    pub fn label(self) -> String {
        let threshold = (self.name == StatisticName::Darr && self.threshold != DARR_THRESHOLD)
            .then(|| format!("threshold={}", self.threshold));
        let epsilon = self.epsilon.map(|epsilon| format!("epsilon={epsilon}"));
        let average = (self.average != Average::Macro).then(|| format!("average={}", self.average));
        let options: Vec<String> = [threshold, epsilon, average].into_iter().flatten().collect();
        match options.is_empty() {
            true => self.name.to_string(),
            false => format!("{}:{}", self.name, options.join(",")),
        }
    }
}

tercet_base::choices! {
    /// How the values of groups are averaged.
    pub enum Average: "average" = Macro {
        /// Every group has the same weight.
        Macro = "macro",
        /// A group weighs as many as it has scores.
        Micro = "micro",
    }
}

tercet_base::choices! {
    /// What becomes of judged outputs, and of systems, without a score by one of the metrics.
    pub enum Missing: "treatment of missing scores" = LeaveOut {
        /// They are left out for all metrics.
        LeaveOut = "leave-out",
        /// Their score is 0 (mt-metrics-eval's `repair`).
        Zero = "zero",
    }
}

tercet_base::choices! {
    /// The method of confidence intervals.
    pub enum IntervalKind: "interval" = Bootstrap {
        /// Bootstrap: segments are drawn with replacement.
        Bootstrap = "bootstrap",
        /// Fisher's transformation for Pearson, bootstrap for the rest.
        Fisher = "fisher",
        /// Student's t for Pearson, bootstrap for the rest.
        Student = "student",
        /// No intervals.
        None = "none",
    }
}

tercet_base::choices! {
    /// A test of whether a metric agrees significantly better than another: PERM-BOTH (Deutsch, Dror & Roth, 2021) or
    /// Williams's (Williams, 1959; Graham & Baldwin, 2014).
    pub enum Test: "test" = Auto {
        /// By pairs for statistics that count ties, by scores for others.
        Auto = "auto",
        /// PERM-BOTH: permutation of scores.
        Scores = "scores",
        /// Permutation of the decisions on pairs.
        Pairs = "pairs",
        /// Williams's test.
        Williams = "williams",
        /// No test.
        None = "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    #[test]
    fn other_names_of_statistics_are_read() {
        for (name, statistic) in [
            ("Kendall", StatisticName::KendallB),
            ("ACC", StatisticName::Acc23),
            ("soft_pairwise_accuracy", StatisticName::SoftAccuracy),
        ] {
            assert_eq!(name.parse(), Ok(statistic));
        }
    }

    #[test]
    fn every_statistic_is_of_some_level_and_has_one_definition() {
        for statistic in StatisticName::ALL.iter().map(|known| known.value) {
            let definitions = [statistic.tau().is_some(), statistic.coefficient(25.0, None).is_some()];
            let of_segments = definitions.iter().filter(|defined| **defined).count();
            assert_eq!(of_segments, usize::from(statistic.is_of(Level::Segment)), "{statistic}");
            assert!(statistic.is_of(Level::Segment) || statistic.is_of(Level::System), "{statistic}");
        }
    }

    #[test]
    fn years_have_their_tau() {
        assert_eq!(StatisticName::tau_of("wmt11"), Ok(StatisticName::TauWmt12));
        assert_eq!(StatisticName::tau_of("WMT2016"), Ok(StatisticName::TauWmt14));
        assert!(StatisticName::tau_of("wmt17").is_err());
    }
}
