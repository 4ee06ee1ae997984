//! The vectors of lines: one of the sentence, and one per token in three layers.

use super::model::SiameseModel;
use crate::corpora::decoded;
use rayon::prelude::*;
use tercet_transformer::matching::{matrix_times_row, scale_rows};
use tercet_transformer::{Encoded, TokenIds};

/// Vectors of the tokens of a line in one layer, of length 1, special tokens left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TokenRows {
    pub width: usize,
    pub rows: Vec<f32>,
}

/// What scores are computed from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LineVectors {
    /// The mean of all tokens, of the length √width.
    pub sentence: Vec<f32>,
    /// The projected last layer, a middle one, the embeddings.
    pub layers: [TokenRows; 3],
    /// Whether the line was longer than the window.
    pub cut: bool,
}

impl LineVectors {
    /// Whether the line has no tokens.
    pub fn is_empty(&self) -> bool {
        self.layers[2].rows.is_empty()
    }

    /// Whether the line was longer than the window, and another has less than half as many tokens as are left of it.
    pub fn is_far_longer_than(&self, other: &LineVectors) -> bool {
        self.cut && 2 * other.layers[2].rows.len() < self.layers[2].rows.len()
    }
}

impl SiameseModel {
    /// The vectors of lines, on all threads. Character references (`&quot;`) are the characters they stand for.
    pub(super) fn vectors(&self, lines: &[&str]) -> Vec<LineVectors> {
        #[cfg(test)]
        self.encoded_lines.fetch_add(lines.len(), std::sync::atomic::Ordering::Relaxed);
        let layers = [self.encoder.config().layers, self.middle, 0];
        let tokens: Vec<TokenIds> = lines.par_iter().map(|line| self.tokens(line)).collect();
        let encoded = self.encoder.encode_tokens(&tokens, &layers);
        encoded.into_par_iter().map(|encoded| self.line(encoded)).collect()
    }

    /// The tokens of a line.
    pub(super) fn tokens(&self, line: &str) -> TokenIds {
        self.encoder.tokenize(&decoded(line))
    }

    /// The vectors of lines, and those of their tokens after this layer, special tokens included.
    pub(super) fn vectors_and_rows(&self, lines: &[TokenIds], layer: usize) -> Vec<(LineVectors, Vec<f32>)> {
        let layers = [self.encoder.config().layers, self.middle, 0, layer];
        let encoded = self.encoder.encode_tokens(lines, &layers);
        let split = |mut encoded: Encoded| {
            let rows = encoded.layers.pop().unwrap_or_default();
            (self.line(encoded), rows)
        };
        encoded.into_par_iter().map(split).collect()
    }

    fn line(&self, mut encoded: Encoded) -> LineVectors {
        let width = self.encoder.config().width;
        let mut sentence = encoded.sentence;
        scale_rows(&mut sentence, width);
        let length = (width as f32).sqrt();
        sentence.iter_mut().for_each(|number| *number *= length);
        for layer in &mut encoded.layers {
            layer.truncate(layer.len() - width);
            layer.drain(..width);
        }
        let [last, middle, embedded] =
            <[Vec<f32>; 3]>::try_from(encoded.layers).expect("three layers were asked for");
        let projected: Vec<f32> =
            last.chunks_exact(width).flat_map(|row| matrix_times_row(&self.projection, row)).collect();
        let unit = |mut rows: Vec<f32>, width: usize| {
            scale_rows(&mut rows, width);
            TokenRows { width, rows }
        };
        let projected = unit(projected, self.projection.len() / width);
        let layers = [projected, unit(middle, width), unit(embedded, width)];
        LineVectors { sentence, layers, cut: encoded.cut }
    }
}
