//! Random numbers: xoshiro256++ (Blackman & Vigna, 2021), seeded through splitmix64, one stream per purpose.
//!
//! A stream is named by a seed, a purpose ("weights", "shuffle", "dropout") and an index (an epoch, a batch). So no
//! generator state has to be saved: a run that resumes at epoch 17 opens the streams of epoch 17, and draws for one
//! purpose do not change those for another. The name is hashed with FNV-1a into the seed of splitmix64, which fills the
//! 256 bits of state.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of a seed for a purpose and an index.
    pub fn stream(seed: u64, purpose: &str, index: u64) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let bytes = seed.to_le_bytes().into_iter().chain(index.to_le_bytes()).chain(purpose.bytes());
        for byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Random { state: std::array::from_fn(|_| split_mix(&mut hash)) }
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in [0, 1): the upper 24 bits, so that every value is exact in f32.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / (1 << 24) as f32)
    }

    /// Uniform in [low, high).
    #[inline]
    pub fn uniform(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// True with the given probability.
    #[inline]
    pub fn bernoulli(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// One of 0, …, n − 1, without bias (Lemire, 2019).
    ///
    /// # Panics
    /// If n is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no number is below 0");
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let uneven = n.wrapping_neg() % n;
            while (product as u64) < uneven {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Shuffles: every order is equally likely (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Steele, Lea & Flood (2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_follows_its_definition() {
        // The first outputs of xoshiro256++ from the state (1, 2, 3, 4), computed by hand from the recurrence:
        // rotl(1 + 4, 23) + 1; then the state is (7, 0, 262146, 211106232532992).
        let mut random = Random { state: [1, 2, 3, 4] };
        assert_eq!(random.bits(), (5 << 23) + 1);
        assert_eq!(random.state, [7, 0, 262_146, 211_106_232_532_992]);
        // splitmix64 from 1234567, as its authors' test vector has it.
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
    }

    #[test]
    fn streams_differ_by_seed_purpose_and_index_and_repeat() {
        let first = |seed, purpose, index| Random::stream(seed, purpose, index).bits();
        assert_eq!(first(1, "shuffle", 2), first(1, "shuffle", 2));
        for other in [first(2, "shuffle", 2), first(1, "dropout", 2), first(1, "shuffle", 3)] {
            assert_ne!(first(1, "shuffle", 2), other);
        }
    }

    #[test]
    fn draws_fill_their_range_evenly() {
        let mut random = Random::stream(7, "test", 0);
        let draws: Vec<f32> = (0..40_000).map(|_| random.uniform(-1.0, 3.0)).collect();
        assert!(draws.iter().all(|x| (-1.0..3.0).contains(x)));
        let mean = draws.iter().sum::<f32>() / 40_000.0;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        let hits = (0..40_000).filter(|_| random.bernoulli(0.25)).count();
        assert!((9_600..10_400).contains(&hits), "{hits}");
        let mut counts = [0usize; 3];
        (0..30_000).for_each(|_| counts[random.below(3) as usize] += 1);
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn shuffling_keeps_all_items_and_reaches_all_orders() {
        let mut random = Random::stream(3, "shuffle", 0);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|count| (850..1_150).contains(count)), "{seen:?}");
    }
}
