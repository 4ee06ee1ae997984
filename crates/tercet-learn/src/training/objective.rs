//! What the training loop optimises.

use crate::error::{Cause, Result};
use crate::parameters::{Gradients, Parameters};
use std::ops::AddAssign;

/// A model and its data. A round must depend only on the seed and the number of the round, so that runs can be resumed.
pub trait Objective {
    /// The parameters to learn.
    fn parameters(&self) -> &Parameters;

    /// The parameters to learn, mutable.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// Everything that affects the result. Called only when a checkpoint is written or resumed: hashing takes time.
    fn identity(&self) -> Identity;

    /// Prepares a round (counted from 1 through all phases); returns its number of batches.
    fn start_round(&mut self, round: usize) -> Result<usize>;

    /// The loss of a batch (counted from 0 in the round); adds its gradients to `gradients`. `step` counts the batches
    /// of the phase from 0.
    fn loss(&mut self, batch: usize, step: u64, gradients: &mut Gradients) -> Result<BatchLoss>;

    /// Evaluates the model on development data after a round. Default: no evaluation.
    fn evaluate(&mut self, round: usize) -> Result<Evaluation, Cause> {
        let _ = round;
        Ok(Evaluation::default())
    }

    /// The number to show for a value of an evaluation. Default: the value itself; that of a loss is its negative.
    fn shown(&self, value: f64) -> f64 {
        value
    }

    /// Parameters that earlier phases have learned and this one uses: saved in checkpoints, for
    /// [`Checkpoints::frozen`](super::Checkpoints::frozen).
    fn frozen(&self) -> Option<&Parameters> {
        None
    }
}

/// The loss of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BatchLoss {
    /// Sum over the examples of the batch.
    pub sum: f64,
    /// Number of examples.
    pub items: usize,
}

impl BatchLoss {
    /// Mean loss per example.
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

/// The result of an evaluation on development data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Higher is better; `None` if the model was not evaluated.
    pub value: Option<f64>,
    /// Text for progress reports, such as `dev LAS 89.07`; may be empty.
    pub text: String,
}

/// Everything that affects the result of a run: a checkpoint of a run with another identity is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Settings, one per line: `seed 1`.
    pub settings: String,
    /// A description of the model: its kind, sizes and options.
    pub model: String,
    /// A hash of the data, and of parts of the model that are not learned.
    pub data: String,
    /// Identifies the development set; `None`: there is none, or it has no name.
    pub development: Option<String>,
}
