//! Heads, labels and tags of the items of a list: biaffine attention (Dozat & Manning, 2017) over simple recurrent units.
//!
//! ```text
//! x, p(tag of i)                                                   vectors of items and tags: `networks/lists`
//! p(head j of i)     = softmax_j((U a_i + u) · b_j)                a, b, c, e: norm(x) projected
//! p(label of i → j)  = softmax(V gelu(c_i + e_j))
//! ```
//!
//! The idea is Dozat and Manning's; where they have LSTMs, the recurrent layers are simple recurrent units; labels are
//! scored as Kiperwasser and Goldberg (2016) do.
//!
//! # Where things are
//! `shape.rs` are the sizes, `analysis.rs` is what is said of items. `edges.rs` is on top of their vectors, `loss.rs` runs
//! the whole forward and backward. `ready/` is the same function for analysing only, several times as fast.

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

/// The network.
#[derive(Clone, Debug)]
pub struct BiaffineNetwork {
    shape: BiaffineShape,
    dropout: Dropout,
    parameters: Parameters,
    encoder: Encoder,
    edges: Edges,
}

impl BiaffineNetwork {
    /// A network with random weights, which drops units at this rate in training.
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
