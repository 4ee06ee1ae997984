//! How similar are two trees? The network of ReVal (Gupta, Orăsan & van Genabith, 2015), after Tai et al. (2015).
//!
//! ```text
//! h_ref, h_tra   the last state of an LSTM, or the root's state of a child-sum Tree-LSTM, the same for both trees
//! h× = h_ref ⊙ h_tra          h+ = |h_ref − h_tra|
//! h_s = sig(W× h× + W+ h+ + b)      p̂ = softmax(W_p h_s + b_p)      ŷ = Σ_j j p̂_j
//! ```
//!
//! The loss of a pair with the score y is KL(p ‖ p̂), where p puts all its weight on ⌊y⌋ and ⌊y⌋ + 1 so that Σ_j j p_j
//! = y; with weight decay λ/2 ‖θ‖². The loss of a ranked pair, which the papers do not have, is the logistic loss of s
//! (ŷ(better) − ŷ(worse)). Scored and ranked pairs may be mixed.
//!
//! # Choices
//! - The paper's eq. 1 has an output gate, its numbers of parameters have none: [`SimilarityShape::output_gate`]
//!   decides.
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
//!
//! In a file, word vectors may be 8-bit integers; then those that training began with are not there.

mod comparison;
mod examples;
mod training;

pub use examples::{RankedPair, ScoredPair, SimilarityExamples, TreeError, Trees};
pub use training::{BatchBy, SimilaritySettings, SimilarityTraining};

use crate::error::{Error, Result};
use crate::layers::{Dense, Embedding, FineTuning, TreeLstm, TreeLstmWorkspace, set_zeros};
use crate::matrix::Matrix;
use crate::model_file::ModelFile;
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive};
use crate::networks::stored::{StoredShape, StoredVectors, initial_vectors, restored, stored_shape};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use comparison::{Comparison, ComparisonWorkspace, expected_score};
use rayon::prelude::*;
use std::sync::Arc;
use tercet_base::stop;

/// Name of the tensor of the word vectors.
const VECTORS: &str = "vectors";

/// Number of trees that are encoded together, and of their words, of which each takes some kilobytes.
const BLOCK: usize = 256;
const BLOCK_WORDS: usize = 1 << 14;

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
        let (mut blocks, mut rest, mut first) = (Vec::new(), states.values_mut(), 0);
        while first < trees.len() {
            let end = block_end(trees, first);
            let (states, after) = rest.split_at_mut((end - first) * width);
            blocks.push((first..end, states));
            (rest, first) = (after, end);
        }
        let here = stop::here();
        blocks.into_par_iter().for_each_init(EncoderWorkspace::default, |space, (block, states)| {
            here.enter(|| self.encode_into(trees, block, space, states));
        });
        Ok(states)
    }

    /// ŷ, from 1 to K, of pairs of hidden states, which are given by their rows. The order within a pair does not
    /// matter.
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

/// The end of the block of trees that begins with this one.
fn block_end(trees: &Trees, first: usize) -> usize {
    let mut words = 0;
    let fits = |number: &usize| {
        words += trees.words(*number).len();
        *number == first || words <= BLOCK_WORDS
    };
    (first..trees.len().min(first + BLOCK)).take_while(fits).last().map_or(first, |last| last + 1)
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

tercet_base::choices! {
    /// How a tree becomes a vector.
    pub enum TreeEncoding: "encoding" = ChildSumTreeLstm {
        /// The hidden state of an LSTM after the last word.
        Lstm = "lstm",
        /// The hidden state of a child-sum Tree-LSTM at the root of the dependency tree.
        ChildSumTreeLstm = "tree-lstm",
    }
}

tercet_base::defaults! {
    /// Sizes and options of a [`SimilarityNetwork`](SimilarityNetwork). Default: Gupta et al.'s Tree-LSTM(50, 150).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SimilarityShape {
        /// How trees are encoded.
        pub encoding: TreeEncoding = TreeEncoding::ChildSumTreeLstm,
        /// m, numbers per tree.
        pub memory: usize = 150,
        /// Nodes of the hidden layer.
        pub hidden: usize = 50,
        /// K: scores are from 1 to K.
        pub classes: usize = 5,
        /// Whether h = o ⊙ tanh(c), or h = tanh(c).
        pub output_gate: bool = true,
        /// Whether and how the word vectors are learned.
        pub fine_tuning: FineTuning = FineTuning::None,
    }
}

stored_shape!(SimilarityShape { encoding, memory, hidden, classes, output_gate, fine_tuning });

impl SimilarityShape {
    /// Returns an error if a size is 0 or too large; `dimensions` are those of the word vectors.
    pub fn check(&self, dimensions: usize) -> Result<()> {
        check_positive("dimensions", dimensions, MAX_SIZE)?;
        self.sizes().into_iter().try_for_each(|(name, size)| check_positive(name, size, MAX_SIZE))?;
        Error::check_setting(self.classes >= 2, "classes", self.classes, "at least 2")?;
        check_parameters(self.parameters(dimensions))
    }

    /// Number of learned values that compose trees, the papers' "compositional parameters".
    pub fn compositional_parameters(&self, dimensions: usize) -> u64 {
        TreeLstm::count(dimensions as u64, self.memory as u64, self.output_gate)
    }

    fn sizes(&self) -> [(&'static str, usize); 3] {
        [("memory", self.memory), ("hidden", self.hidden), ("classes", self.classes)]
    }

    /// Number of learned values without the word vectors.
    fn parameters(&self, dimensions: usize) -> u64 {
        let [memory, hidden, classes] = self.sizes().map(|(_, size)| size as u64);
        self.compositional_parameters(dimensions)
            .saturating_add(Dense::count(2 * memory, hidden))
            .saturating_add(Dense::count(hidden, classes))
    }
}

impl SimilarityNetwork {
    /// Writes the network into a file in single precision; `prefix` is put before its keys and tensors.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        self.shape.store(prefix, file);
        file.add_parameters(prefix, &self.parameters);
        self.stored_vectors().store_beside(&self.parameters, prefix, file);
    }

    /// The same with word vectors as 8-bit integers, a quarter of their size; everything else in single precision.
    pub fn store_quantised(&self, prefix: &str, file: &mut ModelFile) {
        self.shape.store(prefix, file);
        for tensor in self.parameters.tensors().iter().filter(|tensor| tensor.name != VECTORS) {
            let mut one = Parameters::default();
            one.add(&tensor.name, tensor.role, tensor.shape, tensor.values.clone());
            file.add_parameters(prefix, &one);
        }
        file.add_quantised_parameters(prefix, &self.stored_vectors().as_parameters(), 0);
    }

    /// Writes a network whose fixed word vectors are those of another network of the file, without them.
    ///
    /// # Panics
    /// If its word vectors are learned: they are its own.
    pub fn store_sharing(&self, prefix: &str, file: &mut ModelFile) {
        assert!(!self.vectors.is_learned(), "learned word vectors are not those of another network");
        self.shape.store(prefix, file);
        file.add_parameters(prefix, &self.parameters);
    }

    fn stored_vectors(&self) -> StoredVectors<'_> {
        StoredVectors { name: VECTORS, shape: self.vectors_shape(), values: self.vectors() }
    }

    /// Reads a network from a file of either form; `prefix` as in [`store`](Self::store).
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        Self::read(prefix, file, None)
    }

    /// Reads a network from a file of any form; one without word vectors has the fixed ones of `other`.
    pub fn stored_beside(prefix: &str, file: &ModelFile, other: &Self) -> Result<Self> {
        Self::read(prefix, file, other.vectors.fixed())
    }

    fn read(prefix: &str, file: &ModelFile, shared: Option<Arc<Matrix>>) -> Result<Self> {
        let shape = SimilarityShape::stored(prefix, file)?;
        let is_shared = shape.fine_tuning == FineTuning::None && !file.has(&format!("{prefix}{VECTORS}"));
        let vectors = match shared.filter(|_| is_shared) {
            Some(vectors) => vectors,
            None => initial_vectors(VECTORS, shape.fine_tuning, prefix, file)?,
        };
        let d = vectors.columns();
        let make = || SimilarityNetwork::new(shape, vectors, 0);
        restored((prefix, file), shape.check(d), || shape.parameters(d), make, |network| &mut network.parameters)
    }
}

/// The words of some trees, and what the layer needs.
#[derive(Clone, Debug, Default)]
pub struct EncoderWorkspace {
    lstm: TreeLstmWorkspace,
    /// The distinct words, sorted, and their vectors.
    distinct: Vec<u32>,
    x: Vec<f32>,
    /// The place of every word in `distinct`.
    input_of: Vec<u32>,
    /// Gradients of `x`.
    dx: Vec<f32>,
    /// Trees × H: hidden states, and their gradients.
    pub states: Vec<f32>,
    pub gradients: Vec<f32>,
}

impl SimilarityNetwork {
    /// The hidden states of these trees, which must have been checked, to `states` (trees × H).
    fn encode_into(
        &self,
        trees: &Trees,
        numbers: impl Iterator<Item = usize> + Clone,
        space: &mut EncoderWorkspace,
        states: &mut [f32],
    ) {
        let EncoderWorkspace { lstm, distinct, x, input_of, .. } = space;
        lstm.trees.clear();
        numbers.clone().for_each(|number| trees.add_to(&mut lstm.trees, number, self.shape.encoding));
        lstm.trees.arrange();
        let words = || numbers.clone().flat_map(|number| trees.words(number));
        distinct.clear();
        distinct.extend(words());
        distinct.sort_unstable();
        distinct.dedup();
        let place = |word: &u32| distinct.binary_search(word).expect("every word is among the distinct ones");
        input_of.clear();
        input_of.extend(words().map(|word| place(word) as u32));
        x.clear();
        self.vectors.look_up(&self.parameters, distinct, x);
        self.encoder.forward(&self.parameters, x, input_of, lstm, states);
    }

    /// Backward pass for the last [`encode_into`](Self::encode_into) with this workspace, given the gradients of the
    /// states in it: adds to `gradients`.
    fn encode_back(&self, space: &mut EncoderWorkspace, gradients: &mut Gradients) {
        let EncoderWorkspace { lstm, distinct, x, input_of, dx, gradients: states, .. } = space;
        let learned = self.vectors.is_learned();
        set_zeros(dx, if learned { x.len() } else { 0 });
        let input_gradients = learned.then_some(&mut dx[..]);
        self.encoder.backward(&self.parameters, [x, states], input_of, lstm, gradients, input_gradients);
        self.vectors.backward(distinct.iter(), dx, gradients);
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod shape_tests {
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
