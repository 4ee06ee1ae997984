//! How a network or a metric agrees with people on one language pair.
//!
//! Segments: the τ of the set's year × 100 over all strict judgements, the strict one for WMT12. Of two translations a
//! network prefers a if the logit of f(a, b, r) is above that of f(b, a, r). Two outputs with the same inputs (the same
//! text, or the same features) are the same to it in both orders; they are decided by the sign of f(a, b, r) − ½, as
//! the article decides all pairs, and so by the bias: a coin toss, since the order of a and b is one.
//!
//! Beside it stand `single`, f(a, b, r) > ½ for all pairs; `antisymmetric`, under which pairs with the same inputs tie,
//! and are lost under the strict τ; and `undecided`, their share in percent.
//!
//! Systems: as WMT12 and WMT14 scored metrics, Spearman's ρ with the shares of wins (Bojar et al., 2011) that were
//! official at WMT12, and Pearson's r with TrueSkill's means that were at WMT14.

use super::sets::SetName;
use tercet::corpora::Judgements;
use tercet::learned::JudgedTexts;
use tercet::meta_evaluation::systems::{Method, RankRequest};
use tercet::meta_evaluation::{
    HumanSystems, JudgedSet, Statistic, SystemCoefficient, SystemLevel, TauCounts, TauDefinition, human_systems,
};
use tercet::metrics::pairwise::PairLogits;
use tercet::progress::Progress;
use tercet::{Error, Result};

/// The τ of a set's year.
pub(super) fn tau(set: SetName) -> TauDefinition {
    if set == SetName::Wmt12 { TauDefinition::Wmt12 } else { TauDefinition::Wmt14 }
}

/// τ × 100 of decisions on all pairs: above 0 for the first, below for the second, 0 for neither.
pub(super) fn of_decisions(
    definition: TauDefinition,
    judged: &JudgedTexts,
    decisions: impl Iterator<Item = f64>,
) -> f64 {
    let mut votes = TauCounts::default();
    for (pair, decision) in judged.pairs.iter().zip(decisions) {
        let sided = if pair.a_is_better { decision } else { -decision };
        match sided.partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Greater) => votes.concordant += 1,
            Some(std::cmp::Ordering::Less) => votes.discordant += 1,
            _ => votes.tied += 1,
        }
    }
    100.0 * votes.value(definition)
}

/// By both orders, or by the first where they balance.
pub(super) fn decided(verdict: &PairLogits) -> f64 {
    let both = antisymmetric(verdict);
    if both == 0.0 { single(verdict) } else { both }
}

/// By the first order alone.
pub(super) fn single(verdict: &PairLogits) -> f64 {
    f64::from(verdict.forward)
}

/// By both orders alone.
pub(super) fn antisymmetric(verdict: &PairLogits) -> f64 {
    verdict.logit()
}

/// The share of pairs that both orders together do not decide, in percent.
pub(super) fn undecided(verdicts: &[PairLogits]) -> f64 {
    let ties = verdicts.iter().filter(|verdict| antisymmetric(verdict) == 0.0).count();
    100.0 * ties as f64 / verdicts.len() as f64
}

/// By scores of translations.
pub(super) fn of_scores(definition: TauDefinition, judged: &JudgedTexts, scores: &[f64]) -> f64 {
    let difference = |number: u32, other: u32| match scores[number as usize].partial_cmp(&scores[other as usize]) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Less) => -1.0,
        _ => 0.0,
    };
    of_decisions(definition, judged, judged.pairs.iter().map(|pair| difference(pair.a, pair.b)))
}

/// The mean score of each system's outputs; NaN for a system without outputs.
pub(super) fn system_scores(judged: &JudgedTexts, scores: &[f64]) -> Vec<f64> {
    let mean = |outputs: &Vec<Option<u32>>| {
        let known = || outputs.iter().flatten().map(|number| scores[*number as usize]);
        known().sum::<f64>() / known().count() as f64
    };
    judged.outputs.iter().map(mean).collect()
}

/// What people make of the systems, as the set's year had it.
pub(super) fn people(set: SetName, judgements: &Judgements) -> Result<HumanSystems> {
    let method = if set == SetName::Wmt12 { Method::Bojar } else { Method::TrueSkill };
    let judged = JudgedSet::new(judgements, &[], false)?;
    human_systems(&judged, None, &RankRequest::new(method), None, Progress::none())?.ok_or_else(|| {
        let what = format!("{} {}", judgements.set, judgements.pair);
        Error::Unusable(format!("{what}: no judgements to score systems by"))
    })
}

/// The coefficient of the set's year between people's scores of systems and others.
pub(super) fn of_systems(set: SetName, human: &HumanSystems, scores: &[f64]) -> f64 {
    let coefficient = if set == SetName::Wmt12 { SystemCoefficient::Spearman } else { SystemCoefficient::Pearson };
    SystemLevel::new(coefficient, human, |system| !scores[system].is_nan()).value(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tercet::learned::JudgedPair;

    fn judged() -> JudgedTexts {
        let pair = |a, b, a_is_better| JudgedPair { a, b, a_is_better };
        JudgedTexts {
            pairs: vec![pair(0, 1, true), pair(0, 1, false), pair(1, 2, false), pair(2, 2, true)],
            outputs: vec![vec![Some(0), None], vec![Some(1), Some(2)], vec![None, None]],
            ..JudgedTexts::default()
        }
    }

    #[test]
    fn a_tie_is_lost_under_the_strict_tau() {
        // Right, wrong, right, and a tie.
        let scores = [0.9, 0.1, 0.5];
        assert_eq!(of_scores(TauDefinition::Wmt12, &judged(), &scores), 0.0);
        assert_eq!(of_scores(TauDefinition::Wmt14, &judged(), &scores), 25.0);
    }

    #[test]
    fn equal_outputs_are_decided_by_the_bias_or_tied() {
        let verdict = |forward, backward| PairLogits { forward, backward };
        let verdicts = [verdict(1.0, -1.0), verdict(1.0, -1.0), verdict(-0.5, 0.5), verdict(0.25, 0.25)];
        let of = |decision: fn(&PairLogits) -> f64| {
            of_decisions(TauDefinition::Wmt12, &judged(), verdicts.iter().map(decision))
        };
        assert_eq!((of(decided), of(single), of(antisymmetric)), (50.0, 50.0, 0.0));
        assert_eq!(undecided(&verdicts), 25.0);
    }

    #[test]
    fn a_system_is_the_mean_of_its_outputs() {
        let scores = system_scores(&judged(), &[1.0, 2.0, 4.0]);
        assert_eq!(scores[..2], [1.0, 3.0]);
        assert!(scores[2].is_nan());
        let human = HumanSystems { scores: vec![2.0, 1.0, 3.0], ..HumanSystems::default() };
        assert!((of_systems(SetName::Wmt12, &human, &scores) + 1.0).abs() < 1e-12);
    }
}
