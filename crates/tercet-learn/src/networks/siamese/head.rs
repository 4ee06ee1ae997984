//! From two vectors and some features to a score: s = w · tanh(A (h, r, h ⊙ r, |h − r|) + B m + C t + b) + c.
//! With several lines r, the sums of all of them are under the tanh. The features t are given; a network may have none.
//! The nine m are those of greedy matching of the tokens of two
//! lists:
//!
//! ```text
//! c_ij = cosine of row i of the one and row j of the other
//! P = mean over i of max_j c_ij,   R = mean over j of max_i c_ij,   F = 2PR / (P + R)
//! ```
//!
//! All three are 0 if a list has no rows. A row's gradient comes from the pairs in which it is the best.

use crate::activation::tanh;
use crate::error::Result;
use crate::layers::{TensorSource, add_to};
use crate::matrix::{View, multiply};
use crate::networks::siamese::SiameseShape;
use crate::parameters::{Gradients, Parameters, Role, TensorId};

/// Precision, recall and F of three layers.
pub(super) const MATCHING: usize = 9;

/// Rows of the biases of a network that compares in several ways.
const WAYS: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Head {
    width: usize,
    hidden: usize,
    /// The matrices for each line with which others are compared.
    blocks: Vec<Block>,
    /// b, w, c.
    bias: TensorId,
    /// The row of the biases that is used.
    bias_row: usize,
    output: TensorId,
    output_bias: TensorId,
}

/// A, B and C for one line with which others are compared.
#[derive(Clone, Debug)]
struct Block {
    vectors: TensorId,
    matching: TensorId,
    strings: Option<TensorId>,
    /// The number of features t.
    strings_width: usize,
}

/// Results of the forward pass.
#[derive(Debug, Default)]
pub(super) struct HeadWorkspace {
    /// (h, r, h ⊙ r, |h − r|) of each item, for each line with which it is compared.
    pairs: Vec<Vec<f32>>,
    /// tanh(…) of each item.
    hidden: Vec<f32>,
}

/// What is known of items and one line with which they are compared: features of matching, and of strings.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    pub matching: Vec<f32>,
    pub strings: Vec<f32>,
}

impl Head {
    pub fn new(parameters: &mut Parameters, shape: &SiameseShape, source: &mut TensorSource<'_>) -> Result<Self> {
        let (width, hidden) = (shape.encoder.width, shape.hidden);
        let mut add = |name: &str, role, shape| {
            let values = source(name, shape)?;
            Ok::<_, crate::error::Error>(parameters.add(name, role, shape, values))
        };
        let mut bias = None;
        let mut blocks = Vec::new();
        for block in &shape.blocks {
            let vectors = add(&block.name("sentence"), Role::Weight, [hidden, 4 * width])?;
            // After the first matrix, where models of one line have it.
            bias = match (bias, shape.way) {
                (Some(bias), _) => Some(bias),
                (None, None) => Some(add("head.bias", Role::Bias, [1, hidden])?),
                (None, Some(_)) => Some(add("head.way.bias", Role::Bias, [WAYS, hidden])?),
            };
            blocks.push(Block {
                vectors,
                matching: add(&block.name("matching"), Role::Weight, [hidden, MATCHING])?,
                strings: match block.strings {
                    0 => None,
                    width => Some(add(&block.name("strings"), Role::Weight, [hidden, width])?),
                },
                strings_width: block.strings,
            });
        }
        Ok(Head {
            width,
            hidden,
            blocks,
            bias: bias.expect("there is a line to compare with"),
            bias_row: shape.way.unwrap_or(0),
            output: add("head.output.weight", Role::Weight, [1, hidden])?,
            output_bias: add("head.output.bias", Role::Bias, [1, 1])?,
        })
    }

    /// The number of features of strings for each line with which others are compared.
    pub fn strings_widths(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.strings_width).collect()
    }

    /// The scores of items, whose lists have these vectors; the first lists are those with which they are compared.
    pub fn forward(
        &self,
        parameters: &Parameters,
        vectors: &[f32],
        items: impl ExactSizeIterator<Item = usize> + Clone,
        likenesses: &[Likeness],
        space: &mut HeadWorkspace,
        scores: &mut Vec<f32>,
    ) {
        let (width, hidden, count) = (self.width, self.hidden, items.len());
        space.pairs.resize(self.blocks.len(), Vec::new());
        space.hidden.clear();
        let bias = &parameters.values(self.bias)[self.bias_row * hidden..][..hidden];
        (0..count).for_each(|_| space.hidden.extend_from_slice(bias));
        let each = self.blocks.iter().zip(&mut space.pairs).zip(likenesses).zip(vectors.chunks_exact(width));
        for (((block, pairs), likeness), reference) in each {
            pairs.clear();
            for list in items.clone() {
                let own = &vectors[list * width..(list + 1) * width];
                let both = || own.iter().zip(reference);
                pairs.extend_from_slice(own);
                pairs.extend_from_slice(reference);
                pairs.extend(both().map(|(h, r)| h * r));
                pairs.extend(both().map(|(h, r)| (h - r).abs()));
            }
            let a = View::new(parameters.values(block.vectors), hidden, 4 * width).transposed();
            multiply(View::new(pairs, count, 4 * width), a, 1.0, &mut space.hidden, hidden);
            let b = View::new(parameters.values(block.matching), hidden, MATCHING).transposed();
            multiply(View::new(&likeness.matching, count, MATCHING), b, 1.0, &mut space.hidden, hidden);
            if let Some(tensor) = block.strings {
                let c = View::new(parameters.values(tensor), hidden, block.strings_width).transposed();
                let strings = View::new(&likeness.strings, count, block.strings_width);
                multiply(strings, c, 1.0, &mut space.hidden, hidden);
            }
        }
        space.hidden.iter_mut().for_each(|number| *number = tanh(*number));
        let (output, offset) = (parameters.values(self.output), parameters.values(self.output_bias)[0]);
        let score = |row: &[f32]| row.iter().zip(output).map(|(t, w)| t * w).sum::<f32>() + offset;
        scores.clear();
        scores.extend(space.hidden.chunks_exact(hidden).map(score));
    }

    /// Adds the gradients of all tensors; returns those before tanh.
    pub fn backward(
        &self,
        parameters: &Parameters,
        likenesses: &[Likeness],
        d_scores: &[f32],
        space: &HeadWorkspace,
        gradients: &mut Gradients,
    ) -> Vec<f32> {
        let (width, hidden, count) = (self.width, self.hidden, d_scores.len());
        let output = parameters.values(self.output);
        let mut before = space.hidden.clone();
        for (row, ds) in before.chunks_exact_mut(hidden).zip(d_scores) {
            let sums = gradients.dense(self.output).iter_mut().zip(&*row);
            sums.for_each(|(sum, t)| *sum += ds * t);
            gradients.dense(self.output_bias)[0] += ds;
            row.iter_mut().zip(output).for_each(|(t, w)| *t = ds * w * (1.0 - *t * *t));
            add_to(&mut gradients.dense(self.bias)[self.bias_row * hidden..][..hidden], row);
        }
        for ((block, pairs), likeness) in self.blocks.iter().zip(&space.pairs).zip(likenesses) {
            let rows = View::new(&before, count, hidden).transposed();
            let pairs = View::new(pairs, count, 4 * width);
            multiply(rows, pairs, 1.0, gradients.dense(block.vectors), 4 * width);
            let features = View::new(&likeness.matching, count, MATCHING);
            multiply(rows, features, 1.0, gradients.dense(block.matching), MATCHING);
            if let Some(tensor) = block.strings {
                let strings = View::new(&likeness.strings, count, block.strings_width);
                multiply(rows, strings, 1.0, gradients.dense(tensor), block.strings_width);
            }
        }
        before
    }

    /// The gradients of the features of matching of each item and each line with which it is compared, given those
    /// before tanh.
    pub fn feature_gradients(&self, parameters: &Parameters, before: &[f32]) -> Vec<Vec<f32>> {
        let count = before.len() / self.hidden;
        let of_block = |block: &Block| {
            let mut found = vec![0.0; count * MATCHING];
            let b = View::new(parameters.values(block.matching), self.hidden, MATCHING);
            multiply(View::new(before, count, self.hidden), b, 0.0, &mut found, MATCHING);
            found
        };
        self.blocks.iter().map(of_block).collect()
    }

    /// Adds the gradients of the vectors of items and of what they are compared with, given those before tanh.
    pub fn vector_gradients(
        &self,
        parameters: &Parameters,
        before: &[f32],
        vectors: &[f32],
        items: impl Iterator<Item = usize> + Clone,
        d_vectors: &mut [f32],
    ) {
        let (width, count) = (self.width, before.len() / self.hidden);
        for (other, block) in self.blocks.iter().enumerate() {
            let mut found = vec![0.0; count * 4 * width];
            let a = View::new(parameters.values(block.vectors), self.hidden, 4 * width);
            multiply(View::new(before, count, self.hidden), a, 0.0, &mut found, 4 * width);
            for (list, g) in items.clone().zip(found.chunks_exact(4 * width)) {
                for at in 0..width {
                    let (own, compared) = (list * width + at, other * width + at);
                    let (h, r) = (vectors[own], vectors[compared]);
                    let (product, distance) = (g[2 * width + at], g[3 * width + at] * sign(h - r));
                    d_vectors[own] += g[at] + product * r + distance;
                    d_vectors[compared] += g[width + at] + product * h - distance;
                }
            }
        }
    }
}

/// The derivative of |x|; 0 at 0, as PyTorch's.
fn sign(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

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
