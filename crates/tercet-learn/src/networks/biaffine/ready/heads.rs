//! The best heads of each item, computed for a few items at a time.

use super::{AnalysisSettings, AnalysisWorkspace, BiaffineReady};
use crate::activation::exp;
use crate::matrix::{View, multiply};
use crate::networks::biaffine::Analysis;

/// Number of scores per block: a list of 500 items is processed 65 items at a time.
const SCORES: usize = 1 << 15;

/// The candidate heads of the items of one list.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    count: usize,
    heads: &'a [u32],
    scores: &'a [f32],
}

impl<'a> Candidates<'a> {
    /// Number of items in the list.
    pub fn items(&self) -> usize {
        self.heads.len() / self.count
    }

    /// Candidates per item: the number that was requested, or all other positions if there are fewer.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The candidates of an item (counted from 0), sorted by position: 0 is the root, which is always a candidate, 1
    /// the first item.
    pub fn heads(&self, item: usize) -> &'a [u32] {
        &self.heads[item * self.count..(item + 1) * self.count]
    }

    /// The log probabilities of the candidates, among all positions of the list.
    pub fn scores(&self, item: usize) -> &'a [f32] {
        &self.scores[item * self.count..(item + 1) * self.count]
    }
}

/// Buffers for the candidates of one list.
#[derive(Clone, Debug, Default)]
pub(super) struct HeadWorkspace {
    scores: Vec<f32>,
    order: Vec<u32>,
    heads: Vec<u32>,
    kept: Vec<f32>,
}

/// The largest number (the first of equal ones), and its index.
pub(super) fn best(scores: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::NEG_INFINITY);
    for (at, score) in scores.iter().enumerate() {
        if *score > best.1 {
            best = (at, *score);
        }
    }
    best
}

/// log Σ eˣ, where `top` is the largest.
fn log_sum(scores: &[f32], top: f32) -> f32 {
    // The item itself has the score −∞, for which `exp` gives e⁻⁸⁷.
    let (lanes, rest) = scores.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for lane in lanes {
        sums.iter_mut().zip(lane).for_each(|(sum, x)| *sum += exp(x - top));
    }
    let rest: f32 = rest.iter().map(|x| exp(x - top)).sum();
    top + (sums.iter().sum::<f32>() + rest).ln()
}

impl HeadWorkspace {
    /// Selects the candidates of the item at `place` from the scores of all positions; returns the best head.
    fn keep(&mut self, row: usize, places: usize, place: usize, count: usize) -> u32 {
        let scores = &mut self.scores[row * places..(row + 1) * places];
        scores[place] = f32::NEG_INFINITY;
        let (head, top) = best(scores);
        let total = log_sum(scores, top);
        if count + 1 == places {
            let others = (0..places as u32).filter(|other| *other as usize != place);
            self.heads.extend(others);
            self.kept.extend(scores[..place].iter().chain(&scores[place + 1..]).map(|score| score - total));
            return head as u32;
        }
        // The root and the best of the others, sorted by position.
        self.order.clear();
        self.order.extend((1..places as u32).filter(|other| *other as usize != place));
        let better = |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
        if count > 1 {
            self.order.select_nth_unstable_by(count - 2, better);
        }
        self.order.truncate(count - 1);
        self.order.sort_unstable();
        self.heads.push(0);
        self.heads.extend_from_slice(&self.order);
        let all = std::iter::once(&0).chain(&self.order);
        self.kept.extend(all.map(|other| scores[*other as usize] - total));
        head as u32
    }
}

impl BiaffineReady {
    /// The heads of all lists of a block, appended to the analysis.
    pub(super) fn choose_heads(
        &self,
        settings: &AnalysisSettings,
        decide: &mut impl FnMut(&Candidates<'_>, &mut [u32]),
        space: &mut AnalysisWorkspace,
        analysis: &mut Analysis,
    ) {
        let AnalysisWorkspace { starts, z, queries, heads: room, .. } = space;
        let (arc, width) = (self.shape().arc, self.edges.outputs());
        self.query.apply_strided(z, z.len() / width, width, queries);
        for row in queries.chunks_exact_mut(arc) {
            row.iter_mut().zip(self.query.bias()).for_each(|(x, b)| *x += b);
        }
        for list in starts.windows(2) {
            let (items, places) = (list[1] - list[0] - 1, list[1] - list[0]);
            let (count, first) = (items.min(settings.candidates), analysis.heads.len());
            room.heads.clear();
            room.kept.clear();
            let keys = View::strided(&z[list[0] * width + arc..], places, arc, width).transposed();
            let step = (SCORES / places).max(1);
            for from in (0..items).step_by(step) {
                let rows = step.min(items - from);
                let asked = View::new(&queries[(list[0] + 1 + from) * arc..], rows, arc);
                room.scores.resize((rows * places).max(room.scores.len()), 0.0);
                multiply(asked, keys, 0.0, &mut room.scores, places);
                for row in 0..rows {
                    let head = room.keep(row, places, from + row + 1, count);
                    analysis.heads.push(head);
                }
            }
            let candidates = Candidates { count, heads: &room.heads, scores: &room.kept };
            decide(&candidates, &mut analysis.heads[first..]);
        }
    }
}
