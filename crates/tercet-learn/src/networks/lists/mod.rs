//! What networks over lists share: inputs, encoder, training.
//!
//! ```text
//! x   = norm(E_word[word] + spelling(form))                        an artificial root before every list
//! x   ← x + sru(norm(x))                                           in both directions, layer after layer
//! tag = softmax(W norm(x)),  x ← x + tag · E_tag                   after one of the layers
//! ```
//!
//! [`biaffine`](crate::networks::biaffine) and [`spans`](crate::networks::spans) differ in the layers on top of x. The
//! recurrent layers are simple recurrent units (`layers/sru.rs`), whose matrix products are outside the recurrence: one
//! product for all lists. Tags are predicted between two layers by the same network, as by Hashimoto et al. (2017).
//!
//! # Files
//! `items.rs`: inputs. `batch.rs`: inputs with targets. `shape.rs`: sizes. `encoder.rs`: the encoder, made of
//! `spelling.rs`, `recurrent.rs` and `tagger.rs`. `fit.rs`: training.

mod batch;
pub(super) mod encoder;
mod fit;
mod items;
pub(super) mod recurrent;
mod shape;
pub(super) mod spelling;
pub(super) mod tagger;
#[cfg(test)]
pub(super) mod tests;

pub use batch::ListBatch;
pub use fit::{ListBatches, ListObjective, ListSettings};
pub use items::{Forms, Lists};
pub use shape::EncoderShape;

use crate::error::Result;
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use std::fmt::Debug;
use std::ops::{AddAssign, Range};

/// A network on top of the encoder, as [`ListObjective`] trains it.
pub trait ListNetwork: Sync {
    /// Number of shards of a batch, independent of the number of threads. The order of sums, and so the last digits of
    /// the result, depend on it.
    const SHARDS: usize;
    /// Training targets of lists.
    type Targets: Sync;
    /// Losses of some lists.
    type Losses: ListLosses;
    /// Memory that is reused between calls.
    type Workspace: Debug + Default + Send;

    /// The learned parameters.
    fn parameters(&self) -> &Parameters;

    /// The learned parameters, mutable.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// Returns an error if sizes do not match or numbers are out of range. Forms that occur in no list are not checked.
    fn check(&self, batch: &ListBatch<'_, Self::Targets>) -> Result<()>;

    /// The losses of some lists of a batch that was [checked](Self::check), and their gradients times the scale, added
    /// to `gradients`. Without `random` there is no dropout.
    fn loss(
        &self,
        batch: &ListBatch<'_, Self::Targets>,
        lists: Range<usize>,
        scale: LossScale,
        random: Option<&mut Random>,
        space: &mut Self::Workspace,
        gradients: &mut Gradients,
    ) -> Self::Losses;
}

/// Sums of losses over items, in nats.
pub trait ListLosses: Copy + Debug + Default + AddAssign + Send {
    /// The loss to minimise: the sum of the losses, those of tags with their weight.
    fn mean(&self, tag_weight: f32) -> f64;
}

/// Weights of the losses in the gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossScale {
    /// Weight of the losses on top of the encoder: 1 / items of the batch.
    pub top: f32,
    /// Weight of the losses of tags.
    pub tags: f32,
}
