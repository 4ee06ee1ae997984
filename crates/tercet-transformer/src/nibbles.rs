//! Matrices with 4 bits per number: blocks of 32 numbers with one scale, as in the format Q4_0 of ggml.
//!
//! A block has 18 bytes: the scale in half precision, then 16 bytes, of which byte j has the numbers j (low half) and
//! j + 16. A number is (half − 8) · scale.

use crate::files::half;

/// Numbers of a block.
pub const NIBBLE_BLOCK: usize = 32;

/// Bytes of a block.
const BYTES: usize = 2 + NIBBLE_BLOCK / 2;

/// The number 0.
const ZERO: f32 = 8.0;

/// A matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Nibbles {
    bytes: Vec<u8>,
}

impl Nibbles {
    /// From the bytes of blocks; `None` if a block is not whole.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        bytes.len().is_multiple_of(BYTES).then_some(Nibbles { bytes })
    }

    /// From numbers, whose count must be a multiple of [`NIBBLE_BLOCK`]. Numbers that were such blocks before stay
    /// equal to the bit.
    ///
    /// # Panics
    /// If a block is not whole.
    pub fn rounded(numbers: &[f32]) -> Self {
        let (blocks, rest) = numbers.as_chunks::<NIBBLE_BLOCK>();
        assert!(rest.is_empty(), "a block is not whole");
        let mut bytes = Vec::with_capacity(blocks.len() * BYTES);
        for block in blocks {
            let scale = best_scale(block);
            bytes.extend(scale.to_le_bytes());
            let values = values(block, half(scale));
            bytes.extend((0..NIBBLE_BLOCK / 2).map(|at| values[at] | values[at + NIBBLE_BLOCK / 2] << 4));
        }
        Nibbles { bytes }
    }

    /// The bytes of all blocks.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / BYTES * NIBBLE_BLOCK
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether all scales, and what is multiplied with them, are finite.
    pub fn is_finite(&self) -> bool {
        self.blocks().all(|(scale, _)| scale.is_finite())
    }

    /// The numbers as floats.
    pub fn numbers(&self) -> Vec<f32> {
        let mut numbers = vec![0.0; self.len()];
        add_blocks(&self.bytes, &mut numbers);
        numbers
    }

    /// Adds a row to numbers.
    pub fn add_row(&self, number: usize, row: &mut [f32]) {
        let bytes = row.len() / NIBBLE_BLOCK * BYTES;
        add_blocks(&self.bytes[number * bytes..(number + 1) * bytes], row);
    }

    fn blocks(&self) -> impl Iterator<Item = (f32, &[u8])> {
        self.bytes.chunks_exact(BYTES).map(|block| (half(u16::from_le_bytes([block[0], block[1]])), &block[2..]))
    }
}

fn add_blocks(bytes: &[u8], numbers: &mut [f32]) {
    for (block, numbers) in bytes.chunks_exact(BYTES).zip(numbers.chunks_exact_mut(NIBBLE_BLOCK)) {
        let scale = half(u16::from_le_bytes([block[0], block[1]]));
        let (low, high) = numbers.split_at_mut(NIBBLE_BLOCK / 2);
        for ((low, high), pair) in low.iter_mut().zip(high).zip(&block[2..]) {
            *low += (f32::from(pair & 15) - ZERO) * scale;
            *high += (f32::from(pair >> 4) - ZERO) * scale;
        }
    }
}

/// The values of a block with a scale.
fn values(block: &[f32; NIBBLE_BLOCK], scale: f32) -> [u8; NIBBLE_BLOCK] {
    block.map(|number| if scale == 0.0 { ZERO as u8 } else { (number / scale + ZERO).round().clamp(0.0, 15.0) as u8 })
}

/// The scale with the smallest squared error, among those by which the largest number becomes a whole number; either
/// sign, since −8 is there and 8 is not.
fn best_scale(block: &[f32; NIBBLE_BLOCK]) -> u16 {
    let largest =
        block.iter().fold(0.0_f32, |largest, number| if number.abs() > largest.abs() { *number } else { largest });
    let mut best = (f32::INFINITY, 0);
    for steps in (1..=8).rev() {
        for scale in [-largest / steps as f32, largest / steps as f32] {
            let stored = to_half(scale);
            let scale = half(stored);
            let error = |(number, value): (&f32, u8)| {
                let error = (f32::from(value) - ZERO) * scale - number;
                error * error
            };
            let error: f32 = block.iter().zip(values(block, scale)).map(error).sum();
            if error < best.0 {
                best = (error, stored);
            }
        }
    }
    best.1
}

/// The nearest number in half precision; of two, the even one. Larger ones become infinite.
fn to_half(number: f32) -> u16 {
    let sign = ((number.to_bits() >> 31) as u16) << 15;
    let magnitude = number.abs();
    // Below the smallest normal number: multiples of 2⁻²⁴.
    if magnitude < 6.103_515_6e-5 {
        return sign | (magnitude * 16_777_216.0).round_ties_even() as u16;
    }
    let bits = magnitude.to_bits();
    let rounded = (bits + 0xfff + (bits >> 13 & 1)) >> 13;
    sign | (rounded.saturating_sub((127 - 15) << 10)).min(0x7c00) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|at| ((at * 7919 % 263) as f32 - 131.0) / 1000.0).collect()
    }

    #[test]
    fn half_precision_is_written_as_it_is_read() {
        for bits in (0..0x7c00).chain(0x8000..0xfc00) {
            assert_eq!(to_half(half(bits)), bits);
        }
        assert_eq!([1e6, -1e6, 1.000_3, 1.000_9].map(to_half), [0x7c00, 0xfc00, 0x3c00, 0x3c01]);
    }

    #[test]
    fn numbers_are_rounded_to_a_fifteenth_of_their_range_and_stay_so() {
        let original = numbers(320);
        let nibbles = Nibbles::rounded(&original);
        assert_eq!((nibbles.len(), nibbles.as_bytes().len()), (320, 180));
        let rounded = nibbles.numbers();
        assert!(original.iter().zip(&rounded).all(|(one, other)| (one - other).abs() < 0.02), "{rounded:?}");
        assert_eq!(Nibbles::rounded(&rounded).numbers(), rounded);
        let mut row = vec![1.0; 64];
        nibbles.add_row(2, &mut row);
        assert!(row.iter().zip(&rounded[128..192]).all(|(sum, number)| *sum == 1.0 + number));
        assert_eq!(Nibbles::rounded(&[0.0; 32]).numbers(), [0.0; 32]);
    }

    #[test]
    fn blocks_of_any_scale_and_values_are_recovered_to_the_bit() {
        for seed in 0..500_usize {
            let scale = half(0x1000 + (seed * 37 % 0x2000) as u16) * if seed % 2 == 0 { 1.0 } else { -1.0 };
            let block: Vec<f32> = (0..32).map(|at| ((at * seed * 31 + at * at + seed) % 16) as f32 - 8.0).collect();
            let block: Vec<f32> = block.iter().map(|value| value * scale).collect();
            assert_eq!(Nibbles::rounded(&block).numbers(), block, "{seed}");
        }
    }

    #[test]
    fn cut_blocks_are_refused_and_infinite_scales_found() {
        assert_eq!(Nibbles::from_bytes(vec![0; 19]), None);
        let mut bytes = vec![0; 36];
        bytes[18..20].copy_from_slice(&0x7c00_u16.to_le_bytes());
        assert!(!Nibbles::from_bytes(bytes).unwrap().is_finite());
    }
}
