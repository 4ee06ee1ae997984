//! Two metrics that exchange scores by coins.

use super::lane::{LANES, Lane, Row, Tables, add};
use super::{MAX_SCORES, RankCoefficient, Sorted, classes, rho, tau_b};
use tercet_math::widest;

/// The human scores of an exchange, and the coins of up to 64 draws at a time.
pub struct ExchangedRanks {
    coefficient: RankCoefficient,
    n: usize,
    /// The class of each gold score.
    classes: Vec<u32>,
    class_count: usize,
    /// Twice the distance of the rank of each class from the mean rank.
    deviations: Vec<i32>,
    square: i64,
    ties: u64,
    /// For each block of draws a row for each score: 1 where the first metric keeps it.
    blocks: Vec<Vec<Row<i16>>>,
}

impl ExchangedRanks {
    /// `None` if there are too many scores, or one is not a number. `blocks` have a word for each score, whose bit d is
    /// set if both metrics keep theirs in draw d.
    pub fn new(coefficient: RankCoefficient, gold: &[f64], blocks: &[&[u64]]) -> Option<Self> {
        if gold.len() > MAX_SCORES || gold.iter().any(|score| score.is_nan()) {
            return None;
        }
        let (classes, class_count) = classes(gold);
        let mut sizes = vec![0i64; class_count];
        classes.iter().for_each(|&class| sizes[class as usize] += 1);
        let (n, mut before) = (gold.len() as i64, 0);
        let mut deviations = Vec::with_capacity(class_count);
        let (mut square, mut ties) = (0, 0);
        for size in sizes {
            let deviation = 2 * before + size - n;
            deviations.push(deviation as i32);
            square += size * deviation * deviation;
            ties += (size * (size - 1) / 2) as u64;
            before += size;
        }
        let row = |&word: &u64| std::array::from_fn(|lane| (word >> lane & 1) as i16);
        let blocks = blocks.iter().map(|words| words.iter().map(row).collect()).collect();
        Some(ExchangedRanks { coefficient, n: gold.len(), classes, class_count, deviations, square, ties, blocks })
    }

    /// The coefficients of the first and of the second metric in every draw of a block. Scores must be numbers.
    pub fn block(&self, scores: &SortedScores, block: usize) -> Vec<[f64; 2]> {
        let heads = &self.blocks[block];
        let mut sums = Sums::default();
        match self.coefficient {
            RankCoefficient::KendallB => {
                let mut tables = Tables::new(self.class_count);
                let mut all = TotalTables::new(self.class_count);
                pairs(&scores.sorted, heads, &mut tables, &mut all, &mut sums);
            }
            RankCoefficient::Spearman => products(&scores.sorted, heads, &self.deviations, self.n as i64, &mut sums),
        }
        let n = self.n as u64;
        let value = |lane: usize, metric: usize| match self.coefficient {
            RankCoefficient::KendallB => {
                tau_b(n, sums.products[metric][lane], self.ties, sums.ties[metric][lane] as u64)
            }
            RankCoefficient::Spearman => {
                let square = ((n * n * n - n) / 3) as i64 - sums.ties[metric][lane];
                rho(n, sums.products[metric][lane], self.square, square)
            }
        };
        (0..LANES).map(|lane| [value(lane, 0), value(lane, 1)]).collect()
    }

    /// The scores of two metrics in one order.
    pub fn sorted(&self, first: &[f64], second: &[f64]) -> SortedScores {
        SortedScores { sorted: Sorted::new(&[first, second], &self.classes) }
    }
}

/// The scores of two metrics in one order.
pub struct SortedScores {
    sorted: Sorted,
}

/// Sums of both metrics in each draw.
struct Sums {
    /// Pairs in order minus pairs out of order; or products of deviations of ranks.
    products: [[i64; LANES]; 2],
    /// Tied pairs; or a third of the sum of t³ − t over runs of t equal scores.
    ties: [[i64; LANES]; 2],
}

impl Default for Sums {
    fn default() -> Self {
        Sums { products: [[0; LANES]; 2], ties: [[0; LANES]; 2] }
    }
}

/// The counts of both metrics together, which are the same in all draws.
struct TotalTables {
    sums: Vec<i64>,
    counts: Vec<i64>,
    seen: i64,
}

impl TotalTables {
    fn new(classes: usize) -> Self {
        TotalTables { sums: vec![0; classes + 1], counts: vec![0; classes], seen: 0 }
    }

    fn add(&mut self, class: u32) {
        self.seen += 1;
        self.counts[class as usize] += 1;
        let mut at = class as usize + 1;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// What is below minus what is above.
    fn balance(&self, class: u32) -> i64 {
        let (mut at, mut below) = (class as usize, 0);
        while at > 0 {
            below += self.sums[at];
            at &= at - 1;
        }
        2 * below + self.counts[class as usize] - self.seen
    }
}

/// 1 where the first metric has the entry.
#[inline(always)]
fn weights(heads: &[Row<i16>], place: u32) -> Row<i16> {
    let mut row = heads[place as usize / 2];
    if place % 2 == 1 {
        for lane in &mut row {
            *lane = 1 - *lane;
        }
    }
    row
}

/// Adds the pairs that an entry forms with those before it, in order minus out of order: `twice` and `seen` are counts
/// of the first metric, `total` is the balance of both together.
#[inline(always)]
fn add_pairs(balance: &mut [Row<i32>; 2], row: &Row<i16>, twice: Row<i16>, seen: &Row<i16>, total: i64) {
    let total = i16::of(total);
    for lane in 0..LANES {
        let first = twice[lane].minus(seen[lane]);
        let second = total.minus(first);
        balance[0][lane] += first.times(row[lane]).wide();
        balance[1][lane] += second.minus(second.times(row[lane])).wide();
    }
}

/// Adds the ties of a run: `of` a run of so many equal scores.
#[inline(always)]
fn add_ties(sums: &mut Sums, of_first: &Row<i32>, length: usize, of: impl Fn(i64) -> i64) {
    for lane in 0..LANES {
        sums.ties[0][lane] += of(i64::from(of_first[lane]));
        sums.ties[1][lane] += of(length as i64 - i64::from(of_first[lane]));
    }
}

widest! {
    fn pairs(
        sorted: &Sorted,
        heads: &[Row<i16>],
        tables: &mut Tables<i16>,
        all: &mut TotalTables,
        sums: &mut Sums,
    ) {
        let mut seen = [0i16; LANES];
        let mut balance = [[0i32; LANES]; 2];
        for run in sorted.runs() {
            let before = seen;
            if let [entry] = run {
                let row = weights(heads, entry.place);
                add_pairs(&mut balance, &row, tables.twice_below(entry.class), &seen, all.balance(entry.class));
                tables.add(entry.class, &row);
                all.add(entry.class);
                add(&mut seen, &row);
                continue;
            }
            for entry in run {
                let row = weights(heads, entry.place);
                add_pairs(&mut balance, &row, tables.twice_below(entry.class), &seen, all.balance(entry.class));
            }
            for entry in run {
                let row = weights(heads, entry.place);
                tables.add(entry.class, &row);
                all.add(entry.class);
                add(&mut seen, &row);
            }
            let mut of_first = [0i32; LANES];
            for lane in 0..LANES {
                of_first[lane] = seen[lane].minus(before[lane]).wide();
            }
            add_ties(sums, &of_first, run.len(), |t| t * (t - 1) / 2);
        }
        for metric in 0..2 {
            for lane in 0..LANES {
                sums.products[metric][lane] = i64::from(balance[metric][lane]);
            }
        }
    }
}

widest! {
    fn products(sorted: &Sorted, heads: &[Row<i16>], deviations: &[i32], n: i64, sums: &mut Sums) {
        // Ranks are counted from the runs before; the mean rank adds nothing, since gold's deviations add up to 0.
        let mut seen = [0i32; LANES];
        let mut all = 0i32;
        // A product of a deviation and twice a rank has 32 bits; so many fit into a sum.
        let largest = (n * (2 * n + 1)).max(1);
        let most = (i64::from(i32::MAX) / largest).max(1);
        let mut short = [[0i32; LANES]; 2];
        let mut added = 0;
        for run in sorted.runs() {
            if let [entry] = run {
                let row = weights(heads, entry.place);
                let deviation = deviations[entry.class as usize];
                for lane in 0..LANES {
                    let one = row[lane].wide();
                    let (first, second) = (2 * seen[lane] + 1, 2 * (all - seen[lane]) + 1);
                    let product = deviation * first * one;
                    short[0][lane] += product;
                    short[1][lane] += deviation * second * (1 - one);
                    seen[lane] += one;
                }
                all += 1;
                added += 1;
                if added >= most {
                    for metric in 0..2 {
                        for lane in 0..LANES {
                            sums.products[metric][lane] += i64::from(short[metric][lane]);
                            short[metric][lane] = 0;
                        }
                    }
                    added = 0;
                }
                continue;
            }
            let (mut of_first, mut gold_of_first) = ([0i32; LANES], [0i64; LANES]);
            let mut gold = 0i64;
            for entry in run {
                let row = weights(heads, entry.place);
                let deviation = deviations[entry.class as usize];
                gold += i64::from(deviation);
                for lane in 0..LANES {
                    of_first[lane] += row[lane].wide();
                    gold_of_first[lane] += i64::from(deviation * row[lane].wide());
                }
            }
            let length = run.len() as i32;
            for lane in 0..LANES {
                let first = 2 * seen[lane] + of_first[lane];
                let second = 2 * (all - seen[lane]) + length - of_first[lane];
                sums.products[0][lane] += gold_of_first[lane] * i64::from(first);
                sums.products[1][lane] += (gold - gold_of_first[lane]) * i64::from(second);
                seen[lane] += of_first[lane];
            }
            all += length;
            add_ties(sums, &of_first, run.len(), |t| (t * t * t - t) / 3);
        }
        for metric in 0..2 {
            for lane in 0..LANES {
                sums.products[metric][lane] += i64::from(short[metric][lane]);
            }
        }
    }
}
