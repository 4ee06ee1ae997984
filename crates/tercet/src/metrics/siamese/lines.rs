//! The vectors of lines: one of the sentence, and one per token in three layers.

use super::model::SiameseModel;
use crate::corpora::decoded;
use rayon::prelude::*;
use std::borrow::Cow;
use tercet_transformer::Encoded;
use tercet_transformer::matching::{matrix_times_row, scale_rows};

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
}

impl SiameseModel {
    /// The vectors of lines, on all threads. Character references (`&quot;`) are the characters they stand for.
    pub(super) fn vectors(&self, lines: &[&str]) -> Vec<LineVectors> {
        let layers = [self.encoder.config().layers, self.middle, 0];
        let decoded: Vec<Cow<'_, str>> = lines.iter().map(|line| decoded(line)).collect();
        let lines: Vec<&str> = decoded.iter().map(|line| &**line).collect();
        let encoded = self.encoder.encode(&lines, &layers);
        encoded.into_par_iter().map(|encoded| self.line(encoded)).collect()
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
