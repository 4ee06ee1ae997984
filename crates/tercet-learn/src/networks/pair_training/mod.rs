//! Training of the networks that compare: epochs of shuffled batches of pairs, by the logistic or the Kendall loss.
//!
//! # How an epoch goes
//! Cases (examples, in both orders when [`PairSettings::symmetric`]) are put into the order that the stream
//! (seed, "shuffle", epoch) gives, cut into batches, and every batch makes one step along the mean gradient of its
//! losses. Under the Kendall loss a batch has that many examples and every example is seen in both orders, because the
//! loss is of the difference; the `symmetric` setting makes no difference then.
//!
//! # Which epoch wins
//! The one with the highest development value, the latest on ties (Guzmán et al., 2017, sec. 4.4). Without a development
//! set the last epoch.
//!
//! # Logistic, then Kendall
//! Two phases of the [loop](crate::training). The logistic phase ends after its epochs or its patience. The Kendall phase
//! starts from the best parameters so far, with a fresh optimizer and as many epochs of its own; the best of both phases
//! wins.

mod objective;
#[cfg(test)]
mod tests;

use super::Network;
use crate::error::{Cause, Error, Result};
use crate::loss::Kendall;
use crate::optimizer::OptimizerSettings;
use crate::progress::Progress;
use crate::training::{Checkpoints, Keep, Outcome, Run, StepSettings, Stopping, train};
use objective::PairObjective;

/// What is made small.
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
    /// The losses of its phases: `None` is the logistic one.
    fn phases(self) -> Vec<Option<Kendall>> {
        match self {
            Cost::Logistic => vec![None],
            Cost::Kendall(kendall) => vec![Some(kendall)],
            Cost::LogisticThenKendall(kendall) => vec![None, Some(kendall)],
        }
    }
}

/// How a network learns from pairs. The default is Guzmán et al.'s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairSettings {
    /// What is made small.
    pub cost: Cost,
    /// How parameters move.
    pub optimizer: OptimizerSettings,
    /// Cases per step.
    pub batch_size: usize,
    /// Epochs per phase, at most.
    pub epochs: usize,
    /// Epochs of a phase without a new best after which it ends; `None`: never.
    pub patience: Option<usize>,
    /// Whether every example is used in both orders.
    pub symmetric: bool,
    /// Names the random streams.
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
        for (name, value) in [("batch_size", self.batch_size), ("epochs", self.epochs)] {
            if value == 0 {
                return Err(Error::setting(name, 0, "at least 1"));
            }
        }
        if self.patience == Some(0) {
            return Err(Error::setting("patience", 0, "at least 1, or none"));
        }
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

/// The pairs by which epochs are compared.
pub struct Development<'a, N: Network> {
    /// Names the set, for example by its [`data_hash`](Network::data_hash): a state whose epochs were scored on another
    /// one is not resumed.
    pub id: Option<String>,
    /// What the score is called: `τ`.
    pub name: &'a str,
    /// Scores a network: higher is better.
    pub score: &'a dyn Fn(&N) -> Result<f64, Cause>,
}

/// A network and what it learns from.
pub struct PairTraining<'a, N: Network> {
    /// The network.
    pub network: &'a mut N,
    /// Its pairs.
    pub examples: &'a N::Examples,
    /// How it learns.
    pub settings: &'a PairSettings,
    /// What epochs are compared by; `None`: the last one is kept.
    pub development: Option<Development<'a, N>>,
}

impl<'a, N: Network> PairTraining<'a, N> {
    /// Without development pairs.
    pub fn new(network: &'a mut N, examples: &'a N::Examples, settings: &'a PairSettings) -> Self {
        PairTraining { network, examples, settings, development: None }
    }

    /// Trains the network and leaves it with its best parameters. Goes on from the saved state, if the checkpoints have one.
    pub fn run(self, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
        let settings = self.settings;
        settings.check()?;
        self.network.check(self.examples)?;
        if N::comparisons(self.examples).is_empty() {
            return Err(Error::Empty { what: "the training set".to_owned() });
        }
        let phases = settings.cost.phases();
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
