//! Greedy matching of the tokens of two lists.
//!
//! ```text
//! c_ij = cosine of row i of the one and row j of the other
//! P = mean over i of max_j c_ij,   R = mean over j of max_i c_ij,   F = 2PR / (P + R)
//! ```
//!
//! All three are 0 if a list has no rows. A row's gradient comes from the pairs in which it is the best.

use crate::matrix::{View, multiply};

/// Rows of lists, each of length 1.
#[derive(Debug, Default)]
pub(super) struct UnitRows {
    pub width: usize,
    /// List i has the rows `starts[i]..starts[i + 1]`.
    pub starts: Vec<usize>,
    pub rows: Vec<f32>,
    /// Their lengths before.
    pub lengths: Vec<f32>,
}

/// Rows shorter than this are divided by it.
pub(super) const MIN_LENGTH: f32 = 1e-12;

impl UnitRows {
    /// Scales `rows` to length 1.
    pub fn scale(&mut self) {
        self.lengths.clear();
        for row in self.rows.chunks_exact_mut(self.width) {
            let length = row.iter().map(|x| x * x).sum::<f32>().sqrt().max(MIN_LENGTH);
            row.iter_mut().for_each(|x| *x /= length);
            self.lengths.push(length);
        }
    }

    /// Turns gradients of scaled rows into those of the rows before.
    pub fn scale_backward(&self, d_rows: &mut [f32]) {
        let rows = self.rows.chunks_exact(self.width).zip(&self.lengths);
        for (g, (row, length)) in d_rows.chunks_exact_mut(self.width).zip(rows) {
            let along: f32 = g.iter().zip(row).map(|(g, x)| g * x).sum();
            g.iter_mut().zip(row).for_each(|(g, x)| *g = (*g - along * x) / length);
        }
    }

    fn count(&self, list: usize) -> usize {
        self.starts[list + 1] - self.starts[list]
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.rows[row * self.width..(row + 1) * self.width]
    }

    fn view(&self, list: usize) -> View<'_> {
        View::new(&self.rows[self.starts[list] * self.width..], self.count(list), self.width)
    }
}

/// The best partners of the rows of two lists.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// Of each row of the one list, and of the other: the partner, as an index of the other list.
    partners: [Vec<usize>; 2],
    precision: f32,
    recall: f32,
}

/// Matches the rows of two lists.
pub(super) fn matches(units: &UnitRows, one: usize, other: usize) -> Matches {
    let (rows, others) = (units.count(one), units.count(other));
    if rows == 0 || others == 0 {
        return Matches::default();
    }
    let mut cosines = vec![0.0; rows * others];
    multiply(units.view(one), units.view(other).transposed(), 0.0, &mut cosines, others);
    let (mut first, mut second) = (vec![0; rows], vec![0; others]);
    for (row, best) in first.iter_mut().enumerate() {
        for at in 0..others {
            let cosine = cosines[row * others + at];
            if cosine > cosines[row * others + *best] {
                *best = at;
            }
            if cosine > cosines[second[at] * others + at] {
                second[at] = row;
            }
        }
    }
    let sum = |cosines: &mut dyn Iterator<Item = f32>| cosines.sum::<f32>();
    let of_first = sum(&mut first.iter().enumerate().map(|(row, at)| cosines[row * others + at]));
    let of_second = sum(&mut second.iter().enumerate().map(|(at, row)| cosines[row * others + at]));
    let (precision, recall) = (of_first / rows as f32, of_second / others as f32);
    Matches { partners: [first, second], precision, recall }
}

impl Matches {
    /// P + R, if F is not 0 by definition.
    fn sum(&self) -> Option<f32> {
        Some(self.precision + self.recall).filter(|sum| *sum > 1e-6)
    }

    /// P, R, F.
    pub fn values(&self) -> [f32; 3] {
        let f = self.sum().map_or(0.0, |sum| 2.0 * self.precision * self.recall / sum);
        [self.precision, self.recall, f]
    }

    /// Adds the gradients of the rows of both lists, given those of P, R and F.
    pub fn backward(&self, units: &UnitRows, lists: [usize; 2], d_values: &[f32], d_rows: &mut [f32]) {
        let by_f = |other: f32| self.sum().map_or(0.0, |sum| 2.0 * other * other / (sum * sum));
        let of_sides =
            [d_values[0] + d_values[2] * by_f(self.recall), d_values[1] + d_values[2] * by_f(self.precision)];
        for (side, (partners, gradient)) in self.partners.iter().zip(of_sides).enumerate() {
            let share = gradient / partners.len().max(1) as f32;
            for (row, partner) in partners.iter().enumerate() {
                let row = units.starts[lists[side]] + row;
                let partner = units.starts[lists[1 - side]] + partner;
                for (to, from) in [(row, partner), (partner, row)] {
                    let sums = d_rows[to * units.width..(to + 1) * units.width].iter_mut();
                    sums.zip(units.row(from)).for_each(|(sum, x)| *sum += share * x);
                }
            }
        }
    }
}
