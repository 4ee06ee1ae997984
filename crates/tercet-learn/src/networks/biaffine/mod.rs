//! Heads, labels and tags of the items of a list: biaffine attention (Dozat & Manning, 2017) over simple recurrent units.
//!
//! ```text
//! x   = norm(E_word[word] + spelling(form))                        a root of its own before every list
//! x   ← x + sru(norm(x))                                           in both directions, layer after layer
//! tag = softmax(W norm(x)),  x ← x + tag · E_tag                   after one of the layers
//! p(head j of i)     = softmax_j((U a_i + u) · b_j)                a, b, c, e: norm(x) projected
//! p(label of i → j)  = softmax(V gelu(c_i + e_j))
//! ```
//!
//! The idea is Dozat and Manning's; where they have LSTMs, the recurrent layers are simple recurrent units (`sru.rs`),
//! whose products need no recurrence and are one matrix product for all lists; labels are scored as Kiperwasser and
//! Goldberg (2016) do. Tags are told in the middle of the stack, by the same network, as Hashimoto et al. (2017) do.
//!
//! # Where things are
//! `items.rs` is what goes in, `shape.rs` the sizes. `encoder.rs` is made of `spelling.rs`, `recurrent.rs` and `tagger.rs`,
//! `edges.rs` is on top, `loss.rs` runs them forward and backward, `fit.rs` steps. `ready.rs` is the same function
//! for analysing only, several times as fast.

mod edges;
pub(super) mod encoder;
mod fit;
mod items;
mod loss;
mod ready;
mod recurrent;
mod shape;
mod spelling;
mod stored;
mod tagger;
#[cfg(test)]
mod tests;

pub use fit::{BiaffineSettings, BiaffineTrainer};
pub use items::{BiaffineBatch, Forms, Lists, Targets};
pub use loss::{BiaffineLosses, BiaffineWorkspace, LossScale};
pub use ready::{Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, ReadyForms};
pub use shape::BiaffineShape;

use crate::error::Result;
use crate::layers::Dropout;
use crate::parameters::Parameters;
use crate::random::Random;
use edges::Edges;
use encoder::Encoder;

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
        let encoder = Encoder::new(&mut parameters, &shape, random);
        let edges = Edges::new(&mut parameters, &shape, dropout, random);
        Ok(BiaffineNetwork { shape, dropout, parameters, encoder, edges })
    }

    /// Its sizes.
    pub fn shape(&self) -> BiaffineShape {
        self.shape
    }

    /// What it has learned.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What it has learned, to be changed.
    pub fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }
}
