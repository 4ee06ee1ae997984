//! Training of any network over lists.
//!
//! # Choices
//! A batch is split into [`ListNetwork::SHARDS`] shards with about equally many items (`training/shards.rs`), each with
//! its own random stream, named by the step and the shard. So the result does not depend on the number of threads.
//!
//! Weights and tables decay; biases and gains do not. (The PyTorch prototype of the biaffine network had weight decay
//! λ = 0.01 on everything.)

use super::{ListBatch, ListLosses, ListNetwork, LossScale};
use crate::error::{Cause, Error, Result};
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::shards::Shards;
use crate::training::{BatchLoss, Evaluation, Identity, Objective, StepSettings};

/// Settings for training a network over lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListSettings {
    /// How the parameters are updated.
    pub steps: StepSettings,
    /// λ: weight of the loss of tags.
    pub tag_weight: f32,
    /// Seed of dropout.
    pub seed: u64,
}

impl Default for ListSettings {
    fn default() -> Self {
        let optimizer = OptimizerSettings {
            method: Method::AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 },
            learning_rate: 2.5e-3,
            weight_decay: 0.01,
            anchor_decay: 0.0,
            decay_biases: false,
        };
        let schedule = Some(Schedule { warm_up: 200, steps: 7_760 });
        ListSettings {
            steps: StepSettings { schedule, clip: 2.0, ..StepSettings::plain(optimizer) },
            tag_weight: 0.5,
            seed: 1,
        }
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
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::setting("tag_weight", weight, "a number of at least 0"));
        }
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
