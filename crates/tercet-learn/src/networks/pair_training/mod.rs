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

use super::Network;
use crate::error::{Cause, Error, Result};
use crate::loss::{Kendall, logistic};
use crate::networks::limits::check_counts;
use crate::networks::{Case, Example};
use crate::optimizer::OptimizerSettings;
use crate::parameters::{Gradients, Parameters};
use crate::progress::Progress;
use crate::random::Random;
use crate::training::{
    BatchLoss, Checkpoints, Evaluation, Identity, Keep, Objective, Outcome, Run, StepSettings, Stopping, train,
};

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

tercet_base::defaults! {
    /// Settings for training a pair network. Default: those of Guzmán et al. (2017).
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PairSettings {
        /// The loss function.
        pub cost: Cost = Cost::Logistic,
        /// The optimizer.
        pub optimizer: OptimizerSettings = OptimizerSettings::default(),
        /// Cases per step.
        pub batch_size: usize = 30,
        /// Maximum number of epochs per phase.
        pub epochs: usize = 10_000,
        /// Epochs of a phase without a new best after which it ends; `None`: never.
        pub patience: Option<usize> = None,
        /// Whether every example is used in both orders.
        pub symmetric: bool = true,
        /// Seed of shuffling and dropout.
        pub seed: u64 = 0,
    }
}

impl PairSettings {
    fn check(&self) -> Result<()> {
        check_counts(self.batch_size, self.epochs, self.patience)?;
        if let Cost::Kendall(kendall) | Cost::LogisticThenKendall(kendall) = self.cost {
            Error::check_above_zero("gamma", kendall.gamma)?;
            kendall.beta.map_or(Ok(()), |beta| Error::check_at_least_zero("beta", beta))?;
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

/// A network, its pairs and the loss of a phase.
struct PairObjective<'a, N: Network> {
    training: PairTraining<'a, N>,
    /// `None`: the logistic loss.
    pub kendall: Option<Kendall>,
    epoch: usize,
    /// The cases of the epoch.
    order: Vec<Case>,
    dropout: Random,
    /// The cases of the current batch.
    cases: Vec<Case>,
    workspace: N::Workspace,
    logits: Vec<f32>,
    logit_gradients: Vec<f32>,
}

impl<'a, N: Network> PairObjective<'a, N> {
    pub fn new(training: PairTraining<'a, N>) -> Self {
        PairObjective {
            dropout: Random::stream(training.settings.seed, "dropout", 0),
            training,
            kendall: None,
            epoch: 0,
            order: Vec::new(),
            cases: Vec::new(),
            workspace: N::Workspace::default(),
            logits: Vec::new(),
            logit_gradients: Vec::new(),
        }
    }
}

impl<N: Network> Objective for PairObjective<'_, N> {
    fn parameters(&self) -> &Parameters {
        self.training.network.parameters()
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        self.training.network.parameters_mut()
    }

    fn identity(&self) -> Identity {
        let PairSettings { cost, optimizer, batch_size, symmetric, seed, .. } = self.training.settings;
        let examples = N::comparisons(self.training.examples).len();
        Identity {
            settings: format!(
                "cost {cost:?}\noptimizer {optimizer:?}\nbatches of {batch_size}\nsymmetric {symmetric}\n\
                 seed {seed}\n{examples} examples"
            ),
            model: self.training.network.description(),
            data: self.training.network.data_hash(self.training.examples),
            development: self.training.development.as_ref().and_then(|development| development.id.clone()),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        let PairSettings { symmetric, seed, batch_size, .. } = *self.training.settings;
        let examples = N::comparisons(self.training.examples).len();
        self.epoch = round;
        self.order = order(examples, symmetric && self.kendall.is_none(), seed, round);
        self.dropout = Random::stream(seed, "dropout", round as u64);
        Ok(self.order.len().div_ceil(batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let size = self.training.settings.batch_size;
        let batch = &self.order[batch * size..self.order.len().min((batch + 1) * size)];
        self.cases.clear();
        match self.kendall {
            None => self.cases.extend_from_slice(batch),
            Some(_) => self.cases.extend(batch.iter().flat_map(|case| both_orders(*case))),
        }
        let PairObjective { training, cases, workspace, logits, logit_gradients, .. } = self;
        let PairTraining { network, examples, .. } = training;
        network.forward(examples, cases, Some(&mut self.dropout), workspace, logits);
        let comparisons = N::comparisons(examples);
        let sum = losses(comparisons, cases, logits, self.kendall, self.epoch, logit_gradients)?;
        network.backward(examples, cases, logit_gradients, workspace, gradients);
        Ok(BatchLoss { sum, items: batch.len() })
    }

    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        let Some(development) = &self.training.development else { return Ok(Evaluation::default()) };
        let value = (development.score)(self.training.network)?;
        Ok(Evaluation { value: Some(value), text: format!("dev {} {value:.4}", development.name) })
    }
}

/// All cases, shuffled for an epoch.
fn order(examples: usize, symmetric: bool, seed: u64, epoch: usize) -> Vec<Case> {
    let one = |swapped| (0..examples as u32).map(move |example| Case { example, swapped });
    let mut cases: Vec<Case> = one(false).collect();
    if symmetric {
        cases.extend(one(true));
    }
    Random::stream(seed, "shuffle", epoch as u64).shuffle(&mut cases);
    cases
}

fn both_orders(case: Case) -> [Case; 2] {
    [case, Case { swapped: !case.swapped, ..case }]
}

/// The sum of the losses of a batch; writes the gradients of their mean to `gradients`.
fn losses(
    examples: &[Example],
    cases: &[Case],
    logits: &[f32],
    kendall: Option<Kendall>,
    epoch: usize,
    gradients: &mut Vec<f32>,
) -> Result<f64> {
    gradients.clear();
    let mut total = 0.0;
    let finite = |case: Case, loss: f64| {
        let diverged = Error::Diverged { epoch, example: case.example as usize, loss };
        if loss.is_finite() { Ok(loss) } else { Err(diverged) }
    };
    let mean = match kendall {
        None => {
            for (case, &logit) in cases.iter().zip(logits) {
                let (loss, gradient) = logistic(logit, case.target(examples));
                total += finite(*case, loss)?;
                gradients.push(gradient);
            }
            1.0 / cases.len() as f32
        }
        Some(kendall) => {
            for (pair, logits) in cases.chunks_exact(2).zip(logits.chunks_exact(2)) {
                let (loss, both) = kendall.loss([logits[0], logits[1]], pair[0].target(examples));
                total += finite(pair[0], loss)?;
                gradients.extend_from_slice(&both);
            }
            2.0 / cases.len() as f32
        }
    };
    gradients.iter_mut().for_each(|gradient| *gradient *= mean);
    Ok(total)
}

#[cfg(test)]
mod tests;
