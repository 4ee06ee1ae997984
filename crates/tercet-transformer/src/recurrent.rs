//! The recurrent sentence encoders before transformers: InferSent and Skip-Thought. Words are vectors already.
//!
//! - InferSent (Conneau et al., EMNLP 2017): an LSTM in each direction, and of every number the largest over all words.
//! - Skip-Thought (Kiros et al., NeurIPS 2015): the last state of a gated recurrent unit; `uni` in one direction, `bi`
//!   in both.
//!
//! Files are safetensors with the tensors of the published models under their own names; `scripts/` converts them.
//! Sentences of a batch take each step together, so that the products have many rows.

use crate::encoder::Precision;
use crate::files::{Tensor, Tensors, parse_safetensors, read, unusable};
use crate::linear::{Linear, WholeNumbers};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use tercet_base::stop;
use tercet_model::Result;

/// Sentences that take their steps together.
const BATCH: usize = 64;

/// A sentence: the vectors of its words.
pub type WordVectors<'a> = Vec<&'a [f32]>;

/// One direction of a recurrent network.
trait Cell: Sync {
    /// Numbers of a state.
    fn width(&self) -> usize;
    /// The next states of some sentences, in place, given their words. `memory` is as large as `states`.
    fn step(&self, words: &[f32], states: &mut [f32], memory: &mut [f32], space: &mut WholeNumbers);
}

/// Runs a cell over sentences, longest first, and gives every state to `keep` with the number of the sentence.
fn run(cell: &dyn Cell, sentences: &[&WordVectors<'_>], backward: bool, mut keep: impl FnMut(usize, &[f32])) {
    let width = cell.width();
    let mut states = vec![0.0; sentences.len() * width];
    let mut memory = states.clone();
    let (mut words, mut space) = (Vec::new(), WholeNumbers::default());
    for step in 0..sentences.first().map_or(0, |longest| longest.len()) {
        stop::look();
        let running = sentences.partition_point(|sentence| sentence.len() > step);
        words.clear();
        for sentence in &sentences[..running] {
            let at = if backward { sentence.len() - 1 - step } else { step };
            words.extend_from_slice(sentence[at]);
        }
        let (states, memory) = (&mut states[..running * width], &mut memory[..running * width]);
        cell.step(&words, states, memory, &mut space);
        states.chunks_exact(width).enumerate().for_each(|(sentence, state)| keep(sentence, state));
    }
}

/// Encodes batches of sentences on all threads; `encode` gets sentences with the longest first.
fn in_batches(
    sentences: &[WordVectors<'_>],
    encode: impl Fn(&[&WordVectors<'_>]) -> Vec<Vec<f32>> + Sync,
) -> Vec<Vec<f32>> {
    let batch = |batch: &[WordVectors<'_>]| {
        let mut order: Vec<usize> = (0..batch.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(batch[*number].len()));
        let sorted: Vec<&WordVectors<'_>> = order.iter().map(|number| &batch[*number]).collect();
        let mut encoded = vec![Vec::new(); batch.len()];
        order.iter().zip(encode(&sorted)).for_each(|(number, vector)| encoded[*number] = vector);
        encoded
    };
    sentences.par_chunks(BATCH).flat_map_iter(stop::carried(batch)).collect()
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// An LSTM as in PyTorch: gates i, f, g, o.
#[derive(Debug)]
struct Lstm {
    width: usize,
    inputs: Linear,
    states: Linear,
}

impl Cell for Lstm {
    fn width(&self) -> usize {
        self.width
    }

    fn step(&self, words: &[f32], states: &mut [f32], memory: &mut [f32], space: &mut WholeNumbers) {
        let width = self.width;
        let mut gates = vec![0.0; 4 * states.len()];
        let mut recurrent = gates.clone();
        self.inputs.apply(words, &mut gates, space);
        self.states.apply(states, &mut recurrent, space);
        tercet_math::rows::add(&mut gates, &recurrent);
        let rows = states.chunks_exact_mut(width).zip(memory.chunks_exact_mut(width));
        for ((state, memory), gates) in rows.zip(gates.chunks_exact(4 * width)) {
            for at in 0..width {
                let [i, f, g, o] = [0, 1, 2, 3].map(|gate| gates[gate * width + at]);
                memory[at] = sigmoid(f) * memory[at] + sigmoid(i) * g.tanh();
                state[at] = sigmoid(o) * memory[at].tanh();
            }
        }
    }
}

/// A gated recurrent unit as in the published code of Skip-Thought: the reset gate after the product, and the update
/// gate keeps the old state.
#[derive(Debug)]
struct Gru {
    width: usize,
    inputs: Linear,
    states: Linear,
    candidate_inputs: Linear,
    candidate_states: Linear,
}

impl Cell for Gru {
    fn width(&self) -> usize {
        self.width
    }

    fn step(&self, words: &[f32], states: &mut [f32], _memory: &mut [f32], space: &mut WholeNumbers) {
        let width = self.width;
        let (mut gates, mut candidates) = (vec![0.0; 2 * states.len()], vec![0.0; states.len()]);
        let (mut recurrent, mut reset) = (gates.clone(), candidates.clone());
        self.inputs.apply(words, &mut gates, space);
        self.states.apply(states, &mut recurrent, space);
        tercet_math::rows::add(&mut gates, &recurrent);
        self.candidate_inputs.apply(words, &mut candidates, space);
        self.candidate_states.apply(states, &mut reset, space);
        for (row, state) in states.chunks_exact_mut(width).enumerate() {
            for (at, number) in state.iter_mut().enumerate() {
                let [r, u] = [0, 1].map(|gate| sigmoid(gates[(2 * row + gate) * width + at]));
                let place = row * width + at;
                let candidate = (reset[place] * r + candidates[place]).tanh();
                *number = u * *number + (1.0 - u) * candidate;
            }
        }
    }
}

/// Tensors of a file, each checked for its shape.
struct Stored {
    path: PathBuf,
    tensors: Tensors,
}

impl Stored {
    fn read(path: &Path) -> Result<Self> {
        let tensors = parse_safetensors(path, &read(path)?)?;
        Ok(Stored { path: path.to_owned(), tensors })
    }

    fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    fn get(&self, name: &str, dimensions: usize) -> Result<&Tensor> {
        let tensor = self.tensors.get(name).ok_or_else(|| unusable(&self.path, format!("no tensor `{name}`")))?;
        if tensor.shape.len() != dimensions || tensor.values.is_empty() {
            return Err(unusable(&self.path, format!("`{name}` has the shape {:?}", tensor.shape)));
        }
        Ok(tensor)
    }

    /// A linear map with one row per output and this bias; an error if it has another shape than `[outputs, inputs]`.
    fn linear(&self, name: &str, weight: &Tensor, bias: Vec<f32>, inputs: usize) -> Result<Linear> {
        if weight.shape != [bias.len(), inputs] {
            let what = format!("`{name}` has the shape {:?}, expected [{}, {inputs}]", weight.shape, bias.len());
            return Err(unusable(&self.path, what));
        }
        Ok(Linear::new(&weight.values, bias, Precision::Single))
    }

    fn lstm(&self, suffix: &str) -> Result<Lstm> {
        let name = |part: &str| format!("enc_lstm.{part}_l0{suffix}");
        let (input, state) = (self.get(&name("weight_ih"), 2)?, self.get(&name("weight_hh"), 2)?);
        let mut bias = self.get(&name("bias_ih"), 1)?.values.clone();
        let width = bias.len() / 4;
        let other = &self.get(&name("bias_hh"), 1)?.values;
        if bias.len() % 4 != 0 || other.len() != bias.len() {
            return Err(unusable(&self.path, "the biases of the gates have different sizes"));
        }
        bias.iter_mut().zip(other).for_each(|(bias, other)| *bias += other);
        let inputs = self.linear(&name("weight_ih"), input, bias, input.shape[1])?;
        let states = self.linear(&name("weight_hh"), state, vec![0.0; 4 * width], width)?;
        Ok(Lstm { width, inputs, states })
    }

    /// The published tensors have one row per input.
    fn gru(&self, prefix: &str) -> Result<Gru> {
        let name = |part: &str| format!("{prefix}{part}");
        let transposed = |part: &str| -> Result<Tensor> { Ok(self.get(&name(part), 2)?.transposed()) };
        let (input, state) = (transposed("W")?, transposed("U")?);
        let (candidate_input, candidate_state) = (transposed("Wx")?, transposed("Ux")?);
        let (bias, candidate_bias) =
            (self.get(&name("b"), 1)?.values.clone(), self.get(&name("bx"), 1)?.values.clone());
        let (width, words) = (candidate_bias.len(), input.shape[1]);
        if bias.len() != 2 * width {
            return Err(unusable(&self.path, "the biases of the gates have different sizes"));
        }
        Ok(Gru {
            width,
            inputs: self.linear(&name("W"), &input, bias, words)?,
            states: self.linear(&name("U"), &state, vec![0.0; 2 * width], width)?,
            candidate_inputs: self.linear(&name("Wx"), &candidate_input, candidate_bias, words)?,
            candidate_states: self.linear(&name("Ux"), &candidate_state, vec![0.0; width], width)?,
        })
    }
}

/// InferSent's encoder.
#[derive(Debug)]
pub struct InferSent {
    forward: Lstm,
    backward: Lstm,
}

impl InferSent {
    /// Reads converted weights.
    pub fn read(path: &Path) -> Result<Self> {
        let stored = Stored::read(path)?;
        let (forward, backward) = (stored.lstm("")?, stored.lstm("_reverse")?);
        if (forward.width, forward.inputs.inputs()) != (backward.width, backward.inputs.inputs()) {
            return Err(unusable(path, "the two directions have different sizes"));
        }
        Ok(InferSent { forward, backward })
    }

    /// Numbers of a word vector.
    pub fn word_dimension(&self) -> usize {
        self.forward.inputs.inputs()
    }

    /// Numbers of a sentence vector.
    pub fn dimension(&self) -> usize {
        2 * self.forward.width
    }

    /// The vectors of sentences; that of a sentence without words is zero.
    pub fn encode(&self, sentences: &[WordVectors<'_>]) -> Vec<Vec<f32>> {
        let width = self.forward.width;
        in_batches(sentences, |sentences| {
            let mut encoded = vec![vec![f32::NEG_INFINITY; 2 * width]; sentences.len()];
            for (half, (cell, backward)) in [(&self.forward, false), (&self.backward, true)].into_iter().enumerate() {
                run(cell, sentences, backward, |sentence, state| {
                    let largest = &mut encoded[sentence][half * width..][..width];
                    largest.iter_mut().zip(state).for_each(|(largest, number)| *largest = largest.max(*number));
                });
            }
            let empty = sentences.iter().position(|sentence| sentence.is_empty()).unwrap_or(sentences.len());
            encoded[empty..].iter_mut().for_each(|vector| vector.fill(0.0));
            encoded
        })
    }
}

/// The directions of a Skip-Thought encoder.
#[derive(Debug)]
pub struct SkipThought {
    cells: Vec<(Gru, bool)>,
}

impl SkipThought {
    /// Reads converted weights: of `uni` if the file has `encoder_W` alone, of `bi` if it has `encoder_r_W` too.
    pub fn read(path: &Path) -> Result<Self> {
        let stored = Stored::read(path)?;
        let mut cells = vec![(stored.gru("encoder_")?, false)];
        if stored.has("encoder_r_W") {
            cells.push((stored.gru("encoder_r_")?, true));
        }
        Ok(SkipThought { cells })
    }

    /// Numbers of a word vector.
    pub fn word_dimension(&self) -> usize {
        self.cells[0].0.inputs.inputs()
    }

    /// Numbers of a sentence vector.
    pub fn dimension(&self) -> usize {
        self.cells.iter().map(|(cell, _)| cell.width).sum()
    }

    /// The last states of sentences, both directions one after the other; that of a sentence without words is zero.
    pub fn encode(&self, sentences: &[WordVectors<'_>]) -> Vec<Vec<f32>> {
        in_batches(sentences, |sentences| {
            let mut encoded = vec![vec![0.0; self.dimension()]; sentences.len()];
            let mut start = 0;
            for (cell, backward) in &self.cells {
                run(cell, sentences, *backward, |sentence, state| {
                    encoded[sentence][start..start + cell.width].copy_from_slice(state);
                });
                start += cell.width;
            }
            encoded
        })
    }
}
