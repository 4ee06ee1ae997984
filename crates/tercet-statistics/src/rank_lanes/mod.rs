//! Rank correlations of many draws at once: Spearman's ρ and Kendall's τ-b of a metric's scores when every score counts
//! as often as a draw says, and of two metrics that exchange scores.
//!
//! The scores are sorted once. Then one pass over them serves as many draws as there are lanes: for each score, in its
//! order, the lanes in which it counts add it to tables of what has been before it. For τ these are partial sums over
//! the classes of equal gold scores ([Fenwick](crate::correlation)), so that the pairs a score is in order with are
//! known; for ρ the number of scores before it is its rank. Sums are integers, so the coefficients have the same digits
//! as [`spearman`] and [`kendall_b`] give for the drawn rows.
//!
//! [`spearman`]: crate::correlation::spearman
//! [`kendall_b`]: crate::correlation::kendall_b

// Loops over lanes use several rows at the same lane.
#[allow(clippy::needless_range_loop)]
mod exchanged;
#[allow(clippy::needless_range_loop)]
mod lane;
#[allow(clippy::needless_range_loop)]
mod weighted;

pub use exchanged::ExchangedRanks;
pub use weighted::WeightedRanks;

use crate::correlation::{key, spearman_of_sums, tau_b_of_counts};

/// A coefficient of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankCoefficient {
    /// Spearman's ρ.
    Spearman,
    /// Kendall's τ-b.
    KendallB,
}

/// The most scores of one row: products of ranks have 32 bits.
const MAX_SCORES: usize = 32_000;

/// The classes of equal numbers, from 0 in their order, and how many there are.
fn classes(row: &[f64]) -> (Vec<u32>, usize) {
    let mut order: Vec<(u64, u32)> = row.iter().zip(0..).map(|(&value, place)| (key(value), place)).collect();
    order.sort_unstable();
    let mut classes = vec![0; row.len()];
    let mut count = 0;
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        run.iter().for_each(|&(_, place)| classes[place as usize] = count);
        count += 1;
    }
    (classes, count as usize)
}

/// A score in the order of the metric.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The class of its gold score.
    class: u32,
    /// The number of the output, twice, plus 1 for a score of the second metric.
    place: u32,
}

/// Sorted scores with the ends of runs of equal ones.
#[derive(Clone, Debug, Default)]
struct Sorted {
    entries: Vec<Entry>,
    ends: Vec<u32>,
}

impl Sorted {
    fn new(rows: &[&[f64]], gold: &[u32]) -> Sorted {
        let keyed = |(second, row): (usize, &&[f64])| {
            let place = move |(output, &value): (usize, &f64)| (key(value), 2 * output as u32 + second as u32);
            row.iter().enumerate().map(place).collect::<Vec<_>>()
        };
        let mut order: Vec<(u64, u32)> = rows.iter().enumerate().flat_map(keyed).collect();
        order.sort_unstable();
        let mut sorted = Sorted::default();
        for run in order.chunk_by(|a, b| a.0 == b.0) {
            let entry = |&(_, place): &(u64, u32)| Entry { class: gold[place as usize / 2], place };
            sorted.entries.extend(run.iter().map(entry));
            sorted.ends.push(sorted.entries.len() as u32);
        }
        sorted
    }

    /// The runs of equal scores.
    #[inline(always)]
    fn runs(&self) -> impl Iterator<Item = &[Entry]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.entries[std::mem::replace(&mut start, end as usize)..end as usize])
    }
}

/// τ-b, or NaN where gold or metric ties all pairs.
fn tau_b(n: u64, balance: i64, ties_gold: u64, ties_metric: u64) -> f64 {
    tau_b_of_counts(n * n.saturating_sub(1) / 2, balance, ties_gold, ties_metric)
}

/// ρ from sums of products of deviations of ranks, twice each; NaN for constant rows.
fn rho(n: u64, product: i64, square_gold: i64, square_metric: i64) -> f64 {
    spearman_of_sums(n, i128::from(product), i128::from(square_gold), i128::from(square_metric))
}

#[cfg(test)]
mod tests;
