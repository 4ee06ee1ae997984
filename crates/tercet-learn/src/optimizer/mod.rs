//! Optimizers: one file per method, and what all of them share.
//!
//! # Weight decay
//! The penalty is λ/2 · ‖w‖², whose gradient λ w is added to that of the loss before the method sees it (as PyTorch's
//! `weight_decay` does). Biases decay only with [`OptimizerSettings::decay_biases`]. A tensor with an anchor
//! E⁰ has λ/2 · ‖E − E⁰‖² instead: "moderate" fine-tuning. Rows of an embedding matrix decay only
//! when a batch touches them; a dense penalty would cost time for the whole vocabulary at every step.
//!
//! # Sparse gradients
//! AdaGrad and SGD do not change rows that a batch did not touch. Adam keeps their moments unchanged too (as PyTorch's
//! `SparseAdam`), with one step count for all. AdamW updates all rows; `adamw.rs` explains why.
//!
//! # Steps
//! Gradients may be clipped before a step (`clipping.rs`), and a [`Schedule`] or an
//! [`EpochDecay`] may change the learning rate.

mod adagrad;
mod adam;
mod adamw;
mod clipping;
mod epoch_decay;
mod schedule;
mod sgd;
#[cfg(test)]
mod tests;

pub(crate) use clipping::clip;
pub use epoch_decay::EpochDecay;
pub use schedule::Schedule;

use crate::error::{Error, Result};
use crate::parameters::{Gradient, Gradients, Parameters, Role, Tensor};

/// An optimization method and its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Plain stochastic gradient descent.
    Sgd,
    /// AdaGrad (Duchi et al., 2011).
    AdaGrad {
        /// Added to the root of the accumulated squares.
        epsilon: f32,
    },
    /// Adam (Kingma & Ba, 2015).
    Adam {
        /// Decay of the first moment.
        beta1: f32,
        /// Decay of the second moment.
        beta2: f32,
        /// Added to the root of the second moment.
        epsilon: f32,
    },
    /// AdamW (Loshchilov & Hutter, 2019): Adam with decoupled weight decay, for all rows of embedding matrices.
    AdamW {
        /// Decay of the first moment.
        beta1: f32,
        /// Decay of the second moment.
        beta2: f32,
        /// Added to the root of the second moment.
        epsilon: f32,
    },
}

impl Method {
    /// AdaGrad with ε = 1e-10, PyTorch's.
    pub const ADAGRAD: Method = Method::AdaGrad { epsilon: 1e-10 };
    /// Adam with the constants of its paper.
    pub const ADAM: Method = Method::Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

    /// Name in messages: `sgd`, `adagrad`, `adam`, `adamw`.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Sgd => "sgd",
            Method::AdaGrad { .. } => "adagrad",
            Method::Adam { .. } => "adam",
            Method::AdamW { .. } => "adamw",
        }
    }

    /// Number of buffers per tensor.
    fn slots(&self) -> usize {
        match self {
            Method::Sgd => 0,
            Method::AdaGrad { .. } => 1,
            Method::Adam { .. } | Method::AdamW { .. } => 2,
        }
    }
}

/// Settings of an optimizer. Default, from Guzmán et al. (2017): AdaGrad, η = 0.01, λ = 1e-4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizerSettings {
    /// The method.
    pub method: Method,
    /// Learning rate η.
    pub learning_rate: f32,
    /// Weight decay λ of weights and embeddings.
    pub weight_decay: f32,
    /// Weight decay λ towards the anchor, for tensors that have one.
    pub anchor_decay: f32,
    /// Whether biases decay as weights do.
    pub decay_biases: bool,
}

impl Default for OptimizerSettings {
    fn default() -> Self {
        OptimizerSettings {
            method: Method::ADAGRAD,
            learning_rate: 0.01,
            weight_decay: 1e-4,
            anchor_decay: 1e-4,
            decay_biases: false,
        }
    }
}

impl OptimizerSettings {
    /// Returns an error if a number is out of range.
    pub fn check(&self) -> Result<()> {
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return Err(Error::setting("learning_rate", self.learning_rate, "a number above 0"));
        }
        for (name, value) in [("weight_decay", self.weight_decay), ("anchor_decay", self.anchor_decay)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::setting(name, value, "a number of at least 0"));
            }
        }
        if let Method::Adam { beta1, beta2, .. } | Method::AdamW { beta1, beta2, .. } = self.method {
            for (name, value) in [("beta1", beta1), ("beta2", beta2)] {
                if !(0.0..1.0).contains(&value) {
                    return Err(Error::setting(name, value, "a number of at least 0 and below 1"));
                }
            }
        }
        Ok(())
    }

    /// Weight decay of a tensor.
    fn decay(&self, tensor: &Tensor) -> f32 {
        match (tensor.role, &tensor.anchor) {
            (Role::Bias, _) if !self.decay_biases => 0.0,
            (_, Some(_)) => self.anchor_decay,
            (_, None) => self.weight_decay,
        }
    }
}

/// An optimizer with its state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Optimizer {
    settings: OptimizerSettings,
    steps: u64,
    /// Buffers of the method, per tensor.
    state: Vec<Vec<Vec<f32>>>,
}

impl Optimizer {
    pub fn new(settings: OptimizerSettings, parameters: &Parameters) -> Result<Self> {
        settings.check()?;
        let slots = |tensor: &Tensor| vec![vec![0.0; tensor.values.len()]; settings.method.slots()];
        let state = parameters.tensors().iter().map(slots).collect();
        Ok(Optimizer { settings, steps: 0, state })
    }

    /// Number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The buffers of the method, per tensor.
    pub fn state(&self) -> &[Vec<Vec<f32>>] {
        &self.state
    }

    /// Continues with the state of another optimizer.
    pub fn restore(&mut self, steps: u64, state: Vec<Vec<Vec<f32>>>) -> Result<()> {
        let sizes = |state: &[Vec<Vec<f32>>]| -> Vec<Vec<usize>> {
            state.iter().map(|slots| slots.iter().map(Vec::len).collect()).collect()
        };
        if sizes(&state) != sizes(&self.state) {
            let reason = format!("its optimizer is not {} with these tensors", self.settings.method.name());
            return Err(Error::NotResumable { reason });
        }
        (self.steps, self.state) = (steps, state);
        Ok(())
    }

    #[cfg(test)]
    pub fn step(&mut self, parameters: &mut Parameters, gradients: &Gradients) {
        self.step_at(parameters, gradients, self.settings.learning_rate);
    }

    /// Moves the parameters against their gradients, at the learning rate of this step.
    pub fn step_at(&mut self, parameters: &mut Parameters, gradients: &Gradients, learning_rate: f32) {
        self.steps += 1;
        let all_rows = matches!(self.settings.method, Method::AdamW { .. });
        let tensors = parameters.tensors_mut().iter_mut().zip(gradients.all()).zip(&mut self.state);
        for ((tensor, gradient), state) in tensors {
            let rate = learning_rate * tensor.rate;
            let step = Step { method: self.settings.method, rate, steps: self.steps };
            let decay = self.settings.decay(tensor);
            let anchor = tensor.anchor.as_deref();
            match gradient {
                Gradient::Dense(gradient) => step.apply(&mut tensor.values, gradient, anchor, decay, state, 0),
                Gradient::Rows(rows) if all_rows => {
                    step.apply(&mut tensor.values, rows.values(), anchor, decay, state, 0)
                }
                Gradient::Rows(rows) => {
                    let width = tensor.shape[1];
                    for &row in rows.touched() {
                        let (start, end) = (row as usize * width, (row as usize + 1) * width);
                        let anchor = anchor.map(|anchor| &anchor[start..end]);
                        step.apply(&mut tensor.values[start..end], rows.row(row), anchor, decay, state, start);
                    }
                }
            }
        }
    }
}

/// The constants of one step.
struct Step {
    method: Method,
    rate: f32,
    steps: u64,
}

impl Step {
    /// Updates a slice of values; its state starts at `start` in each buffer.
    fn apply(
        &self,
        values: &mut [f32],
        gradient: &[f32],
        anchor: Option<&[f32]>,
        decay: f32,
        state: &mut [Vec<f32>],
        start: usize,
    ) {
        let penalised = Penalised { gradient, anchor, decay };
        let (rate, end) = (self.rate, start + values.len());
        match (self.method, state) {
            (Method::AdaGrad { epsilon }, [squares]) => {
                adagrad::step(values, &penalised, &mut squares[start..end], rate, epsilon);
            }
            (Method::Adam { beta1, beta2, epsilon }, [first, second]) => {
                let constants = adam::Constants::new(rate, beta1, beta2, epsilon, self.steps);
                adam::step(values, &penalised, &mut first[start..end], &mut second[start..end], &constants);
            }
            (Method::AdamW { beta1, beta2, epsilon }, [first, second]) => {
                let constants = adam::Constants::new(rate, beta1, beta2, epsilon, self.steps);
                let moments = [&mut first[start..end], &mut second[start..end]];
                adamw::step(values, &penalised, moments, &constants, rate);
            }
            _ => sgd::step(values, &penalised, rate),
        }
    }
}

/// A gradient with the gradient of the weight decay.
struct Penalised<'a> {
    gradient: &'a [f32],
    anchor: Option<&'a [f32]>,
    decay: f32,
}

impl Penalised<'_> {
    /// Calls `change(i, value, gradient)` for every value. Without an anchor this is a separate loop, which vectorises.
    #[inline(always)]
    fn for_each(&self, values: &mut [f32], mut change: impl FnMut(usize, &mut f32, f32)) {
        let decay = self.decay;
        match self.anchor {
            None => {
                for (i, (value, g)) in values.iter_mut().zip(self.gradient).enumerate() {
                    let g = g + decay * *value;
                    change(i, value, g);
                }
            }
            Some(anchor) => {
                for (i, ((value, g), home)) in values.iter_mut().zip(self.gradient).zip(anchor).enumerate() {
                    let g = g + decay * (*value - home);
                    change(i, value, g);
                }
            }
        }
    }
}
