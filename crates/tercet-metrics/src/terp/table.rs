//! The cheapest edits from a hypothesis to a reference, with TERp's beam.
//!
//! A table of cells `(i, j)`: i words of the reference and j of the hypothesis are done. Columns are filled one after
//! another: every reached cell passes its cost on to the cells that a word pair, a phrase, an insertion or a deletion
//! leads to, in this order, and a cell keeps what is cheaper, the first of equals.
//!
//! # The beam
//! A column j passes on
//! - from the first row that the column before passed on, up to the row after the last one that it did, and further as
//!   long as deletions reach cells there;
//! - only cells that cost at most `beam` more than the cheapest that word pairs wrote into the column. A pair of equal
//!   words counts there even if the cell was cheaper already.
//!
//! The last column passes everything on. So the cheapest edits may be missed, and the same ones are as by the tool.
//!
//! # Speed
//! A shifted hypothesis equals the present one up to the first word that moved: its columns start from a saved one.
//! Behind the last word that moved, a table of what the rest costs at least shows whether the shift can still be the
//! best.

use super::pair::{Edit, Pair, WordSteps};
use super::settings::Settings;
use tercet_base::stop;

/// The cheapest cost of word pairs in a column that has none: no reached cell is outside of the beam.
const UNSET_BEST: f64 = f64::MAX;

/// Most cells of one alignment; lines of up to two thousand words have fewer.
const MAX_CELLS: usize = 1 << 22;
/// Rows that a column may have nonetheless.
const MIN_ROWS: usize = 16;
/// Most cells of the table of what the rest costs; without it, shifts are computed to their end.
const MAX_BOUNDED: usize = 1 << 20;
/// One edit of an alignment, and how many words it takes from either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) edit: Edit,
    pub(super) reference: u32,
    pub(super) hypothesis: u32,
    /// The number of the phrase.
    pub(super) phrase: u32,
}

/// A cost that a phrase passes on to a later column.
#[derive(Clone, Copy, Debug)]
struct Jump {
    source: usize,
    column: usize,
    row: usize,
    cost: f64,
    phrase: u32,
}

/// A column before its cells are passed on.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// The first row that is passed on.
    low: usize,
    /// The last row, unless deletions reach further.
    last: usize,
    /// The highest row that was written.
    high: usize,
    /// The cheapest cost that word pairs wrote, and where.
    best: f64,
    best_row: usize,
}

impl Column {
    fn new(low: usize) -> Self {
        Column { low, last: 0, high: low, best: UNSET_BEST, best_row: low }
    }
}

/// Buffers of the table.
#[derive(Default)]
pub(super) struct Table {
    cells: Vec<f64>,
    next: Vec<f64>,
    /// The highest row of either that is not infinite.
    cells_end: usize,
    next_end: usize,
    /// How each cell was reached.
    ways: Vec<Way>,
    next_ways: Vec<Way>,
    /// The ways of all columns, from their first row on, and where each column starts.
    trace: Vec<Way>,
    traced: Vec<(usize, usize)>,
    /// The columns before they are passed on, and their cells from the first row on.
    saved: Vec<(Column, usize)>,
    saved_cells: Vec<f64>,
    /// What phrases of more than one word in the hypothesis passed on, in order.
    jumps: Vec<Jump>,
    pending: Vec<Jump>,
    /// By column and row: what the rest costs at least. Empty if there would be too many.
    rest: Vec<f64>,
    /// Cells that were computed since this was last set.
    pub(super) computed: usize,
    /// Whether a column had more rows than it may have.
    pub(super) was_cut: bool,
}

/// The last edit to a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    #[default]
    None,
    Words,
    Insertion,
    Deletion,
    Phrase(u32),
}

impl Table {
    /// The cost of the present order of the hypothesis, and its edits from the start.
    pub(super) fn align(
        &mut self,
        pair: &Pair,
        settings: &Settings,
        word_steps: &WordSteps,
        steps: &mut Vec<Step>,
    ) -> f64 {
        self.jumps.clear();
        self.pending.clear();
        self.trace.clear();
        self.traced.clear();
        self.saved.clear();
        self.saved_cells.clear();
        let columns = pair.words.len();
        let mut column = self.start(pair.length);
        for j in 0..columns {
            self.save(column);
            column = self.pass_on(j, column, pair, settings, true);
        }
        self.save(column);
        let cost = self.finish(column, pair, settings);
        self.follow(pair, word_steps, steps);
        cost
    }

    fn start(&mut self, rows: usize) -> Column {
        for cells in [&mut self.cells, &mut self.next] {
            cells.clear();
            cells.resize(rows + 1, f64::INFINITY);
        }
        for ways in [&mut self.ways, &mut self.next_ways] {
            ways.clear();
            ways.resize(rows + 1, Way::None);
        }
        self.cells[0] = 0.0;
        (self.cells_end, self.next_end) = (0, 0);
        Column::new(0)
    }

    fn save(&mut self, column: Column) {
        self.saved.push((column, self.saved_cells.len()));
        self.saved_cells.extend_from_slice(&self.cells[column.low..=column.high]);
    }

    /// The column with at most so many rows that memory and time are bounded, around the cheapest one; and the row
    /// after the last that deletions may reach.
    fn bounded(&mut self, column: Column, pair: &Pair) -> (Column, usize) {
        let most_rows = (MAX_CELLS / (pair.words.len() + 1)).max(MIN_ROWS);
        if pair.length < most_rows {
            return (column, pair.length + 1);
        }
        let low = column.low.max(column.best_row.saturating_sub(most_rows / 2));
        let end = (low + most_rows).min(pair.length + 1);
        self.was_cut |= low > column.low || column.last.min(pair.length) >= end;
        (Column { low, ..column }, end)
    }

    /// Passes a column on to the next ones.
    fn pass_on(&mut self, j: usize, column: Column, pair: &Pair, settings: &Settings, traces: bool) -> Column {
        let (column, end) = self.bounded(column, pair);
        let limit = column.best + settings.beam as f64;
        if column.low <= self.next_end {
            self.next[column.low..=self.next_end].fill(f64::INFINITY);
        }
        self.next_end = column.low;
        let mut after = Column { low: usize::MAX, ..Column::new(column.low) };
        self.apply_jumps(j + 1, &mut after);
        let mut phrases = pair.phrases.starting(&pair.words[j..], column.low).peekable();
        let (mut i, mut last) = (column.low, column.last);
        while i <= last && i < end {
            let cost = self.cells[i];
            if cost <= limit {
                after.low = after.low.min(i);
                after.last = i + 1;
                if i < pair.length {
                    self.pass_words(i, cost, pair.words[j], pair, &mut after);
                }
                while phrases.next_if(|(_, phrase)| (phrase.start as usize) < i).is_some() {}
                while let Some((number, phrase)) = phrases.next_if(|(_, phrase)| phrase.start as usize == i) {
                    let (row, column) = (i + phrase.reference as usize, j + phrase.hypothesis as usize);
                    let jump = Jump { source: j, column, row, cost: cost + phrase.cost, phrase: number };
                    self.pass_phrase(jump, traces, &mut after);
                }
                let inserted = cost + settings.costs.insertion;
                if inserted < self.next[i] {
                    self.write_next(i, inserted, Way::Insertion, &mut after);
                }
                let deleted = cost + settings.costs.deletion;
                if i < pair.length && deleted < self.cells[i + 1] {
                    (self.cells[i + 1], self.ways[i + 1]) = (deleted, Way::Deletion);
                    self.cells_end = self.cells_end.max(i + 1);
                    last = last.max(i + 1);
                }
            }
            i += 1;
        }
        self.computed += i - column.low + 1;
        stop::steps(4 * (i - column.low + 1));
        if traces {
            self.keep_ways(column.low, column.high.max(last).min(pair.length));
        }
        std::mem::swap(&mut self.cells, &mut self.next);
        std::mem::swap(&mut self.cells_end, &mut self.next_end);
        std::mem::swap(&mut self.ways, &mut self.next_ways);
        after.low = after.low.min(after.high);
        after
    }

    /// Passes a cell on by a word of each side.
    fn pass_words(&mut self, i: usize, cost: f64, word: u32, pair: &Pair, after: &mut Column) {
        let passed = cost + pair.costs(word)[i];
        let written = passed < self.next[i + 1];
        if written {
            self.write_next(i + 1, passed, Way::Words, after);
        }
        if passed < after.best && (written || pair.is_match(word, i)) {
            (after.best, after.best_row) = (passed, i + 1);
        }
    }

    /// Passes a cell on by a phrase, to the next column or to a later one.
    fn pass_phrase(&mut self, jump: Jump, traces: bool, after: &mut Column) {
        if jump.column == jump.source + 1 {
            return self.apply_jump(&jump, after);
        }
        self.pending.push(jump);
        if traces {
            self.jumps.push(jump);
        }
    }

    fn write_next(&mut self, row: usize, cost: f64, way: Way, after: &mut Column) {
        self.next[row] = cost;
        self.next_end = self.next_end.max(row);
        self.next_ways[row] = way;
        after.high = after.high.max(row);
    }

    fn apply_jump(&mut self, jump: &Jump, after: &mut Column) {
        if jump.cost < self.next[jump.row] {
            self.write_next(jump.row, jump.cost, Way::Phrase(jump.phrase), after);
        }
    }

    /// Writes what phrases of earlier columns passed on to a column.
    fn apply_jumps(&mut self, column: usize, after: &mut Column) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|jump| {
            let is_due = jump.column == column;
            if is_due {
                self.apply_jump(jump, after);
            }
            !is_due
        });
        self.pending = pending;
    }

    fn keep_ways(&mut self, low: usize, high: usize) {
        self.traced.push((low, self.trace.len()));
        self.trace.extend_from_slice(&self.ways[low..=high]);
    }

    /// Passes the last column on, and returns the cost of its last cell.
    fn finish(&mut self, column: Column, pair: &Pair, settings: &Settings) -> f64 {
        for i in column.low..pair.length {
            let deleted = self.cells[i] + settings.costs.deletion;
            if deleted < self.cells[i + 1] {
                self.cells[i + 1] = deleted;
                self.ways[i + 1] = Way::Deletion;
            }
        }
        self.computed += pair.length - column.low + 1;
        self.keep_ways(column.low, pair.length);
        self.cells[pair.length]
    }

    /// Collects the edits that led to the last cell.
    fn follow(&self, pair: &Pair, word_steps: &WordSteps, steps: &mut Vec<Step>) {
        steps.clear();
        let (mut i, mut j) = (pair.length, pair.words.len());
        while i > 0 || j > 0 {
            let (low, start) = self.traced[j];
            let step = |edit, reference, hypothesis| Step { edit, reference, hypothesis, phrase: u32::MAX };
            let step = match self.trace[start + i - low] {
                Way::Words => step(pair.edit(pair.words[j - 1], i - 1, word_steps), 1, 1),
                Way::Insertion => step(Edit::Insertion, 0, 1),
                Way::Deletion => step(Edit::Deletion, 1, 0),
                Way::Phrase(number) => {
                    let phrase = pair.phrases.get(number);
                    let (reference, hypothesis) = (phrase.reference, phrase.hypothesis);
                    Step { edit: Edit::Phrase, reference, hypothesis, phrase: number }
                }
                Way::None => unreachable!("every cell on the way was reached"),
            };
            i -= step.reference as usize;
            j -= step.hypothesis as usize;
            steps.push(step);
        }
        steps.reverse();
    }

    /// Computes what the rest costs at least, from every cell, in the present order of the hypothesis.
    pub(super) fn bound_rest(&mut self, pair: &Pair, settings: &Settings) {
        let (columns, width, costs) = (pair.words.len(), pair.length + 1, &settings.costs);
        self.rest.clear();
        if (columns + 1) * width > MAX_BOUNDED {
            return;
        }
        self.rest.resize((columns + 1) * width, 0.0);
        for i in (0..pair.length).rev() {
            self.rest[columns * width + i] = self.rest[columns * width + i + 1] + costs.deletion;
        }
        for j in (0..columns).rev() {
            let (before, after) = self.rest.split_at_mut((j + 1) * width);
            let (cells, next) = (&mut before[j * width..], &after[..width]);
            let mut cost = f64::INFINITY;
            for i in (0..width).rev() {
                cost = (cost + costs.deletion).min(next[i] + costs.insertion);
                if i < pair.length {
                    cost = cost.min(next[i + 1] + pair.costs(pair.words[j])[i]);
                }
                cells[i] = cost;
            }
            self.bound_phrases(j, pair, settings);
        }
        self.computed += (columns + 1) * width;
    }

    /// Lets phrases that start at a column lower what the rest costs.
    fn bound_phrases(&mut self, j: usize, pair: &Pair, settings: &Settings) {
        let width = pair.length + 1;
        for (_, phrase) in pair.phrases.starting(&pair.words[j..], 0) {
            let (i, column) = (phrase.start as usize, j + phrase.hypothesis as usize);
            let cost = phrase.cost + self.rest[column * width + i + phrase.reference as usize];
            let cells = &mut self.rest[j * width..][..=i];
            let mut cost = cost;
            for cell in cells.iter_mut().rev() {
                if cost >= *cell {
                    break;
                }
                *cell = cost;
                cost += settings.costs.deletion;
            }
        }
    }

    /// The cost of a hypothesis whose words `first..end` are in another order than when it was aligned last, or `None`
    /// if it is more than `most`.
    pub(super) fn shifted(
        &mut self,
        pair: &Pair,
        first: usize,
        end: usize,
        most: f64,
        settings: &Settings,
    ) -> Option<f64> {
        let plain = pair.phrases.is_empty();
        let start = first.saturating_sub(pair.phrases.longest.max(1) - 1);
        let (mut column, place) = self.saved[start];
        let saved = &self.saved_cells[place..][..=column.high - column.low];
        self.cells[column.low..=column.high].copy_from_slice(saved);
        if column.high < self.cells_end {
            self.cells[column.high + 1..=self.cells_end].fill(f64::INFINITY);
        }
        self.cells_end = column.high;
        self.pending.clear();
        // Jumps are in the order of their sources, and none is longer than a phrase.
        let first = self.jumps.partition_point(|jump| jump.source + pair.phrases.longest <= start);
        let before = self.jumps[first..].iter().take_while(|jump| jump.source < start);
        self.pending.extend(before.filter(|jump| jump.column > start));
        for j in start..pair.words.len() {
            if j == end && self.least(column, j, pair.length + 1) > most {
                return None;
            }
            column = if plain {
                self.pass_on_plain(j, column, pair, settings)
            } else {
                self.pass_on(j, column, pair, settings, false)
            };
        }
        let mut cost = f64::INFINITY;
        for i in column.low..=pair.length {
            let cell = if i <= column.high { self.cells[i] } else { f64::INFINITY };
            cost = cell.min(cost + settings.costs.deletion);
        }
        self.computed += pair.length - column.low + 1;
        Some(cost)
    }

    /// What the way from a column to the end costs at least.
    fn least(&self, column: Column, j: usize, width: usize) -> f64 {
        if self.rest.is_empty() {
            return 0.0;
        }
        let rest = &self.rest[j * width..][..width];
        let rows = column.low..=column.high;
        let from_cells = rows.map(|i| self.cells[i] + rest[i]).fold(f64::INFINITY, f64::min);
        let later = self.pending.iter().filter(|jump| jump.column > j);
        later.map(|jump| jump.cost + self.rest[jump.column * width + jump.row]).fold(from_cells, f64::min)
    }

    /// [`Table::pass_on`] without phrases and traces: a cell of the next column has at most one word pair before it and
    /// one insertion, so that two carried costs take the place of writes.
    fn pass_on_plain(&mut self, j: usize, column: Column, pair: &Pair, settings: &Settings) -> Column {
        let (insertion, deletion) = (settings.costs.insertion, settings.costs.deletion);
        let rows = pair.length;
        let (column, end) = self.bounded(column, pair);
        let limit = column.best + settings.beam as f64;
        let word_costs = pair.costs(pair.words[j]);
        let (cells, next) = (&self.cells, &mut self.next);
        let mut after = Column { low: usize::MAX, ..Column::new(0) };
        let (mut by_words, mut by_deletion) = (f64::INFINITY, f64::INFINITY);
        let mut i = column.low;
        while i < end {
            let cost = if i <= column.last { cells[i].min(by_deletion) } else { by_deletion };
            if cost <= limit {
                after.low = after.low.min(i);
                after.last = i + 1;
                next[i] = by_words.min(cost + insertion);
                (by_words, by_deletion) = (f64::INFINITY, f64::INFINITY);
                if let Some(&word_cost) = word_costs.get(i) {
                    by_words = cost + word_cost;
                    by_deletion = cost + deletion;
                    if by_words < after.best {
                        (after.best, after.best_row) = (by_words, i + 1);
                    }
                }
            } else if i > column.last {
                break;
            } else {
                next[i] = by_words;
                (by_words, by_deletion) = (f64::INFINITY, f64::INFINITY);
            }
            i += 1;
        }
        self.computed += i - column.low + 1;
        after.high = after.last.min(rows);
        if i <= after.high {
            next[i] = by_words;
        }
        after.low = after.low.min(after.high);
        std::mem::swap(&mut self.cells, &mut self.next);
        after
    }
}
