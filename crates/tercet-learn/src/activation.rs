//! The nonlinearity of a layer, with its derivative from the output; the functions are in [`tercet_math::functions`].

use crate::error::{Error, Result};
use std::str::FromStr;
pub use tercet_math::functions::*;

/// Applies tanh to every number.
pub fn tanh_in_place(values: &mut [f32]) {
    values.iter_mut().for_each(|x| *x = tanh(*x));
}

/// The nonlinearity of a convolution or a dense layer, with its derivative from the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// x.
    Identity,
    /// tanh(x).
    #[default]
    Tanh,
    /// max(0, x).
    Relu,
    /// 1 / (1 + e⁻ˣ).
    Sigmoid,
}

impl Activation {
    /// All activations.
    pub const ALL: [Activation; 4] =
        [Activation::Identity, Activation::Tanh, Activation::Relu, Activation::Sigmoid];

    /// Name in recipes and model files: `identity`, `tanh`, `relu`, `sigmoid`.
    pub fn name(self) -> &'static str {
        match self {
            Activation::Identity => "identity",
            Activation::Tanh => "tanh",
            Activation::Relu => "relu",
            Activation::Sigmoid => "sigmoid",
        }
    }
}

impl FromStr for Activation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = Activation::ALL.into_iter().find(|known| known.name() == text);
        known.ok_or_else(|| Error::setting("activation", text, "identity, tanh, relu or sigmoid"))
    }
}

impl Activation {
    /// Applies it to every number.
    pub fn apply(self, values: &mut [f32]) {
        match self {
            Activation::Identity => {}
            Activation::Tanh => tanh_in_place(values),
            Activation::Relu => values.iter_mut().for_each(|x| *x = x.max(0.0)),
            Activation::Sigmoid => values.iter_mut().for_each(|x| *x = sigmoid(*x)),
        }
    }

    /// The derivative, computed from the output y; 0 for `Relu` at 0.
    #[inline]
    pub fn derivative(self, y: f32) -> f32 {
        match self {
            Activation::Identity => 1.0,
            Activation::Tanh => 1.0 - y * y,
            Activation::Relu => f32::from(y > 0.0),
            Activation::Sigmoid => y * (1.0 - y),
        }
    }
}
