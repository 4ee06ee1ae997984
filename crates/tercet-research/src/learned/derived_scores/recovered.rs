//! Rankings recovered from lists of comparisons.
//!
//! The `.rank` files of METEOR list the comparisons of one ranking after the other: those of the best output first, and
//! without ties. Where the original rankings exist beside such a list, they are recovered exactly: all 9,996 of WMT13
//! fr-en, all 5,151 of WMT12 that are not one tie.
//!
//! A list does not say what the ranks were, only their order. Without ties they are 1 to 5; the levels of a ranking
//! with ties get the mean ranks that such levels have in WMT13 fr-en.

use crate::corpora::{Comparison, Outcome};
use crate::error::{Error, Result};

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
