//! A hash of the training data, so that a checkpoint is not resumed with other data of the same size.
//!
//! SHA-256 over the numbers, little-endian, each part preceded by its size: the same on every machine.

use super::{Example, Lists};
use crate::files::hexadecimal;
use crate::matrix::Matrix;
use sha2::{Digest, Sha256};

/// Numbers that are hashed together.
const BLOCK: usize = 1024;

/// A hash that is being computed.
#[derive(Clone, Debug, Default)]
pub(super) struct DataDigest(Sha256);

impl DataDigest {
    /// Adds a table; one that the network does not use (`width` 0) does not count.
    pub fn table(self, table: &Matrix, width: usize) -> Self {
        if width == 0 {
            return self.numbers(&[]);
        }
        self.sizes(&[table.rows(), table.columns()]).numbers(table.values())
    }

    /// Adds the examples; rows of skip features count if they are used.
    pub fn examples(mut self, examples: &[Example], with_skips: bool) -> Self {
        self = self.sizes(&[examples.len()]);
        for e in examples {
            let skips = if with_skips { [e.skip_a, e.skip_b] } else { [0; 2] };
            let words = [e.a, e.b, e.c, skips[0], skips[1], e.target.to_bits()];
            self.words(words.into_iter());
        }
        self
    }

    /// Adds lists of words.
    pub fn lists(mut self, lists: &Lists) -> Self {
        self = self.sizes(&[lists.len()]);
        for list in 0..lists.len() {
            let list = lists.list(list);
            self.words([list.len() as u32].into_iter().chain(list.iter().copied()));
        }
        self
    }

    /// Adds integers.
    pub fn integers(mut self, integers: &[u32]) -> Self {
        self = self.sizes(&[integers.len()]);
        self.words(integers.iter().copied());
        self
    }

    /// Adds numbers that are not learned.
    pub fn numbers(mut self, values: &[f32]) -> Self {
        self = self.sizes(&[values.len()]);
        for block in values.chunks(BLOCK) {
            self.words(block.iter().map(|value| value.to_bits()));
        }
        self
    }

    /// The hash in hexadecimal digits.
    pub fn finish(self) -> String {
        hexadecimal(&self.0.finalize())
    }

    fn sizes(mut self, sizes: &[usize]) -> Self {
        sizes.iter().for_each(|size| self.0.update((*size as u64).to_le_bytes()));
        self
    }

    fn words(&mut self, words: impl Iterator<Item = u32>) {
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        self.0.update(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_keep_parts_apart_and_unused_tables_do_not_count() {
        let lists = |lists: &[&[u32]]| DataDigest::default().lists(&Lists::from_lists(lists)).finish();
        assert_ne!(lists(&[&[1, 2], &[3]]), lists(&[&[1], &[2, 3]]));
        assert_ne!(lists(&[&[1], &[]]), lists(&[&[], &[1]]));
        let table =
            |rows: usize, width: usize| DataDigest::default().table(&Matrix::zeros(rows, 6 / rows), width).finish();
        assert_ne!(table(2, 3), table(3, 2));
        assert_eq!(table(2, 0), table(3, 0));
    }

    #[test]
    fn the_hash_is_the_same_everywhere() {
        // python3 -c "import hashlib, struct; print(hashlib.sha256(struct.pack('<Q2f', 2, 1, -2)).hexdigest())"
        let hash = DataDigest::default().numbers(&[1.0, -2.0]).finish();
        assert_eq!(hash, "f8ae7729dfec886fa995793ba07dbe79151b06a965779093471889e3048945d8");
    }
}
