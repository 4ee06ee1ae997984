//! What networks over lists have in common: what they read, the vectors they make of it, and how they learn.
//!
//! ```text
//! x   = norm(E_word[word] + spelling(form))                        a root of its own before every list
//! x   ← x + sru(norm(x))                                           in both directions, layer after layer
//! tag = softmax(W norm(x)),  x ← x + tag · E_tag                   after one of the layers
//! ```
//!
//! [`biaffine`](crate::networks::biaffine) and [`spans`](crate::networks::spans) differ in what they put on top of x; all
//! below it is here, and belongs to neither. The recurrent layers are simple recurrent units (`layers/sru.rs`), whose
//! products need no recurrence and are one matrix product for all lists. Tags are told in the middle of the stack, by the
//! same network, as Hashimoto et al. (2017) do.
//!
//! # Where things are
//! `items.rs` is what goes in, `batch.rs` what is learned from, `shape.rs` the sizes. `encoder.rs` is made of `spelling.rs`,
//! `recurrent.rs` and `tagger.rs`. `fit.rs` learns with any [`ListNetwork`].

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

/// A network on top of the vectors of items: all that learning has to know of it.
pub trait ListNetwork: Sync {
    /// Parts that a batch is cut into, whatever the number of threads. Gradients are added part by part, so that the last
    /// digits of what is learned depend on it.
    const SHARDS: usize;
    /// What should be said of lists.
    type Targets: Sync;
    /// What was lost on some lists.
    type Losses: ListLosses;
    /// Memory that is reused between calls.
    type Workspace: Debug + Default + Send;

    /// What it has learned.
    fn parameters(&self) -> &Parameters;

    /// What it has learned, to be changed.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// Refuses what does not fit together or into the network; forms that occur in no list are not looked at.
    fn check(&self, batch: &ListBatch<'_, Self::Targets>) -> Result<()>;

    /// The losses of some lists of a batch that was [checked](Self::check), and their gradients times the scale, added to
    /// `gradients`. Without a generator nothing is dropped.
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
    /// What is made small: the losses of what is on top, and those of tags with their weight, per item.
    fn mean(&self, tag_weight: f32) -> f64;
}

/// What the losses weigh in the gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossScale {
    /// Of what is on top of the vectors: one over the items of the batch.
    pub top: f32,
    /// Of tags.
    pub tags: f32,
}
