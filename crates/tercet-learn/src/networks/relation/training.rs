//! Training: epochs of shuffled batches.
//!
//! Pairs are shuffled with the random stream (seed, "shuffle", epoch); a batch is one step with the mean gradient of
//! its losses. With a development set the epoch of the highest accuracy is kept, the latest on ties; without one the
//! last. The loss of a batch is computed in a fixed number of shards.

use super::{Answers, RelatedPair, RelationExamples, RelationNetwork, RelationWorkspace};
use crate::error::{Cause, Result};
use crate::networks::data_digest::DataDigest;
use crate::networks::limits::check_counts;
use crate::optimizer::{EpochDecay, Method, OptimizerSettings};
use crate::parameters::Gradients;
use crate::progress::Progress;
use crate::random::Random;
use crate::training::{
    BatchLoss, Checkpoints, Evaluation, Identity, Keep, Objective, Outcome, Run, Shards, StepSettings, Stopping, train,
};

tercet_base::defaults! {
    /// Settings for training a [`RelationNetwork`]. Default: those of Conneau et al. (2017), with the clipping and the
    /// number of epochs of their program.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RelationSettings {
        /// The optimizer.
        pub optimizer: OptimizerSettings = OptimizerSettings {
            method: Method::Sgd,
            learning_rate: 0.1,
            weight_decay: 0.0,
            ..OptimizerSettings::default()
        },
        /// How the learning rate falls, and when the training ends because of it.
        pub epoch_decay: EpochDecay = EpochDecay { decay: 0.99, divisor: 5.0, lowest: 1e-5 },
        /// Gradients are clipped to this norm; 0 for no clipping.
        pub clip: f32 = 5.0,
        /// Pairs per step.
        pub batch_size: usize = 64,
        /// Maximum number of epochs.
        pub epochs: usize = 20,
        /// Seed of shuffling.
        pub seed: u64 = 0,
    }
}

/// A training of a [`RelationNetwork`].
pub struct RelationTraining<'a> {
    /// The network to train.
    pub network: &'a mut RelationNetwork,
    /// The training set.
    pub examples: &'a RelationExamples,
    /// The settings.
    pub settings: &'a RelationSettings,
    /// The development set; `None`: the last epoch is kept, and the learning rate is never divided.
    pub development: Option<&'a RelationExamples>,
}

impl RelationTraining<'_> {
    /// Name of the only phase, for [`TrainingFiles::begin`](crate::training::TrainingFiles::begin).
    pub const PHASE: &'static str = "relation";

    /// Trains the network, which ends with its best parameters. Resumes if `checkpoints` has a loaded checkpoint.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        check_counts(settings.batch_size, settings.epochs, None)?;
        let sets = [("training", Some(self.examples)), ("development", self.development)];
        for (name, set) in sets.into_iter().filter_map(|(name, set)| Some((name, set?))) {
            set.check(name, self.network.vectors.rows(), self.network.shape.classes)?;
        }
        checkpoints.expect_phase(&[Self::PHASE])?;
        let steps = StepSettings {
            epoch_decay: Some(settings.epoch_decay),
            clip: settings.clip,
            ..StepSettings::plain(settings.optimizer)
        };
        let stopping = Stopping { rounds: settings.epochs, patience: None, keep: Keep::Best };
        let run = Run::epochs((Self::PHASE, "pairs"), steps, stopping, checkpoints, progress);
        train(&mut RelationObjective::new(self), run, None)
    }
}

/// Number of shards of a batch, independent of the number of threads.
const SHARDS: usize = 4;

/// A network and its examples.
pub(super) struct RelationObjective<'a> {
    training: RelationTraining<'a>,
    /// The pairs in the order of the epoch.
    order: Vec<RelatedPair>,
    shards: Shards<RelationWorkspace, Answers>,
    /// Right answers of the epoch, before the step of their batch.
    right: usize,
}

impl<'a> RelationObjective<'a> {
    pub fn new(training: RelationTraining<'a>) -> Self {
        let shards = Shards::new(SHARDS, &training.network.parameters);
        RelationObjective { training, order: Vec::new(), shards, right: 0 }
    }
}

impl Objective for RelationObjective<'_> {
    crate::training::parameters_in!(training.network.parameters);

    fn identity(&self) -> Identity {
        let RelationSettings { optimizer, epoch_decay, clip, batch_size, seed, .. } = self.training.settings;
        let pairs = self.training.examples.pairs.len();
        Identity {
            settings: format!(
                "optimizer {optimizer:?}\nrate {epoch_decay:?}\nclip {clip}\nbatches of {batch_size}\nseed {seed}\n\
                 {pairs} pairs"
            ),
            model: self.training.network.description(),
            data: self.training.network.data_hash(self.training.examples),
            development: self.training.development.map(|set| self.training.network.data_hash(set)),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.right = 0;
        self.order.clone_from(&self.training.examples.pairs);
        Random::stream(self.training.settings.seed, "shuffle", round as u64).shuffle(&mut self.order);
        Ok(self.order.len().div_ceil(self.training.settings.batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let start = batch * self.training.settings.batch_size;
        let pairs = &self.order[start..self.order.len().min(start + self.training.settings.batch_size)];
        let (network, lists, count) = (&*self.training.network, &self.training.examples.lists, pairs.len());
        let answers = self.shards.run(gradients, |shard, space, gradients| {
            let pairs = &pairs[count * shard / SHARDS..count * (shard + 1) / SHARDS];
            network.forward(lists, pairs, space);
            network.backward(pairs, 1.0 / count as f32, space, gradients)
        });
        self.right += answers.right;
        Ok(BatchLoss { sum: answers.loss, items: count })
    }

    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        let seen = self.right as f64 / self.order.len() as f64;
        let Some(set) = self.training.development else {
            return Ok(Evaluation { value: None, text: format!("training accuracy {seen:.4}") });
        };
        let value = self.training.network.accuracy(set)?;
        let text = format!("training accuracy {seen:.4}, dev accuracy {value:.4}");
        Ok(Evaluation { value: Some(value), text })
    }
}

impl RelationNetwork {
    /// Sizes and options as text.
    fn description(&self) -> String {
        let (words, dimensions) = (self.vectors.rows(), self.vectors.columns());
        let shape = self.shape;
        format!(
            "{words} words of {dimensions}, units {}, hidden {}, layers {}, activation {}, classes {}",
            shape.units,
            shape.hidden,
            shape.layers,
            shape.activation.name(),
            shape.classes
        )
    }

    /// A hash of the examples and the word vectors.
    fn data_hash(&self, examples: &RelationExamples) -> String {
        let pairs: Vec<u32> = examples.pairs.iter().flat_map(|pair| [pair.first, pair.second, pair.class]).collect();
        let digest = DataDigest::default().lists(&examples.lists).integers(&pairs);
        digest.numbers(self.vectors.values()).finish()
    }
}
