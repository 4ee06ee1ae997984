//! Attention of the tokens of one sentence to each other.

use crate::functions::{LANES, exp, total};
use crate::instructions::widest;

/// Numbers that are computed together: keys of a block, and outputs of a head.
const BLOCK: usize = 32;

/// Space for one head of one sentence.
#[derive(Debug, Default)]
pub(crate) struct Space {
    keys: Vec<f32>,
    values: Vec<f32>,
    scores: Vec<f32>,
}

/// What attention needs to know beside the numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heads<'a> {
    pub count: usize,
    pub width: usize,
    /// A bias by head and distance (key − query), if the family has one.
    pub relative: Option<&'a RelativeBias>,
}

/// A bias of attention by head and by the distance of a key from the query.
#[derive(Debug)]
pub(crate) struct RelativeBias {
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
        let of = |head: usize| {
            distances.clone().map(move |distance| table[bucket(distance, buckets) * heads + head])
        };
        RelativeBias { reach: window, values: (0..heads).flat_map(of).collect() }
    }

    /// The biases of a query's keys from the first on.
    #[inline(always)]
    fn of(&self, head: usize, query: usize, keys: usize) -> &[f32] {
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
    /// For every token of a sentence, the values of all tokens weighted by attention. `products` has the query, key and value
    /// of every token, each `count · width` numbers.
    pub(crate) fn attend(products: &[f32], heads: Heads<'_>, space: &mut Space, outputs: &mut [f32]) {
        let all = heads.count * heads.width;
        let tokens = products.len() / (3 * all);
        let padded = tokens.next_multiple_of(BLOCK);
        let wide = heads.width.next_multiple_of(BLOCK);
        space.keys.clear();
        space.keys.resize(heads.width * padded, 0.0);
        space.values.clear();
        space.values.resize(tokens * wide, 0.0);
        space.scores.resize(padded, 0.0);
        let scale = 1.0 / (heads.width as f32).sqrt();
        for head in 0..heads.count {
            for (token, row) in products.chunks_exact(3 * all).enumerate() {
                let key = &row[all + head * heads.width..][..heads.width];
                key.iter().enumerate().for_each(|(at, number)| space.keys[at * padded + token] = *number);
                space.values[token * wide..][..heads.width]
                    .copy_from_slice(&row[2 * all + head * heads.width..][..heads.width]);
            }
            for (query, row) in products.chunks_exact(3 * all).enumerate() {
                scores(&row[head * heads.width..][..heads.width], &space.keys, scale, &mut space.scores);
                let scores = &mut space.scores[..tokens];
                if let Some(relative) = heads.relative {
                    let biases = relative.of(head, query, tokens);
                    scores.iter_mut().zip(biases).for_each(|(score, bias)| *score += bias);
                }
                let sum = soften(scores);
                let output = &mut outputs[query * all + head * heads.width..][..heads.width];
                weighted(scores, 1.0 / sum, &space.values, wide, output);
            }
        }
    }
}

/// The product of a query with all keys.
#[inline(always)]
fn scores(query: &[f32], keys: &[f32], scale: f32, scores: &mut [f32]) {
    let padded = scores.len();
    for (block, scores) in scores.chunks_exact_mut(BLOCK).enumerate() {
        let mut sums = [0.0; BLOCK];
        for (number, keys) in query.iter().zip(keys.chunks_exact(padded)) {
            let keys = &keys[block * BLOCK..][..BLOCK];
            sums.iter_mut().zip(keys).for_each(|(sum, key)| *sum += number * key);
        }
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score = sum * scale);
    }
}

/// Softmax without its division, in place; returns the sum to divide by.
#[inline(always)]
fn soften(scores: &mut [f32]) -> f32 {
    let largest = scores.iter().fold(f32::NEG_INFINITY, |largest, score| largest.max(*score));
    let mut lanes = [0.0; LANES];
    let mut chunks = scores.chunks_exact_mut(LANES);
    for chunk in &mut chunks {
        for (score, lane) in chunk.iter_mut().zip(&mut lanes) {
            *score = exp(*score - largest);
            *lane += *score;
        }
    }
    for (score, lane) in chunks.into_remainder().iter_mut().zip(&mut lanes) {
        *score = exp(*score - largest);
        *lane += *score;
    }
    total(lanes)
}

/// The sum of rows with these weights, times a factor.
#[inline(always)]
fn weighted(weights: &[f32], factor: f32, rows: &[f32], wide: usize, output: &mut [f32]) {
    for (block, output) in output.chunks_mut(BLOCK).enumerate() {
        let mut sums = [0.0; BLOCK];
        for (weight, row) in weights.iter().zip(rows.chunks_exact(wide)) {
            let row = &row[block * BLOCK..][..BLOCK];
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += weight * number);
        }
        output.iter_mut().zip(sums).for_each(|(output, sum)| *output = sum * factor);
    }
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
        attend(&products, heads, &mut Space::default(), &mut outputs);
        assert_eq!(outputs, [5.0, -7.0]);
    }
}
