//! What the loop trains.

use crate::error::{Cause, Result};
use crate::parameters::{Gradients, Parameters};
use std::ops::AddAssign;

/// A model and its data. All that a round does must follow from the seed and the number of the round.
pub trait Objective {
    /// What is learned.
    fn parameters(&self) -> &Parameters;

    /// What is learned, to be changed.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// What decides digits. Called when a state is written or resumed, and not before: hashes take time.
    fn identity(&self) -> Identity;

    /// Prepares a round, counted from 1 through all phases; returns how many batches it has.
    fn start_round(&mut self, round: usize) -> Result<usize>;

    /// The loss of a batch of the round, counted from 0; adds its gradients to `gradients`. `step` counts the batches of
    /// the phase from 0.
    fn loss(&mut self, batch: usize, step: u64, gradients: &mut Gradients) -> Result<BatchLoss>;

    /// How good the model is after a round, where there is development data and it is time to look.
    fn evaluate(&mut self, round: usize) -> Result<Evaluation, Cause> {
        let _ = round;
        Ok(Evaluation::default())
    }

    /// Parameters that earlier phases have learned and this one uses: saved with the state, for
    /// [`Checkpoints::frozen`](super::Checkpoints::frozen).
    fn frozen(&self) -> Option<&Parameters> {
        None
    }
}

/// The loss of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BatchLoss {
    /// Over its items.
    pub sum: f64,
    /// How many items there are.
    pub items: usize,
}

impl BatchLoss {
    /// Per item.
    pub fn mean(&self) -> f64 {
        self.sum / self.items.max(1) as f64
    }
}

impl AddAssign for BatchLoss {
    fn add_assign(&mut self, other: Self) {
        self.sum += other.sum;
        self.items += other.items;
    }
}

/// How good a model is on development data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Higher is better; `None` where rounds are not compared.
    pub value: Option<f64>,
    /// What is shown: `dev LAS 89.07`. Empty: nothing.
    pub text: String,
}

/// What decides digits: a saved state of a run with another identity is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Settings, one a line: `seed 1`.
    pub settings: String,
    /// The model in words: its kind, sizes and options.
    pub model: String,
    /// A hash of the data, and of parts of the model that are not learned.
    pub data: String,
    /// Which development set rounds are compared by; `None`: none, or an unnamed one.
    pub development: Option<String>,
}
