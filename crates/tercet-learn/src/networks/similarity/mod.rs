//! How similar are two trees? The network of ReVal (Gupta, Orăsan & van Genabith, 2015), after Tai et al. (2015).
//!
//! ```text
//! h_ref, h_tra   the last state of an LSTM, or the root's state of a child-sum Tree-LSTM, the same for both trees
//! h× = h_ref ⊙ h_tra          h+ = |h_ref − h_tra|
//! h_s = sig(W× h× + W+ h+ + b)      p̂ = softmax(W_p h_s + b_p)      ŷ = Σ_j j p̂_j
//! ```
//!
//! The loss of a pair with the score y is KL(p ‖ p̂), where p puts all its weight on ⌊y⌋ and ⌊y⌋ + 1 so that Σ_j j p_j = y;
//! with weight decay λ/2 ‖θ‖². The loss of a ranked pair, which the papers do not have, is the logistic loss of
//! s (ŷ(better) − ŷ(worse)). Scored and ranked pairs may be mixed.
//!
//! # Choices
//! - The paper's eq. 1 has an output gate, its numbers of parameters have none: [`SimilarityShape::output_gate`] decides.
//! - Word vectors are fixed, as in the paper, or learned with sparse updates ([`SimilarityShape::fine_tuning`]).
//! - A tree without words has the zero vector.
//!
//! # Example
//! ```
//! use std::sync::Arc;
//! use tercet_math::Matrix;
//! use tercet_learn::networks::{Trees, SimilarityNetwork, SimilarityShape};
//!
//! let mut trees = Trees::default();
//! let reference = trees.push_tree(&[0, 2, 1], &[2, 0, 2])?; // word 2 is the root
//! let item = trees.push_tree(&[0, 2], &[2, 0])?;
//! let vectors = Arc::new(Matrix::from_rows(&[[0.1, 0.3], [-0.2, 0.5], [0.7, -0.4]])?);
//! let network = SimilarityNetwork::new(SimilarityShape::default(), vectors, 1)?;
//! let scores = network.scores(&trees, &[[reference, item]])?;
//! assert!((1.0..=5.0).contains(&scores[0]));
//! # Ok::<(), tercet_learn::Error>(())
//! ```

mod batch;
mod comparison;
mod encoder;
mod examples;
mod loss;
mod objective;
mod shape;
mod stored;
#[cfg(test)]
mod tests;
mod training;
mod trees;

pub use examples::{RankedPair, ScoredPair, SimilarityExamples};
pub use shape::{SimilarityShape, TreeEncoding};
pub use training::{BatchBy, SimilaritySettings, SimilarityTraining};
pub use trees::{TreeError, Trees};

use crate::error::{Error, Result};
use crate::layers::{Embedding, TreeLstm};
use crate::matrix::Matrix;
use crate::parameters::Parameters;
use crate::random::Random;
use comparison::{Comparison, ComparisonWorkspace};
use encoder::EncoderWorkspace;
use loss::expected_score;
use rayon::prelude::*;
use std::sync::Arc;

/// Name of the tensor of the word vectors.
const VECTORS: &str = "vectors";

/// Number of trees that are encoded together.
const BLOCK: usize = 256;

/// Number of pairs that are compared together.
const PAIRS: usize = 256;

/// A network that gives the similarity of two trees.
#[derive(Clone, Debug)]
pub struct SimilarityNetwork {
    shape: SimilarityShape,
    parameters: Parameters,
    vectors: Embedding,
    encoder: TreeLstm,
    comparison: Comparison,
}

impl SimilarityNetwork {
    /// A network with these word vectors (words × dimensions) and random weights.
    pub fn new(shape: SimilarityShape, vectors: Arc<Matrix>, seed: u64) -> Result<Self> {
        vectors.check_finite("word vectors")?;
        let dimensions = vectors.columns();
        shape.check(dimensions)?;
        let mut parameters = Parameters::default();
        let random = &mut Random::stream(seed, "weights", 0);
        let vectors = Embedding::new(&mut parameters, VECTORS, vectors, shape.fine_tuning);
        let sizes = [dimensions, shape.memory];
        let encoder = TreeLstm::new(&mut parameters, "encoder", sizes, shape.output_gate, random);
        let comparison = Comparison::new(&mut parameters, shape, random);
        Ok(SimilarityNetwork { shape, parameters, vectors, encoder, comparison })
    }

    /// The sizes and options of the network.
    pub fn shape(&self) -> SimilarityShape {
        self.shape
    }

    /// The learned parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The current word vectors, row by row.
    pub fn vectors(&self) -> &[f32] {
        self.vectors.values(&self.parameters)
    }

    /// Numbers of words and dimensions of the word vectors.
    pub fn vectors_shape(&self) -> (usize, usize) {
        (self.vectors.words(), self.vectors.dimensions())
    }

    /// The hidden state of every tree, one per row. The state of a tree depends neither on the other trees nor on
    /// the number of threads.
    pub fn encode(&self, trees: &Trees) -> Result<Matrix> {
        trees.check(self.shape.encoding, self.vectors.words())?;
        let width = self.encoder.width();
        let mut states = Matrix::zeros(trees.len(), width);
        let blocks = states.values_mut().par_chunks_mut(BLOCK * width).enumerate();
        blocks.for_each_init(EncoderWorkspace::default, |space, (block, states)| {
            let first = block * BLOCK;
            self.encode_into(trees, first..first + states.len() / width, space, states);
        });
        Ok(states)
    }

    /// ŷ, from 1 to K, of pairs of hidden states, which are given by their rows. The order within a pair does not matter.
    pub fn compare(&self, states: &Matrix, pairs: &[[u32; 2]]) -> Result<Vec<f64>> {
        if states.columns() != self.shape.memory {
            let expected = format!("{} columns", self.shape.memory);
            return Err(Error::shape("hidden states", expected, states.columns()));
        }
        if let Some(example) = pairs.iter().position(|pair| pair.iter().any(|row| *row as usize >= states.rows())) {
            let reason = format!("{:?} are not both below {}", pairs[example], states.rows());
            return Err(Error::BadExample { example, reason });
        }
        let blocks =
            pairs.par_chunks(PAIRS).enumerate().map_init(ComparisonWorkspace::default, |space, (block, pairs)| {
                self.comparison.forward(&self.parameters, states.values(), pairs, space);
                let scores = space.logits.chunks_exact(self.shape.classes).map(expected_score);
                finite(scores.collect(), block * PAIRS)
            });
        Ok(blocks.collect::<Result<Vec<_>>>()?.concat())
    }

    /// ŷ, from 1 to K, of pairs of trees, which are given by their numbers; every tree is encoded once.
    pub fn scores(&self, trees: &Trees, pairs: &[[u32; 2]]) -> Result<Vec<f64>> {
        self.compare(&self.encode(trees)?, pairs)
    }
}

/// Returns an error if a score is NaN or infinite; `first` is the number of the first pair.
fn finite(scores: Vec<f64>, first: usize) -> Result<Vec<f64>> {
    match scores.iter().position(|score| !score.is_finite()) {
        None => Ok(scores),
        Some(at) => {
            let reason = format!("the network gives {}: train again with a lower learning rate", scores[at]);
            Err(Error::BadExample { example: first + at, reason })
        }
    }
}
