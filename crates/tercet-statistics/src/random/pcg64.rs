//! PCG64, variant XSL-RR 128/64: a 128-bit linear congruential generator whose state is folded and rotated into 64 bits
//! (O'Neill, 2014).

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

#[derive(Clone, Debug)]
pub(super) struct Pcg64 {
    state: u128,
    increment: u128,
}

impl Pcg64 {
    /// State and stream from seed words, most significant first.
    pub(super) fn new(seed: [u64; 4]) -> Self {
        let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let mut generator = Pcg64 { state: 0, increment: wide(seed[2], seed[3]) << 1 | 1 };
        generator.step();
        generator.state = generator.state.wrapping_add(wide(seed[0], seed[1]));
        generator.step();
        generator
    }

    #[inline]
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }
}
