//! Training: epochs of shuffled batches of scored and ranked pairs.
//!
//! # Epochs
//! All examples are shuffled with the random stream (seed, "shuffle", epoch) and split into batches; a batch is one step with
//! the mean gradient of its losses. With a development set the best epoch is kept, the latest on ties; without one the last.
//! The development value is the share of ranked pairs in the right order, or Pearson's correlation where there are only scored
//! pairs.
//!
//! # Batches of references
//! Ranked pairs come in groups: one reference, several items, all pairs of these. With [`BatchBy::Reference`] references
//! are shuffled and a batch has all examples of some of them, so that every tree is encoded once in an epoch instead of once
//! for every pair that it is in.

use super::objective::SimilarityObjective;
use super::{SimilarityExamples, SimilarityNetwork};
use crate::error::{Error, Result};
use crate::networks::limits::check_counts;
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::progress::Progress;
use crate::training::{Checkpoints, Keep, Outcome, Run, StepSettings, Stopping, train};

/// Name of the phase, if there is only one.
const PHASE: &str = "similarity";

tercet_base::choices! {
    /// What a batch is counted in.
    #[derive(Default)]
    pub enum BatchBy: "batch_by" {
        /// Examples, as in Gupta et al. (2015).
        #[default]
        Pair = "pair",
        /// References, each with all its examples.
        Reference = "reference",
    }
}

/// Settings for training a [`SimilarityNetwork`]. Default: those of Gupta et al. (2015).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimilaritySettings {
    /// The optimizer.
    pub optimizer: OptimizerSettings,
    /// Examples or references per step.
    pub batch_size: usize,
    /// What `batch_size` counts.
    pub batch_by: BatchBy,
    /// Whether the learning rate falls in a line, to zero after the last epoch.
    pub is_rate_falling: bool,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Epochs without a new best after which the training ends; `None`: never.
    pub patience: Option<usize>,
    /// s in the loss of a ranked pair, the logistic loss of s (ŷ(better) − ŷ(worse)).
    pub ranking_scale: f32,
    /// Weight of the loss of a ranked pair; that of a scored pair has the weight 1.
    pub ranking_weight: f32,
    /// Seed of shuffling.
    pub seed: u64,
}

impl Default for SimilaritySettings {
    fn default() -> Self {
        SimilaritySettings {
            optimizer: OptimizerSettings {
                method: Method::ADAGRAD,
                learning_rate: 0.05,
                weight_decay: 1e-4,
                anchor_decay: 1e-4,
                decay_biases: true,
            },
            batch_size: 25,
            batch_by: BatchBy::Pair,
            is_rate_falling: false,
            epochs: 10,
            patience: None,
            ranking_scale: 1.0,
            ranking_weight: 1.0,
            seed: 0,
        }
    }
}

impl SimilaritySettings {
    fn check(&self) -> Result<()> {
        check_counts(self.batch_size, self.epochs, self.patience)?;
        for (name, value) in [("ranking_scale", self.ranking_scale), ("ranking_weight", self.ranking_weight)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::setting(name, value, "a number above 0"));
            }
        }
        Ok(())
    }
}

/// A training of a [`SimilarityNetwork`].
pub struct SimilarityTraining<'a> {
    /// The network to train.
    pub network: &'a mut SimilarityNetwork,
    /// The training set.
    pub examples: &'a SimilarityExamples,
    /// The settings.
    pub settings: &'a SimilaritySettings,
    /// The development set; `None`: the last epoch is kept.
    pub development: Option<&'a SimilarityExamples>,
    /// The name of the phase, if this is one of several trainings with the same checkpoints. The caller then has to check that a
    /// checkpoint is of one of them.
    pub phase: Option<&'a str>,
}

impl<'a> SimilarityTraining<'a> {
    /// A training without a development set.
    pub fn new(
        network: &'a mut SimilarityNetwork,
        examples: &'a SimilarityExamples,
        settings: &'a SimilaritySettings,
    ) -> Self {
        SimilarityTraining { network, examples, settings, development: None, phase: None }
    }

    /// Trains the network, which ends with its best parameters. Resumes if `checkpoints` has a loaded checkpoint.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        settings.check()?;
        let sets = [("training", Some(self.examples)), ("development", self.development)];
        for (name, set) in sets.into_iter().filter_map(|(name, set)| Some((name, set?))) {
            set.check(self.network.shape(), self.network.vectors_shape().0)?;
            if set.count() == 0 {
                return Err(Error::Empty { what: format!("the {name} set") });
            }
        }
        if self.phase.is_none() {
            checkpoints.expect_phase(&[PHASE])?;
        }
        let phase = self.phase.unwrap_or(PHASE);
        let mut objective = SimilarityObjective::new(self);
        let steps = (objective.batches() * settings.epochs) as u64;
        let run = Run {
            phase,
            name: "training",
            rounds: "epochs",
            items: "pairs",
            steps: StepSettings {
                schedule: settings.is_rate_falling.then_some(Schedule { warm_up: 0, steps }),
                ..StepSettings::plain(settings.optimizer)
            },
            stopping: Stopping { rounds: settings.epochs, patience: settings.patience, keep: Keep::Best },
            checkpoints,
            progress,
        };
        train(&mut objective, run, None)
    }
}
