//! The best match of a place for one path, when the search has used up its steps.
//!
//! A path that goes on alone only ever takes more words. The first free match of a list then never moves back, so that
//! all places together read each list once.

use super::matches::Matches;
use super::search::{NONE, Path, Rank, Rules};
use super::taken_words::TakenWords;
use foldhash::HashMap;

/// Where in each list of matches the first free one is, by where the list starts.
#[derive(Default)]
pub(super) struct Cursors(HashMap<u32, u32>);

impl Cursors {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The free match with the best rank that starts at a place, the first of equals.
    pub(super) fn best_match<U: TakenWords>(
        &mut self,
        place: usize,
        matches: &Matches,
        rules: &Rules<'_>,
        path: &Path<U>,
        numbers: &[u32],
    ) -> Option<u32> {
        let is_free = |index: u32| {
            let found = matches.get(index);
            !path.taken_words.overlaps(numbers[found.hypothesis as usize], found.hypothesis_len)
        };
        let mut best: Option<(Rank, u32)> = None;
        let mut consider = |index: u32| {
            let rank = path.rank_with(matches.get(index), rules);
            if is_free(index) && best.is_none_or(|(other, _)| rank < other) {
                best = Some((rank, index));
            }
        };
        let Some([before, after]) = matches.runs_at(place) else {
            matches.at(place).for_each(consider);
            return best.map(|(_, index)| index);
        };
        matches.phrases_at(place).for_each(&mut consider);
        for run in before.iter().chain(after) {
            let cursor = self.0.entry(run.first).or_insert(run.first);
            while *cursor < run.end && !is_free(*cursor) {
                *cursor += 1;
            }
            if *cursor < run.end {
                consider(*cursor);
            }
            if path.chunk_end != NONE
                && let Some(index) = matches.find_in(run, path.chunk_end)
            {
                consider(index);
            }
        }
        best.map(|(_, index)| index)
    }
}
