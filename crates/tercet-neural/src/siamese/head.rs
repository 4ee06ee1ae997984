//! From the vectors of two lines to a score.
//!
//! ```text
//! v  = (h, r, h ⊙ r, |h − r|)                       h, r: vectors of the sentences, of length √width
//! m  = (P, R, F) of the projected last layer, of a middle layer, of the embeddings
//! s  = w · tanh(A v + B m + b) + c
//! ```
//!
//! P is the mean, over the tokens of the hypothesis, of the highest cosine with a token of the reference; R is the
//! reverse; F their harmonic mean. Special tokens are left out. Without tokens on one side all three are 0.

use super::lines::LineVectors;
use tercet_transformer::matching::{best_cosines, matrix_times_row};

/// Precision, recall and F of three layers.
pub const MATCHING: usize = 9;

/// The small network on top of the encoder.
#[derive(Debug)]
pub struct Head {
    /// A: one row of four times the width per hidden unit.
    pub sentence: Vec<f32>,
    /// The bias of the hidden layer.
    pub bias: Vec<f32>,
    /// B: one row of nine numbers per hidden unit.
    pub matching: Vec<f32>,
    /// The weights of the output.
    pub output: Vec<f32>,
    /// The bias of the output.
    pub output_bias: f32,
}

impl Head {
    /// The score of a hypothesis with a reference.
    pub fn score(&self, hypothesis: &LineVectors, reference: &LineVectors) -> f64 {
        let (h, r) = (&hypothesis.sentence, &reference.sentence);
        let both = || h.iter().zip(r);
        let mut pair = Vec::with_capacity(4 * h.len());
        pair.extend_from_slice(h);
        pair.extend_from_slice(r);
        pair.extend(both().map(|(h, r)| h * r));
        pair.extend(both().map(|(h, r)| (h - r).abs()));
        let of_sentences = matrix_times_row(&self.sentence, &pair);
        let of_tokens = matrix_times_row(&self.matching, &matching(hypothesis, reference));
        let mut sum = f64::from(self.output_bias);
        for (unit, weight) in self.output.iter().enumerate() {
            let hidden = of_sentences[unit] + of_tokens[unit] + self.bias[unit];
            sum += f64::from(*weight) * f64::from(hidden).tanh();
        }
        sum
    }
}

/// Precision, recall and F of each layer.
pub fn matching(hypothesis: &LineVectors, reference: &LineVectors) -> [f32; MATCHING] {
    let mut features = [0.0; MATCHING];
    let layers = hypothesis.layers.iter().zip(&reference.layers);
    for (three, (own, other)) in features.chunks_exact_mut(3).zip(layers) {
        let best = best_cosines(&own.rows, &other.rows, own.width);
        if best.first.is_empty() || best.second.is_empty() {
            continue;
        }
        let mean = |best: &[f32]| best.iter().sum::<f32>() / best.len() as f32;
        let (precision, recall) = (mean(&best.first), mean(&best.second));
        let sum = precision + recall;
        let f = if sum > 1e-6 { 2.0 * precision * recall / sum } else { 0.0 };
        three.copy_from_slice(&[precision, recall, f]);
    }
    features
}
