//! Which relation do two lists have? The network of InferSent (Conneau et al., 2017, sec. 3).
//!
//! ```text
//! u, v   for each list: of every number the largest over all states of an LSTM in both directions, the same for both
//! x = [u, v, |u − v|, u ⊙ v]          y = g(W x + b), once or several times          p = softmax(W_p y + b_p)
//! ```
//!
//! The loss of a pair is −log p of its class. Words have fixed vectors.
//!
//! # Choices
//! - LSTM and initial weights are PyTorch's, as in the published program, so that [`RelationNetwork::encoder`] gives
//!   tensors that programs written for that one can read.
//! - The article has one layer of 512 units before the softmax and does not say which g; here it is tanh, or any
//!   [`Activation`]. The program has two layers without any g.
//! - A list without words has the vector zero.

mod objective;
mod shape;
#[cfg(test)]
mod tests;
mod training;
mod workspace;

pub use shape::RelationShape;
pub use training::{RelationSettings, RelationTraining};

use crate::activation::Activation;
use crate::error::{Error, Result};
use crate::layers::{BidirectionalLstm, Dense};
use crate::matrix::Matrix;
use crate::networks::WordLists;
use crate::parameters::Parameters;
use crate::random::Random;
use rayon::prelude::*;
use std::sync::Arc;
use workspace::RelationWorkspace;

/// Number of pairs that are classified together.
const PAIRS: usize = 64;

/// Two lists, given by their numbers, and the class of their relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelatedPair {
    /// The first list.
    pub first: u32,
    /// The second list.
    pub second: u32,
    /// The class, from 0.
    pub class: u32,
}

/// Lists of words, and pairs of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelationExamples {
    /// The lists.
    pub lists: WordLists,
    /// Pairs of lists.
    pub pairs: Vec<RelatedPair>,
}

impl RelationExamples {
    /// Returns an error if there are no pairs, or a word, a list or a class does not exist.
    fn check(&self, name: &str, vocabulary: usize, classes: usize) -> Result<()> {
        if self.pairs.is_empty() {
            return Err(Error::Empty { what: format!("the {name} set") });
        }
        self.lists.check(vocabulary)?;
        for (example, pair) in self.pairs.iter().enumerate() {
            let lists = self.lists.len();
            if let Some(list) = [pair.first, pair.second].into_iter().find(|list| *list as usize >= lists) {
                return Err(Error::BadExample { example, reason: format!("it has list {list} of {lists}") });
            }
            if pair.class as usize >= classes {
                let reason = format!("it has class {} of {classes}, counted from 0", pair.class);
                return Err(Error::BadExample { example, reason });
            }
        }
        Ok(())
    }
}

/// One tensor of the encoder.
#[derive(Clone, Debug, PartialEq)]
pub struct EncoderTensor {
    /// PyTorch's name of it in an LSTM of one layer, such as `weight_ih_l0_reverse`.
    pub name: String,
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Row by row.
    pub values: Vec<f32>,
}

/// A network that gives the relation of two lists.
#[derive(Clone, Debug)]
pub struct RelationNetwork {
    shape: RelationShape,
    parameters: Parameters,
    vectors: Arc<Matrix>,
    encoder: BidirectionalLstm,
    /// The hidden layers, then that of the logits.
    layers: Vec<Dense>,
}

impl RelationNetwork {
    /// A network with these word vectors (words × dimensions) and random weights.
    pub fn new(shape: RelationShape, vectors: Arc<Matrix>, seed: u64) -> Result<Self> {
        vectors.check_finite("word vectors")?;
        let dimensions = vectors.columns();
        shape.check(dimensions)?;
        let mut parameters = Parameters::default();
        let random = &mut Random::stream(seed, "weights", 0);
        let sizes = [dimensions, shape.units];
        let encoder = BidirectionalLstm::new_as_torch(&mut parameters, "encoder", sizes, random);
        let mut inputs = 8 * shape.units;
        let mut layers = Vec::new();
        for number in 1..=shape.layers {
            let (name, sizes) = (format!("hidden{number}"), [inputs, shape.hidden]);
            layers.push(Dense::new_as_torch(&mut parameters, &name, sizes, shape.activation, random));
            inputs = shape.hidden;
        }
        let sizes = [inputs, shape.classes];
        layers.push(Dense::new_as_torch(&mut parameters, "output", sizes, Activation::Identity, random));
        Ok(RelationNetwork { shape, parameters, vectors, encoder, layers })
    }

    /// The sizes and options of the network.
    pub fn shape(&self) -> RelationShape {
        self.shape
    }

    /// The learned parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The tensors of both LSTMs as PyTorch has them, the forward direction first.
    pub fn encoder(&self) -> Vec<EncoderTensor> {
        let sides = self.encoder.directions().iter().zip(["", "_reverse"]);
        let tensors = |(lstm, side): (&crate::layers::Lstm, &str)| {
            let gates = 4 * self.shape.units;
            let shapes = [vec![gates, self.vectors.columns()], vec![gates, self.shape.units], vec![gates], vec![gates]];
            let names = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"];
            let parts = names.into_iter().zip(shapes).zip(lstm.torch_tensors(&self.parameters));
            let tensor = |((name, shape), values)| {
                let name = format!("{name}_l0{side}");
                EncoderTensor { name, shape, values }
            };
            parts.map(tensor).collect::<Vec<_>>()
        };
        sides.flat_map(tensors).collect()
    }

    /// The most probable class of every pair, the first of equal ones.
    pub fn classify(&self, examples: &RelationExamples) -> Result<Vec<u32>> {
        examples.check("given", self.vectors.rows(), self.shape.classes)?;
        let blocks = examples.pairs.par_chunks(PAIRS).map_init(RelationWorkspace::default, |space, pairs| {
            self.forward(&examples.lists, pairs, space);
            space.logits().chunks_exact(self.shape.classes).map(most_probable).collect::<Vec<_>>()
        });
        Ok(blocks.collect::<Vec<_>>().concat())
    }

    /// The share of pairs whose class is the most probable one.
    pub fn accuracy(&self, examples: &RelationExamples) -> Result<f64> {
        let found = self.classify(examples)?;
        let right = found.iter().zip(&examples.pairs).filter(|(found, pair)| **found == pair.class).count();
        Ok(right as f64 / examples.pairs.len() as f64)
    }
}

/// The place of the largest logit, the first of equal ones.
fn most_probable(logits: &[f32]) -> u32 {
    let larger = |best: usize, at: usize| if logits[at] > logits[best] { at } else { best };
    (0..logits.len()).reduce(larger).unwrap_or_default() as u32
}
