//! The nonlinearity of a layer, with its derivative from the output; the functions are in [`tercet_math::functions`].

pub use tercet_math::functions::*;

/// 1, 0 or −1: the derivative of |x|, which is taken as 0 at 0.
pub fn sign(x: f32) -> f32 {
    f32::from(x > 0.0) - f32::from(x < 0.0)
}

/// Applies tanh to every number.
pub fn tanh_in_place(values: &mut [f32]) {
    values.iter_mut().for_each(|x| *x = tanh(*x));
}

tercet_base::choices! {
    /// The nonlinearity of a convolution or a dense layer, with its derivative from the output.
    pub enum Activation: "activation" = Tanh {
        /// x.
        Identity = "identity",
        /// tanh(x).
        Tanh = "tanh",
        /// max(0, x).
        Relu = "relu",
        /// 1 / (1 + e⁻ˣ).
        Sigmoid = "sigmoid",
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
