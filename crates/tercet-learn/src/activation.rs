//! Activation functions, written so that the compiler vectorises loops over them.
//!
//! The C library's `tanhf` and `expf` are scalar and differ from system to system; these have a relative error of at most
//! 3e-7 and give the same result on every machine.
//!
//! ```text
//! sig(x)  = 1 / (1 + e⁻ˣ)
//! hard(x) = 0 for x < −2.5, 1 for x > 2.5, 0.2 x + 0.5 between      (Theano's and Keras's `hard_sigmoid`)
//! gelu(x) = x · sig(1.702 x)                                         (Hendrycks & Gimpel, 2016, sec. 2)
//! tanh(x) = (1 − e^(−2|x|)) / (1 + e^(−2|x|)) · sign(x), and an odd polynomial for |x| < 0.55
//! ```
//!
//! The polynomial of tanh was fitted by least squares at Chebyshev points (relative error 1e-9); eˣ is 2ⁿ times its
//! Taylor polynomial of degree 7 on ±ln 2 / 2.

use crate::error::{Error, Result};
use std::str::FromStr;

/// Adding this to a small number rounds it to an integer, found in the lowest bits of the sum.
const ROUND: f32 = 12_582_912.0;
/// ln 2 in two parts, the first exact in few bits.
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;

/// eˣ, for x in [−87, 87]; clamped outside.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut p = 1.0 / 5040.0;
    for c in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + c;
    }
    p * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// Φ(x) = (1 + erf(x / √2)) / 2, the distribution function of the normal distribution: gelu(x) = x Φ(x) in transformers.
///
/// erf(x) is x·P(x²)/Q(x²) up to ±3.92, where it is 1 in single precision. P and Q were fitted for the smallest largest absolute error
/// (1.6e-8 in exact arithmetic, 3.5e-7 in single precision).
#[inline(always)]
pub fn normal_cdf(x: f32) -> f32 {
    #[allow(clippy::approx_constant)] // fitted with the others
    const P: [f32; 6] = [1.128_379, 0.192_764_27, 0.053_060_51, 0.003_868_337, 2.874_797e-4, 2.034_734_5e-6];
    const Q: [f32; 6] = [1.0, 0.504_164_6, 0.115_084_71, 0.015_172_315, 0.001_188_117_7, 3.807_065e-5];
    let x = (x * std::f32::consts::FRAC_1_SQRT_2).clamp(-3.92, 3.92);
    let square = x * x;
    let series = |[a, b, c, d, e, f]: [f32; 6]| {
        ((((f * square + e) * square + d) * square + c) * square + b) * square + a
    };
    0.5 * (1.0 + x * series(P) / series(Q))
}

/// tanh(x).
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let (size, z) = (x.abs(), x * x);
    let e = exp(-2.0 * size);
    let far = ((1.0 - e) / (1.0 + e)).copysign(x);
    let mut p = -0.006_272_607_5;
    for c in [0.021_070_253, -0.053_851_865, 0.133_325_8, -0.333_333_17] {
        p = p * z + c;
    }
    let near = x + x * z * p;
    if size < 0.55 { near } else { far }
}

/// 1 / (1 + e⁻ˣ).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// 1 / (1 + e⁻ˣ) in double precision, for losses and final outputs.
pub fn sigmoid_exact(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let e = x.exp();
        e / (1.0 + e)
    }
}

/// 0.2 x + 0.5, cut off at 0 and 1.
#[inline(always)]
pub fn hard_sigmoid(x: f32) -> f32 {
    (0.2 * x + 0.5).clamp(0.0, 1.0)
}

/// Hendrycks and Gimpel's constant: with it the curve is within 0.021 of x · Φ(x).
const GELU: f32 = 1.702;

/// x · sig(1.702 x), "quick GELU". It is not monotone, so its derivative cannot be computed from its value, and it cannot
/// be an [`Activation`].
#[inline(always)]
pub fn quick_gelu(x: f32) -> f32 {
    x * sigmoid(GELU * x)
}

/// The derivative of [`quick_gelu`] at x.
#[inline(always)]
pub fn quick_gelu_slope(x: f32) -> f32 {
    let s = sigmoid(GELU * x);
    s + GELU * x * s * (1.0 - s)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_within_their_stated_error_everywhere() {
        for step in -200_000..=200_000 {
            let x = step as f32 * 5e-4;
            let t = f64::from(x).tanh();
            assert!((f64::from(tanh(x)) - t).abs() <= 3e-7 * t.abs().max(1e-30), "tanh({x}) = {}", tanh(x));
            let s = sigmoid_exact(f64::from(x));
            assert!((f64::from(sigmoid(x)) - s).abs() <= 3e-7 * s + 2e-38, "sigmoid({x}) = {}", sigmoid(x));
        }
        assert_eq!((tanh(f32::INFINITY), tanh(f32::NEG_INFINITY), tanh(0.0)), (1.0, -1.0, 0.0));
        assert!(tanh(f32::NAN).is_nan() && sigmoid(f32::NAN).is_nan());
    }

    #[test]
    fn quick_gelu_is_near_gelu_and_its_derivative_matches_finite_differences() {
        // x · Φ(x) at −2, −0.5, 0, 1, 3, from scipy 1.17.1's norm.cdf.
        let gelu = [(-2.0, -0.0455003), (-0.5, -0.1542688), (0.0, 0.0), (1.0, 0.8413447), (3.0, 2.9959503)];
        for (x, y) in gelu {
            assert!((quick_gelu(x) - y).abs() < 0.021, "{x}");
        }
        for step in -60..60 {
            let x = f64::from(step) * 0.1;
            let slope = crate::gradient_check::derivative(x, |x| x * sigmoid_exact(1.702 * x));
            assert!((slope - f64::from(quick_gelu_slope(x as f32))).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn the_hard_sigmoid_is_theanos() {
        let expected =
            [(-3.0, 0.0), (-2.5, 0.0), (-1.0, 0.3), (0.0, 0.5), (1.0, 0.7), (2.5, 1.0), (9.0, 1.0)];
        for (x, y) in expected {
            assert!((hard_sigmoid(x) - y).abs() < 1e-7, "{x}");
        }
    }
}
