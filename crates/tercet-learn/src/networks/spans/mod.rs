//! Tags of items and labels of spans, from lists of words.
//!
//! ```text
//! x = norm(encoder(list)), p(tag of i)           `networks/lists`
//! p(label of (i, j)) = softmax(C h(i, j) + c)    for every span; label 0 means no label; `layers/span_labels.rs`
//! ```

mod evidence;
mod loss;
mod shape;
mod stored;
#[cfg(test)]
mod tests;

pub use evidence::SpanEvidence;
pub use loss::{SpanTargets, SpanWorkspace};
pub use shape::SpanShape;

use crate::error::Result;
use crate::layers::{Dropout, LayerNorm, SpanLabels};
use crate::networks::lists::encoder::Encoder;
use crate::parameters::Parameters;
use crate::random::Random;

/// A network that predicts tags of items and labels of spans.
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
    /// A network with random weights; `dropout` is its rate in training.
    pub fn new(shape: SpanShape, dropout: f32, seed: u64) -> Result<Self> {
        shape.check()?;
        let dropout = Dropout::new(dropout)?;
        let random = &mut Random::stream(seed, "weights", 0);
        let mut parameters = Parameters::default();
        let encoder = Encoder::new(&mut parameters, &shape.encoder, 0, random);
        let norm = LayerNorm::new(&mut parameters, "last.norm", shape.encoder.width);
        let sizes = [shape.encoder.width, shape.hidden, shape.labels];
        let spans = SpanLabels::new(&mut parameters, "spans", sizes, random);
        Ok(SpanNetwork { shape, dropout, parameters, encoder, norm, spans })
    }

    /// The sizes of the network.
    pub fn shape(&self) -> SpanShape {
        self.shape
    }
}
