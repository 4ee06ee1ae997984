//! Expands a seed of any size into well-mixed state: numpy's `SeedSequence`, after O'Neill's `seed_seq` alternative
//! (2015). The constants are part of the definition.

const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_L: u32 = 0xca01_f9dd;
const MIX_R: u32 = 0x4973_f715;
const POOL: usize = 4;

/// The four 64-bit words that seed a generator from entropy given as 32-bit words, least significant first.
pub(super) fn generate(entropy: &[u32]) -> [u64; 4] {
    let pool = mix(entropy);
    let mut hash = Hash(INIT_B);
    let mut word = |i: usize| u64::from(hash.apply(pool[i % POOL], MULT_B));
    std::array::from_fn(|i| word(2 * i) | word(2 * i + 1) << 32)
}

/// Spreads every word of the entropy over the whole pool.
fn mix(entropy: &[u32]) -> [u32; POOL] {
    let mut hash = Hash(INIT_A);
    let mut pool: [u32; POOL] = std::array::from_fn(|i| hash.apply(entropy.get(i).copied().unwrap_or(0), MULT_A));
    for source in 0..POOL {
        for target in (0..POOL).filter(|&target| target != source) {
            pool[target] = combine(pool[target], hash.apply(pool[source], MULT_A));
        }
    }
    for &word in entropy.iter().skip(POOL) {
        for target in &mut pool {
            *target = combine(*target, hash.apply(word, MULT_A));
        }
    }
    pool
}

/// A multiplicative hash whose key changes with every word.
struct Hash(u32);

impl Hash {
    fn apply(&mut self, word: u32, multiplier: u32) -> u32 {
        let keyed = word ^ self.0;
        self.0 = self.0.wrapping_mul(multiplier);
        let product = keyed.wrapping_mul(self.0);
        product ^ product >> 16
    }
}

fn combine(x: u32, y: u32) -> u32 {
    let difference = x.wrapping_mul(MIX_L).wrapping_sub(y.wrapping_mul(MIX_R));
    difference ^ difference >> 16
}
