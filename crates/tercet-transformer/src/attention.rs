//! Attention of the tokens of one sentence to each other.

use tercet_math::functions::exp_or_zero;
use tercet_math::rows::{LANES, total};
use tercet_math::widest;

/// Numbers that are computed together: keys of a block, and outputs of a head.
const BLOCK: usize = 32;

/// Space for one head of one sentence.
#[derive(Debug, Default)]
pub struct AttentionSpace {
    keys: Vec<f32>,
    values: Vec<f32>,
    scores: Vec<f32>,
}

/// What attention needs to know beside the numbers.
#[derive(Clone, Copy, Debug)]
pub struct Heads<'a> {
    /// How many there are.
    pub count: usize,
    /// Numbers of a query, a key or a value.
    pub width: usize,
    /// A bias by head and distance (key − query), if the family has one.
    pub relative: Option<&'a RelativeBias>,
}

/// Rows of the table of MPNet's biases.
pub const RELATIVE_BUCKETS: usize = 32;

/// A bias of attention by head and by the distance of a key from the query.
#[derive(Clone, Debug, PartialEq)]
pub struct RelativeBias {
    reach: usize,
    values: Vec<f32>,
}

impl RelativeBias {
    /// From a table with one row per bucket of distances and one column per head, for sentences up to a window (MPNet,
    /// after T5): half of the buckets are for keys after the query; half of those are for single distances, the others
    /// grow by a constant factor up to a distance of 128.
    pub fn new(table: &[f32], heads: usize, window: usize) -> Self {
        let buckets = table.len() / heads;
        let distances = 1 - window as isize..window as isize;
        let of = |head: usize| distances.clone().map(move |distance| table[bucket(distance, buckets) * heads + head]);
        RelativeBias { reach: window, values: (0..heads).flat_map(of).collect() }
    }

    /// The biases of a query's keys from the first on.
    #[inline(always)]
    fn row(&self, head: usize, query: usize, keys: usize) -> &[f32] {
        let start = head * (2 * self.reach - 1) + self.reach - 1 - query;
        &self.values[start..start + keys]
    }
}

fn bucket(distance: isize, buckets: usize) -> usize {
    const FARTHEST: f32 = 128.0;
    let half = buckets / 2;
    let side = if distance > 0 { half } else { 0 };
    let (steps, single) = (distance.unsigned_abs(), half / 2);
    if steps < single {
        return side + steps;
    }
    let growth = (steps as f32 / single as f32).ln() / (FARTHEST / single as f32).ln();
    side + (single + (growth * (half - single) as f32) as usize).min(half - 1)
}

widest! {
    /// For every token of a sentence, the values of all tokens weighted by attention. `products` has the query, key and
    /// value of every token, each `count · width` numbers. `weights` gets the weights of each head and query, if it is
    /// there.
    pub fn attend(
        products: &[f32],
        heads: Heads<'_>,
        space: &mut AttentionSpace,
        outputs: &mut [f32],
        weights: Option<&mut [f32]>,
    ) {
        let mut weights = weights;
        let all = heads.count * heads.width;
        let tokens = products.len() / (3 * all);
        let padded = tokens.next_multiple_of(BLOCK);
        let wide = heads.width.next_multiple_of(BLOCK);
        space.keys.clear();
        space.keys.resize(heads.width * padded, 0.0);
        space.values.clear();
        space.values.resize(tokens * wide, 0.0);
        space.scores.resize(2 * padded, 0.0);
        let scale = 1.0 / (heads.width as f32).sqrt();
        for head in 0..heads.count {
            for (token, row) in products.chunks_exact(3 * all).enumerate() {
                let key = &row[all + head * heads.width..][..heads.width];
                key.iter().enumerate().for_each(|(at, number)| space.keys[at * padded + token] = *number);
                space.values[token * wide..][..heads.width]
                    .copy_from_slice(&row[2 * all + head * heads.width..][..heads.width]);
            }
            // Two queries at a time, so that sums do not wait for each other; an odd one is its own partner.
            for first in (0..tokens).step_by(2) {
                let second = (first + 1).min(tokens - 1);
                let of = |query: usize| query * 3 * all + head * heads.width;
                let (one, other) = (&products[of(first)..][..heads.width], &products[of(second)..][..heads.width]);
                scores(one, other, &space.keys, scale, &mut space.scores);
                let (firsts, seconds) = space.scores.split_at_mut(padded);
                let bias = |row| heads.relative.map(|relative| relative.row(head, row, tokens));
                let first_factor = soften(firsts, tokens, bias(first));
                let second_factor = soften(seconds, tokens, bias(second));
                if let Some(weights) = weights.as_deref_mut() {
                    let at = |query: usize| (head * tokens + query) * tokens;
                    scale_into(firsts, first_factor, &mut weights[at(first)..][..tokens]);
                    scale_into(seconds, second_factor, &mut weights[at(second)..][..tokens]);
                }
                for block in 0..wide / BLOCK {
                    let (firsts, seconds) = (&firsts[..tokens], &seconds[..tokens]);
                    let (one, other) = weighted(firsts, seconds, &space.values[block * BLOCK..], wide);
                    let width = BLOCK.min(heads.width - block * BLOCK);
                    let at = |query: usize| query * all + head * heads.width + block * BLOCK;
                    scale_into(&one, first_factor, &mut outputs[at(first)..][..width]);
                    scale_into(&other, second_factor, &mut outputs[at(second)..][..width]);
                }
            }
        }
    }
}

/// The products of two queries with all keys, one after the other.
#[inline(always)]
fn scores(one: &[f32], other: &[f32], keys: &[f32], scale: f32, scores: &mut [f32]) {
    let padded = scores.len() / 2;
    let (firsts, seconds) = scores.split_at_mut(padded);
    for block in 0..padded / BLOCK {
        let (mut first, mut second) = ([0.0; BLOCK], [0.0; BLOCK]);
        for ((one, other), keys) in one.iter().zip(other).zip(keys.chunks_exact(padded)) {
            let keys = &keys[block * BLOCK..][..BLOCK];
            first.iter_mut().zip(keys).for_each(|(sum, key)| *sum += one * key);
            second.iter_mut().zip(keys).for_each(|(sum, key)| *sum += other * key);
        }
        scale_into(&first, scale, &mut firsts[block * BLOCK..][..BLOCK]);
        scale_into(&second, scale, &mut seconds[block * BLOCK..][..BLOCK]);
    }
}

#[inline(always)]
fn scale_into(numbers: &[f32], factor: f32, outputs: &mut [f32]) {
    outputs.iter_mut().zip(numbers).for_each(|(output, number)| *output = number * factor);
}

/// Softmax of the first scores, after a bias was added to them, without its division; returns the factor to apply.
#[inline(always)]
fn soften(scores: &mut [f32], count: usize, biases: Option<&[f32]>) -> f32 {
    if let Some(biases) = biases {
        scores.iter_mut().zip(biases).for_each(|(score, bias)| *score += bias);
    }
    let scores = &mut scores[..count.next_multiple_of(LANES)];
    scores[count..].fill(f32::NEG_INFINITY);
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in scores.chunks_exact(LANES) {
        for (largest, score) in lanes.iter_mut().zip(chunk) {
            *largest = if *score > *largest { *score } else { *largest };
        }
    }
    let mut largest = lanes[0];
    for lane in lanes {
        largest = if lane > largest { lane } else { largest };
    }
    // A loop of its own, which the compiler vectorises as a whole.
    scores.iter_mut().for_each(|score| *score = exp_or_zero(*score - largest));
    let mut lanes = [0.0; LANES];
    for chunk in scores.chunks_exact(LANES) {
        lanes.iter_mut().zip(chunk).for_each(|(lane, score)| *lane += *score);
    }
    1.0 / total(lanes)
}

/// The sums of a block of rows with the weights of two queries.
#[inline(always)]
fn weighted(firsts: &[f32], seconds: &[f32], rows: &[f32], wide: usize) -> ([f32; BLOCK], [f32; BLOCK]) {
    let (mut first, mut second) = ([0.0; BLOCK], [0.0; BLOCK]);
    for ((one, other), row) in firsts.iter().zip(seconds).zip(rows.chunks(wide)) {
        let row = &row[..BLOCK];
        first.iter_mut().zip(row).for_each(|(sum, number)| *sum += one * number);
        second.iter_mut().zip(row).for_each(|(sum, number)| *sum += other * number);
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_those_of_mpnet() {
        // MPNetEncoder.relative_position_bucket(torch.tensor([...]), num_buckets=32)
        let distances = [-500, -128, -127, -64, -20, -12, -8, -7, -1, 0, 1, 7, 8, 11, 12, 40, 127, 400];
        let expected = [15, 15, 15, 14, 10, 9, 8, 7, 1, 0, 17, 23, 24, 24, 25, 28, 31, 31];
        assert_eq!(distances.map(|distance| bucket(distance, 32)), expected);
    }

    #[test]
    fn a_single_token_attends_to_itself() {
        let products = [9.0, 9.0, 1.0, 2.0, 5.0, -7.0];
        let mut outputs = [0.0; 2];
        let heads = Heads { count: 2, width: 1, relative: None };
        let mut weights = [0.0; 2];
        attend(&products, heads, &mut AttentionSpace::default(), &mut outputs, Some(&mut weights));
        assert_eq!((outputs, weights), ([5.0, -7.0], [1.0; 2]));
    }
}
