//! Activation functions, written so that the compiler vectorises loops over them.
//!
//! The C library's `tanhf` and `expf` are scalar and differ from system to system; these have a relative error of at
//! most 3e-7 and give the same result on every machine.
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

use crate::widest;

/// Adding this to a small number rounds it to an integer, found in the lowest bits of the sum.
const ROUND: f32 = 12_582_912.0;
/// ln 2 in two parts, the first exact in few bits.
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;

/// eˣ, for x in [−87, 87].
#[inline(always)]
fn exp_within(x: f32) -> f32 {
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut p = 1.0 / 5040.0;
    for c in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + c;
    }
    p * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// eˣ, for x in [−87, 87]; clamped outside.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    exp_within(x.clamp(-87.0, 87.0))
}

/// eˣ, for x ≤ 0, and 0 below −87: the weights of a softmax.
#[inline(always)]
pub fn exp_or_zero(x: f32) -> f32 {
    let value = exp_within(if x > -87.0 { x } else { -87.0 });
    if x < -87.0 { 0.0 } else { value }
}

/// Φ(x) = (1 + erf(x / √2)) / 2, the distribution function of the normal distribution: gelu(x) = x Φ(x) in
/// transformers.
///
/// erf(x) is x·P(x²)/Q(x²) up to ±3.92, where it is 1 in single precision. P and Q were fitted for the smallest largest
/// absolute error (1.6e-8 in exact arithmetic, 3.5e-7 in single precision).
#[inline(always)]
pub fn normal_cdf(x: f32) -> f32 {
    #[allow(clippy::approx_constant)] // fitted with the others
    const P: [f32; 6] = [1.128_379, 0.192_764_27, 0.053_060_51, 0.003_868_337, 2.874_797e-4, 2.034_734_5e-6];
    const Q: [f32; 6] = [1.0, 0.504_164_6, 0.115_084_71, 0.015_172_315, 0.001_188_117_7, 3.807_065e-5];
    let x = (x * std::f32::consts::FRAC_1_SQRT_2).clamp(-3.92, 3.92);
    let square = x * x;
    let series =
        |[a, b, c, d, e, f]: [f32; 6]| ((((f * square + e) * square + d) * square + c) * square + b) * square + a;
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

/// x · sig(1.702 x), "quick GELU". It is not monotone, so its derivative cannot be computed from its value, and it
/// cannot be an activation whose derivative comes from its output.
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

widest! {
    /// x · Φ(x) of every number, in place: the activation of transformers.
    pub fn gelu(values: &mut [f32]) {
        for value in values {
            *value *= normal_cdf(*value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close_to_the_library_and_zero_far_below() {
        for step in 0..8700 {
            let x = -(step as f32) / 100.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp_or_zero(x)) / exact - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!((exp_or_zero(0.0), exp_or_zero(-90.0), exp_or_zero(f32::NEG_INFINITY)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn gelu_is_that_of_pytorch() {
        // torch.nn.functional.gelu(torch.tensor([-6., -3., -1., -.1, 0., .1, .5, 1., 2., 6.]))
        let mut values = [-6.0, -3.0, -1.0, -0.1, 0.0, 0.1, 0.5, 1.0, 2.0, 6.0];
        gelu(&mut values);
        let expected = [
            -5.919_257_4e-9,
            -0.004_049_694,
            -0.158_655_25,
            -0.046_017_22,
            0.0,
            0.053_982_78,
            0.345_731_23,
            0.841_344_8,
            1.954_499_7,
            6.0,
        ];
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 2e-6, "{value} {expected}");
        }
    }

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
            let value = |x: f64| x * sigmoid_exact(1.702 * x);
            let slope = (value(x + 1e-6) - value(x - 1e-6)) / 2e-6;
            assert!((slope - f64::from(quick_gelu_slope(x as f32))).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn the_hard_sigmoid_is_theanos() {
        let expected = [(-3.0, 0.0), (-2.5, 0.0), (-1.0, 0.3), (0.0, 0.5), (1.0, 0.7), (2.5, 1.0), (9.0, 1.0)];
        for (x, y) in expected {
            assert!((hard_sigmoid(x) - y).abs() < 1e-7, "{x}");
        }
    }
}
