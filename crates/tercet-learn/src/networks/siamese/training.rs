//! Training: epochs of shuffled batches of groups, with AdamW, warm-up and early stopping.

use super::examples::{check, check_not_empty};
use super::objective::SiameseObjective;
use super::{Lines, SiameseGroup, SiameseNetwork};
use crate::error::{Error, Result};
use crate::networks::limits::check_counts;
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::progress::Progress;
use crate::training::{Checkpoints, Keep, Outcome, Run, StepSettings, Stopping, train};

/// Settings for training a [`SiameseNetwork`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiameseSettings {
    /// The optimizer; its learning rate is that of the head.
    pub optimizer: OptimizerSettings,
    /// The share of the steps in which the learning rate rises; then it falls in a line to 0 after the last epoch.
    pub warm_up: f64,
    /// Gradients are clipped to this norm; 0 for no clipping.
    pub clip: f32,
    /// Groups per step.
    pub batch_size: usize,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Epochs without a new best after which the training ends; `None`: never.
    pub patience: Option<usize>,
    /// T: the difference of two scores divided by T is the logit of a pair.
    pub temperature: f32,
    /// Seed of shuffling.
    pub seed: u64,
}

impl Default for SiameseSettings {
    fn default() -> Self {
        SiameseSettings {
            optimizer: OptimizerSettings {
                method: Method::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 },
                learning_rate: 1e-4,
                weight_decay: 0.01,
                anchor_decay: 0.01,
                decay_biases: false,
            },
            warm_up: 0.06,
            clip: 1.0,
            batch_size: 16,
            epochs: 10,
            patience: Some(3),
            temperature: 1.0,
            seed: 1,
        }
    }
}

/// A training of a [`SiameseNetwork`].
pub struct SiameseTraining<'a> {
    /// The network to train.
    pub network: &'a mut SiameseNetwork,
    /// What is known of the lines of all groups.
    pub lines: &'a Lines<'a>,
    /// The training set.
    pub groups: &'a [SiameseGroup],
    /// The development set; if it is empty, the last epoch is kept.
    pub development: &'a [SiameseGroup],
    /// The settings.
    pub settings: &'a SiameseSettings,
    /// Identifies the network that the training starts with and the lines: a checkpoint of another one is refused.
    pub start: &'a str,
}

impl SiameseTraining<'_> {
    /// Name of the only phase, for [`TrainingFiles::begin`](crate::training::TrainingFiles::begin).
    pub const PHASE: &'static str = "siamese";

    /// Trains the network, which ends with its best parameters. Resumes if `checkpoints` has a loaded checkpoint.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        check_counts(settings.batch_size, settings.epochs, settings.patience)?;
        check(self.groups)?;
        check(self.development)?;
        check_not_empty(self.groups)?;
        if !(settings.temperature > 0.0 && settings.temperature.is_finite()) {
            return Err(Error::setting("temperature", settings.temperature, "a number above 0"));
        }
        checkpoints.expect_phase(&[Self::PHASE])?;
        let steps = (self.groups.len().div_ceil(settings.batch_size) * settings.epochs) as u64;
        let warm_up = (settings.warm_up * steps as f64) as u64;
        let has_development = !self.development.is_empty();
        let run = Run {
            phase: Self::PHASE,
            name: "training",
            rounds: "epochs",
            items: "judgements",
            steps: StepSettings {
                schedule: Some(Schedule { warm_up, steps }),
                clip: settings.clip,
                ..StepSettings::plain(settings.optimizer)
            },
            stopping: Stopping {
                rounds: settings.epochs,
                patience: settings.patience.filter(|_| has_development),
                keep: Keep::Best,
            },
            checkpoints,
            progress,
        };
        train(&mut SiameseObjective::new(self), run, None)
    }
}
