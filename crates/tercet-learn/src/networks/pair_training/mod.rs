//! Training of pair networks: epochs of shuffled batches of pairs, with the logistic or the Kendall loss.
//!
//! # Epochs
//! Cases (examples, in both orders with [`PairSettings::symmetric`]) are shuffled with the random stream (seed,
//! "shuffle", epoch) and split into batches; each batch is one step with the mean gradient of its losses. With the
//! Kendall loss a batch has `batch_size` examples, each used in both orders, because the loss depends on their
//! difference; `symmetric` then has no effect.
//!
//! # Which epoch is kept
//! The one with the highest development value, the latest on ties (Guzmán et al., 2017, sec. 4.4). Without a
//! development set the last epoch.
//!
//! # Logistic, then Kendall
//! Two phases of the [loop](crate::training). The logistic phase ends after its epochs or its patience. The Kendall
//! phase starts from the best parameters so far, with a new optimizer and as many epochs of its own; the best epoch of
//! both phases is kept.

mod objective;
#[cfg(test)]
mod tests;

use super::Network;
use crate::error::{Cause, Error, Result};
use crate::loss::Kendall;
use crate::networks::limits::check_counts;
use crate::optimizer::OptimizerSettings;
use crate::progress::Progress;
use crate::training::{Checkpoints, Keep, Outcome, Run, StepSettings, Stopping, train};
use objective::PairObjective;

/// The loss function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cost {
    /// The logistic loss.
    #[default]
    Logistic,
    /// The Kendall loss.
    Kendall(Kendall),
    /// The logistic loss, then from its best epoch the Kendall loss.
    LogisticThenKendall(Kendall),
}

impl Cost {
    /// The losses of the phases; `None`: logistic.
    fn phases(self) -> Vec<Option<Kendall>> {
        match self {
            Cost::Logistic => vec![None],
            Cost::Kendall(kendall) => vec![Some(kendall)],
            Cost::LogisticThenKendall(kendall) => vec![None, Some(kendall)],
        }
    }
}

/// Settings for training a pair network. Default: those of Guzmán et al. (2017).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairSettings {
    /// The loss function.
    pub cost: Cost,
    /// The optimizer.
    pub optimizer: OptimizerSettings,
    /// Cases per step.
    pub batch_size: usize,
    /// Maximum number of epochs per phase.
    pub epochs: usize,
    /// Epochs of a phase without a new best after which it ends; `None`: never.
    pub patience: Option<usize>,
    /// Whether every example is used in both orders.
    pub symmetric: bool,
    /// Seed of shuffling and dropout.
    pub seed: u64,
}

impl Default for PairSettings {
    fn default() -> Self {
        PairSettings {
            cost: Cost::Logistic,
            optimizer: OptimizerSettings::default(),
            batch_size: 30,
            epochs: 10_000,
            patience: None,
            symmetric: true,
            seed: 0,
        }
    }
}

impl PairSettings {
    fn check(&self) -> Result<()> {
        check_counts(self.batch_size, self.epochs, self.patience)?;
        if let Cost::Kendall(kendall) | Cost::LogisticThenKendall(kendall) = self.cost {
            if !(kendall.gamma > 0.0 && kendall.gamma.is_finite()) {
                return Err(Error::setting("gamma", kendall.gamma, "a number above 0"));
            }
            if let Some(beta) = kendall.beta.filter(|beta| !(*beta >= 0.0 && beta.is_finite())) {
                return Err(Error::setting("beta", beta, "a number of at least 0"));
            }
        }
        Ok(())
    }
}

/// The development set, by which epochs are compared.
pub struct Development<'a, N: Network> {
    /// Identifies the set, for example by its [`data_hash`](Network::data_hash): a checkpoint with another development
    /// set is refused.
    pub id: Option<String>,
    /// Name of the score in progress reports: `τ`.
    pub name: &'a str,
    /// Scores a network: higher is better.
    pub score: &'a dyn Fn(&N) -> Result<f64, Cause>,
}

/// A training of a pair network.
pub struct PairTraining<'a, N: Network> {
    /// The network to train.
    pub network: &'a mut N,
    /// The training set.
    pub examples: &'a N::Examples,
    /// The settings.
    pub settings: &'a PairSettings,
    /// The development set; `None`: the last epoch is kept.
    pub development: Option<Development<'a, N>>,
}

impl<'a, N: Network> PairTraining<'a, N> {
    /// A training without a development set.
    pub fn new(network: &'a mut N, examples: &'a N::Examples, settings: &'a PairSettings) -> Self {
        PairTraining { network, examples, settings, development: None }
    }

    /// Trains the network, which ends with its best parameters. Resumes if `checkpoints` has a loaded checkpoint.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        settings.check()?;
        self.network.check(self.examples)?;
        if N::comparisons(self.examples).is_empty() {
            return Err(Error::Empty { what: "the training set".to_owned() });
        }
        let phases = settings.cost.phases();
        checkpoints.expect_phase(&phases.iter().map(|kendall| phase_name(*kendall)).collect::<Vec<_>>())?;
        let saved = checkpoints.saved_phase();
        let first = phases.iter().position(|kendall| Some(phase_name(*kendall)) == saved).unwrap_or(0);
        let mut objective = PairObjective::new(self);
        let mut outcome = None;
        for &kendall in &phases[first..] {
            objective.kendall = kendall;
            let phase = phase_name(kendall);
            let name = if phases.len() == 1 { "training" } else { &format!("training, {phase} loss") };
            let run = Run {
                phase,
                name,
                rounds: "epochs",
                items: "pairs",
                steps: StepSettings::plain(settings.optimizer),
                stopping: Stopping { rounds: settings.epochs, patience: settings.patience, keep: Keep::Best },
                checkpoints: &mut *checkpoints,
                progress,
            };
            outcome = Some(train(&mut objective, run, outcome)?);
        }
        Ok(outcome.expect("every cost has a phase"))
    }
}

fn phase_name(kendall: Option<Kendall>) -> &'static str {
    if kendall.is_some() { "kendall" } else { "logistic" }
}
