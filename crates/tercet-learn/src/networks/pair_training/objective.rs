//! Shuffling of an epoch's cases, and the losses of its batches.

use super::{Development, PairSettings, PairTraining};
use crate::error::{Cause, Error, Result};
use crate::loss::{Kendall, logistic};
use crate::networks::{Case, Example, Network};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;
use crate::training::{BatchLoss, Evaluation, Identity, Objective};

/// A network, its pairs and the loss of a phase.
pub(super) struct PairObjective<'a, N: Network> {
    network: &'a mut N,
    examples: &'a N::Examples,
    settings: &'a PairSettings,
    development: Option<Development<'a, N>>,
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
        let PairTraining { network, examples, settings, development } = training;
        PairObjective {
            network,
            examples,
            settings,
            development,
            kendall: None,
            epoch: 0,
            order: Vec::new(),
            dropout: Random::stream(settings.seed, "dropout", 0),
            cases: Vec::new(),
            workspace: N::Workspace::default(),
            logits: Vec::new(),
            logit_gradients: Vec::new(),
        }
    }
}

impl<N: Network> Objective for PairObjective<'_, N> {
    fn parameters(&self) -> &Parameters {
        self.network.parameters()
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        self.network.parameters_mut()
    }

    fn identity(&self) -> Identity {
        let PairSettings { cost, optimizer, batch_size, symmetric, seed, .. } = self.settings;
        let examples = N::comparisons(self.examples).len();
        Identity {
            settings: format!(
                "cost {cost:?}\noptimizer {optimizer:?}\nbatches of {batch_size}\nsymmetric {symmetric}\n\
                 seed {seed}\n{examples} examples"
            ),
            model: self.network.description(),
            data: self.network.data_hash(self.examples),
            development: self.development.as_ref().and_then(|development| development.id.clone()),
        }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        let PairSettings { symmetric, seed, batch_size, .. } = *self.settings;
        let examples = N::comparisons(self.examples).len();
        self.epoch = round;
        self.order = order(examples, symmetric && self.kendall.is_none(), seed, round);
        self.dropout = Random::stream(seed, "dropout", round as u64);
        Ok(self.order.len().div_ceil(batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let size = self.settings.batch_size;
        let batch = &self.order[batch * size..self.order.len().min((batch + 1) * size)];
        self.cases.clear();
        match self.kendall {
            None => self.cases.extend_from_slice(batch),
            Some(_) => self.cases.extend(batch.iter().flat_map(|case| both_orders(*case))),
        }
        let PairObjective { network, examples, cases, workspace, logits, logit_gradients, .. } = self;
        network.forward(examples, cases, Some(&mut self.dropout), workspace, logits);
        let comparisons = N::comparisons(examples);
        let sum = losses(comparisons, cases, logits, self.kendall, self.epoch, logit_gradients)?;
        network.backward(examples, cases, logit_gradients, workspace, gradients);
        Ok(BatchLoss { sum, items: batch.len() })
    }

    fn evaluate(&mut self, _round: usize) -> Result<Evaluation, Cause> {
        let Some(development) = &self.development else { return Ok(Evaluation::default()) };
        let value = (development.score)(self.network)?;
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
