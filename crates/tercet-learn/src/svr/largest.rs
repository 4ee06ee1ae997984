//! The largest number of a list, and where it is.

use super::kernel::BLOCK;

/// The greater of two numbers, of which none is NaN: unlike `f64::max` it is one instruction, and loops of it are
/// vectorised.
#[inline]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The largest of the numbers seen so far, block by block, and all blocks that have it.
pub(super) struct Largest {
    value: f64,
    blocks: Vec<(usize, [f64; BLOCK])>,
}

impl Largest {
    /// Only numbers above this one count.
    pub fn above(value: f64) -> Self {
        Largest { value, blocks: Vec::with_capacity(4) }
    }

    /// Looks at the numbers of a block.
    #[inline]
    pub fn see(&mut self, block: usize, values: &[f64; BLOCK]) {
        let mut largest = *values;
        let mut half = BLOCK / 2;
        while half > 0 {
            for place in 0..half {
                largest[place] = greater(largest[place], largest[place + half]);
            }
            half /= 2;
        }
        if largest[0] > self.value {
            self.value = largest[0];
            self.blocks.clear();
            self.blocks.push((block, *values));
        } else if largest[0] == self.value && !self.blocks.is_empty() {
            self.blocks.push((block, *values));
        }
    }

    /// The largest number.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The places where it is.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let within = |(block, values): &(usize, [f64; BLOCK])| {
            let start = block * BLOCK;
            let places = values.iter().enumerate().filter(|(_, value)| **value == self.value);
            places.map(move |(place, _)| start + place).collect::<Vec<_>>()
        };
        self.blocks.iter().flat_map(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_of_the_largest_number_are_found() {
        let mut blocks = [[0.0; BLOCK]; 3];
        (blocks[0][3], blocks[1][5], blocks[2][0], blocks[2][15]) = (1.0, 2.0, 2.0, 2.0);
        let mut largest = Largest::above(0.0);
        blocks.iter().enumerate().for_each(|(number, block)| largest.see(number, block));
        assert_eq!(largest.rows().collect::<Vec<_>>(), [BLOCK + 5, 2 * BLOCK, 2 * BLOCK + 15]);
        assert_eq!(largest.value(), 2.0);
        let mut nothing = Largest::above(0.0);
        nothing.see(0, &[0.0; BLOCK]);
        assert_eq!(nothing.rows().count(), 0);
    }
}
