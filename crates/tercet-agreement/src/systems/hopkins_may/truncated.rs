//! Draws from normal and truncated normal distributions.
//!
//! Untruncated: Marsaglia's polar method (1964), two at a time. Above a bound: by rejection of untruncated draws if the
//! bound is low, else from a shifted exponential (Robert, 1995, with rate a = (l + √(l² + 4))/2). Between bounds:
//! uniform draws, kept with the density relative to the highest inside.

use crate::statistics::random::Generator;

/// A source of standard normal draws.
pub struct Normals {
    generator: Generator,
    spare: Option<f64>,
}

impl Normals {
    /// From this stream.
    pub fn new(generator: Generator) -> Self {
        Normals { generator, spare: None }
    }

    /// From N(0, 1).
    pub fn draw(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (2.0 * self.generator.random() - 1.0, 2.0 * self.generator.random() - 1.0);
            let square = u * u + v * v;
            if 0.0 < square && square < 1.0 {
                let scale = (-2.0 * square.ln() / square).sqrt();
                self.spare = Some(v * scale);
                return u * scale;
            }
        }
    }

    /// From N(0, 1) where it is above a bound.
    pub fn above(&mut self, bound: f64) -> f64 {
        const LOW: f64 = 0.25;
        if bound < LOW {
            loop {
                let x = self.draw();
                if x > bound {
                    return x;
                }
            }
        }
        let rate = (bound + (bound * bound + 4.0).sqrt()) / 2.0;
        loop {
            let x = bound - self.positive().ln() / rate;
            if self.generator.random() < (-(x - rate).powi(2) / 2.0).exp() {
                return x;
            }
        }
    }

    /// From N(0, 1) between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let highest = if low > 0.0 {
            low
        } else if high < 0.0 {
            high
        } else {
            0.0
        };
        loop {
            let x = low + (high - low) * self.generator.random();
            if self.generator.random() < ((highest * highest - x * x) / 2.0).exp() {
                return x;
            }
        }
    }

    /// In (0, 1].
    fn positive(&mut self) -> f64 {
        1.0 - self.generator.random()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean and variance of many draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let draws: Vec<f64> = (0..200_000).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64)
    }

    fn assert_near((mean, variance): (f64, f64), expected: (f64, f64)) {
        assert!((mean - expected.0).abs() < 0.01, "mean {mean}, expected {}", expected.0);
        assert!((variance - expected.1).abs() < 0.01, "variance {variance}, expected {}", expected.1);
    }

    // Expected moments: scipy 1.17.1, scipy.stats.truncnorm(low, high).stats().
    #[test]
    fn draws_have_the_moments_of_their_distribution() {
        let mut normals = Normals::new(Generator::new(Some(11)));
        assert_near(moments(|| normals.draw()), (0.0, 1.0));
        for (bound, expected) in ABOVE {
            assert_near(moments(|| normals.above(bound)), expected);
        }
        for (low, high, expected) in BETWEEN {
            assert_near(moments(|| normals.between(low, high)), expected);
        }
    }

    const ABOVE: [(f64, (f64, f64)); 3] = [
        (-1.0, (0.2875999709391784, 0.6296862857766055)),
        (0.5, (1.1410777703680648, 0.2684804071558784)),
        (3.0, (3.28309865493044, 0.07055918678525586)),
    ];
    const BETWEEN: [(f64, f64, (f64, f64)); 3] = [
        (-0.3, 0.4, (0.047991524244141104, 0.04016792423519955)),
        (1.0, 1.7, (1.2965371013613913, 0.03848881211703392)),
        (-3.0, -2.3, (-2.5490344527131445, 0.034263435138924825)),
    ];
}
