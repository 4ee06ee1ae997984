//! Initial weights: uniform in ±√(6 / (inputs + outputs)) (Glorot & Bengio, 2010, eq. 16).
//!
//! Biases start at zero. The matrices of an LSTM are drawn gate by gate, with the sizes of one gate.
//!
//! Networks that follow a program written with Torch start as its `nn.Linear` does: weights and biases uniform in
//! ±1 / √inputs.

use crate::random::Random;

/// √(6 / (inputs + outputs)).
pub fn glorot_limit(inputs: usize, outputs: usize) -> f32 {
    (6.0 / (inputs + outputs).max(1) as f64).sqrt() as f32
}

/// Draws `count` weights of a layer of this size.
pub fn glorot_uniform(count: usize, inputs: usize, outputs: usize, random: &mut Random) -> Vec<f32> {
    let limit = glorot_limit(inputs, outputs);
    (0..count).map(|_| random.uniform(-limit, limit)).collect()
}

/// Draws `count` weights or biases of a layer with this many inputs, as Torch does.
pub fn fan_in_uniform(count: usize, inputs: usize, random: &mut Random) -> Vec<f32> {
    let limit = (1.0 / inputs.max(1) as f64).sqrt() as f32;
    (0..count).map(|_| random.uniform(-limit, limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fill_the_interval_of_the_paper() {
        let limit = (6.0f32 / 160.0).sqrt();
        assert!((glorot_limit(150, 10) - limit).abs() < 1e-7);
        let weights = glorot_uniform(10_000, 150, 10, &mut Random::stream(1, "weights", 0));
        assert!(weights.iter().all(|w| w.abs() <= limit));
        let variance = weights.iter().map(|w| w * w).sum::<f32>() / 10_000.0;
        assert!((variance / (limit * limit / 3.0) - 1.0).abs() < 0.05, "{variance}");
    }

    #[test]
    fn torchs_weights_depend_on_the_inputs_alone() {
        let weights = fan_in_uniform(10_000, 25, &mut Random::stream(1, "weights", 0));
        let most = weights.iter().fold(0.0, |most: f32, w| most.max(w.abs()));
        assert!((0.199..=0.2).contains(&most), "{most}");
    }
}
