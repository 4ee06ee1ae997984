//! Tags of items and labels of spans, from lists of words.
//!
//! ```text
//! x = norm(encoder(list))                        words, spellings, recurrent layers: those of the biaffine network
//! p(tag of i)        = softmax(W norm(x_i) + b)  in the middle of the stack
//! p(label of (i, j)) = softmax(C h(i, j) + c)    of every span, label 0 being none; `layers/span_labels.rs`
//! ```

mod evidence;
mod fit;
mod loss;
mod shape;
mod stored;
#[cfg(test)]
mod tests;

pub use evidence::SpanEvidence;
pub use fit::{SpanSettings, SpanTrainer};
pub use loss::{SpanBatch, SpanLosses, SpanTargets, SpanWorkspace};
pub use shape::SpanShape;

use crate::error::Result;
use crate::layers::{Dropout, LayerNorm, SpanLabels};
use crate::networks::biaffine::encoder::Encoder;
use crate::parameters::Parameters;
use crate::random::Random;

/// The network.
#[derive(Clone, Debug)]
pub struct SpanNetwork {
    shape: SpanShape,
    dropout: Dropout,
    parameters: Parameters,
    encoder: Encoder,
    norm: LayerNorm,
    spans: SpanLabels,
}

impl SpanNetwork {
    /// A network with random weights, which drops units at this rate in training.
    pub fn new(shape: SpanShape, dropout: f32, seed: u64) -> Result<Self> {
        shape.check()?;
        let dropout = Dropout::new(dropout)?;
        let random = &mut Random::stream(seed, "weights", 0);
        let mut parameters = Parameters::default();
        let encoder = Encoder::new(&mut parameters, &shape.encoder(), random);
        let norm = LayerNorm::new(&mut parameters, "last.norm", shape.width);
        let sizes = [shape.width, shape.hidden, shape.labels];
        let spans = SpanLabels::new(&mut parameters, "spans", sizes, random);
        Ok(SpanNetwork { shape, dropout, parameters, encoder, norm, spans })
    }

    /// Its sizes.
    pub fn shape(&self) -> SpanShape {
        self.shape
    }

    /// What it has learned.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}
