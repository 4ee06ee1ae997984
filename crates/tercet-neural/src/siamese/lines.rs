//! The vectors of lines: one of the sentence, and one per token in three layers.
//!
//! A line that is longer than the window is encoded in equal parts that fit: its tokens are those of all parts, its
//! sentence vector is their mean. So what is missing or invented after the window counts like what is before it.

use super::model::SiameseModel;
use super::strings::{FLAGS, LineStrings, flags};
use crate::corpora::decoded;
use rayon::prelude::*;
use tercet_base::stop;
use tercet_text::Language;
use tercet_transformer::matching::{matrix_times_row, scale_rows};
use tercet_transformer::{Encoded, TokenIds};

/// Vectors of the tokens of a line in one layer, of length 1, special tokens left out.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenRows {
    /// The numbers of one row.
    pub width: usize,
    /// The rows, one after another.
    pub rows: Vec<f32>,
}

/// What scores are computed from.
#[derive(Clone, Debug, PartialEq)]
pub struct LineVectors {
    /// The mean of all tokens, of the length √width.
    pub sentence: Vec<f32>,
    /// The projected last layer, a middle one, the embeddings.
    pub layers: [TokenRows; 3],
    /// Its strings, if the model needs them.
    pub strings: Option<Box<LineStrings>>,
    /// Whether it is in another language or script than it should be, if the model needs to know.
    pub flags: [f32; FLAGS],
    /// Whether the line is longer than the window.
    pub is_long: bool,
    /// Whether the end of the line was left out.
    pub cut: bool,
}

/// The most parts of a line; the end of longer ones is left out. The time of matching two lines grows with the product
/// of their lengths.
const PARTS: usize = 8;

impl LineVectors {
    /// Whether the line has no tokens.
    pub fn is_empty(&self) -> bool {
        self.layers[2].rows.is_empty()
    }

    /// Whether the line is longer than the window, and another has less than half as many tokens.
    pub fn is_far_longer_than(&self, other: &LineVectors) -> bool {
        self.is_long && 2 * other.layers[2].rows.len() < self.layers[2].rows.len()
    }

    /// Adds what the strings of the line say.
    pub fn add_strings(&mut self, line: &str, language: Option<&Language>) {
        self.strings = Some(Box::new(LineStrings::new(line)));
        self.flags = language.map(|language| flags(line, language)).unwrap_or_default();
    }

    /// The vectors of a line from those of its parts.
    fn joined(parts: Vec<LineVectors>, cut: bool) -> Self {
        let is_long = parts.len() > 1;
        let mut parts = parts.into_iter();
        let mut line = parts.next().expect("a line has a part");
        if is_long {
            let weigh = |part: &mut LineVectors| {
                let tokens = (part.layers[2].rows.len() / part.layers[2].width) as f32;
                part.sentence.iter_mut().for_each(|number| *number *= tokens);
            };
            weigh(&mut line);
            for mut part in parts {
                weigh(&mut part);
                line.sentence.iter_mut().zip(&part.sentence).for_each(|(sum, number)| *sum += number);
                line.layers.iter_mut().zip(&part.layers).for_each(|(all, of)| all.rows.extend(&of.rows));
            }
            scale_to_width(&mut line.sentence);
        }
        LineVectors { is_long, cut, ..line }
    }
}

impl SiameseModel {
    /// The vectors of lines, on all threads. Character references (`&quot;`) are the characters they stand for. Flags
    /// say whether a line is in another language than this one.
    pub fn vectors(&self, lines: &[&str], language: Option<&Language>) -> Vec<LineVectors> {
        #[cfg(test)]
        self.encoded_lines.fetch_add(lines.len(), std::sync::atomic::Ordering::Relaxed);
        let layers = [self.encoder.config().layers, self.middle, 0];
        let parts: Vec<(Vec<TokenIds>, bool)> =
            lines.par_iter().map(stop::carried(|line: &&str| self.parts(line))).collect();
        let counts: Vec<(usize, bool)> = parts.iter().map(|(parts, cut)| (parts.len(), *cut)).collect();
        let tokens: Vec<TokenIds> = parts.into_iter().flat_map(|(parts, _)| parts).collect();
        let encoded = self.encoder.encode_tokens(&tokens, &layers);
        let vectors: Vec<LineVectors> =
            encoded.into_par_iter().map(stop::carried(|encoded| self.line(encoded))).collect();
        let mut rest = vectors.into_iter();
        let joined = counts.iter().map(|(count, cut)| LineVectors::joined(rest.by_ref().take(*count).collect(), *cut));
        let mut joined: Vec<LineVectors> = joined.collect();
        if self.head.has_strings() {
            let language = language.filter(|_| self.head.has_flags());
            let add = |(vectors, line): (&mut LineVectors, &&str)| {
                stop::look();
                vectors.add_strings(line, language);
            };
            joined.par_iter_mut().zip(lines).for_each(stop::carried(add));
        }
        joined
    }

    /// The most tokens of a line, the two special ones included; the end of longer ones is left out.
    pub fn longest(&self) -> usize {
        PARTS * (self.window() - 2) + 2
    }

    /// The tokens of a line in equal parts that fit into the window, and whether its end was left out.
    fn parts(&self, line: &str) -> (Vec<TokenIds>, bool) {
        let tokens = self.encoder.tokenizer().encode(&decoded(line), self.longest());
        if tokens.ids.len() <= self.window() {
            return (vec![TokenIds { cut: false, ..tokens }], false);
        }
        let [first, last] = self.encoder.tokenizer().special();
        let inner = &tokens.ids[1..tokens.ids.len() - 1];
        let size = inner.len().div_ceil(inner.len().div_ceil(self.window() - 2));
        let part = |inner: &[u32]| {
            let ids = [&[first], inner, &[last]].concat();
            TokenIds { ids, cut: false }
        };
        (inner.chunks(size).map(part).collect(), tokens.cut)
    }

    /// The tokens of a line, cut to the window.
    pub fn tokens(&self, line: &str) -> TokenIds {
        self.encoder.tokenize(&decoded(line))
    }

    /// The vectors of lines, and those of their tokens after this layer, special tokens included.
    pub fn vectors_and_rows(&self, lines: &[TokenIds], layer: usize) -> Vec<(LineVectors, Vec<f32>)> {
        let layers = [self.encoder.config().layers, self.middle, 0, layer];
        let encoded = self.encoder.encode_tokens(lines, &layers);
        let split = |mut encoded: Encoded| {
            let rows = encoded.layers.pop().unwrap_or_default();
            (self.line(encoded), rows)
        };
        encoded.into_par_iter().map(stop::carried(split)).collect()
    }

    fn line(&self, mut encoded: Encoded) -> LineVectors {
        let width = self.encoder.config().width;
        let mut sentence = encoded.sentence;
        scale_to_width(&mut sentence);
        for layer in &mut encoded.layers {
            layer.truncate(layer.len() - width);
            layer.drain(..width);
        }
        let [last, middle, embedded] = <[Vec<f32>; 3]>::try_from(encoded.layers).expect("three layers were asked for");
        let projected: Vec<f32> =
            last.chunks_exact(width).flat_map(|row| matrix_times_row(&self.projection, row)).collect();
        let unit = |mut rows: Vec<f32>, width: usize| {
            scale_rows(&mut rows, width);
            TokenRows { width, rows }
        };
        let projected = unit(projected, self.projection.len() / width);
        let layers = [projected, unit(middle, width), unit(embedded, width)];
        let (strings, flags) = (None, [0.0; FLAGS]);
        LineVectors { sentence, layers, strings, flags, is_long: encoded.cut, cut: encoded.cut }
    }
}

/// Gives a vector the length √width.
fn scale_to_width(sentence: &mut [f32]) {
    let width = sentence.len();
    scale_rows(sentence, width);
    let length = (width as f32).sqrt();
    sentence.iter_mut().for_each(|number| *number *= length);
}
