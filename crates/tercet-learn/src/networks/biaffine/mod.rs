//! Heads, labels and tags of the items of a list: biaffine attention (Dozat & Manning, 2017) over simple recurrent
//! units.
//!
//! ```text
//! x, p(tag of i)                                                   vectors and tags of items: `networks/lists`
//! p(head j of i)     = softmax_j((U a_i + u) · b_j)                a, b, c, e: norm(x) projected
//! p(label of i → j)  = softmax(V gelu(c_i + e_j))
//! ```
//!
//! Dozat and Manning use LSTMs; the recurrent layers here are simple recurrent units. Labels are scored as by
//! Kiperwasser and Goldberg (2016).
//!
//! # Files
//! `shape.rs`: sizes. `analysis.rs`: predictions and targets. `edges.rs`: scores of heads and labels. `loss.rs`: the
//! whole network, forward and backward. `ready/`: the same function for inference only, several times as fast.

mod analysis;
mod edges;
mod loss;
mod ready;
mod shape;
mod stored;
#[cfg(test)]
mod tests;

pub use analysis::Analysis;
pub use ready::{AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, ReadyForms};
pub use shape::BiaffineShape;

use crate::error::Result;
use crate::layers::Dropout;
use crate::networks::lists::encoder::Encoder;
use crate::parameters::Parameters;
use crate::random::Random;
use edges::Edges;

/// A network that predicts heads, labels and tags.
#[derive(Clone, Debug)]
pub struct BiaffineNetwork {
    shape: BiaffineShape,
    dropout: Dropout,
    parameters: Parameters,
    encoder: Encoder,
    edges: Edges,
}

impl BiaffineNetwork {
    /// A network with random weights; `dropout` is its rate in training.
    pub fn new(shape: BiaffineShape, dropout: f32, seed: u64) -> Result<Self> {
        shape.check()?;
        let dropout = Dropout::new(dropout)?;
        let random = &mut Random::stream(seed, "weights", 0);
        let mut parameters = Parameters::default();
        let encoder = Encoder::new(&mut parameters, &shape.encoder, shape.fine_tags, random);
        let edges = Edges::new(&mut parameters, &shape, dropout, random);
        Ok(BiaffineNetwork { shape, dropout, parameters, encoder, edges })
    }

    /// The sizes of the network.
    pub fn shape(&self) -> BiaffineShape {
        self.shape
    }
}
