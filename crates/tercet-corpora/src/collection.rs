//! Collects judgements row by row: systems and segments are numbered in order of appearance.

use std::path::Path;

use foldhash::HashSet;

use crate::error::{Error, Result};

use super::judgements::{Comparison, HumanScores, Judgements, Level, Ranking, Texts};
use super::names::Names;

/// More systems × items than this are taken for a malformed file.
const MAX_PLACES: usize = 200_000_000;
/// So are more than [`MAX_SPARSE_PLACES`], if fewer than one in so many has a score: a table of 10,000 rows, each with
/// its own system and segment, has a hundred million.
const PLACES_PER_SCORE: usize = 100;
const MAX_SPARSE_PLACES: usize = 1 << 22;

/// The rows read so far of one language pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Collection {
    pub(super) systems: Names,
    segments: Names,
    /// Whether the list of segments is complete, so that an unknown one is an error.
    closed: bool,
    pub(super) rankings: Vec<Ranking>,
    pub(super) comparisons: Vec<Comparison>,
    scores: Vec<Scores>,
}

/// Scores of one name and level.
#[derive(Clone, Debug)]
struct Scores {
    name: &'static str,
    level: Level,
    cells: Vec<(usize, usize, Option<f64>)>,
    filled: HashSet<(usize, usize)>,
}

impl Collection {
    /// A collection with exactly these segments.
    pub(super) fn with_segments(segments: impl IntoIterator<Item = impl AsRef<str>>) -> Collection {
        let mut collection = Collection { closed: true, ..Collection::default() };
        for segment in segments {
            collection.segments.place(segment.as_ref());
        }
        collection
    }

    /// The number of a segment, or an error message.
    pub(super) fn segment(&mut self, name: &str) -> Result<usize, String> {
        if !self.closed {
            return Ok(self.segments.place(name));
        }
        self.segments.find(name).ok_or_else(|| {
            format!("segment {name:?} is not among the {} segments of the set", self.segments.as_slice().len())
        })
    }

    pub(super) fn segment_name(&self, segment: usize) -> &str {
        &self.segments.as_slice()[segment]
    }

    /// Sets the score of a system on a segment (or of the whole system, `item` being 0). Returns false if it had one.
    #[must_use]
    pub(super) fn score(
        &mut self,
        (name, level): (&'static str, Level),
        system: usize,
        item: usize,
        value: Option<f64>,
    ) -> bool {
        let place = self.scores.iter().position(|scores| scores.name == name && scores.level == level);
        let place = place.unwrap_or_else(|| {
            self.scores.push(Scores { name, level, cells: Vec::new(), filled: HashSet::default() });
            self.scores.len() - 1
        });
        let scores = &mut self.scores[place];
        scores.cells.push((system, item, value));
        scores.filled.insert((system, item))
    }

    /// The judgements with these texts.
    pub(super) fn into_judgements(self, path: &Path, texts: Option<Texts>) -> Result<Judgements> {
        let (systems, segments) = (self.systems.into_vec(), self.segments.into_vec());
        let mut judgements = Judgements { texts, ..Judgements::default() };
        for scores in self.scores {
            let items = if scores.level == Level::System { 1 } else { segments.len() };
            let places = systems.len().saturating_mul(items);
            let is_sparse = places > MAX_SPARSE_PLACES && places / PLACES_PER_SCORE > scores.cells.len();
            if places > MAX_PLACES || is_sparse {
                return Err(Error::Unusable(format!(
                    "{} names {} systems and {items} segments but scores almost none of them (are its columns in \
                     order?)",
                    path.display(),
                    systems.len()
                )));
            }
            let mut values = vec![vec![None; items]; systems.len()];
            for (system, item, value) in scores.cells {
                values[system][item] = value;
            }
            let (name, level) = (scores.name.to_owned(), scores.level);
            judgements.scores.push(HumanScores { name, level, higher_is_better: true, values });
        }
        Ok(Judgements { systems, segments, rankings: self.rankings, comparisons: self.comparisons, ..judgements })
    }
}

/// A collection for each language pair of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct ByPair {
    pairs: Names,
    collections: Vec<Collection>,
}

impl ByPair {
    pub(super) fn collection(&mut self, pair: &str) -> &mut Collection {
        let place = self.pairs.place(pair);
        if place == self.collections.len() {
            self.collections.push(Collection::default());
        }
        &mut self.collections[place]
    }

    pub(super) fn into_judgements(self, path: &Path) -> Result<Vec<Judgements>> {
        let collections = self.pairs.into_vec().into_iter().zip(self.collections);
        collections
            .map(|(pair, collection)| Ok(Judgements { pair, ..collection.into_judgements(path, None)? }))
            .collect()
    }
}
