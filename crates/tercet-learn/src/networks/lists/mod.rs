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
//! `items.rs`: sizes, inputs, and inputs with targets. `encoder.rs`: the encoder, made of recurrent layers,
//! `spelling.rs` and `tagger.rs`.
//!
//! # Training
//! A batch is split into [`ListNetwork::SHARDS`] shards with about equally many items, each with
//! its own random stream, named by the step and the shard. So the result does not depend on the number of threads.
//!
//! Weights and tables decay; biases and gains do not. (The PyTorch prototype of the biaffine network had weight decay
//! λ = 0.01 on everything.)

pub(super) mod encoder;
mod items;
pub(super) mod spelling;
pub(super) mod tagger;

pub use items::{EncoderShape, Forms, ListBatch, Lists};

use crate::error::{Cause, Error, Result};
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::{BatchLoss, Evaluation, Identity, Objective, Shards, StepSettings};
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

tercet_base::defaults! {
    /// Settings for training a network over lists.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ListSettings {
        /// How the parameters are updated.
        pub steps: StepSettings = StepSettings {
            optimizer: OptimizerSettings {
                method: Method::AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 },
                learning_rate: 2.5e-3,
                weight_decay: 0.01,
                anchor_decay: 0.0,
                decay_biases: false,
            },
            schedule: Some(Schedule { warm_up: 200, steps: 7_760 }),
            epoch_decay: None,
            clip: 2.0,
        },
        /// λ: weight of the loss of tags.
        pub tag_weight: f32 = 0.5,
        /// Seed of dropout.
        pub seed: u64 = 1,
    }
}

/// Source of batches for a network over lists, and its evaluation.
pub trait ListBatches<N: ListNetwork> {
    /// Prepares a round, counted from 1; returns its number of batches.
    fn start_round(&mut self, round: usize) -> usize;

    /// The next batch of the round.
    fn next_batch(&mut self) -> ListBatch<'_, N::Targets>;

    /// Evaluates the network after a round. Default: no evaluation.
    fn evaluate(&mut self, network: &N, round: usize) -> Result<Evaluation, Cause> {
        let _ = (network, round);
        Ok(Evaluation::default())
    }
}

/// A single batch, the same in every round.
impl<N: ListNetwork> ListBatches<N> for ListBatch<'_, N::Targets> {
    fn start_round(&mut self, _round: usize) -> usize {
        1
    }

    fn next_batch(&mut self) -> ListBatch<'_, N::Targets> {
        ListBatch { forms: self.forms, lists: self.lists, words: self.words, targets: self.targets }
    }
}

/// A network over lists and its batches, as an [`Objective`].
#[derive(Debug)]
pub struct ListObjective<'a, N: ListNetwork, B> {
    network: &'a mut N,
    batches: B,
    settings: ListSettings,
    identity: Identity,
    shards: Shards<N::Workspace, N::Losses>,
}

impl<'a, N: ListNetwork, B: ListBatches<N>> ListObjective<'a, N, B> {
    /// Returns an error if a setting is out of range.
    pub fn new(network: &'a mut N, batches: B, settings: ListSettings, identity: Identity) -> Result<Self> {
        let weight = settings.tag_weight;
        Error::check_at_least_zero("tag_weight", weight)?;
        let shards = Shards::new(N::SHARDS, network.parameters());
        Ok(ListObjective { network, batches, settings, identity, shards })
    }
}

impl<N: ListNetwork, B: ListBatches<N>> Objective for ListObjective<'_, N, B> {
    fn parameters(&self) -> &Parameters {
        self.network.parameters()
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        self.network.parameters_mut()
    }

    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        Ok(self.batches.start_round(round))
    }

    /// Runs on the current rayon pool.
    fn loss(&mut self, _batch: usize, step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let batch = self.batches.next_batch();
        self.network.check(&batch)?;
        let items = batch.lists.items().len();
        if items == 0 {
            return Err(Error::Empty { what: "the batch".to_owned() });
        }
        let ListSettings { tag_weight, seed, .. } = self.settings;
        let share = 1.0 / items as f32;
        let scale = LossScale { top: share, tags: tag_weight * share };
        let network = &*self.network;
        let losses = self.shards.run(gradients, |number, space, gradients| {
            let random = &mut Random::stream(seed, "dropout", step * N::SHARDS as u64 + number as u64);
            let lists = batch.lists.shard(number, N::SHARDS);
            network.loss(&batch, lists, scale, Some(random), space, gradients)
        });
        Ok(BatchLoss { sum: losses.mean(tag_weight) * items as f64, items })
    }

    fn evaluate(&mut self, round: usize) -> Result<Evaluation, Cause> {
        self.batches.evaluate(self.network, round)
    }
}

#[cfg(test)]
pub(super) mod tests;
