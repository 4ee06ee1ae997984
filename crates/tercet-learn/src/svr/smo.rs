//! Sequential minimal optimisation of the dual problem of ε-SVR, with LIBSVM's choice of two variables by second-order
//! information (Fan, Chen & Lin, JMLR 2005), its stopping rule and its rule for variables that are set aside.
//!
//! ```text
//! min ½ (α − α*)ᵀ K (α − α*) + ε Σ (α + α*) − Σ z (α − α*)      with Σ (α − α*) = 0, 0 ≤ α, α* ≤ C
//! ```
//!
//! With y = 1 for α and −1 for α*, the *pull* of a variable is −y times its gradient: z − ε − K (α − α*) and z + ε − K
//! (α − α*). The variable with the highest pull among those that may move in the direction of y, and one with a low
//! pull among those that may move against it, are changed together.
//!
//! # Choices
//! After a step both variables have the same pull but for the last bit, and which is chosen next depends on it. So
//! pulls are rounded as LIBSVM rounds its gradients, and of equal ones that is chosen which is last in its order. The
//! two variables of a row are looked at together: where both could be chosen, that with the larger violation is. Pulls
//! are kept for all rows, those that are not learned from included: their predictions come with the solution. LIBSVM
//! sets variables aside to save time. Here that saves none, but it decides on the next steps too; so it is done as
//! well.
//!
//! The largest number of a list, and where it is.

use super::SvrSettings;
use super::kernel::{BLOCK, KernelMatrix};
use crate::error::Result;
use crate::progress::Progress;

/// Stands for a curvature that is not above 0.
const TAU: f64 = 1e-12;
/// Steps between two decisions about the variables to set aside.
const INTERVAL: usize = 1000;
/// Most steps; LIBSVM's limit.
const MAX_STEPS: usize = 10_000_000;

/// The solution for the rows that were learned from.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// α − α* of every row; 0 for rows that were not learned from.
    pub coefficients: Vec<f64>,
    /// ρ: predictions are Σ (α − α*) K − ρ.
    pub rho: f64,
    /// Predictions for all rows.
    pub predictions: Vec<f64>,
    /// Whether the stopping rule was reached.
    pub converged: bool,
}

/// A variable: its row, and whether it is α (0) or α* (1).
#[derive(Clone, Copy, PartialEq)]
struct Variable {
    row: usize,
    sign: usize,
}

/// α, which is added.
const PLUS: usize = 0;
/// α*, which is subtracted.
const MINUS: usize = 1;

struct Solver<'a> {
    kernel: &'a KernelMatrix,
    c: f64,
    /// Whether a row is learned from.
    used: Vec<bool>,
    /// α and α* of each row.
    values: [Vec<f64>; 2],
    /// The pulls of α and α*, for all rows.
    pulls: [Vec<f64>; 2],
    /// The pull of the variable of each row that may move in the direction of y; −∞ if none may.
    up: Vec<f64>,
    /// The pull of the variable of each row that may move against y; ∞ if none may.
    low: Vec<f64>,
    order: Order,
    is_unshrunk: bool,
}

/// The order in which LIBSVM goes through the variables, and which of them are set aside.
struct Order {
    /// Those that may be chosen, then those set aside.
    variables: Vec<Variable>,
    active: usize,
    /// The place of α and α* of each row; of rows that are not used, after all.
    places: [Vec<usize>; 2],
}

impl Order {
    fn new(used: &[bool]) -> Self {
        let rows = || (0..used.len()).filter(|&row| used[row]);
        let of = |sign: usize| rows().map(move |row| Variable { row, sign });
        let variables: Vec<Variable> = of(PLUS).chain(of(MINUS)).collect();
        let mut places = [vec![usize::MAX; used.len()], vec![usize::MAX; used.len()]];
        for (place, variable) in variables.iter().enumerate() {
            places[variable.sign][variable.row] = place;
        }
        Order { active: variables.len(), variables, places }
    }

    fn is_active(&self, row: usize, sign: usize) -> bool {
        self.places[sign][row] < self.active
    }

    /// Sets variables aside: the last of the others takes the place of each.
    fn set_aside(&mut self, is_idle: impl Fn(Variable) -> bool) {
        let mut place = 0;
        while place < self.active {
            if is_idle(self.variables[place]) {
                self.active -= 1;
                while self.active > place && is_idle(self.variables[self.active]) {
                    self.active -= 1;
                }
                self.swap(place, self.active);
            }
            place += 1;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.variables.swap(a, b);
        for place in [a, b] {
            let Variable { row, sign } = self.variables[place];
            self.places[sign][row] = place;
        }
    }
}

/// Finds the solution for the rows that are used; `targets` has a value for each row of the kernel.
pub(super) fn solve(
    kernel: &KernelMatrix,
    targets: &[f64],
    used: Vec<bool>,
    settings: &SvrSettings,
    progress: Progress<'_>,
) -> Result<Solution> {
    let (rows, width, epsilon) = (kernel.rows(), kernel.width(), settings.epsilon);
    let pulls = [PLUS, MINUS].map(|sign| {
        let mut pulls: Vec<f64> = targets.iter().map(|target| target - signed(sign, epsilon)).collect();
        pulls.resize(width, 0.0);
        pulls
    });
    let mut solver = Solver {
        kernel,
        c: settings.c,

        values: [vec![0.0; rows], vec![0.0; rows]],
        pulls,
        up: vec![f64::NEG_INFINITY; width],
        low: vec![f64::INFINITY; width],
        order: Order::new(&used),
        used,
        is_unshrunk: false,
    };
    (0..rows).for_each(|row| solver.set_limits(row));
    let interval = INTERVAL.min(solver.order.active).max(1);
    let converged = solver.run(settings.tolerance, interval, progress)?;
    let rho = solver.rho();
    let sum = |row: usize| targets[row] - epsilon - solver.pulls[PLUS][row];
    let predictions = (0..rows).map(|row| sum(row) - rho).collect();
    let [plus, minus] = &solver.values;
    let coefficients = plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect();
    Ok(Solution { coefficients, rho, predictions, converged })
}

impl Solver<'_> {
    /// Steps until the violation is below the tolerance; returns whether it is.
    fn run(&mut self, tolerance: f64, interval: usize, progress: Progress<'_>) -> Result<bool> {
        let mut until_shrinking = interval + 1;
        for _ in 0..MAX_STEPS {
            until_shrinking -= 1;
            if until_shrinking == 0 {
                until_shrinking = interval;
                progress.check()?;
                self.shrink(tolerance);
            }
            let chosen = match self.choose(tolerance) {
                Some(chosen) => chosen,
                None => {
                    self.activate_all();
                    let Some(chosen) = self.choose(tolerance) else { return Ok(true) };
                    until_shrinking = 1;
                    chosen
                }
            };
            self.step(chosen.0, chosen.1);
        }
        Ok(false)
    }

    /// The two variables to change next; `None` if no pair violates the conditions by more than the tolerance.
    fn choose(&self, tolerance: f64) -> Option<(Variable, Variable)> {
        let (first, highest) = self.highest();
        let first = first?;
        let (second, lowest) = self.best_partner(first.row, highest);
        if highest - lowest < tolerance { None } else { Some((first, second?)) }
    }

    /// The variable of a row that may move in the direction of y.
    fn rising(&self, row: usize) -> Variable {
        let is_minus = self.values[MINUS][row] > 0.0 && self.order.is_active(row, MINUS);
        Variable { row, sign: if is_minus { MINUS } else { PLUS } }
    }

    /// The variable of a row that may move against y.
    fn falling(&self, row: usize) -> Variable {
        let is_plus = self.values[PLUS][row] > 0.0 && self.order.is_active(row, PLUS);
        Variable { row, sign: if is_plus { PLUS } else { MINUS } }
    }

    /// The last in order of these variables.
    fn last(&self, variables: impl Iterator<Item = Variable>) -> Option<Variable> {
        variables.max_by_key(|variable| self.order.places[variable.sign][variable.row])
    }

    /// The variable with the highest pull among those that may move in the direction of y, and its pull.
    fn highest(&self) -> (Option<Variable>, f64) {
        let mut best = Largest::above(f64::NEG_INFINITY);
        self.up.as_chunks::<BLOCK>().0.iter().enumerate().for_each(|(block, up)| best.see(block, up));
        (self.last(best.rows().map(|row| self.rising(row))), best.value())
    }

    /// The variable whose change together with the first lowers the objective most, and the lowest pull among variables
    /// that may move against y.
    fn best_partner(&self, first: usize, highest: f64) -> (Option<Variable>, f64) {
        let own = self.kernel.diagonal[first];
        let values = self.kernel.row(first).as_chunks::<BLOCK>().0;
        let diagonal = self.kernel.diagonal.as_chunks::<BLOCK>().0;
        let mut best = Largest::above(0.0);
        let mut lowest = [f64::INFINITY; BLOCK];
        for (block, low) in self.low.as_chunks::<BLOCK>().0.iter().enumerate() {
            let (values, diagonal) = (&values[block], &diagonal[block]);
            let mut gains = [0.0; BLOCK];
            for row in 0..BLOCK {
                let violation = greater(highest - low[row], 0.0);
                let curvature = own + diagonal[row] - 2.0 * f64::from(values[row]);
                gains[row] = violation * violation / if curvature > 0.0 { curvature } else { TAU };
                lowest[row] = if low[row] < lowest[row] { low[row] } else { lowest[row] };
            }
            best.see(block, &gains);
        }
        let lowest = lowest.into_iter().fold(f64::INFINITY, f64::min);
        (self.last(best.rows().map(|row| self.falling(row))), lowest)
    }

    /// Changes two variables to the minimum of the objective between their bounds.
    fn step(&mut self, i: Variable, j: Variable) {
        let kernel = self.kernel;
        let (row_i, row_j) = (kernel.row(i.row), kernel.row(j.row));
        let curvature = kernel.diagonal[i.row] + kernel.diagonal[j.row] - 2.0 * f64::from(row_i[j.row]);
        let violation = self.pulls[i.sign][i.row] - self.pulls[j.sign][j.row];
        let change = signed(i.sign, violation / if curvature > 0.0 { curvature } else { TAU });
        let (old_i, old_j) = (self.values[i.sign][i.row], self.values[j.sign][j.row]);
        let (new_i, new_j) = match i.sign == j.sign {
            true => constant_sum(old_i, old_j, change, self.c),
            false => constant_difference(old_i, old_j, change, self.c),
        };
        self.values[i.sign][i.row] = new_i;
        self.values[j.sign][j.row] = new_j;
        let (change_i, change_j) = (signed(i.sign, new_i - old_i), signed(j.sign, new_j - old_j));
        let [plus, minus] = &mut self.pulls;
        let pulls = plus.iter_mut().zip(minus).zip(self.up.iter_mut().zip(&mut self.low));
        for (((plus, minus), (up, low)), (&k_i, &k_j)) in pulls.zip(row_i.iter().zip(row_j)) {
            let change = f64::from(k_i) * change_i + f64::from(k_j) * change_j;
            *plus -= change;
            *minus -= change;
            *up -= change;
            *low -= change;
        }
        self.set_limits(i.row);
        self.set_limits(j.row);
    }

    /// Sets `up` and `low` of a row.
    fn set_limits(&mut self, row: usize) {
        let is_active = [PLUS, MINUS].map(|sign| self.order.is_active(row, sign));
        let (value, pull) =
            ([PLUS, MINUS].map(|sign| self.values[sign][row]), [PLUS, MINUS].map(|sign| self.pulls[sign][row]));
        self.up[row] = if is_active[MINUS] && value[MINUS] > 0.0 {
            pull[MINUS]
        } else if is_active[PLUS] && value[PLUS] < self.c {
            pull[PLUS]
        } else {
            f64::NEG_INFINITY
        };
        self.low[row] = if is_active[PLUS] && value[PLUS] > 0.0 {
            pull[PLUS]
        } else if is_active[MINUS] && value[MINUS] < self.c {
            pull[MINUS]
        } else {
            f64::INFINITY
        };
    }

    /// Sets variables aside that are at a bound and likely to stay there.
    fn shrink(&mut self, tolerance: f64) {
        let (_, highest) = self.highest();
        let lowest = self.low.iter().copied().fold(f64::INFINITY, f64::min);
        if !self.is_unshrunk && highest - lowest <= tolerance * 10.0 {
            self.is_unshrunk = true;
            self.activate_all();
        }
        let (values, pulls, c) = (&self.values, &self.pulls, self.c);
        self.order.set_aside(|Variable { row, sign }| {
            let (value, pull) = (values[sign][row], pulls[sign][row]);
            match (value >= c, value <= 0.0) {
                (false, false) => false,
                // It can only move against y.
                (at_top, _) if at_top == (sign == PLUS) => pull > highest,
                _ => pull < lowest,
            }
        });
        (0..self.used.len()).for_each(|row| self.set_limits(row));
    }

    fn activate_all(&mut self) {
        self.order.active = self.order.variables.len();
        (0..self.used.len()).for_each(|row| self.set_limits(row));
    }

    /// ρ: minus the mean pull of the variables between their bounds, or else the middle of the allowed range.
    fn rho(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0usize);
        let (mut upper, mut lower) = (f64::INFINITY, f64::NEG_INFINITY);
        for &Variable { row, sign } in &self.order.variables {
            let (value, pull) = (self.values[sign][row], self.pulls[sign][row]);
            match (value >= self.c, value <= 0.0) {
                (false, false) => (sum, count) = (sum - pull, count + 1),
                (at_top, _) if at_top == (sign == PLUS) => lower = lower.max(-pull),
                _ => upper = upper.min(-pull),
            }
        }
        if count > 0 { sum / count as f64 } else { (upper + lower) / 2.0 }
    }
}

/// A change in the direction of y as a change of a variable, and the reverse.
#[inline]
fn signed(sign: usize, change: f64) -> f64 {
    if sign == PLUS { change } else { -change }
}

/// Two variables of the same sign: the first grows and the second shrinks by the change.
fn constant_sum(i: f64, j: f64, change: f64, c: f64) -> (f64, f64) {
    let sum = i + j;
    let (mut i, mut j) = (i + change, j - change);
    if sum > c {
        if i > c {
            (i, j) = (c, sum - c);
        }
        if j > c {
            (i, j) = (sum - c, c);
        }
    } else {
        if j < 0.0 {
            (i, j) = (sum, 0.0);
        }
        if i < 0.0 {
            (i, j) = (0.0, sum);
        }
    }
    (i, j)
}

/// Two variables of different sign: both grow by the change.
fn constant_difference(i: f64, j: f64, change: f64, c: f64) -> (f64, f64) {
    let difference = i - j;
    let (mut i, mut j) = (i + change, j + change);
    if difference > 0.0 {
        if j < 0.0 {
            (i, j) = (difference, 0.0);
        }
        if i > c {
            (i, j) = (c, c - difference);
        }
    } else {
        if i < 0.0 {
            (i, j) = (0.0, -difference);
        }
        if j > c {
            (i, j) = (c + difference, c);
        }
    }
    (i, j)
}

/// The greater of two numbers, of which none is NaN: unlike `f64::max` it is one instruction, and loops of it are
/// vectorised.
#[inline]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The largest of the numbers seen so far, block by block, and all blocks that have it.
pub(super) struct Largest {
    value: f64,
    blocks: Vec<(usize, [f64; BLOCK])>,
}

impl Largest {
    /// Only numbers above this one count.
    pub fn above(value: f64) -> Self {
        Largest { value, blocks: Vec::with_capacity(4) }
    }

    /// Looks at the numbers of a block.
    #[inline]
    pub fn see(&mut self, block: usize, values: &[f64; BLOCK]) {
        let mut largest = *values;
        let mut half = BLOCK / 2;
        while half > 0 {
            for place in 0..half {
                largest[place] = greater(largest[place], largest[place + half]);
            }
            half /= 2;
        }
        if largest[0] > self.value {
            self.value = largest[0];
            self.blocks.clear();
            self.blocks.push((block, *values));
        } else if largest[0] == self.value && !self.blocks.is_empty() {
            self.blocks.push((block, *values));
        }
    }

    /// The largest number.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The places where it is.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let within = |(block, values): &(usize, [f64; BLOCK])| {
            let start = block * BLOCK;
            let places = values.iter().enumerate().filter(|(_, value)| **value == self.value);
            places.map(move |(place, _)| start + place).collect::<Vec<_>>()
        };
        self.blocks.iter().flat_map(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_of_the_largest_number_are_found() {
        let mut blocks = [[0.0; BLOCK]; 3];
        (blocks[0][3], blocks[1][5], blocks[2][0], blocks[2][15]) = (1.0, 2.0, 2.0, 2.0);
        let mut largest = Largest::above(0.0);
        blocks.iter().enumerate().for_each(|(number, block)| largest.see(number, block));
        assert_eq!(largest.rows().collect::<Vec<_>>(), [BLOCK + 5, 2 * BLOCK, 2 * BLOCK + 15]);
        assert_eq!(largest.value(), 2.0);
        let mut nothing = Largest::above(0.0);
        nothing.see(0, &[0.0; BLOCK]);
        assert_eq!(nothing.rows().count(), 0);
    }
}
