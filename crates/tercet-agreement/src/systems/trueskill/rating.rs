//! TrueSkill for two players (Herbrich, Minka & Graepel, NIPS 2006): updates of two ratings after a game.
//!
//! A system's ability is N(μ, σ²); in a game its performance is N(ability, β²); the better performance wins, and
//! performances closer than ε are a draw. With c² = 2β² + σ₁² + σ₂², t = (μ₁ − μ₂)/c and e = ε/c, after a win of the
//! first
//!
//! ```text
//! μ₁ += σ₁²/c · v,   μ₂ −= σ₂²/c · v,   σᵢ² ×= 1 − σᵢ²/c² · w
//! win:   x = t − e,              v = φ(x)/Φ(x),                      w = v (v + x)
//! draw:  a = e − |t|, b = −e − |t|,  v = (φ(b) − φ(a))/(Φ(a) − Φ(b)),  w = v² + (a φ(a) − b φ(b))/(Φ(a) − Φ(b))
//! ```
//!
//! (v of a draw with the sign of t). The margin comes from the probability p of a draw between equals:
//! ε = Φ⁻¹((p + 1)/2) · √2 · β.
//!
//! # Agreement
//! With the Python package `trueskill` 0.4.5, which WMT used, to 1e-9 over hundreds of games. It computes with Φ and
//! Φ⁻¹ good to seven digits (Numerical Recipes, 2nd ed., §6.2, and the inverse by Newton steps on the same
//! approximation); so do we. Where its w leaves (0, 1), at an upset of more than about 38 c, it raises an error; here w
//! then is its limit: 1 for the upset, 0 for the expected result.

/// The estimated ability of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The mean.
    pub mu: f64,
    /// The variance, σ².
    pub variance: f64,
}

/// The constants of the model; tau, the drift of abilities between games, is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Environment {
    /// 2β²
    noise: f64,
    /// ε
    margin: f64,
}

impl Environment {
    /// `beta` is the standard deviation of performance, `draw_probability` that of a draw between equals.
    pub fn new(beta: f64, draw_probability: f64) -> Environment {
        let margin = quantile((draw_probability + 1.0) / 2.0) * 2f64.sqrt() * beta;
        Environment { noise: 2.0 * beta * beta, margin }
    }

    /// Both ratings after the first has won.
    pub fn win(&self, winner: &mut Rating, loser: &mut Rating) {
        let (c, difference) = self.scale(winner, loser);
        let (v, w) = after_win(difference - self.margin / c);
        learn(winner, loser, c, v, w);
    }

    /// Both ratings after a draw.
    pub fn draw(&self, one: &mut Rating, other: &mut Rating) {
        let (c, difference) = self.scale(one, other);
        let (v, w) = after_draw(difference.abs(), self.margin / c);
        learn(one, other, c, if difference < 0.0 { -v } else { v }, w);
    }

    fn scale(&self, one: &Rating, other: &Rating) -> (f64, f64) {
        let c = (self.noise + one.variance + other.variance).sqrt();
        (c, (one.mu - other.mu) / c)
    }
}

#[inline]
fn learn(one: &mut Rating, other: &mut Rating, c: f64, v: f64, w: f64) {
    one.mu += one.variance / c * v;
    other.mu -= other.variance / c * v;
    one.variance *= 1.0 - one.variance / (c * c) * w;
    other.variance *= 1.0 - other.variance / (c * c) * w;
}

/// v and w for a difference that is x above the margin.
#[inline]
fn after_win(x: f64) -> (f64, f64) {
    let below = cumulative(x);
    let v = if below == 0.0 { -x } else { density(x) / below };
    let w = v * (v + x);
    (v, if 0.0 < w && w < 1.0 { w } else { limit(x < 0.0) })
}

#[inline]
fn after_draw(difference: f64, margin: f64) -> (f64, f64) {
    let (a, b) = (margin - difference, -margin - difference);
    let between = cumulative(a) - cumulative(b);
    if between == 0.0 {
        return (a, limit(true));
    }
    let v = (density(b) - density(a)) / between;
    (v, v * v + (a * density(a) - b * density(b)) / between)
}

fn limit(upset: bool) -> f64 {
    if upset { 1.0 } else { 0.0 }
}

/// φ
#[inline]
fn density(x: f64) -> f64 {
    const ONE_OVER_ROOT_TAU: f64 = 0.398_942_280_401_432_7;
    ONE_OVER_ROOT_TAU * (-x * x / 2.0).exp()
}

/// Φ
#[inline]
fn cumulative(x: f64) -> f64 {
    0.5 * complementary_error(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// erfc to a relative error of 1.2e-7: a Chebyshev fit in t = 1/(1 + |x|/2).
#[inline]
fn complementary_error(x: f64) -> f64 {
    const FIT: [f64; 10] = [
        0.17087277,
        -0.82215223,
        1.48851587,
        -1.13520398,
        0.27886807,
        -0.18628806,
        0.09678418,
        0.37409196,
        1.00002368,
        -1.26551223,
    ];
    let z = x.abs();
    let t = 1.0 / (1.0 + z / 2.0);
    let polynomial = FIT.iter().fold(0.0, |sum, &coefficient| sum * t + coefficient);
    let tail = t * (-z * z + polynomial).exp();
    if x < 0.0 { 2.0 - tail } else { tail }
}

/// Φ⁻¹ for the Φ above: a rational start, then two steps of Halley's method on erfc(x) = y.
#[expect(clippy::approx_constant, reason = "the fit has its own five digits of 1/√2")]
fn quantile(p: f64) -> f64 {
    let y = 2.0 * p;
    let folded = if y < 1.0 { y } else { 2.0 - y };
    if folded <= 0.0 {
        return if y < 1.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let t = (-2.0 * (folded / 2.0).ln()).sqrt();
    let mut x = -0.70711 * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t);
    for _ in 0..2 {
        let error = complementary_error(x) - folded;
        x += error / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() - x * error);
    }
    std::f64::consts::SQRT_2 * if y < 1.0 { -x } else { x }
}
