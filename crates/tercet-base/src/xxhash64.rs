//! xxHash64 with seed 0: the checksum of zstd frames and of compact word vectors.
//!
//! Collet's algorithm (specification of xxHash, section XXH64): four sums run over blocks of 32 bytes; they are joined at
//! the end, and the bytes after the last whole block are added.

const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

const BLOCK: usize = 32;

/// The hash of bytes that are added piece by piece.
pub struct XxHash64 {
    sums: [u64; 4],
    /// The bytes after the last whole block.
    rest: Vec<u8>,
    length: u64,
}

impl Default for XxHash64 {
    fn default() -> Self {
        let first = PRIMES[0].wrapping_add(PRIMES[1]);
        let sums = [first, PRIMES[1], 0, 0u64.wrapping_sub(PRIMES[0])];
        XxHash64 { sums, rest: Vec::with_capacity(BLOCK), length: 0 }
    }
}

impl XxHash64 {
    /// Adds bytes.
    pub fn write(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if !self.rest.is_empty() {
            let (start, others) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend_from_slice(start);
            bytes = others;
            if self.rest.len() < BLOCK {
                return;
            }
            add_blocks(&mut self.sums, &self.rest);
            self.rest.clear();
        }
        let whole = bytes.len() - bytes.len() % BLOCK;
        add_blocks(&mut self.sums, &bytes[..whole]);
        self.rest.extend_from_slice(&bytes[whole..]);
    }

    /// The hash of all bytes so far.
    pub fn finish(&self) -> u64 {
        let mut hash = if self.length < BLOCK as u64 { PRIMES[4] } else { joined(&self.sums) };
        hash = hash.wrapping_add(self.length);
        let (eights, rest) = self.rest.as_chunks::<8>();
        for eight in eights {
            hash ^= round(0, u64::from_le_bytes(*eight));
            hash = hash.rotate_left(27).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]);
        }
        let (fours, ones) = rest.as_chunks::<4>();
        for four in fours {
            hash ^= u64::from(u32::from_le_bytes(*four)).wrapping_mul(PRIMES[0]);
            hash = hash.rotate_left(23).wrapping_mul(PRIMES[1]).wrapping_add(PRIMES[2]);
        }
        for one in ones {
            hash ^= u64::from(*one).wrapping_mul(PRIMES[4]);
            hash = hash.rotate_left(11).wrapping_mul(PRIMES[0]);
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(PRIMES[1]);
        hash = (hash ^ (hash >> 29)).wrapping_mul(PRIMES[2]);
        hash ^ (hash >> 32)
    }
}

fn add_blocks(sums: &mut [u64; 4], bytes: &[u8]) {
    let mut local = *sums;
    for block in bytes.as_chunks::<BLOCK>().0 {
        for (sum, lane) in local.iter_mut().zip(block.as_chunks::<8>().0) {
            *sum = round(*sum, u64::from_le_bytes(*lane));
        }
    }
    *sums = local;
}

fn round(sum: u64, lane: u64) -> u64 {
    sum.wrapping_add(lane.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
}

fn joined(sums: &[u64; 4]) -> u64 {
    let turned = sums.iter().zip([1, 7, 12, 18]).map(|(sum, turn)| sum.rotate_left(turn));
    let mut hash = turned.fold(0u64, u64::wrapping_add);
    for sum in sums {
        hash = (hash ^ round(0, *sum)).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(pieces: &[&[u8]]) -> u64 {
        let mut hasher = XxHash64::default();
        pieces.iter().for_each(|piece| hasher.write(piece));
        hasher.finish()
    }

    /// Figures of `xxhsum -H64`.
    #[test]
    fn the_hash_is_that_of_the_tool() {
        assert_eq!(hash(&[]), 0xef46_db37_51d8_e999);
        assert_eq!(hash(&[b"a"]), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(hash(&[b"abc"]), 0x44bc_2cf5_ad77_0999);
    }

    #[test]
    fn pieces_change_nothing() {
        let text: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for cut in [1, 7, 31, 32, 33, 64, 100, 999] {
            let pieces: Vec<&[u8]> = text.chunks(cut).collect();
            assert_eq!(hash(&pieces), hash(&[&text]), "{cut}");
        }
    }
}
