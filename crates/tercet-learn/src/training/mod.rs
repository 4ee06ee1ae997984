//! The loop: shuffled mini-batches, a loss, an optimizer, and the parameters that do best on a development set.
//!
//! # How an epoch goes
//! Cases (examples, in both orders when [`TrainingSettings::symmetric`]) are put into the order that the stream
//! (seed, "shuffle", epoch) gives, cut into batches, and every batch makes one step along the mean gradient of its
//! losses. Under the Kendall loss a batch has that many examples and every example is seen in both orders, because the
//! loss is of the difference; the `symmetric` setting makes no difference then.
//!
//! # Which epoch wins
//! After each epoch the caller scores the network; the highest value wins, the latest epoch on ties (Guzmán et al.,
//! 2017, sec. 4.4). Without a development set the last epoch wins.
//!
//! # Logistic, then Kendall
//! The logistic phase ends after its epochs or its patience. The Kendall phase starts from the best parameters so far,
//! with a fresh optimizer and as many epochs of its own; the best of both phases wins.
//!
//! # Resuming
//! A [`TrainingState`] holds everything that an epoch starts from. Streams are named by seed and epoch, so a run that
//! was interrupted and resumed gives the bits of one that was not. `epochs` and `patience` may change on resumption,
//! what decides digits may not: the other settings and the network's description are compared word by word, the
//! training data by a hash, which is made when a state is kept or resumed and not before. Values of different
//! development sets do not compare, so a state is refused where [`Observer::development_id`] differs, and a run whose
//! epochs have a value now and none then is ended.
//!
//! # Other loops
//! Networks over lists and trees are learned in steps of their own (`networks/lists/fit.rs`, `networks/recursive/fit.rs`),
//! whose batches the caller draws; `shards.rs` has what these steps share.

mod batches;
pub(crate) mod shards;
mod state;
#[cfg(test)]
mod tests;

pub use state::{Best, EpochRecord, Phase, TrainingState};

use crate::error::{Cause, Error, Result};
use crate::loss::Kendall;
use crate::networks::Network;
use crate::optimizer::{Optimizer, OptimizerSettings};
use batches::Epoch;
use std::ops::ControlFlow;

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

/// What the loop is told. The default is Guzmán et al.'s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSettings {
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
    /// Epochs between calls of [`Observer::checkpoint`]; 0: none but at the end of an interrupted run.
    pub checkpoint_every: usize,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            cost: Cost::Logistic,
            optimizer: OptimizerSettings::default(),
            batch_size: 30,
            epochs: 10_000,
            patience: None,
            symmetric: true,
            seed: 0,
            checkpoint_every: 0,
        }
    }
}

impl TrainingSettings {
    fn check(&self) -> Result<()> {
        self.optimizer.check()?;
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

    /// What decides digits, in words: a state of another run is refused by it.
    fn fingerprint(&self, examples: usize) -> String {
        format!(
            "cost {:?}; optimizer {:?}; batches of {}; symmetric {}; seed {}; {examples} examples",
            self.cost, self.optimizer, self.batch_size, self.symmetric, self.seed
        )
    }
}

/// How far the loop is, after an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Epoch, counted from 1 through both phases.
    pub epoch: usize,
    /// Which loss it had.
    pub phase: Phase,
    /// Mean loss of the epoch's cases, each before its step; without penalties.
    pub loss: f64,
    /// The development value, if there is one.
    pub development: Option<f64>,
    /// The best so far, this epoch included.
    pub best: &'a Best,
}

/// What the caller does after each epoch.
pub trait Observer<N: ?Sized> {
    /// Scores the network on a development set: higher is better. `None`: there is none.
    fn development(&mut self, network: &N) -> Result<Option<f64>, Cause> {
        let _ = network;
        Ok(None)
    }

    /// Names the development set, for example by its [`data_hash`](Network::data_hash): a state whose epochs were
    /// scored on another one is not resumed. `None`: there is none, or nobody knows which.
    fn development_id(&self) -> Option<String> {
        None
    }

    /// Sees how far the loop is, and may end it.
    fn progress(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }

    /// Keeps the state, for example with [`TrainingState::save`].
    fn checkpoint(&mut self, state: &TrainingState) -> Result<(), Cause> {
        let _ = state;
        Ok(())
    }
}

/// No development set, no progress, no checkpoints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<N> Observer<N> for Unobserved {}

/// Observes with a function from the network to its development value.
#[derive(Debug)]
pub struct Development<F>(pub F);

impl<N, F: FnMut(&N) -> f64> Observer<N> for Development<F> {
    fn development(&mut self, network: &N) -> Result<Option<f64>, Cause> {
        Ok(Some((self.0)(network)))
    }
}

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All epochs were run.
    Epochs,
    /// No new best for as long as patience allows.
    Patience,
    /// [`Observer::progress`] said so.
    Interrupted,
}

/// What came out; the network has the best parameters.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The epoch that won.
    pub best_epoch: usize,
    /// Its development value.
    pub best_value: Option<f64>,
    /// Epochs in all.
    pub epochs: usize,
    /// Why the loop ended.
    pub ending: Ending,
    /// Every epoch's loss and development value.
    pub history: Vec<EpochRecord>,
}

/// Trains the network and leaves it with its best parameters. With a state, goes on from there.
pub fn train<N: Network>(
    network: &mut N,
    examples: &N::Examples,
    settings: &TrainingSettings,
    observer: &mut dyn Observer<N>,
    resume: Option<TrainingState>,
) -> Result<Outcome> {
    settings.check()?;
    network.check(examples)?;
    let count = N::comparisons(examples).len();
    if count == 0 {
        return Err(Error::Empty { what: "the training set".to_owned() });
    }
    let fingerprint = settings.fingerprint(count);
    let mut run = match resume {
        None => Run::new(network, settings, fingerprint)?,
        Some(state) => {
            let development = observer.development_id();
            state.check_settings(&fingerprint)?;
            state.check_epochs(settings.epochs)?;
            state.check_network(&network.description())?;
            state.check_data(&network.data_hash(examples))?;
            state.check_development(development.as_deref())?;
            Run::resumed(network, settings, state)?
        }
    };
    let ending = run.epochs(network, examples, settings, observer)?;
    let state = run.state;
    network
        .parameters_mut()
        .assign(state.best.as_ref().map_or(&state.parameters, |best| &best.parameters))?;
    Ok(Outcome {
        best_epoch: state.best.as_ref().map_or(0, |best| best.epoch),
        best_value: state.best.as_ref().and_then(|best| best.value),
        epochs: state.epoch,
        ending,
        history: state.history,
    })
}

/// A state on its way.
struct Run {
    state: TrainingState,
    optimizer: Optimizer,
}

impl Run {
    fn new<N: Network>(network: &N, settings: &TrainingSettings, fingerprint: String) -> Result<Self> {
        let optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        let phase = match settings.cost {
            Cost::Kendall(_) => Phase::Kendall,
            Cost::Logistic | Cost::LogisticThenKendall(_) => Phase::Logistic,
        };
        let mut state = TrainingState::new(network.parameters(), phase, fingerprint);
        state.network = network.description();
        Ok(Run { state, optimizer })
    }

    fn resumed<N: Network>(
        network: &mut N,
        settings: &TrainingSettings,
        state: TrainingState,
    ) -> Result<Self> {
        network.parameters_mut().assign(&state.parameters)?;
        let mut optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        optimizer.restore(state.optimizer_steps, state.optimizer.clone())?;
        Ok(Run { state, optimizer })
    }

    /// Runs what is left of all phases.
    fn epochs<N: Network>(
        &mut self,
        network: &mut N,
        examples: &N::Examples,
        settings: &TrainingSettings,
        observer: &mut dyn Observer<N>,
    ) -> Result<Ending> {
        let mut epoch = Epoch::<N>::new(network);
        loop {
            if let Some(ending) = self.phase_ended(settings) {
                let Cost::LogisticThenKendall(_) = settings.cost else { return Ok(ending) };
                if self.state.phase == Phase::Kendall {
                    return Ok(ending);
                }
                self.switch(network, settings)?;
            }
            let kendall = match (self.state.phase, settings.cost) {
                (Phase::Kendall, Cost::Kendall(kendall) | Cost::LogisticThenKendall(kendall)) => {
                    Some(kendall)
                }
                _ => None,
            };
            let number = self.state.epoch + 1;
            let loss = epoch.run(network, examples, settings, kendall, number, &mut self.optimizer)?;
            let development = development(network, observer, number)?;
            self.state.check_value(development)?;
            self.state.record(network.parameters(), loss, development);
            if self.report(network, examples, settings, observer)?.is_break() {
                return Ok(Ending::Interrupted);
            }
        }
    }

    /// Whether the phase is over, and why.
    fn phase_ended(&self, settings: &TrainingSettings) -> Option<Ending> {
        let state = &self.state;
        let latest = state.best.as_ref().map_or(0, |best| best.epoch).max(state.phase_start);
        if state.epoch - state.phase_start >= settings.epochs {
            Some(Ending::Epochs)
        } else if settings.patience.is_some_and(|patience| state.epoch - latest >= patience) {
            Some(Ending::Patience)
        } else {
            None
        }
    }

    /// From the logistic phase to the Kendall phase.
    fn switch<N: Network>(&mut self, network: &mut N, settings: &TrainingSettings) -> Result<()> {
        if let Some(best) = &self.state.best {
            network.parameters_mut().assign(&best.parameters)?;
        }
        self.optimizer = Optimizer::new(settings.optimizer, network.parameters())?;
        (self.state.phase, self.state.phase_start) = (Phase::Kendall, self.state.epoch);
        Ok(())
    }

    /// Tells the observer, and gives it the state when it is time.
    fn report<N: Network>(
        &mut self,
        network: &N,
        examples: &N::Examples,
        settings: &TrainingSettings,
        observer: &mut dyn Observer<N>,
    ) -> Result<ControlFlow<()>> {
        let flow = observer.progress(&self.state.progress());
        let every = settings.checkpoint_every;
        if flow.is_break() || (every > 0 && self.state.epoch.is_multiple_of(every)) {
            if self.state.data_hash.is_empty() {
                self.state.data_hash = network.data_hash(examples);
                self.state.development_id = observer.development_id();
            }
            self.state.optimizer_steps = self.optimizer.steps();
            self.state.optimizer = self.optimizer.state().to_vec();
            let kept = observer.checkpoint(&self.state);
            kept.map_err(|source| Error::Callback { what: "checkpoint", epoch: self.state.epoch, source })?;
        }
        Ok(flow)
    }
}

/// The caller's value for this epoch, which must be a number.
fn development<N>(network: &N, observer: &mut dyn Observer<N>, epoch: usize) -> Result<Option<f64>> {
    let what = "the development score";
    let value = observer.development(network).map_err(|source| Error::Callback { what, epoch, source })?;
    if value.is_some_and(f64::is_nan) {
        let source = "it is not a number: has the development set more than one class?".into();
        return Err(Error::Callback { what, epoch, source });
    }
    Ok(value)
}
