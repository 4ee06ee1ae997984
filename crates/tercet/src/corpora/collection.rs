//! Judgements while they are read, row by row: systems and segments get their numbers as they are met.

use std::path::Path;

use rustc_hash::FxHashSet;

use crate::error::{Error, Result};

use super::judgements::{Comparison, HumanScores, Judgements, Level, Ranking, Texts};
use super::names::Names;

/// A table of scores with more places than this is not what it says it is.
const MOST_PLACES: usize = 200_000_000;

/// What was read of one language pair so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Collection {
    pub(super) systems: Names,
    segments: Names,
    /// Whether all segments are known, so that a further one is a mistake.
    closed: bool,
    pub(super) rankings: Vec<Ranking>,
    pub(super) comparisons: Vec<Comparison>,
    scores: Vec<Scores>,
}

/// Scores of one name and level, place by place.
#[derive(Clone, Debug)]
struct Scores {
    name: &'static str,
    level: Level,
    cells: Vec<(usize, usize, Option<f64>)>,
    filled: FxHashSet<(usize, usize)>,
}

impl Collection {
    /// A collection about these segments and no others.
    pub(super) fn about(segments: impl IntoIterator<Item = impl AsRef<str>>) -> Collection {
        let mut collection = Collection { closed: true, ..Collection::default() };
        for segment in segments {
            collection.segments.place(segment.as_ref());
        }
        collection
    }

    /// The number of a segment, or what is wrong with it.
    pub(super) fn segment(&mut self, name: &str) -> Result<usize, String> {
        if !self.closed {
            return Ok(self.segments.place(name));
        }
        self.segments.find(name).ok_or_else(|| {
            format!(
                "segment {name:?} is not among the {} segments of the set",
                self.segments.as_slice().len()
            )
        })
    }

    /// What a segment is called.
    pub(super) fn segment_name(&self, segment: usize) -> &str {
        &self.segments.as_slice()[segment]
    }

    /// Notes the score of a system on a segment (or of the whole system, `item` being 0). False if it had one.
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
            self.scores.push(Scores { name, level, cells: Vec::new(), filled: FxHashSet::default() });
            self.scores.len() - 1
        });
        let scores = &mut self.scores[place];
        scores.cells.push((system, item, value));
        scores.filled.insert((system, item))
    }

    /// The judgements, with the texts of the systems and segments that were met.
    pub(super) fn into_judgements(self, path: &Path, texts: Option<Texts>) -> Result<Judgements> {
        let (systems, segments) = (self.systems.into_vec(), self.segments.into_vec());
        let mut judgements = Judgements { texts, ..Judgements::default() };
        for scores in self.scores {
            let items = if scores.level == Level::System { 1 } else { segments.len() };
            if systems.len().saturating_mul(items) > MOST_PLACES {
                return Err(Error::Unusable(format!(
                    "{} names {} systems and {items} segments but scores almost none of them (are its columns in order?)",
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
        Ok(Judgements {
            systems,
            segments,
            rankings: self.rankings,
            comparisons: self.comparisons,
            ..judgements
        })
    }
}

/// A collection for each language pair of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct ByPair {
    pairs: Names,
    collections: Vec<Collection>,
}

impl ByPair {
    /// The collection of a pair.
    pub(super) fn of(&mut self, pair: &str) -> &mut Collection {
        let place = self.pairs.place(pair);
        if place == self.collections.len() {
            self.collections.push(Collection::default());
        }
        &mut self.collections[place]
    }

    /// The judgements of each pair.
    pub(super) fn into_judgements(self, path: &Path) -> Result<Vec<Judgements>> {
        let collections = self.pairs.into_vec().into_iter().zip(self.collections);
        collections
            .map(|(pair, collection)| Ok(Judgements { pair, ..collection.into_judgements(path, None)? }))
            .collect()
    }
}
