//! The greedy search: make the shift that saves most, until none saves anything.
//!
//! Shifts of long blocks are tried first, and no more are tried once the best saves more than twice as many edits as a
//! block has words; the tool takes this bound, which holds if every edit costs one, for all costs. A shift that saves
//! exactly nothing is made if it is the first one found.

use super::pair::{Pair, WordSteps};
use super::settings::Settings;
use super::shifts::{Exchange, Shift, Shifts};
use super::table::{Step, Table};
use foldhash::HashSet;

/// Cells computed for one pair of lines, after which no further shifts are tried: a second or so.
const MAX_COMPUTED: usize = 1 << 28;

/// Shifts of one pair of lines. Only free shifts can be so many: the tool makes them for ever.
const MAX_SHIFTS: usize = 10_000;

/// Differences of this size may come from rounding.
const ROUNDING: f64 = 1e-9;

/// Finds edits; its buffers are reused between segments.
#[derive(Default)]
pub(super) struct Search {
    table: Table,
    shifts: Shifts,
    tried: HashSet<Exchange>,
    /// The edits found last, without shifts.
    pub(super) steps: Vec<Step>,
    /// The shifts found last, in order.
    pub(super) made: Vec<Shift>,
    /// Whether a limit was reached since this was last set.
    pub(super) was_limited: bool,
}

impl Search {
    /// The cost of all edits. The words of the pair are then in their final order.
    pub(super) fn cost(&mut self, pair: &mut Pair, settings: &Settings, word_steps: &WordSteps) -> f64 {
        self.made.clear();
        self.table.computed = 0;
        self.table.was_cut = false;
        let fewest = pair.fewest_edits(&settings.costs);
        let mut shift_costs = 0.0;
        let mut cost = self.table.align(pair, settings, word_steps, &mut self.steps);
        while cost - settings.costs.shift >= fewest - ROUNDING {
            if self.made.len() >= MAX_SHIFTS || !self.shifts.list(pair, &self.steps, settings) {
                self.was_limited = true;
                break;
            }
            let Some(shift) = self.best_shift(pair, cost, settings) else { break };
            shift.exchange(pair.words.len()).apply(&mut pair.words);
            shift_costs += settings.costs.shift;
            cost = self.table.align(pair, settings, word_steps, &mut self.steps);
            self.made.push(shift);
        }
        self.was_limited |= self.table.was_cut || self.table.computed > MAX_COMPUTED || pair.is_reduced();
        cost + shift_costs
    }

    /// Forgets the alignment found last.
    pub(super) fn forget(&mut self) {
        self.made.clear();
        self.steps.clear();
    }

    /// The listed shift that saves most, the first of equals.
    fn best_shift(&mut self, pair: &mut Pair, cost: f64, settings: &Settings) -> Option<Shift> {
        let shift_cost = settings.costs.shift;
        let (mut best_cost, mut best_shift_cost) = (cost, 0.0);
        let mut best = None;
        self.tried.clear();
        let is_exact = settings.costs.are_exact() && pair.phrases.is_empty();
        let mut has_bounds = false;
        for (length, shift) in self.shifts.iter() {
            let saved = cost - (best_shift_cost + best_cost);
            let most = (2 * length) as f64;
            if saved > most || best_shift_cost != 0.0 && saved == most || self.table.computed > MAX_COMPUTED {
                break;
            }
            let exchange = shift.exchange(pair.words.len());
            // The same order as before cannot be better; the present one only if shifts are free.
            if exchange.is_void() && shift_cost > 0.0 || !self.tried.insert(exchange) {
                continue;
            }
            if !std::mem::replace(&mut has_bounds, true) {
                self.table.bound_rest(pair, settings);
            }
            exchange.apply(&mut pair.words);
            // A later shift must be better than the best so far. Only where nothing is rounded do bounds tell equal
            // from better.
            let is_first = best_shift_cost == 0.0;
            let margin = if is_first || !is_exact { ROUNDING } else { -ROUNDING };
            let most = best_cost + best_shift_cost - shift_cost + margin;
            let shifted = self.table.shifted(pair, exchange.first, exchange.end, most, settings);
            exchange.undo(&mut pair.words);
            let Some(shifted) = shifted else { continue };
            let gain = (best_cost + best_shift_cost) - (shifted + shift_cost);
            if gain > 0.0 || best_shift_cost == 0.0 && gain == 0.0 {
                (best, best_cost, best_shift_cost) = (Some(shift), shifted, shift_cost);
            }
        }
        best
    }
}
