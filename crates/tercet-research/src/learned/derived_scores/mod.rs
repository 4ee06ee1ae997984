//! Scores of translations derived from rankings (Gupta, Orăsan & van Genabith, 2015, section 5).
//!
//! Judges of WMT ranked five outputs of a segment from 1 to 5, ties allowed. The score of a translation that was ranked
//! n times is
//!
//! ```text
//! y = 6 − (mean of its ranks)          from 1 to 5
//! ```
//!
//! and it is kept if the variance of its ranks is below a threshold for its n: 3, 4, 5, 6, 7, or 8 and more. Algorithm
//! 1 finds the thresholds: 0.05, 0.10, … as long as Kendall's τ between the kept scores and the rankings they come from
//! is at least 0.78. L are the kept translations with n ≥ 4, LNF all with n ≥ 4, XL adds the kept ones with n = 3; SICK
//! can be added to each ([`scored_pairs`]).
//!
//! # Readings
//! Where the paper leaves a choice, the first is the default and the second a setting:
//!
//! | | default | or |
//! |---|---|---|
//! | variance | divided by n | by n − 1 |
//! | equal scores in τ | in the denominator (WMT14) | left out (WMT13) |
//! | τ for the threshold of n | translations ranked n times | at least n times |
//! | equal outputs of several systems | one translation | one for each system |
//! | sets without ranks | refused | rankings recovered, or shares of won comparisons |
//!
//! WMT13 without ru-en, whose judgements cannot be had, has 15,842 translations with n ≥ 4 if rankings are recovered,
//! of which the defaults keep 11,467; the authors kept 9,559 of all five language pairs, "almost half". The threshold
//! is exclusive ("below"). Where no two kept translations were compared, τ does not exist and nothing is left out. All
//! given sets share their thresholds.
//!
//! # Sets without ranks
//! `ranked.rs` gets rankings back from the order of comparisons. Shares of won comparisons do not depend on the
//! order: y = 1 + 4 · share, ties half; four comparisons count as one ranking.

mod job;
mod ranked;
mod settings;

pub use job::{DeriveScoresJob, write_derived_scores};
pub use settings::{
    DerivationSettings, EqualOutputs, EqualScores, PairsReading, ThresholdScope, TrainingSet, VarianceDivisor,
};

use super::judged::{reference_of, texts_of};
use crate::corpora::{Judgements, Level};
use crate::error::{Error, Result};
use ranked::{RankedTranslation, RankedTranslations};
use serde::Serialize;
use settings::LAST_GROUP;

/// A translation and its reference with a score of their similarity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredPair {
    /// The similarity, from 1 to 5.
    pub score: f64,
    /// How often it was ranked; `None` if the score was not derived.
    pub n: Option<usize>,
    /// The variance of its ranks; `None` if the score was not derived.
    pub variance: Option<f64>,
    /// The set.
    pub set: String,
    /// The language pair.
    pub pair: String,
    /// The segment, as in the files.
    pub segment: String,
    /// The systems whose output this is, sorted.
    pub systems: Vec<String>,
    /// The reference.
    pub reference: String,
    /// The translation.
    pub translation: String,
}

/// What was kept of the translations that were ranked equally often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThresholdGroup {
    /// How often they were ranked; 8: at least 8 times.
    pub n: usize,
    /// Translations with a variance below this are kept; `None`: all.
    pub threshold: Option<f64>,
    /// τ of the kept ones (with [`ThresholdScope::AtLeast`] also of those that were ranked more often); `None` if no
    /// two of them were compared.
    pub tau: Option<f64>,
    /// The number of comparisons that τ is computed from.
    pub comparisons: usize,
    /// The number of translations that are kept.
    pub kept: usize,
    /// The number of translations.
    pub ranked: usize,
}

/// Scores derived from rankings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DerivedScores {
    /// The set.
    pub set: TrainingSet,
    /// Set and language pair of the rankings.
    pub sources: Vec<String>,
    /// Sets that were added with scores of their own, and how many pairs they have.
    pub added: Vec<(String, usize)>,
    /// The pairs that are kept, in the order of sets, segments and texts, and those that were added.
    pub pairs: Vec<ScoredPair>,
    /// The groups, by n.
    pub groups: Vec<ThresholdGroup>,
    /// τ of all that are kept; `None` if no two of them were compared.
    pub tau: Option<f64>,
    /// The number of comparisons that τ is computed from.
    pub comparisons: usize,
}

/// Derives scores from the rankings of these sets.
///
/// # Errors
/// If a set has no rankings or no texts, or a setting is not a positive number.
pub fn derive_scores(judgements: &[Judgements], settings: &DerivationSettings) -> Result<DerivedScores> {
    settings.check()?;
    let mut ranked = RankedTranslations::default();
    for (place, one) in judgements.iter().enumerate() {
        ranked.add(place, one, settings)?;
    }
    let scored = Scored::new(&ranked, settings);
    let groups: Vec<ThresholdGroup> = (settings.set.minimum_n()..=LAST_GROUP).map(|n| scored.group(n)).collect();
    let is_kept = |place: usize| {
        let n = scored.n[place].min(LAST_GROUP);
        let group = groups.iter().find(|group| group.n == n);
        group.is_some_and(|group| group.threshold.is_none_or(|threshold| scored.variance[place] < threshold))
    };
    let counts = Counts::new(&scored.comparisons(is_kept));
    let kept = ranked.translations.iter().enumerate().filter(|(place, _)| is_kept(*place));
    let mut pairs: Vec<(usize, ScoredPair)> = kept
        .map(|(place, translation)| {
            let pair = scored_pair(translation, &judgements[translation.judgements], &scored, place);
            (translation.judgements, pair)
        })
        .collect();
    pairs.sort_by(|(set, one), (other_set, other)| {
        let key = |pair: &ScoredPair| (pair.segment.len(), pair.segment.clone());
        let texts = |pair: &ScoredPair| (pair.translation.clone(), pair.systems.clone());
        (set, key(one)).cmp(&(other_set, key(other))).then_with(|| texts(one).cmp(&texts(other)))
    });
    let pairs = pairs.into_iter().map(|(_, pair)| pair).collect();
    Ok(DerivedScores {
        set: settings.set,
        sources: judgements.iter().map(name_of).collect(),
        added: Vec::new(),
        pairs,
        groups,
        tau: counts.tau(settings.equal_scores),
        comparisons: counts.total(),
    })
}

impl DerivedScores {
    /// Adds a set that has scores from 1 to 5 already, as SICK has: [`scored_pairs`].
    ///
    /// # Errors
    /// As [`scored_pairs`].
    pub fn add(&mut self, judgements: &Judgements) -> Result<()> {
        let pairs = scored_pairs(judgements)?;
        self.added.push((name_of(judgements), pairs.len()));
        self.pairs.extend(pairs);
        Ok(())
    }
}

/// Set and language pair.
fn name_of(judgements: &Judgements) -> String {
    format!("{} {}", judgements.set, judgements.pair).trim().to_owned()
}

/// Scores, counts and variances of all translations.
struct Scored<'s> {
    ranked: &'s RankedTranslations,
    settings: &'s DerivationSettings,
    n: Vec<usize>,
    score: Vec<f64>,
    variance: Vec<f64>,
}

impl<'s> Scored<'s> {
    fn new(ranked: &'s RankedTranslations, settings: &'s DerivationSettings) -> Self {
        let evidence = || ranked.translations.iter().map(|translation| translation.evidence);
        Scored {
            ranked,
            settings,
            n: evidence().map(|evidence| evidence.n()).collect(),
            score: evidence().map(|evidence| evidence.score()).collect(),
            variance: evidence().map(|evidence| evidence.variance(settings.variance)).collect(),
        }
    }

    /// The comparisons between translations that fulfil a condition.
    fn comparisons(&self, is_in: impl Fn(usize) -> bool) -> Vec<ScoredComparison> {
        let places = self.ranked.comparisons.iter().map(|pair| (pair.0 as usize, pair.1 as usize));
        let scored = |(better, worse): (usize, usize)| ScoredComparison {
            variance: self.variance[better].max(self.variance[worse]),
            verdict: self.score[better].total_cmp(&self.score[worse]) as i8,
        };
        places.filter(|(better, worse)| is_in(*better) && is_in(*worse)).map(scored).collect()
    }

    fn group(&self, n: usize) -> ThresholdGroup {
        let in_group = |place: usize| self.n[place].min(LAST_GROUP) == n;
        let in_scope = |place: usize| match self.settings.scope {
            ThresholdScope::Exactly => in_group(place),
            ThresholdScope::AtLeast => self.n[place] >= n,
        };
        let mut comparisons = self.comparisons(in_scope);
        let threshold = self.settings.set.is_filtered().then(|| {
            let given = self.settings.thresholds.iter().find(|(given, _)| *given == n);
            given.map_or_else(|| self.threshold(&mut comparisons, in_scope), |(_, variance)| *variance)
        });
        let below = |variance: f64| threshold.is_none_or(|threshold| variance < threshold);
        comparisons.retain(|comparison| below(comparison.variance));
        let counts = Counts::new(&comparisons);
        let members: Vec<usize> = (0..self.n.len()).filter(|place| in_group(*place)).collect();
        ThresholdGroup {
            n,
            threshold,
            tau: counts.tau(self.settings.equal_scores),
            comparisons: counts.total(),
            kept: members.iter().filter(|place| below(self.variance[**place])).count(),
            ranked: members.len(),
        }
    }

    fn threshold(&self, comparisons: &mut [ScoredComparison], in_scope: impl Fn(usize) -> bool) -> f64 {
        let members = (0..self.n.len()).filter(|place| in_scope(*place));
        let largest = members.map(|place| self.variance[place]).fold(0.0, f64::max);
        let limits = (self.settings.minimum_tau, self.settings.step);
        threshold(comparisons, largest, limits, self.settings.equal_scores)
    }
}

fn scored_pair(of: &RankedTranslation, judgements: &Judgements, scored: &Scored<'_>, place: usize) -> ScoredPair {
    let texts = judgements.texts.as_ref();
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let mut systems: Vec<String> = of.systems.iter().map(|system| judgements.systems[*system].clone()).collect();
    systems.sort();
    ScoredPair {
        set: judgements.set.clone(),
        pair: judgements.pair.clone(),
        segment: judgements.segments[of.segment].clone(),
        systems,
        reference: text(texts.and_then(|texts| reference_of(texts, of.segment))),
        translation: text(texts.and_then(|texts| texts.outputs[of.systems[0]][of.segment].as_deref())),
        score: scored.score[place],
        n: Some(scored.n[place]),
        variance: Some(scored.variance[place]),
    }
}

/// The pairs of a set that has scores from 1 to 5 already, as SICK has.
///
/// # Errors
/// If the set has no scores of segments or no texts, or a score is outside of 1 to 5.
pub fn scored_pairs(judgements: &Judgements) -> Result<Vec<ScoredPair>> {
    let name = name_of(judgements);
    let Some(human) = judgements.scores.iter().find(|scores| scores.level == Level::Segment) else {
        return Err(Error::Unusable(format!("{name}: no scores of segments")));
    };
    let texts = texts_of(judgements)?;
    let mut pairs = Vec::new();
    for (segment, segment_name) in judgements.segments.iter().enumerate() {
        for (system, values) in human.values.iter().enumerate() {
            let translation = texts.outputs[system][segment].as_ref();
            let (Some(score), Some(reference), Some(translation)) =
                (values[segment], reference_of(texts, segment), translation)
            else {
                continue;
            };
            if !(1.0..=5.0).contains(&score) || !human.higher_is_better {
                return Err(Error::Unusable(format!(
                    "{name}: expected scores from 1 to 5, 5 for the same meaning, found {score} of `{}`",
                    human.name
                )));
            }
            pairs.push(ScoredPair {
                set: judgements.set.clone(),
                pair: judgements.pair.clone(),
                segment: segment_name.clone(),
                systems: vec![judgements.systems[system].clone()],
                reference: reference.to_owned(),
                translation: translation.clone(),
                score,
                n: None,
                variance: None,
            });
        }
    }
    Ok(pairs)
}

/// What τ says of two translations that were compared: the variance from which on both are kept, and whether the scores
/// agree with the judge (1), contradict (−1) or are equal (0).
#[derive(Clone, Copy, Debug, PartialEq)]
struct ScoredComparison {
    variance: f64,
    verdict: i8,
}

/// The comparisons of kept translations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    agree: u64,
    contradict: u64,
    equal: u64,
}

impl Counts {
    fn new(comparisons: &[ScoredComparison]) -> Self {
        let mut counts = Counts::default();
        comparisons.iter().for_each(|comparison| counts.add(comparison.verdict));
        counts
    }

    fn add(&mut self, verdict: i8) {
        match verdict {
            1 => self.agree += 1,
            0 => self.equal += 1,
            _ => self.contradict += 1,
        }
    }

    /// The number of comparisons.
    fn total(self) -> usize {
        (self.agree + self.contradict + self.equal) as usize
    }

    /// Kendall's τ; `None` if there is nothing to divide by.
    fn tau(self, equal: EqualScores) -> Option<f64> {
        let strict = self.agree + self.contradict;
        let all = if equal == EqualScores::InDenominator { strict + self.equal } else { strict };
        (all > 0).then(|| (self.agree as f64 - self.contradict as f64) / all as f64)
    }
}

/// A multiple of the step, without the error of repeated addition: 3 × 0.05 is 0.15.
fn multiple(count: u32, step: f64) -> f64 {
    (f64::from(count) * step * 1e9).round() / 1e9
}

/// The largest multiple of `step` such that τ of the translations with a lower variance is at least `minimum`, as it is
/// for all smaller multiples; 0 if there is none. Without comparisons nothing contradicts. Ends above `largest`, where
/// all are kept.
fn threshold(
    comparisons: &mut [ScoredComparison],
    largest: f64,
    (minimum, step): (f64, f64),
    equal: EqualScores,
) -> f64 {
    comparisons.sort_unstable_by(|a, b| a.variance.total_cmp(&b.variance));
    let (mut counts, mut next, mut accepted) = (Counts::default(), 0, 0.0);
    for count in 1.. {
        let variance = multiple(count, step);
        while next < comparisons.len() && comparisons[next].variance < variance {
            counts.add(comparisons[next].verdict);
            next += 1;
        }
        if counts.tau(equal).is_some_and(|tau| tau < minimum) {
            break;
        }
        accepted = variance;
        if variance > largest {
            break;
        }
    }
    accepted
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod threshold_tests {
    use super::*;

    fn scored(list: &[(f64, i8)]) -> Vec<ScoredComparison> {
        list.iter().map(|&(variance, verdict)| ScoredComparison { variance, verdict }).collect()
    }

    #[test]
    fn the_threshold_grows_until_tau_is_too_low() {
        let mut list = scored(&[(0.25, -1), (0.0, 1), (0.1, 1), (0.15, 1), (0.3, 1)]);
        // Below 0.25 all three agree; below 0.30 one of four contradicts: τ = 0.5.
        assert_eq!(threshold(&mut list, 0.3, (0.78, 0.05), EqualScores::InDenominator), 0.25);
        assert_eq!(threshold(&mut list, 0.3, (0.5, 0.05), EqualScores::InDenominator), 0.35);
        assert_eq!(threshold(&mut scored(&[(0.0, -1)]), 1.0, (0.78, 0.05), EqualScores::LeftOut), 0.0);
        assert_eq!(threshold(&mut [], 0.62, (0.78, 0.05), EqualScores::LeftOut), 0.65);
    }

    #[test]
    fn equal_scores_are_in_the_denominator_or_left_out() {
        let counts = Counts::new(&scored(&[(0.0, 1), (0.0, 0), (0.0, 1), (0.0, -1)]));
        assert_eq!(counts.tau(EqualScores::InDenominator), Some(0.25));
        assert_eq!(counts.tau(EqualScores::LeftOut), Some(1.0 / 3.0));
        assert_eq!(Counts::new(&scored(&[(0.0, 0)])).tau(EqualScores::LeftOut), None);
    }
}
