//! An encoded pair network in two parts: precomputed vectors of items, and a pair network over them.
//!
//! If the same items are scored many times (many pairs of few items, a development set), they are encoded once; `head` then
//! gives bit-identical logits, since the vector of an item does not depend on the rest of the batch.

use super::{EncodedPairNetwork, EncodedPairWorkspace, WordLists};
use crate::error::Result;
use crate::matrix::Matrix;
use crate::networks::Network;
use crate::networks::pair::PairNetwork;

/// Number of items per batch.
const BLOCK: usize = 256;

impl EncodedPairNetwork {
    /// The vector of every item for [`head`](Self::head): the encoded list, without dropout, then its fixed vector. For a
    /// network without fixed vectors, `fixed` is ignored.
    pub fn encode_items(&self, lists: &WordLists, fixed: &Matrix) -> Result<Matrix> {
        self.check_items(lists, fixed)?;
        let (width, all) = (self.encoder.width(), self.core.shape.vector);
        let mut items = Matrix::zeros(lists.len(), all);
        let mut space = EncodedPairWorkspace::default();
        for first in (0..lists.len()).step_by(BLOCK) {
            let block = first..lists.len().min(first + BLOCK);
            space.take(lists, block.clone());
            self.encode(lists, None, &mut space);
            for (item, encoded) in block.zip(space.encoded.chunks_exact(width)) {
                let (mine, beside) = items.row_mut(item).split_at_mut(width);
                mine.copy_from_slice(encoded);
                if self.shape.fixed > 0 {
                    beside.copy_from_slice(fixed.row(item));
                }
            }
        }
        Ok(items)
    }

    /// The pair network over the vectors of [`encode_items`](Self::encode_items), with the same weights.
    pub fn head(&self) -> PairNetwork {
        let mut head = PairNetwork::new(self.core.shape, 0).expect("the shape was checked by `new`");
        for tensor in head.parameters_mut().tensors_mut() {
            let learned = self.parameters.by_name(&tensor.name).expect("both have the same tensors");
            tensor.values.copy_from_slice(&learned.values);
        }
        head
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::encoded_pair::tests::{ENCODINGS, embedding, examples, shape};
    use crate::networks::encoded_pair::{EncodedExamples, EncodedPairShape, FineTuning};
    use crate::networks::{Architecture, Example, PairExamples, both_orders};
    use crate::random::Random;

    /// Several blocks of items, some without words, and pairs across blocks.
    fn many() -> EncodedExamples {
        let random = &mut Random::stream(3, "test", 0);
        let count = 2 * BLOCK as u32 + 7;
        let mut lists = WordLists::default();
        for item in 0..count {
            lists.push((0..item % 9).map(|_| random.below(7) as u32).collect::<Vec<_>>());
        }
        let mut table = |rows: u32, columns: usize| {
            let values = (0..rows as usize * columns).map(|_| random.uniform(-1.0, 1.0)).collect();
            Matrix::new(rows as usize, columns, values).unwrap()
        };
        let (fixed, skips) = (table(count, 2), table(5, 1));
        let one = |i: u32| Example {
            a: i,
            b: (i * 7 + 3) % count,
            c: (i + 300) % count,
            skip_a: i % 5,
            skip_b: (i + 1) % 5,
            target: 1.0,
        };
        EncodedExamples { lists, fixed, skips, examples: (0..count).map(one).collect() }
    }

    #[test]
    fn the_head_over_encoded_items_gives_the_bits_of_the_whole() {
        let set = many();
        for encoding in ENCODINGS {
            for fine_tuning in FineTuning::VALUES {
                for (fixed, skip, architecture) in
                    [(2, 1, Architecture::Groups), (0, 1, Architecture::Full), (2, 0, Architecture::Single)]
                {
                    let shape = EncodedPairShape {
                        architecture,
                        fixed,
                        skip,
                        embedding_dropout: 0.5,
                        hidden_dropout: 0.5,
                        ..shape(encoding, fine_tuning)
                    };
                    let network = EncodedPairNetwork::new(shape, embedding(), 6).unwrap();
                    let vectors = network.encode_items(&set.lists, &set.fixed).unwrap();
                    let (skips, examples) = (set.skips.clone(), set.examples.clone());
                    let ready = PairExamples { vectors, skips, examples };
                    let expected = both_orders(&network, &set).unwrap();
                    assert_eq!(both_orders(&network.head(), &ready).unwrap(), expected, "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn items_are_checked_as_for_training() {
        let network = EncodedPairNetwork::new(shape(ENCODINGS[0], FineTuning::None), embedding(), 4).unwrap();
        let set = examples();
        let refused = |lists: &WordLists, fixed: &Matrix| network.encode_items(lists, fixed).unwrap_err().to_string();
        let fewer = Matrix::zeros(4, 2);
        assert_eq!(refused(&set.lists, &fewer), "fixed vectors: expected 5 rows, one per list, found 4");
        let narrow = Matrix::zeros(5, 1);
        assert_eq!(refused(&set.lists, &narrow), "fixed vectors: expected 2 columns, found 1");
        let mut infinite = set.fixed.clone();
        infinite.row_mut(3)[1] = f32::INFINITY;
        assert!(refused(&set.lists, &infinite).starts_with("fixed vectors, row 3, column 1: inf"));
        let unknown = WordLists::from_lists(&[[0], [9]]);
        let error = refused(&unknown, &Matrix::zeros(2, 2));
        assert_eq!(error, "word list 1: expected words below 7, found word 9");
        let none = network.encode_items(&WordLists::default(), &Matrix::zeros(0, 2)).unwrap();
        assert_eq!((none.rows(), none.columns()), (0, 5));
    }
}
