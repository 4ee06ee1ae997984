//! What is derived, and how ambiguous places of the paper are read.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Translations ranked this often or more share a threshold.
pub(super) const LAST_GROUP: usize = 8;

tercet_base::choices! {
    /// The sets of the paper. SICK's pairs are added by the caller: [`scored_pairs`](super::scored_pairs).
    pub enum TrainingSet: "set" = L {
        /// Ranked at least 4 times, variance below the threshold.
        L = "l",
        /// Ranked at least 4 times.
        Lnf = "lnf",
        /// Ranked at least 3 times, variance below the threshold.
        Xl = "xl",
    }
}

impl TrainingSet {
    /// How often a translation of this set was ranked at least.
    pub fn minimum_n(self) -> usize {
        if self == TrainingSet::Xl { 3 } else { 4 }
    }

    /// Whether the variance is limited.
    pub fn is_filtered(self) -> bool {
        self != TrainingSet::Lnf
    }
}

tercet_base::choices! {
    /// The divisor of the variance of n ranks.
    pub enum VarianceDivisor: "divisor" = N {
        /// Population variance.
        N = "n",
        /// Sample variance.
        NMinusOne = "n-1",
    }

    /// What τ does with two translations of the same score. Human ties are always left out.
    pub enum EqualScores: "treatment of equal scores" = InDenominator {
        /// Count in the denominator, as at WMT14.
        InDenominator = "denominator",
        /// Are left out, as at WMT13.
        LeftOut = "left-out",
    }

    /// The translations over which τ is computed for the threshold of n.
    pub enum ThresholdScope: "scope" = Exactly {
        /// Ranked exactly n times.
        Exactly = "exactly",
        /// Ranked at least n times.
        AtLeast = "at-least",
    }

    /// What a translation is, where several systems have the same output.
    pub enum EqualOutputs: "treatment of equal outputs" = OneTranslation {
        /// Are one translation.
        OneTranslation = "one",
        /// Are one for each system.
        PerSystem = "per-system",
    }

    /// What is done with sets that have comparisons of two translations, but no ranks.
    pub enum PairsReading: "reading of pairs" = Refused {
        /// They are refused.
        Refused = "refused",
        /// Rankings are recovered from the order of the rows.
        Recovered = "recovered",
        /// Shares of won comparisons; four count as a ranking.
        ShareOfWins = "wins",
    }
}

tercet_base::defaults! {
    /// What to derive and how. The default is the set L, read as the header of this module says.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct DerivationSettings {
        /// The set.
        pub set: TrainingSet = TrainingSet::default(),
        /// The divisor of the variance.
        pub variance: VarianceDivisor = VarianceDivisor::default(),
        /// Equal scores in τ.
        pub equal_scores: EqualScores = EqualScores::default(),
        /// The translations that decide on a threshold.
        pub scope: ThresholdScope = ThresholdScope::default(),
        /// What a translation is.
        pub equal_outputs: EqualOutputs = EqualOutputs::default(),
        /// Sets without ranks.
        pub pairs: PairsReading = PairsReading::default(),
        /// The smallest τ that is accepted.
        pub minimum_tau: f64 = 0.78,
        /// The step by which the threshold grows.
        pub step: f64 = 0.05,
        /// Thresholds that are not computed but given: n (8: at least 8) and the variance.
        pub thresholds: Vec<(usize, f64)> = Vec::new(),
    }
}

impl DerivationSettings {
    /// Returns an error if a number is outside of its range.
    pub(super) fn check(&self) -> Result<()> {
        let bad = |what: &str| Err(Error::BadRequest(what.to_owned()));
        if !(0.001..=4.0).contains(&self.step) {
            return bad("the step of the variance must be from 0.001 to 4");
        }
        if !(-1.0..=1.0).contains(&self.minimum_tau) {
            return bad("the smallest accepted τ must be from -1 to 1");
        }
        if !self.set.is_filtered() && !self.thresholds.is_empty() {
            return bad("LNF has no limit on the variance, so it takes no thresholds");
        }
        let groups = self.set.minimum_n()..=LAST_GROUP;
        let is_bad = |&(n, variance): &(usize, f64)| !groups.contains(&n) || !(0.0..=f64::MAX).contains(&variance);
        match self.thresholds.iter().copied().find(is_bad) {
            Some((n, variance)) => bad(&format!(
                "a threshold needs an n from {} to {LAST_GROUP} and a variance from 0, found {n} and {variance}",
                groups.start()
            )),
            None => Ok(()),
        }
    }
}
