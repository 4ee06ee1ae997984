//! Scores that count as often as their item was drawn.

use super::lane::{LANES, Row, Tables, add};
use super::{RankCoefficient, Sorted, classes, rho, tau_b};
use tercet_math::widest;

/// The most scores of a draw: their cubes have 64 bits.
const MAX_DRAWN: usize = 1_000_000;

/// The scores of one metric with the human ones, whose items are drawn with replacement.
pub struct WeightedRanks {
    sorted: Sorted,
    /// The item of each score.
    items: Vec<u32>,
    /// For each class of equal gold scores the outputs in it.
    members: Vec<Vec<u32>>,
    item_count: usize,
}

impl WeightedRanks {
    /// `None` if there are too many scores, or one is not a number. `items` has the item of each score, below
    /// `item_count`; `largest` is how many scores a draw may have.
    pub fn new(gold: &[f64], metric: &[f64], items: Vec<u32>, item_count: usize, largest: usize) -> Option<Self> {
        if largest > MAX_DRAWN || gold.iter().chain(metric).any(|score| score.is_nan()) {
            return None;
        }
        let (of_gold, count) = classes(gold);
        let mut members = vec![Vec::new(); count];
        of_gold.iter().zip(0..).for_each(|(&class, place)| members[class as usize].push(place));
        Some(WeightedRanks { sorted: Sorted::new(&[metric], &of_gold), items, members, item_count })
    }

    /// The coefficient in each of up to 64 draws of items.
    pub fn values(&self, coefficient: RankCoefficient, draws: &[&[u32]]) -> Vec<f64> {
        let mut weights = vec![[0i32; LANES]; self.item_count];
        for (lane, draw) in draws.iter().enumerate() {
            draw.iter().for_each(|&item| weights[item as usize][lane] += 1);
        }
        let mut sums = Sums::default();
        // Gold's classes in each draw: their sizes, and from these the deviations of their ranks.
        let mut sizes = vec![[0i32; LANES]; self.members.len()];
        for (size, members) in sizes.iter_mut().zip(&self.members) {
            members.iter().for_each(|&place| add(size, &weights[self.items[place as usize] as usize]));
        }
        let mut n = [0i32; LANES];
        sizes.iter().for_each(|size| add(&mut n, size));
        let (mut before, mut deviations) = ([0i32; LANES], vec![[0i32; LANES]; sizes.len()]);
        let (mut square, mut gold_ties) = ([0i64; LANES], [0i64; LANES]);
        for (size, deviation) in sizes.iter().zip(&mut deviations) {
            for lane in 0..LANES {
                deviation[lane] = 2 * before[lane] + size[lane] - n[lane];
                let (t, distance) = (i64::from(size[lane]), i64::from(deviation[lane]));
                square[lane] += t * distance * distance;
                gold_ties[lane] += t * (t - 1) / 2;
                before[lane] += size[lane];
            }
        }
        match coefficient {
            RankCoefficient::KendallB => {
                pairs(&self.sorted, &self.items, &weights, &mut Tables::new(self.members.len()), &mut sums);
            }
            RankCoefficient::Spearman => products(&self.sorted, &self.items, &weights, &deviations, &n, &mut sums),
        }
        let value = |lane: usize| {
            let count = n[lane] as u64;
            match coefficient {
                _ if count < 2 => f64::NAN,
                RankCoefficient::KendallB => {
                    tau_b(count, sums.products[lane], gold_ties[lane] as u64, sums.ties[lane] as u64)
                }
                RankCoefficient::Spearman => rho(count, sums.products[lane], square[lane], sums.squares[lane]),
            }
        };
        (0..draws.len()).map(value).collect()
    }
}

/// Sums of each draw.
struct Sums {
    /// Pairs in order minus pairs out of order; or products of deviations of ranks.
    products: [i64; LANES],
    /// Tied pairs.
    ties: [i64; LANES],
    /// Squares of deviations of the metric's ranks.
    squares: [i64; LANES],
}

impl Default for Sums {
    fn default() -> Self {
        Sums { products: [0; LANES], ties: [0; LANES], squares: [0; LANES] }
    }
}

widest! {
    fn pairs(
        sorted: &Sorted,
        items: &[u32],
        weights: &[Row<i32>],
        tables: &mut Tables<i32>,
        sums: &mut Sums,
    ) {
        let mut seen = [0i32; LANES];
        for run in sorted.runs() {
            for entry in run {
                let row = &weights[items[entry.place as usize / 2] as usize];
                let twice = tables.twice_below(entry.class);
                for lane in 0..LANES {
                    sums.products[lane] += i64::from((twice[lane] - seen[lane]) * row[lane]);
                }
            }
            let before = seen;
            for entry in run {
                let row = &weights[items[entry.place as usize / 2] as usize];
                tables.add(entry.class, row);
                add(&mut seen, row);
            }
            for lane in 0..LANES {
                let t = i64::from(seen[lane] - before[lane]);
                sums.ties[lane] += t * (t - 1) / 2;
            }
        }
    }
}

widest! {
    fn products(
        sorted: &Sorted,
        items: &[u32],
        weights: &[Row<i32>],
        deviations: &[Row<i32>],
        n: &Row<i32>,
        sums: &mut Sums,
    ) {
        let mut seen = [0i32; LANES];
        for run in sorted.runs() {
            let (mut size, mut gold) = ([0i32; LANES], [0i64; LANES]);
            for entry in run {
                let row = &weights[items[entry.place as usize / 2] as usize];
                let deviation = &deviations[entry.class as usize];
                for lane in 0..LANES {
                    size[lane] += row[lane];
                    gold[lane] += i64::from(deviation[lane]) * i64::from(row[lane]);
                }
            }
            for lane in 0..LANES {
                let distance = i64::from(2 * seen[lane] + size[lane] - n[lane]);
                sums.products[lane] += gold[lane] * distance;
                sums.squares[lane] += i64::from(size[lane]) * distance * distance;
                seen[lane] += size[lane];
            }
        }
    }
}
