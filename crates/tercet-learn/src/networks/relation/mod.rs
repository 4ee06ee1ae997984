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

mod training;

pub use training::{RelationSettings, RelationTraining};

use crate::activation::{Activation, sign};
use crate::error::{Error, Result};
use crate::layers::{BidirectionalLstm, Dense, Lstm, LstmWorkspace};
use crate::loss::cross_entropy;
use crate::matrix::Matrix;
use crate::networks::Lists;
use crate::networks::limits::{MAX_LAYERS, MAX_SIZE, check_parameters, check_positive, check_size};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use rayon::prelude::*;
use std::sync::Arc;

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
    pub lists: Lists,
    /// Pairs of lists.
    pub pairs: Vec<RelatedPair>,
}

impl RelationExamples {
    /// Returns an error if there are no pairs, or a word, a list or a class does not exist.
    fn check(&self, name: &str, vocabulary: usize, classes: usize) -> Result<()> {
        if self.pairs.is_empty() {
            return Err(Error::Empty { what: format!("the {name} set") });
        }
        self.lists.check("word", vocabulary)?;
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

tercet_base::defaults! {
    /// Sizes and options of a [`RelationNetwork`](RelationNetwork). Default: those of Conneau et al. (2017).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RelationShape {
        /// Units of the LSTM in each direction; a list has twice as many numbers.
        pub units: usize = 2048,
        /// Units of a hidden layer.
        pub hidden: usize = 512,
        /// Number of hidden layers; may be 0.
        pub layers: usize = 1,
        /// The nonlinearity of hidden layers.
        pub activation: Activation = Activation::Tanh,
        /// Number of classes.
        pub classes: usize = 3,
    }
}

impl RelationShape {
    /// Returns an error if a size is 0 or too large; `dimensions` are those of the word vectors.
    pub fn check(&self, dimensions: usize) -> Result<()> {
        check_positive("dimensions", dimensions, MAX_SIZE)?;
        for (name, size) in [("units", self.units), ("hidden", self.hidden), ("classes", self.classes)] {
            check_positive(name, size, MAX_SIZE)?;
        }
        check_size("layers", self.layers, MAX_LAYERS)?;
        Error::check_setting(self.classes >= 2, "classes", self.classes, "at least 2")?;
        check_parameters(self.count(dimensions as u64))
    }

    /// Number of learned values.
    fn count(&self, dimensions: u64) -> u64 {
        let (units, hidden) = (self.units as u64, self.hidden as u64);
        let mut inputs = 8 * units;
        let mut count = Lstm::count_as_torch(dimensions, units).saturating_mul(2);
        for _ in 0..self.layers {
            count = count.saturating_add(Dense::count(inputs, hidden));
            inputs = hidden;
        }
        count.saturating_add(Dense::count(inputs, self.classes as u64))
    }
}

#[cfg(test)]
mod tests;

/// Results of the forward pass that the backward pass needs. Lists are the first ones of all pairs, then the second
/// ones.
#[derive(Clone, Debug, Default)]
struct RelationWorkspace {
    /// The vectors of all words, list after list, and where each list starts.
    tokens: Vec<f32>,
    starts: Vec<usize>,
    lstm: [LstmWorkspace; 2],
    /// Lists × 2H: u and v, and their gradients.
    states: Vec<f32>,
    state_gradients: Vec<f32>,
    /// Pairs × 8H, then the output of every layer; the last are the logits.
    values: Vec<Vec<f32>>,
}

impl RelationWorkspace {
    /// Pairs × classes.
    pub fn logits(&self) -> &[f32] {
        self.values.last().map_or(&[], Vec::as_slice)
    }
}

/// Losses and right answers of some pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    /// The sum of the losses.
    pub loss: f64,
    /// Pairs whose class was the most probable one.
    pub right: usize,
}

tercet_base::add_fields!(Answers { loss, right });

impl RelationNetwork {
    /// The logits of these pairs, which must have been checked.
    fn forward(&self, lists: &Lists, pairs: &[RelatedPair], space: &mut RelationWorkspace) {
        let RelationWorkspace { tokens, starts, lstm, states, values, .. } = space;
        let width = self.encoder.width();
        tokens.clear();
        starts.clear();
        starts.push(0);
        let numbers = pairs.iter().map(|pair| pair.first).chain(pairs.iter().map(|pair| pair.second));
        for number in numbers {
            let words = lists.list(number as usize);
            words.iter().for_each(|word| tokens.extend_from_slice(self.vectors.row(*word as usize)));
            starts.push(tokens.len() / self.vectors.columns());
        }
        states.resize(2 * pairs.len() * width, 0.0);
        self.encoder.forward(&self.parameters, tokens, starts, lstm, states);
        values.resize_with(self.layers.len() + 1, Vec::new);
        compare(states, width, &mut values[0]);
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, after) = values.split_at_mut(number + 1);
            layer.forward(&self.parameters, &before[number], &mut after[0]);
        }
    }

    /// The losses of the pairs of the last [`forward`](Self::forward) with this workspace; adds the gradients, times
    /// `scale`.
    fn backward(
        &self,
        pairs: &[RelatedPair],
        scale: f32,
        space: &mut RelationWorkspace,
        gradients: &mut Gradients,
    ) -> Answers {
        let RelationWorkspace { lstm, states, state_gradients, values, .. } = space;
        let mut answers = Answers::default();
        let mut deltas = values[self.layers.len()].clone();
        for (logits, pair) in deltas.chunks_exact_mut(self.shape.classes).zip(pairs) {
            answers.right += usize::from(most_probable(logits) == pair.class);
            answers.loss += cross_entropy(logits, pair.class as usize, scale);
        }
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let (x, y) = (&values[number], &values[number + 1]);
            deltas = layer.backward(&self.parameters, x, y, &mut deltas, gradients);
        }
        state_gradients.resize(states.len(), 0.0);
        compare_back(states, self.encoder.width(), &deltas, state_gradients);
        self.encoder.backward(&self.parameters, state_gradients, lstm, gradients, None);
        answers
    }
}

/// [u, v, |u − v|, u ⊙ v] of every pair.
fn compare(states: &[f32], width: usize, features: &mut Vec<f32>) {
    features.clear();
    let (first, second) = states.split_at(states.len() / 2);
    for (u, v) in first.chunks_exact(width).zip(second.chunks_exact(width)) {
        features.extend_from_slice(u);
        features.extend_from_slice(v);
        features.extend(u.iter().zip(v).map(|(u, v)| (u - v).abs()));
        features.extend(u.iter().zip(v).map(|(u, v)| u * v));
    }
}

/// The gradients of u and v, given those of the features.
fn compare_back(states: &[f32], width: usize, deltas: &[f32], gradients: &mut [f32]) {
    let half = states.len() / 2;
    let (du, dv) = gradients.split_at_mut(half);
    for (pair, deltas) in deltas.chunks_exact(4 * width).enumerate() {
        for k in 0..width {
            let at = pair * width + k;
            let (u, v) = (states[at], states[half + at]);
            let [first, second, distance, product] = [0, 1, 2, 3].map(|part| deltas[part * width + k]);
            let distance = distance * sign(u - v);
            du[at] = first + distance + product * v;
            dv[at] = second - distance + product * u;
        }
    }
}
