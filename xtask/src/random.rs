//! Pseudo-random numbers (SplitMix64; Steele, Lea & Flood, 2014): the same seed and input number give the same input on
//! every machine.

/// A stream of pseudo-random numbers.
pub struct Random(u64);

impl Random {
    /// The stream of a seed alone.
    pub fn from_seed(seed: u64) -> Self {
        Random(seed)
    }

    /// The stream of one input.
    pub fn new(seed: u64, input: u64) -> Self {
        let mut stream = Random(seed.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ input.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        stream.next();
        stream
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % (bound.max(1) as u64)) as usize
    }

    /// A number from 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True once in `n` draws on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items, which must not be empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
