//! `numpy.random.seed` and what follows it: the Mersenne Twister MT19937 (Matsumoto & Nishimura, 1998) with numpy's
//! legacy draws, frozen since numpy 1.17.

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// A generator equal to `numpy.random.RandomState(seed)`.
#[derive(Clone)]
pub struct LegacyGenerator {
    state: [u32; WORDS],
    position: usize,
}

impl std::fmt::Debug for LegacyGenerator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LegacyGenerator").field("position", &self.position).finish_non_exhaustive()
    }
}

impl LegacyGenerator {
    /// Seeded with one 32-bit integer: numpy takes no larger one here.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        for i in 1..WORDS {
            let previous = state[i - 1];
            state[i] = (previous ^ previous >> 30).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        LegacyGenerator { state, position: WORDS }
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.position == WORDS {
            self.twist();
        }
        let mut word = self.state[self.position];
        self.position += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn twist(&mut self) {
        for i in 0..WORDS {
            let joined = self.state[i] & 0x8000_0000 | self.state[(i + 1) % WORDS] & 0x7fff_ffff;
            let twisted = joined >> 1 ^ if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ twisted;
        }
        self.position = 0;
    }

    /// In [0, 1), with 53 bits: `random_sample()`.
    pub fn random(&mut self) -> f64 {
        let (high, low) = (self.next_u32() >> 5, self.next_u32() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// One of 0, …, `last`: masked bits, drawn again until they are in range.
    pub fn up_to(&mut self, last: u32) -> u32 {
        let mask = u32::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
        if last == 0 {
            return 0;
        }
        loop {
            let value = self.next_u32() & mask;
            if value <= last {
                return value;
            }
        }
    }

    /// Whether an event of probability p happens: `binomial(1, p)`, by inversion.
    pub fn binomial(&mut self, p: f64) -> bool {
        if p == 0.0 {
            false
        } else if p <= 0.5 {
            self.inversion(p)
        } else {
            !self.inversion(1.0 - p)
        }
    }

    fn inversion(&mut self, p: f64) -> bool {
        let none = (1.0 - p).ln().exp();
        let one = p * none / (1.0 - p);
        loop {
            let u = self.random();
            if u <= none {
                return false;
            }
            // numpy draws again if rounding leaves the draw above both probabilities.
            if u - none <= one {
                return true;
            }
        }
    }

    /// Puts items in random order: `shuffle`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.up_to(i as u32) as usize);
        }
    }

    /// 0, …, n − 1 in random order: `permutation(n)`.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        self.shuffle(&mut items);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_stream_is_the_reference_implementations() {
        // The first output of init_genrand(5489), the default seed of the authors' program.
        assert_eq!(LegacyGenerator::new(5489).next_u32(), 3_499_211_612);
    }

    #[test]
    fn impossible_and_certain_events() {
        let mut generator = LegacyGenerator::new(1);
        assert!(!generator.binomial(0.0));
        assert!(generator.binomial(1.0));
    }

    proptest! {
        #[test]
        fn a_permutation_holds_every_number_once(seed: u32, n in 0usize..200) {
            let mut items = LegacyGenerator::new(seed).permutation(n);
            items.sort_unstable();
            prop_assert_eq!(items, (0..n).collect::<Vec<_>>());
        }
    }
}
