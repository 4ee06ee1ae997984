//! One epoch: the order of its cases, and a step per batch.

use super::TrainingSettings;
use crate::error::{Error, Result};
use crate::loss::{Kendall, logistic};
use crate::networks::{Case, Example, Network};
use crate::optimizer::Optimizer;
use crate::parameters::Gradients;
use crate::random::Random;

/// Memory that every epoch uses again.
pub(super) struct Epoch<N: Network> {
    cases: Vec<Case>,
    workspace: N::Workspace,
    logits: Vec<f32>,
    logit_gradients: Vec<f32>,
    gradients: Gradients,
}

impl<N: Network> Epoch<N> {
    pub fn new(network: &N) -> Self {
        Epoch {
            cases: Vec::new(),
            workspace: N::Workspace::default(),
            logits: Vec::new(),
            logit_gradients: Vec::new(),
            gradients: Gradients::zeros(network.parameters()),
        }
    }

    /// Runs an epoch and returns its mean loss.
    pub fn run(
        &mut self,
        network: &mut N,
        examples: &N::Examples,
        settings: &TrainingSettings,
        kendall: Option<Kendall>,
        number: usize,
        optimizer: &mut Optimizer,
    ) -> Result<f64> {
        let comparisons = N::comparisons(examples);
        let order = order(comparisons.len(), settings.symmetric && kendall.is_none(), settings.seed, number);
        let mut dropout = Random::stream(settings.seed, "dropout", number as u64);
        let mut total = 0.0;
        for batch in order.chunks(settings.batch_size) {
            self.cases.clear();
            match kendall {
                None => self.cases.extend_from_slice(batch),
                Some(_) => self.cases.extend(batch.iter().flat_map(|case| both_orders(*case))),
            }
            let Epoch { cases, workspace, logits, logit_gradients, gradients } = self;
            network.forward(examples, cases, Some(&mut dropout), workspace, logits);
            total += losses(comparisons, cases, logits, kendall, number, logit_gradients)?;
            gradients.clear();
            network.backward(examples, cases, logit_gradients, workspace, gradients);
            optimizer.step(network.parameters_mut(), gradients);
        }
        Ok(total / order.len() as f64)
    }
}

/// All cases in the order of an epoch.
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

/// The sum of the losses of a batch; gradients of their mean go to `gradients`.
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
