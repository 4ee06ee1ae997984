//! Training: epochs of shuffled batches.
//!
//! Pairs are shuffled with the random stream (seed, "shuffle", epoch); a batch is one step with the mean gradient of
//! its losses. With a development set the epoch of the highest accuracy is kept, the latest on ties; without one the
//! last.

use super::objective::RelationObjective;
use super::{RelationExamples, RelationNetwork};
use crate::error::Result;
use crate::networks::limits::check_counts;
use crate::optimizer::{EpochDecay, Method, OptimizerSettings};
use crate::progress::Progress;
use crate::training::{Checkpoints, Keep, Outcome, Run, StepSettings, Stopping, train};

/// Settings for training a [`RelationNetwork`]. Default: those of Conneau et al. (2017), with the clipping and the
/// number of epochs of their program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationSettings {
    /// The optimizer.
    pub optimizer: OptimizerSettings,
    /// How the learning rate falls, and when the training ends because of it.
    pub epoch_decay: EpochDecay,
    /// Gradients are clipped to this norm; 0 for no clipping.
    pub clip: f32,
    /// Pairs per step.
    pub batch_size: usize,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Seed of shuffling.
    pub seed: u64,
}

impl Default for RelationSettings {
    fn default() -> Self {
        RelationSettings {
            optimizer: OptimizerSettings {
                method: Method::Sgd,
                learning_rate: 0.1,
                weight_decay: 0.0,
                ..OptimizerSettings::default()
            },
            epoch_decay: EpochDecay { decay: 0.99, divisor: 5.0, lowest: 1e-5 },
            clip: 5.0,
            batch_size: 64,
            epochs: 20,
            seed: 0,
        }
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
        let run = Run {
            phase: Self::PHASE,
            name: "training",
            rounds: "epochs",
            items: "pairs",
            steps: StepSettings {
                epoch_decay: Some(settings.epoch_decay),
                clip: settings.clip,
                ..StepSettings::plain(settings.optimizer)
            },
            stopping: Stopping { rounds: settings.epochs, patience: None, keep: Keep::Best },
            checkpoints,
            progress,
        };
        train(&mut RelationObjective::new(self), run, None)
    }
}
