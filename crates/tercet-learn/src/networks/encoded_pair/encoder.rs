//! The sentence encoders, and the workspace of a batch.

use super::EncodedExamples;
use crate::activation::Activation;
use crate::error::{Error, Result};
use crate::layers::{Average, BidirectionalLstm, Convolution, ConvolutionWorkspace, Gate, Lstm, LstmWorkspace};
use crate::networks::Case;
use crate::networks::Lists;
use crate::networks::limits::{MAX_SIZE, MAX_WINDOW, check_size};
use crate::networks::pair::PairWorkspace;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use std::ops::Range;

/// How a list of words becomes a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// The mean of the word vectors.
    #[default]
    Average,
    /// A wide convolution, pooled over time.
    Convolution {
        /// N, filters: numbers per list (the paper tried 50, 100, 150).
        filters: usize,
        /// L, words per window (the paper tried 3, 4, 5).
        length: usize,
        /// p, positions per pooling window; `None`: the whole map, as in the paper's figure.
        pooling: Option<usize>,
        /// The activation.
        activation: Activation,
    },
    /// The last state of an LSTM.
    Lstm {
        /// Numbers per list (the paper tried 50, 100, 150).
        units: usize,
        /// The nonlinearity of its gates.
        gate: Gate,
    },
    /// The last states of a bidirectional LSTM.
    BidirectionalLstm {
        /// Numbers per list and direction.
        units: usize,
        /// The nonlinearity of its gates.
        gate: Gate,
    },
}

impl Encoding {
    /// Returns an error if a size is 0 or above its limit.
    pub(super) fn check(&self, dimensions: usize) -> Result<()> {
        let sizes = match *self {
            Encoding::Average => vec![],
            Encoding::Convolution { filters, length, pooling, .. } => vec![
                ("filters", filters, MAX_SIZE),
                ("length", length, MAX_WINDOW),
                ("pooling", pooling.unwrap_or(1), MAX_SIZE),
            ],
            Encoding::Lstm { units, .. } | Encoding::BidirectionalLstm { units, .. } => {
                vec![("units", units, MAX_SIZE)]
            }
        };
        for (name, size, most) in sizes.into_iter().chain([("dimensions", dimensions, MAX_SIZE)]) {
            Error::check_setting(size > 0, name, 0, "at least 1")?;
            check_size(name, size, most)?;
        }
        Ok(())
    }

    /// Numbers per list, for word vectors of this many dimensions.
    pub(super) fn width(&self, dimensions: usize) -> usize {
        match *self {
            Encoding::Average => dimensions,
            Encoding::Convolution { filters, .. } => filters,
            Encoding::Lstm { units, .. } => units,
            Encoding::BidirectionalLstm { units, .. } => 2 * units,
        }
    }

    /// Number of learned values of the encoder; sizes must be within their limits.
    pub(super) fn parameters(&self, dimensions: usize) -> u64 {
        let dimensions = dimensions as u64;
        let memory = |units: usize| {
            let units = units as u64;
            4 * units * (dimensions + units) + 3 * units
        };
        match *self {
            Encoding::Average => 0,
            Encoding::Convolution { filters, length, .. } => filters as u64 * (length as u64 * dimensions + 1),
            Encoding::Lstm { units, .. } => memory(units),
            Encoding::BidirectionalLstm { units, .. } => 2 * memory(units),
        }
    }
}

/// The layer of an [`Encoding`].
#[derive(Clone, Debug)]
pub(super) enum WordEncoder {
    Average(Average),
    Convolution(Convolution),
    Lstm(Lstm),
    Bidirectional(BidirectionalLstm),
}

/// Results of an encoder's forward pass.
#[derive(Clone, Debug, Default)]
pub(super) struct EncoderWorkspace {
    convolution: ConvolutionWorkspace,
    lstm: [LstmWorkspace; 2],
}

impl WordEncoder {
    pub fn new(parameters: &mut Parameters, dimensions: usize, encoding: Encoding, random: &mut Random) -> Self {
        let name = "encoder";
        match encoding {
            Encoding::Average => WordEncoder::Average(Average { dimensions }),
            Encoding::Convolution { filters, length, pooling, activation } => {
                let sizes = [filters, length];
                let layer = Convolution::new(parameters, name, dimensions, sizes, activation, random);
                WordEncoder::Convolution(layer.with_pooling(pooling))
            }
            Encoding::Lstm { units, gate } => {
                WordEncoder::Lstm(Lstm::new(parameters, name, [dimensions, units], gate, false, random))
            }
            Encoding::BidirectionalLstm { units, gate } => {
                let sizes = [dimensions, units];
                WordEncoder::Bidirectional(BidirectionalLstm::new(parameters, name, sizes, gate, random))
            }
        }
    }

    /// Numbers per list.
    pub fn width(&self) -> usize {
        match self {
            WordEncoder::Average(average) => average.dimensions,
            WordEncoder::Convolution(convolution) => convolution.width(),
            WordEncoder::Lstm(lstm) => lstm.width(),
            WordEncoder::Bidirectional(lstm) => lstm.width(),
        }
    }

    /// Whether it has parameters.
    pub fn is_learned(&self) -> bool {
        !matches!(self, WordEncoder::Average(_))
    }

    pub fn forward(
        &self,
        parameters: &Parameters,
        tokens: &[f32],
        starts: &[usize],
        space: &mut EncoderWorkspace,
        output: &mut [f32],
    ) {
        match self {
            WordEncoder::Average(average) => average.forward(tokens, starts, output),
            WordEncoder::Convolution(layer) => {
                layer.forward(parameters, tokens, starts, &mut space.convolution, output);
            }
            WordEncoder::Lstm(lstm) => {
                lstm.forward(parameters, tokens, starts, &mut space.lstm[0], output, [0, lstm.width()]);
            }
            WordEncoder::Bidirectional(lstm) => {
                lstm.forward(parameters, tokens, starts, &mut space.lstm, output);
            }
        }
    }

    pub fn backward(
        &self,
        parameters: &Parameters,
        starts: &[usize],
        output_gradients: &[f32],
        space: &mut EncoderWorkspace,
        gradients: &mut Gradients,
        tokens: Option<&mut [f32]>,
    ) {
        match self {
            WordEncoder::Average(average) => {
                if let Some(tokens) = tokens {
                    average.backward(starts, output_gradients, tokens);
                }
            }
            WordEncoder::Convolution(layer) => {
                let space = &mut space.convolution;
                layer.backward(parameters, starts, output_gradients, space, gradients, tokens);
            }
            WordEncoder::Lstm(lstm) => {
                let place = [0, lstm.width()];
                lstm.backward(parameters, output_gradients, place, &mut space.lstm[0], gradients, tokens);
            }
            WordEncoder::Bidirectional(lstm) => {
                lstm.backward(parameters, output_gradients, &mut space.lstm, gradients, tokens);
            }
        }
    }
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct EncodedPairWorkspace {
    /// The distinct items of the batch, in order of first occurrence.
    pub(super) items: Vec<u32>,
    /// For every item of the data set: its index in `items`, if it is in the batch.
    pub(super) place: Vec<u32>,
    pub(super) starts: Vec<usize>,
    pub(super) tokens: Vec<f32>,
    pub(super) token_mask: Vec<f32>,
    pub(super) encoder: EncoderWorkspace,
    pub(super) encoded: Vec<f32>,
    pub(super) encoded_mask: Vec<f32>,
    pub(super) encoded_gradients: Vec<f32>,
    pub(super) pair: PairWorkspace,
}

impl EncodedPairWorkspace {
    /// Sets the items of the batch.
    pub(super) fn take(&mut self, lists: &Lists, items: Range<usize>) {
        self.items.clear();
        self.starts.clear();
        self.starts.push(0);
        let mut words = 0;
        for item in items {
            self.items.push(item as u32);
            words += lists.list(item).len();
            self.starts.push(words);
        }
    }

    /// Finds the distinct items of a batch.
    pub(super) fn gather(&mut self, examples: &EncodedExamples, cases: &[Case]) {
        for &item in &self.items {
            if let Some(place) = self.place.get_mut(item as usize) {
                *place = u32::MAX;
            }
        }
        self.place.resize(examples.lists.len(), u32::MAX);
        self.items.clear();
        self.starts.clear();
        self.starts.push(0);
        let mut words = 0;
        for case in cases {
            let e = case.ordered(&examples.examples);
            for item in [e.a, e.b, e.c] {
                if self.place[item as usize] == u32::MAX {
                    self.place[item as usize] = self.items.len() as u32;
                    self.items.push(item);
                    words += examples.lists.list(item as usize).len();
                    self.starts.push(words);
                }
            }
        }
    }
}
