//! Judged translations with the ranks they got, and which of two was judged better.
//!
//! # Rankings recovered from lists of comparisons
//! The `.rank` files of METEOR list the comparisons of one ranking after the other: those of the best output first, and
//! without ties. Where the original rankings exist beside such a list, they are recovered exactly: all 9,996 of WMT13
//! fr-en, all 5,151 of WMT12 that are not one tie.
//!
//! A list does not say what the ranks were, only their order. Without ties they are 1 to 5; the levels of a ranking
//! with ties get the mean ranks that such levels have in WMT13 fr-en.

use super::name_of;
use super::settings::{DerivationSettings, EqualOutputs, PairsReading, VarianceDivisor};
use crate::corpora::{Comparison, Judgements, Outcome, Ranking, Texts};
use crate::error::{Error, Result};
use crate::learned::judged::{reference_of, texts_of};
use foldhash::HashMap;

/// What was said of a translation. Sums of whole numbers, so that the order of judgements changes no digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Ranks in hundredths.
    Ranks { count: u64, sum: u64, squares: u64 },
    /// Outcomes of comparisons: 2 for a win, 1 for a tie, 0 for a defeat.
    Outcomes { count: u64, sum: u64, squares: u64 },
}

impl Evidence {
    fn add(&mut self, value: u64) {
        let (Evidence::Ranks { count, sum, squares } | Evidence::Outcomes { count, sum, squares }) = self;
        *count += 1;
        *sum += value;
        *squares += value * value;
    }

    /// How often the translation was ranked; four comparisons count as a ranking of five.
    pub(super) fn n(self) -> usize {
        match self {
            Evidence::Ranks { count, .. } => count as usize,
            Evidence::Outcomes { count, .. } => (count as usize + 2) / 4,
        }
    }

    /// The similarity, from 1 to 5.
    pub(super) fn score(self) -> f64 {
        match self {
            Evidence::Ranks { count, sum, .. } => (600 * count - sum) as f64 / (100 * count) as f64,
            Evidence::Outcomes { count, sum, .. } => (count + 2 * sum) as f64 / count as f64,
        }
    }

    /// The variance of the ranks. For comparisons, that of 1 plus the number of defeats among four independent ones.
    pub(super) fn variance(self, divisor: VarianceDivisor) -> f64 {
        let (Evidence::Ranks { count, sum, squares } | Evidence::Outcomes { count, sum, squares }) = self;
        let unit = if matches!(self, Evidence::Ranks { .. }) { 10_000 } else { 1 };
        let degrees = match divisor {
            VarianceDivisor::N => count,
            VarianceDivisor::NMinusOne => count.saturating_sub(1),
        };
        (count * squares - sum * sum) as f64 / (count * degrees * unit) as f64
    }
}

/// A judged translation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RankedTranslation {
    /// The index of its set.
    pub(super) judgements: usize,
    pub(super) segment: usize,
    /// The systems whose output it is.
    pub(super) systems: Vec<usize>,
    pub(super) evidence: Evidence,
}

/// The translations of all sets.
#[derive(Clone, Debug, Default)]
pub(super) struct RankedTranslations {
    pub(super) translations: Vec<RankedTranslation>,
    /// (better, worse), for every judgement that is not a tie.
    pub(super) comparisons: Vec<(u32, u32)>,
}

impl RankedTranslations {
    /// Adds the judgements of a set.
    pub(super) fn add(&mut self, place: usize, judgements: &Judgements, settings: &DerivationSettings) -> Result<()> {
        let name = name_of(judgements);
        let texts = texts_of(judgements)?;
        let mut into = Set { place, texts, equal: settings.equal_outputs, known: HashMap::default(), into: self };
        match settings.pairs {
            _ if !judgements.rankings.is_empty() => {
                judgements.rankings.iter().try_for_each(|ranking| into.add_ranking(ranking, &name))
            }
            _ if judgements.comparisons.is_empty() => {
                Err(Error::Unusable(format!("{name}: no rankings to derive scores from")))
            }
            PairsReading::Refused => Err(Error::Unusable(format!(
                "{name}: its files compare two translations at a time, without ranks from 1 to 5 (rankings can be \
                 recovered from the order of the pairs, or scores be shares of wins)"
            ))),
            PairsReading::Recovered => {
                for ranking in recovered_rankings(&judgements.comparisons, &name)? {
                    let outputs = ranking.ranks.iter().zip(0..);
                    into.add_ranks(ranking.segment, outputs.map(|(&(system, rank), group)| (system, group, rank)));
                }
                Ok(())
            }
            PairsReading::ShareOfWins => {
                judgements.comparisons.iter().for_each(|comparison| into.add_comparison(comparison));
                Ok(())
            }
        }
    }
}

/// A set whose judgements are added.
struct Set<'s> {
    place: usize,
    texts: &'s Texts,
    equal: EqualOutputs,
    /// The translation of a segment with a text, or of a system.
    known: HashMap<(usize, Key<'s>), u32>,
    into: &'s mut RankedTranslations,
}

/// What makes a translation the same one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'s> {
    Text(&'s str),
    System(usize),
}

impl Set<'_> {
    fn add_ranking(&mut self, ranking: &Ranking, name: &str) -> Result<()> {
        if let Some(rank) = ranking.outputs.iter().filter_map(|output| output.rank).find(|rank| *rank > 5) {
            return Err(Error::Unusable(format!(
                "{name}: scores are derived from ranks 1 to 5, found the rank {rank}"
            )));
        }
        let ranked = ranking.outputs.iter();
        let ranked = ranked.filter_map(|output| Some((output.system, output.group, u64::from(output.rank?) * 100)));
        self.add_ranks(ranking.segment, ranked);
        Ok(())
    }

    /// Adds the ranks of one ranking: system, group and rank. An output that several systems share was seen once.
    fn add_ranks(&mut self, segment: usize, ranked: impl Iterator<Item = (usize, u32, u64)>) {
        let mut seen: Vec<(u32, u32, u64)> = Vec::new();
        for (system, group, rank) in ranked {
            let empty = Evidence::Ranks { count: 0, sum: 0, squares: 0 };
            let Some(translation) = self.translation(segment, system, empty) else { continue };
            if !seen.iter().any(|known| (known.0, known.1) == (translation, group)) {
                seen.push((translation, group, rank));
                self.into.translations[translation as usize].evidence.add(rank);
            }
        }
        for (i, &(one, group, rank)) in seen.iter().enumerate() {
            for &(other, other_group, other_rank) in &seen[i + 1..] {
                if one != other && group != other_group && rank != other_rank {
                    self.into.comparisons.push(if rank < other_rank { (one, other) } else { (other, one) });
                }
            }
        }
    }

    fn add_comparison(&mut self, comparison: &Comparison) {
        let empty = Evidence::Outcomes { count: 0, sum: 0, squares: 0 };
        let first = self.translation(comparison.segment, comparison.first, empty);
        let second = self.translation(comparison.segment, comparison.second, empty);
        let (Some(first), Some(second)) = (first, second) else { return };
        if first == second {
            return;
        }
        let (wins, losses) = match comparison.outcome {
            Outcome::First => (2, 0),
            Outcome::Tie => (1, 1),
            Outcome::Second => (0, 2),
        };
        self.into.translations[first as usize].evidence.add(wins);
        self.into.translations[second as usize].evidence.add(losses);
        match comparison.outcome {
            Outcome::First => self.into.comparisons.push((first, second)),
            Outcome::Second => self.into.comparisons.push((second, first)),
            Outcome::Tie => (),
        }
    }

    /// The index of a system's output; `None` if it or its reference has no text.
    fn translation(&mut self, segment: usize, system: usize, empty: Evidence) -> Option<u32> {
        let text = self.texts.outputs[system][segment].as_deref()?;
        reference_of(self.texts, segment)?;
        let key = match self.equal {
            EqualOutputs::OneTranslation => Key::Text(text),
            EqualOutputs::PerSystem => Key::System(system),
        };
        let translations = &mut self.into.translations;
        let found = *self.known.entry((segment, key)).or_insert_with(|| {
            let judgements = self.place;
            translations.push(RankedTranslation { judgements, segment, systems: Vec::new(), evidence: empty });
            translations.len() as u32 - 1
        });
        let systems = &mut translations[found as usize].systems;
        if !systems.contains(&system) {
            systems.push(system);
        }
        Some(found)
    }
}

/// The mean ranks, in hundredths, of rankings with 2, 3, 4 and 5 different ranks.
const MEAN_RANKS: [&[u64]; 4] = [&[165, 310], &[137, 257, 383], &[108, 220, 332, 445], &[100, 200, 300, 400, 500]];

/// The outputs that one judge saw.
const OUTPUTS: usize = 5;

/// A ranking: its segment, and the systems with their ranks in hundredths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RecoveredRanking {
    pub(super) segment: usize,
    pub(super) ranks: Vec<(usize, u64)>,
}

/// The comparisons of one ranking: (better, worse).
#[derive(Default)]
struct Block {
    segment: usize,
    pairs: Vec<(usize, usize)>,
    systems: Vec<usize>,
}

/// The rankings of which these are the comparisons. `name` is that of the set, for messages.
pub(super) fn recovered_rankings(comparisons: &[Comparison], name: &str) -> Result<Vec<RecoveredRanking>> {
    let blocks = blocks(comparisons);
    let lone = blocks.iter().filter(|block| block.pairs.len() == 1).count();
    let rankings: Option<Vec<RecoveredRanking>> = blocks.iter().map(Block::ranking).collect();
    // In lists of whole rankings less than one percent have a single pair; in a list in another order nearly all.
    rankings.filter(|rankings| lone * 10 <= rankings.len()).ok_or_else(|| {
        Error::Unusable(format!(
            "{name}: rankings cannot be recovered, because its comparisons are not listed one ranking after the other"
        ))
    })
}

fn blocks(comparisons: &[Comparison]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for comparison in comparisons {
        let pair = match comparison.outcome {
            Outcome::First => (comparison.first, comparison.second),
            Outcome::Second => (comparison.second, comparison.first),
            Outcome::Tie => continue,
        };
        if !blocks.last().is_some_and(|block| block.segment == comparison.segment && block.continues_with(pair)) {
            blocks.push(Block { segment: comparison.segment, ..Block::default() });
        }
        let block = blocks.last_mut().expect("one was added");
        block.pairs.push(pair);
        for system in [pair.0, pair.1] {
            if !block.systems.contains(&system) {
                block.systems.push(system);
            }
        }
    }
    blocks
}

impl Block {
    /// Whether a pair may be the next one of this ranking: not there yet, at most five systems, and the pairs of its
    /// better system have not ended.
    fn continues_with(&self, (better, worse): (usize, usize)) -> bool {
        let known = self.pairs.contains(&(better, worse)) || self.pairs.contains(&(worse, better));
        let new = [better, worse].iter().filter(|system| !self.systems.contains(system)).count();
        let is_current = self.pairs.last().is_some_and(|last| last.0 == better);
        let ended = !is_current && self.pairs.iter().any(|pair| pair.0 == better);
        !known && self.systems.len() + new <= OUTPUTS && !ended
    }

    /// The ranking, if the pairs are those of one.
    fn ranking(&self) -> Option<RecoveredRanking> {
        let losses = |system: usize| self.pairs.iter().filter(|pair| pair.1 == system).count();
        let all: Vec<usize> = self.systems.iter().map(|system| losses(*system)).collect();
        let mut levels = all.clone();
        levels.sort_unstable();
        levels.dedup();
        // In a ranking an output has lost to exactly those that have fewer losses.
        let ordered = self.pairs.iter().all(|(better, worse)| losses(*better) < losses(*worse));
        let complete = all.iter().all(|own| all.iter().filter(|other| *other < own).count() == *own);
        let values = MEAN_RANKS.get(levels.len().checked_sub(2)?)?;
        let level = |losses: &usize| levels.iter().position(|level| level == losses);
        let ranks = self.systems.iter().zip(&all).map(|(system, losses)| Some((*system, values[level(losses)?])));
        let ranks = ranks.collect::<Option<Vec<_>>>()?;
        (ordered && complete).then_some(RecoveredRanking { segment: self.segment, ranks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparisons(pairs: &[(usize, usize, usize)]) -> Vec<Comparison> {
        let comparison = |&(segment, first, second): &(usize, usize, usize)| Comparison {
            segment,
            first,
            second,
            outcome: Outcome::First,
        };
        pairs.iter().map(comparison).collect()
    }

    #[test]
    fn rankings_are_recovered_one_after_the_other() {
        // Two judges of segment 7: 3 > 1 > 0 = 2 > 4, then 1 > 3; and one of segment 8.
        let list = [
            (7, 3, 1),
            (7, 3, 0),
            (7, 3, 2),
            (7, 3, 4),
            (7, 1, 0),
            (7, 1, 2),
            (7, 1, 4),
            (7, 0, 4),
            (7, 2, 4),
            (7, 1, 3),
            (7, 1, 2),
            (7, 3, 2),
            (8, 1, 3),
            (8, 1, 2),
        ];
        let read = recovered_rankings(&comparisons(&list), "x").unwrap();
        let ranks: Vec<_> = read.iter().map(|ranking| (ranking.segment, ranking.ranks.clone())).collect();
        assert_eq!(ranks[0], (7, vec![(3, 108), (1, 220), (0, 332), (2, 332), (4, 445)]));
        assert_eq!(ranks[1], (7, vec![(1, 137), (3, 257), (2, 383)]));
        assert_eq!(ranks[2], (8, vec![(1, 165), (3, 310), (2, 310)]));
    }

    #[test]
    fn comparisons_in_another_order_are_refused() {
        let refused = "x: rankings cannot be recovered, because its comparisons are not listed one ranking after the \
            other";
        let scattered = comparisons(&[(1, 0, 1), (2, 0, 1), (1, 1, 2), (2, 1, 2)]);
        assert_eq!(recovered_rankings(&scattered, "x").unwrap_err().to_string(), refused);
        // 0 > 1 > 2 without 0 > 2 is no ranking.
        let incomplete = comparisons(&[(1, 0, 1), (1, 1, 2)]);
        assert_eq!(recovered_rankings(&incomplete, "x").unwrap_err().to_string(), refused);
    }
}
