//! Optimizers, what all of them share, and how the learning rate changes.
//!
//! ```text
//! SGD      w ← w − η g
//! AdaGrad  s ← s + g²,   w ← w − η g / (√s + ε)                             (Duchi, Hazan & Singer, 2011)
//! Adam     m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   w ← w − η m̂ / (√v̂ + ε)    (Kingma & Ba, 2015)
//! AdamW    w ← w − η λ w,   then Adam's step on the gradient of the loss alone    (Loshchilov & Hutter, 2019)
//! ```
//!
//! AdaGrad's ε is outside the root and s starts at 0, as in PyTorch's `Adagrad` (lasagne's, of the time of the papers,
//! has ε = 1e-6 inside the root; the difference is negligible once s is not tiny). Adam's ε is outside the root of the
//! corrected second moment.
//!
//! # Weight decay
//! The penalty is λ/2 · ‖w‖², whose gradient λ w is added to that of the loss before the method sees it (as PyTorch's
//! `weight_decay` does); AdamW multiplies λ with the learning rate instead, as PyTorch's `AdamW` does. Biases decay
//! only with [`OptimizerSettings::decay_biases`]. A tensor with an anchor E⁰ has λ/2 · ‖E − E⁰‖² instead: "moderate"
//! fine-tuning. Rows of an embedding matrix decay only when a batch touches them; a dense penalty would cost time for
//! the whole vocabulary at every step.
//!
//! # Sparse gradients
//! AdaGrad and SGD do not change rows that a batch did not touch. Adam keeps their moments unchanged too (as PyTorch's
//! `SparseAdam`), with one step count for all. AdamW updates all rows as in PyTorch's dense case: with a zero gradient
//! and decaying moments. A row that is touched once in a hundred steps moves about 13 times as far as with sparse
//! moments (β = 0.9, 0.95), which helps rare items.
//!
//! # Steps
//! Gradients may be clipped before a step by the global norm (Pascanu, Mikolov & Bengio, 2013, algorithm 1), and a
//! [`Schedule`] or an [`EpochDecay`] may change the learning rate.
//!
//! ```text
//! clipping     g ← g · min(1, c / ‖g‖),   ‖g‖ over all tensors together
//! schedule     η_t = η · min(1, (t + 1) / w) · (1 − t / T),   t = 0 … T − 1
//! epoch decay  η_e = η · d^(e − 1) / s^n,   e = 1, 2, …;   n: earlier epochs whose value was not above all before
//! ```
//!
//! PyTorch's `clip_grad_norm_` adds 1e-6 to the norm; we do not. Warm-up keeps the first steps of Adam small, when its
//! second moments come from few gradients (Goyal et al., 2017; Vaswani et al., 2017, sec. 5.3); the decay is that of
//! BERT (Devlin et al., 2019, app. A.2), but begins with the first step. With d = 0.99, s = 5 and an end below 1e-5 the
//! decay by epoch is the rule of Conneau et al. (2017, sec. 3.3). Their article divides "if the dev accuracy
//! decreases"; their program, followed here, if it is not above the best so far.

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

tercet_base::defaults! {
    /// Settings of an optimizer. Default, from Guzmán et al. (2017): AdaGrad, η = 0.01, λ = 1e-4.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct OptimizerSettings {
        /// The method.
        pub method: Method = Method::ADAGRAD,
        /// Learning rate η.
        pub learning_rate: f32 = 0.01,
        /// Weight decay λ of weights and embeddings.
        pub weight_decay: f32 = 1e-4,
        /// Weight decay λ towards the anchor, for tensors that have one.
        pub anchor_decay: f32 = 1e-4,
        /// Whether biases decay as weights do.
        pub decay_biases: bool = false,
    }
}

impl OptimizerSettings {
    /// Returns an error if a number is out of range.
    pub fn check(&self) -> Result<()> {
        Error::check_above_zero("learning_rate", self.learning_rate)?;
        for (name, value) in [("weight_decay", self.weight_decay), ("anchor_decay", self.anchor_decay)] {
            Error::check_at_least_zero(name, value)?;
        }
        if let Method::Adam { beta1, beta2, .. } | Method::AdamW { beta1, beta2, .. } = self.method {
            for (name, value) in [("beta1", beta1), ("beta2", beta2)] {
                let is_allowed = (0.0..1.0).contains(&value);
                Error::check_setting(is_allowed, name, value, "a number of at least 0 and below 1")?;
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
        let (mut penalised, rate) = (Penalised { gradient, anchor, decay }, self.rate);
        let mut slots = state.iter_mut().map(|values_of_slot| &mut values_of_slot[start..][..values.len()]);
        match (self.method, [slots.next(), slots.next()]) {
            (Method::AdaGrad { epsilon }, [Some(squares), _]) => penalised.for_each(values, |i, value, g| {
                squares[i] += g * g;
                *value -= rate * g / (squares[i].sqrt() + epsilon);
            }),
            (
                Method::Adam { beta1, beta2, epsilon } | Method::AdamW { beta1, beta2, epsilon },
                [Some(first), Some(second)],
            ) => {
                if let Method::AdamW { .. } = self.method {
                    penalised = penalised.decay_apart(values, rate);
                }
                let remaining = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
                let rate = (f64::from(rate) / remaining(beta1)) as f32;
                let second_scale = (1.0 / remaining(beta2).sqrt()) as f32;
                penalised.for_each(values, |i, value, g| {
                    first[i] = beta1 * first[i] + (1.0 - beta1) * g;
                    second[i] = beta2 * second[i] + (1.0 - beta2) * g * g;
                    *value -= rate * first[i] / (second[i].sqrt() * second_scale + epsilon);
                });
            }
            _ => penalised.for_each(values, |_, value, g| *value -= rate * g),
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
    /// Lets the values decay now, as AdamW does, and returns the gradient without weight decay.
    fn decay_apart(self, values: &mut [f32], rate: f32) -> Self {
        let shrink = rate * self.decay;
        match self.anchor {
            None => values.iter_mut().for_each(|value| *value -= shrink * *value),
            Some(anchor) => values.iter_mut().zip(anchor).for_each(|(value, home)| *value -= shrink * (*value - home)),
        }
        Penalised { anchor: None, decay: 0.0, ..self }
    }

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

/// Clips the gradients to the norm `most` and returns their norm before; if that is not finite, they are unchanged.
pub fn clip(gradients: &mut Gradients, most: f32) -> f64 {
    let norm = gradients.squares().sqrt();
    if norm > f64::from(most) && norm.is_finite() {
        gradients.scale((f64::from(most) / norm) as f32);
    }
    norm
}

/// Linear warm-up and linear decay of the learning rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// w: number of warm-up steps.
    pub warm_up: u64,
    /// T: number of steps of the training.
    pub steps: u64,
}

impl Schedule {
    /// Returns an error if there are no steps.
    pub fn check(&self) -> Result<()> {
        if self.steps == 0 { Err(Error::setting("steps", self.steps, "at least 1")) } else { Ok(()) }
    }

    /// η_t / η, for t counted from 0; zero after the last step.
    pub fn factor(&self, step: u64) -> f32 {
        let rise = (step as f64 + 1.0) / self.warm_up.max(1) as f64;
        let fall = 1.0 - step as f64 / self.steps.max(1) as f64;
        (rise.min(1.0) * fall.max(0.0)) as f32
    }
}

/// How the learning rate falls from epoch to epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochDecay {
    /// d: the rate is multiplied by it after every epoch.
    pub decay: f32,
    /// s: the rate is divided by it after an epoch without a new best development value.
    pub divisor: f32,
    /// The training ends when the rate falls below this.
    pub lowest: f32,
}

impl EpochDecay {
    /// Returns an error if a number is out of its range.
    pub fn check(&self) -> Result<()> {
        let Self { decay, divisor, lowest } = *self;
        Error::check_setting(decay > 0.0 && decay <= 1.0, "decay", decay, "a number above 0, at most 1")?;
        let is_allowed = divisor >= 1.0 && divisor.is_finite();
        Error::check_setting(is_allowed, "divisor", divisor, "a number of at least 1")?;
        Error::check_at_least_zero("lowest", lowest)
    }

    /// η_e / η after epochs with these development values; `None` for epochs without one.
    pub fn factor(&self, values: impl Iterator<Item = Option<f64>>) -> f32 {
        let (mut factor, mut best) = (1.0, f64::NEG_INFINITY);
        for value in values {
            factor *= f64::from(self.decay);
            match value {
                Some(value) if value > best => best = value,
                Some(_) => factor /= f64::from(self.divisor),
                None => {}
            }
        }
        factor as f32
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod schedule_tests {
    use super::*;

    #[test]
    fn the_rate_rises_to_the_whole_and_falls_to_nothing() {
        let schedule = Schedule { warm_up: 4, steps: 10 };
        let factors: Vec<f32> = (0..12).map(|step| schedule.factor(step)).collect();
        let expected = [0.25, 0.45, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 0.0];
        factors.iter().zip(expected).for_each(|(f, e)| assert!((f - e).abs() < 1e-6, "{factors:?}"));
        assert_eq!(Schedule { warm_up: 0, steps: 2 }.factor(0), 1.0);
        let error = Schedule { warm_up: 1, steps: 0 }.check().unwrap_err().to_string();
        assert_eq!(error, "setting `steps` cannot be 0: expected at least 1");
    }

    const PUBLISHED: EpochDecay = EpochDecay { decay: 0.99, divisor: 5.0, lowest: 1e-5 };

    #[test]
    fn the_rate_falls_after_every_epoch_and_more_without_a_new_best() {
        let factor = |values: &[f64]| PUBLISHED.factor(values.iter().map(|value| Some(*value)));
        let near = |found: f32, expected: f64| assert!((f64::from(found) - expected).abs() < 1e-7, "{found}");
        near(factor(&[]), 1.0);
        near(factor(&[0.5, 0.6]), 0.99f64.powi(2));
        // Equal to the best is no new best, and neither is a rise below it.
        near(factor(&[0.5, 0.6, 0.6]), 0.99f64.powi(3) / 5.0);
        near(factor(&[0.5, 0.6, 0.3, 0.4, 0.7]), 0.99f64.powi(5) / 25.0);
        near(PUBLISHED.factor([None, None].into_iter()), 0.99f64.powi(2));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        PUBLISHED.check().unwrap();
        let refused = |decay: EpochDecay| decay.check().unwrap_err().to_string();
        assert!(refused(EpochDecay { decay: 0.0, ..PUBLISHED }).contains("`decay`"));
        assert!(refused(EpochDecay { divisor: 0.5, ..PUBLISHED }).contains("`divisor`"));
        assert!(refused(EpochDecay { lowest: f32::NAN, ..PUBLISHED }).contains("`lowest`"));
    }
}
