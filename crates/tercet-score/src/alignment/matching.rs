//! The best match of sentences with references, both in their order, by dynamic programming within a band.
//!
//! Let m be the n-grams that references and sentences of a match have in common, each counted as often as both have it,
//! and l, k their numbers of n-grams. The matches maximise
//!
//! ```text
//! Σ  m − δ·|l − k| − μ·(l + k)·(further texts)        over matches
//!  − σ·(n-grams that are in no match)
//! ```
//!
//! One reference goes with any number of sentences, and one sentence with any number of references, as long as neither
//! side is three times as long as the other. δ > σ: what has no counterpart is better left alone than put into a match.

use super::anchors::band;
use super::ngrams::Ngrams;
use foldhash::HashMap;

/// δ: what a difference in length costs, for each n-gram.
const DIFFERENCE: f64 = 0.12;

/// σ: what an n-gram costs that is in no match.
const ALONE: f64 = 0.05;

/// μ: what each further reference or sentence of a match costs, for each n-gram.
const FURTHER: f64 = 0.01;

/// A side of a match may be so many times as long as the other.
const MAX_RATIO: usize = 3;

/// References and sentences that belong together, next after those of the match before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub references: usize,
    pub sentences: usize,
}

/// The n-grams of texts as numbers from 0, without those that no reference has, and how many there are with these.
type Numbered = Vec<(Vec<u32>, usize)>;

/// The best sum that reaches a place, and the match that it ends with.
#[derive(Clone, Copy)]
struct Cell {
    gain: f64,
    last: Match,
}

/// The best matches. No match goes on beyond a reference for which `is_end` holds.
pub(super) fn matches(references: &[&Ngrams], sentences: &[&Ngrams], is_end: &dyn Fn(usize) -> bool) -> Vec<Match> {
    let mut known: HashMap<u64, u32> = HashMap::default();
    for &ngram in references.iter().flat_map(|text| &text.0) {
        let number = known.len() as u32;
        known.entry(ngram).or_insert(number);
    }
    let number = |text: &&Ngrams| {
        let numbers = text.0.iter().filter_map(|ngram| known.get(ngram).copied());
        (numbers.collect(), text.0.len())
    };
    let [numbered, of_sentences]: [Numbered; 2] =
        [references, sentences].map(|texts| texts.iter().map(number).collect());
    let mut table = Table::new(band(references, sentences), known.len());
    for row in 0..numbered.len() + 1 {
        table.leave_row(row, &numbered, &of_sentences, is_end);
    }
    table.path()
}

/// A cell for each number of references and of sentences that may be passed.
struct Table {
    /// For each number of references: the first number of sentences, the last, and the place of the first cell.
    rows: Vec<(usize, usize, usize)>,
    cells: Vec<Cell>,
    /// How often each n-gram is still to be found.
    counts: Vec<u32>,
}

impl Table {
    fn new(band: Vec<(usize, usize)>, ngrams: usize) -> Self {
        let mut size = 0;
        let rows = band.into_iter().map(|(low, high)| {
            let place = size;
            size += high - low + 1;
            (low, high, place)
        });
        let rows = rows.collect();
        let unreached = Cell { gain: f64::NEG_INFINITY, last: Match { references: 0, sentences: 0 } };
        let mut table = Table { rows, cells: vec![unreached; size], counts: vec![0; ngrams] };
        table.cells[0].gain = 0.0;
        table
    }

    fn place(&self, row: usize, column: usize) -> Option<usize> {
        let &(low, high, place) = self.rows.get(row)?;
        (low..=high).contains(&column).then(|| place + column - low)
    }

    /// Reaches a cell by a match from another one. Of equal sums the first stays.
    fn reach(&mut self, (row, column): (usize, usize), last: Match, gain: f64) {
        let from = self.place(row, column).map_or(f64::NEG_INFINITY, |place| self.cells[place].gain);
        if let Some(place) = self.place(row + last.references, column + last.sentences)
            && from + gain > self.cells[place].gain
        {
            self.cells[place] = Cell { gain: from + gain, last };
        }
    }

    /// Goes on from all cells of a row, by all matches.
    fn leave_row(&mut self, row: usize, references: &Numbered, sentences: &Numbered, is_end: &dyn Fn(usize) -> bool) {
        let (low, high, _) = self.rows[row];
        for column in low..=high {
            let from = (row, column);
            if self.place(row, column).is_none_or(|place| self.cells[place].gain == f64::NEG_INFINITY) {
                continue;
            }
            let sentence = sentences.get(column);
            if let Some((_, length)) = sentence {
                self.reach(from, Match { references: 0, sentences: 1 }, -ALONE * *length as f64);
            }
            let Some(reference) = references.get(row) else { continue };
            self.reach(from, Match { references: 1, sentences: 0 }, -ALONE * reference.1 as f64);
            self.grow(reference, &sentences[column..], |table, count, gain| {
                table.reach(from, Match { references: 1, sentences: count }, gain);
                true
            });
            if let Some(sentence) = sentence {
                self.grow(sentence, &references[row..], |table, count, gain| {
                    // One reference was matched above.
                    if count > 1 {
                        table.reach(from, Match { references: count, sentences: 1 }, gain);
                    }
                    !is_end(row + count - 1)
                });
            }
        }
    }

    /// Matches one text with the first of others, the first two, and so on, as long as their lengths allow and `found`
    /// says.
    fn grow(
        &mut self,
        (ngrams, length): &(Vec<u32>, usize),
        others: &[(Vec<u32>, usize)],
        mut found: impl FnMut(&mut Self, usize, f64) -> bool,
    ) {
        ngrams.iter().for_each(|&ngram| self.counts[ngram as usize] += 1);
        let (mut same, mut total) = (0usize, 0);
        for (i, (more, further)) in others.iter().enumerate() {
            total += further;
            if i > 0 && total > MAX_RATIO * length {
                break;
            }
            for &ngram in more {
                let count = &mut self.counts[ngram as usize];
                same += usize::from(*count > 0);
                *count = count.saturating_sub(1);
            }
            let gain =
                same as f64 - DIFFERENCE * length.abs_diff(total) as f64 - FURTHER * (i * (length + total)) as f64;
            if !found(self, i + 1, gain) {
                break;
            }
        }
        ngrams.iter().for_each(|&ngram| self.counts[ngram as usize] = 0);
    }

    /// The matches that reach the last cell.
    fn path(&self) -> Vec<Match> {
        let mut path = Vec::new();
        let mut row = self.rows.len() - 1;
        let mut column = self.rows[row].1;
        while let Some(place) = self.place(row, column).filter(|_| row + column > 0) {
            let last = self.cells[place].last;
            row -= last.references;
            column -= last.sentences;
            path.push(last);
        }
        path.reverse();
        path
    }
}
