//! Sizes and options of the network.

use crate::error::{Error, Result};
use crate::layers::{Dense, FineTuning, TreeLstm};
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive};

tercet_base::choices! {
    /// How a tree becomes a vector.
    #[derive(Default)]
    pub enum TreeEncoding: "encoding" {
        /// The hidden state of an LSTM after the last word.
        Lstm = "lstm",
        /// The hidden state of a child-sum Tree-LSTM at the root of the dependency tree.
        #[default]
        ChildSumTreeLstm = "tree-lstm",
    }
}

/// Sizes and options of a [`SimilarityNetwork`](super::SimilarityNetwork). Default: Gupta et al.'s Tree-LSTM(50, 150).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarityShape {
    /// How trees are encoded.
    pub encoding: TreeEncoding,
    /// m, numbers per tree.
    pub memory: usize,
    /// Nodes of the hidden layer.
    pub hidden: usize,
    /// K: scores are from 1 to K.
    pub classes: usize,
    /// Whether h = o ⊙ tanh(c), or h = tanh(c).
    pub output_gate: bool,
    /// Whether and how the word vectors are learned.
    pub fine_tuning: FineTuning,
}

impl Default for SimilarityShape {
    fn default() -> Self {
        SimilarityShape {
            encoding: TreeEncoding::ChildSumTreeLstm,
            memory: 150,
            hidden: 50,
            classes: 5,
            output_gate: true,
            fine_tuning: FineTuning::None,
        }
    }
}

impl SimilarityShape {
    /// Returns an error if a size is 0 or too large; `dimensions` are those of the word vectors.
    pub fn check(&self, dimensions: usize) -> Result<()> {
        check_positive("dimensions", dimensions, MAX_SIZE)?;
        self.sizes().into_iter().try_for_each(|(name, size)| check_positive(name, size, MAX_SIZE))?;
        if self.classes < 2 {
            return Err(Error::setting("classes", self.classes, "at least 2"));
        }
        check_parameters(self.parameters(dimensions))
    }

    /// Number of learned values that compose trees, the papers' "compositional parameters".
    pub fn compositional_parameters(&self, dimensions: usize) -> u64 {
        TreeLstm::count(dimensions as u64, self.memory as u64, self.output_gate)
    }

    pub(super) fn sizes(&self) -> [(&'static str, usize); 3] {
        [("memory", self.memory), ("hidden", self.hidden), ("classes", self.classes)]
    }

    /// Number of learned values without the word vectors.
    pub(super) fn parameters(&self, dimensions: usize) -> u64 {
        let [memory, hidden, classes] = self.sizes().map(|(_, size)| size as u64);
        self.compositional_parameters(dimensions)
            .saturating_add(Dense::count(2 * memory, hidden))
            .saturating_add(Dense::count(hidden, classes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compositional_parameters_are_the_papers_without_an_output_gate() {
        let count = |memory, output_gate| {
            SimilarityShape { memory, output_gate, ..SimilarityShape::default() }.compositional_parameters(300)
        };
        assert_eq!((count(150, false), count(300, false)), (203_400, 541_800));
        assert_eq!(count(150, true), 203_400 / 3 * 4);
    }

    #[test]
    fn names_come_back_and_sizes_are_checked() {
        for encoding in TreeEncoding::VALUES {
            assert_eq!(encoding.name().parse::<TreeEncoding>().unwrap(), encoding);
        }
        assert!("gru".parse::<TreeEncoding>().unwrap_err().to_string().contains("known: lstm, tree-lstm"));
        let shape = SimilarityShape::default();
        shape.check(50).unwrap();
        let refused = |shape: SimilarityShape, d| shape.check(d).unwrap_err().to_string();
        assert!(refused(shape, 0).contains("`dimensions`"));
        assert!(refused(SimilarityShape { memory: 0, ..shape }, 50).contains("`memory`"));
        assert!(refused(SimilarityShape { hidden: usize::MAX, ..shape }, 50).contains("`hidden`"));
        assert!(refused(SimilarityShape { classes: 1, ..shape }, 50).contains("at least 2"));
        assert!(refused(SimilarityShape { memory: MAX_SIZE, ..shape }, 50).contains("take smaller sizes"));
    }
}
