//! `numpy.random.default_rng`: integers, floats and coin tosses from the PCG64 stream.

use super::pcg64::Pcg64;
use super::seed_sequence;
use std::hash::{BuildHasher, RandomState};

/// A generator equal to `numpy.random.default_rng(seed)`.
#[derive(Clone, Debug)]
pub struct Generator {
    stream: Pcg64,
    /// The unused upper half of a 64-bit draw.
    half: Option<u32>,
}

impl Generator {
    /// Seeded, or with entropy from the system.
    pub fn new(seed: Option<u64>) -> Self {
        match seed {
            Some(seed) => Generator::from_words(&[seed as u32, (seed >> 32) as u32]),
            None => Generator::from_words(&entropy()),
        }
    }

    /// Seeded with an integer of any size, as 32-bit words, least significant first; leading zeros make no difference.
    pub fn from_words(words: &[u32]) -> Self {
        let length = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        Generator { stream: Pcg64::new(seed_sequence::generate(&words[..length])), half: None }
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.stream.next()
    }

    /// 32 random bits: the lower half of a 64-bit draw, then its upper half.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        self.half.take().unwrap_or_else(|| {
            let both = self.next_u64();
            self.half = Some((both >> 32) as u32);
            both as u32
        })
    }

    /// One of 0, …, n − 1: numpy's `integers(0, n)`, and `choice(n)` with replacement (Lemire, 2019).
    ///
    /// # Panics
    /// If n is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "n must be positive");
        match u32::try_from(n) {
            Ok(1) => 0,
            Ok(n) => u64::from(self.below_u32(n)),
            Err(_) if n == 1 << 32 => u64::from(self.next_u32()),
            Err(_) => self.below_u64(n),
        }
    }

    #[inline]
    fn below_u32(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let uneven = n.wrapping_neg() % n;
            while (product as u32) < uneven {
                product = u64::from(self.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    fn below_u64(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let uneven = n.wrapping_neg() % n;
            while (product as u64) < uneven {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Draws what so many [`CoinTosses`] of one call draw.
    pub fn skip_tosses(&mut self, tosses: u64) {
        for _ in 0..tosses.div_ceil(32) {
            self.next_u32();
        }
    }

    /// In [0, 1), with 53 bits: numpy's `random()`.
    pub fn random(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// In [0, 1), with 24 bits: numpy's `random(dtype=float32)`.
    pub fn random_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }
}

/// The coin tosses of one call of numpy's `integers(2, dtype=bool)`: 32 to a word, least significant bit first. The
/// rest of the last word is discarded.
#[derive(Clone, Debug, Default)]
pub struct CoinTosses {
    word: u32,
    left: u32,
}

impl CoinTosses {
    /// The next toss.
    #[inline]
    pub fn toss(&mut self, generator: &mut Generator) -> bool {
        if self.left == 0 {
            self.word = generator.next_u32();
            self.left = 32;
        }
        let heads = self.word & 1 == 1;
        self.word >>= 1;
        self.left -= 1;
        heads
    }
}

/// 128 bits of entropy, from the random keys of the standard library's hash tables.
fn entropy() -> [u32; 4] {
    let draw = |salt: u32| RandomState::new().hash_one(salt) as u32;
    std::array::from_fn(|i| draw(i as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn first(seed: u64, n: u64) -> Vec<u64> {
        let mut generator = Generator::new(Some(seed));
        (0..5).map(|_| generator.below(n)).collect()
    }

    // Expected values: numpy 2.4.6, default_rng(seed).integers(0, n, size=5).
    #[test]
    fn integers_equal_numpys_for_small_and_large_ranges() {
        SEEDS_AND_DRAWS
            .iter()
            .for_each(|(seed, n, draws)| assert_eq!(first(*seed, *n), draws, "seed {seed}, below {n}"));
    }

    #[test]
    fn a_range_of_one_draws_nothing() {
        let (mut drawn, mut fresh) = (Generator::new(Some(3)), Generator::new(Some(3)));
        assert_eq!(drawn.below(1), 0);
        assert_eq!(drawn.next_u64(), fresh.next_u64());
    }

    // Expected values: numpy 2.4.6, generator = default_rng(12345); generator.integers(2, size=tosses, dtype=bool);
    // generator.choice(n, size=5).
    #[test]
    fn what_is_drawn_after_tosses_equals_numpys() {
        for (tosses, n, expected) in
            [(21, 7, [1, 5, 2, 1, 5]), (32, 16, [3, 12, 5, 3, 12]), (200, 40, [27, 39, 15, 33, 13])]
        {
            let mut generator = Generator::new(Some(12345));
            generator.skip_tosses(tosses);
            assert_eq!([(); 5].map(|()| generator.below(n)), expected, "{tosses} tosses");
        }
    }

    #[test]
    fn leading_zero_words_do_not_change_the_seed() {
        let mut long = Generator::from_words(&[7, 0, 0, 0, 0, 0]);
        assert_eq!(long.next_u64(), Generator::new(Some(7)).next_u64());
    }

    #[test]
    fn without_a_seed_two_generators_differ() {
        assert_ne!(Generator::new(None).next_u64(), Generator::new(None).next_u64());
    }

    proptest! {
        #[test]
        fn integers_stay_in_range(seed: u64, n in 1u64..) {
            let mut generator = Generator::new(Some(seed));
            for _ in 0..20 {
                prop_assert!(generator.below(n) < n);
            }
        }

        #[test]
        fn random_numbers_stay_in_the_unit_interval(seed: u64) {
            let mut generator = Generator::new(Some(seed));
            prop_assert!((0.0..1.0).contains(&generator.random()));
            prop_assert!((0.0..1.0).contains(&generator.random_f32()));
        }
    }

    const SEEDS_AND_DRAWS: &[(u64, u64, [u64; 5])] = &[
        (0, 10, [8, 6, 5, 2, 3]),
        (1, 3004, [1421, 1537, 2268, 2855, 104]),
        (4294967301, 7, [0, 5, 5, 3, 6]),
        (18446744073709551615, 1000, [547, 680, 950, 845, 358]),
        (98765, 2147483651, [805300508, 52244900, 1998240339, 1600444498, 1750918619]),
        (5, 4294967295, [2881021351, 3457461229, 97294836, 3470079268, 2013703615]),
        (6, 4294967296, [1911456510, 2311398289, 2223771871, 1474337159, 4063638511]),
        (7, 4294967297, [2684764586, 3853503933, 3331544672, 967257516, 1289204377]),
        (
            8,
            4611686018427400249,
            [1507893476435241153, 1469794317764931159, 1803560334336185657, 1719000904761319427, 2208838288271931837],
        ),
    ];
}
