//! Coin tosses for many scores and 64 draws at a time.

use crate::random::{Generator, LegacyGenerator};

/// The random generator of coin tosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coins {
    /// The bits of numpy's `default_rng(seed)`.
    Generator(u64),
    /// `random.binomial(1, 0.5, n)` after `random.seed(seed)`, draw by draw, as mt-metrics-eval tosses.
    Legacy(u32),
}

impl Default for Coins {
    fn default() -> Self {
        Coins::Generator(12345)
    }
}

/// The maximum number of draws in a block.
pub(super) const BLOCK: usize = u64::BITS as usize;

/// The tosses of all draws, block by block.
pub(super) struct Tosses {
    source: Source,
    words: Vec<u64>,
}

enum Source {
    Generator(Generator),
    Legacy(Box<LegacyGenerator>),
}

impl Tosses {
    pub(super) fn new(coins: Coins, places: usize) -> Self {
        let source = match coins {
            Coins::Generator(seed) => Source::Generator(Generator::new(Some(seed))),
            Coins::Legacy(seed) => Source::Legacy(Box::new(LegacyGenerator::new(seed))),
        };
        Tosses { source, words: vec![0; places] }
    }

    /// The next `draws` draws, at most [`BLOCK`]: bit d of a score's word is its toss in draw d, heads if set.
    pub(super) fn block(&mut self, draws: usize) -> &[u64] {
        match &mut self.source {
            Source::Generator(generator) => self.words.fill_with(|| generator.next_u64()),
            Source::Legacy(generator) => {
                self.words.fill(0);
                for draw in 0..draws {
                    for word in &mut self.words {
                        *word |= u64::from(generator.binomial(0.5)) << draw;
                    }
                }
            }
        }
        &self.words
    }
}
