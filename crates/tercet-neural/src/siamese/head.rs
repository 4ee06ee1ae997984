//! From the vectors of a translation, of its reference and of its source to a score.
//!
//! ```text
//! v(h, x) = (h, x, h ⊙ x, |h − x|)                  h, x: vectors of the sentences, of length √width
//! m(h, x) = (P, R, F) of the projected last layer, of a middle layer, of the embeddings
//! t(h, x) = features of the strings (strings.rs), if the model has them
//! hidden  = Σ A v + B m + C t + b                   over x: the reference, the source, or both
//! s       = w · tanh(hidden) + c
//! ```
//!
//! P is the mean, over the tokens of the hypothesis, of the highest cosine with a token of the other line; R is the
//! reverse; F their harmonic mean. Special tokens are left out. Without tokens on one side all three are 0. Reference
//! and source have matrices A, B, C of their own, and each of the three [ways](Way) a bias b of its own.

use super::lines::LineVectors;
use super::strings::{FLAGS, STRINGS};
use tercet_transformer::matching::{best_cosines, matrix_times_row};

/// Precision, recall and F of three layers.
pub const MATCHING: usize = 9;

/// What a translation is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// References.
    Reference,
    /// The source.
    Source,
    /// References and the source.
    Both,
}

impl Way {
    /// All of them, in the order of their biases.
    pub const ALL: [Way; 3] = [Way::Reference, Way::Source, Way::Both];

    /// Its name in entries of model files.
    pub fn name(self) -> &'static str {
        match self {
            Way::Reference => "reference",
            Way::Source => "source",
            Way::Both => "both",
        }
    }

    /// The name of an entry or a tensor for this way; those for references have no addition.
    pub fn entry(self, name: &str) -> String {
        match self {
            Way::Reference => name.to_owned(),
            _ => format!("{name}.{}", self.name()),
        }
    }

    /// The way for what there is; `None` if there is nothing.
    pub fn of(has_references: bool, has_source: bool) -> Option<Way> {
        match (has_references, has_source) {
            (true, true) => Some(Way::Both),
            (true, false) => Some(Way::Reference),
            (false, true) => Some(Way::Source),
            (false, false) => None,
        }
    }
}

/// The matrices for one line with which a hypothesis is compared.
#[derive(Debug)]
pub struct Block {
    /// A: one row of four times the width per hidden unit.
    pub sentence: Vec<f32>,
    /// B: one row of nine numbers per hidden unit.
    pub matching: Vec<f32>,
    /// C: one row of [`STRINGS`] numbers per hidden unit, and of [`FLAGS`] after them if the model has them; empty
    /// without features of strings.
    pub strings: Vec<f32>,
}

/// The small network on top of the encoder.
#[derive(Debug)]
pub struct Head {
    /// For a reference.
    pub reference: Block,
    /// For the source, if the model can use it.
    pub source: Option<Block>,
    /// The biases of the hidden layer, by way; without a block for the source there is one.
    pub biases: Vec<Vec<f32>>,
    /// The weights of the output.
    pub output: Vec<f32>,
    /// The bias of the output.
    pub output_bias: f32,
}

impl Head {
    /// The number of hidden units.
    pub fn hidden(&self) -> usize {
        self.output.len()
    }

    /// Whether scores need the features of strings.
    pub fn has_strings(&self) -> bool {
        self.blocks().any(|block| !block.strings.is_empty())
    }

    /// Whether scores need to know whether a hypothesis is in another language or script than it should be.
    pub fn has_flags(&self) -> bool {
        self.blocks().any(|block| block.strings.len() > STRINGS * self.hidden())
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        std::iter::once(&self.reference).chain(&self.source)
    }

    /// The score of a hypothesis with a reference, the source, or both. A source without a block for it does not count.
    pub fn score(
        &self,
        hypothesis: &LineVectors,
        reference: Option<&LineVectors>,
        source: Option<&LineVectors>,
    ) -> f64 {
        let source = source.zip(self.source.as_ref());
        let blocks = [reference.map(|line| (line, &self.reference)), source];
        let way = Way::of(reference.is_some(), source.is_some()).unwrap_or(Way::Reference);
        let bias = &self.biases[way as usize % self.biases.len()];
        let mut hidden = vec![0.0; bias.len()];
        for (number, (other, block)) in blocks.into_iter().flatten().enumerate() {
            let of_sentences = matrix_times_row(&block.sentence, &pair(&hypothesis.sentence, &other.sentence));
            let of_tokens = matrix_times_row(&block.matching, &matching(hypothesis, other));
            let sums = of_sentences.iter().zip(&of_tokens).map(|(sentence, tokens)| sentence + tokens);
            match number {
                0 => hidden.iter_mut().zip(sums).zip(bias).for_each(|((unit, sum), bias)| *unit = sum + bias),
                _ => hidden.iter_mut().zip(sums).for_each(|(unit, sum)| *unit += sum),
            }
            if !block.strings.is_empty() {
                let features = strings(hypothesis, other, block.strings.len() / self.hidden());
                let of_strings = matrix_times_row(&block.strings, &features);
                hidden.iter_mut().zip(of_strings).for_each(|(unit, sum)| *unit += sum);
            }
        }
        let weighted = self.output.iter().zip(hidden);
        weighted.fold(f64::from(self.output_bias), |sum, (weight, hidden)| {
            sum + f64::from(*weight) * f64::from(hidden).tanh()
        })
    }
}

/// v(h, x).
fn pair(h: &[f32], x: &[f32]) -> Vec<f32> {
    let both = || h.iter().zip(x);
    let mut pair = Vec::with_capacity(4 * h.len());
    pair.extend_from_slice(h);
    pair.extend_from_slice(x);
    pair.extend(both().map(|(h, x)| h * x));
    pair.extend(both().map(|(h, x)| (h - x).abs()));
    pair
}

/// The first `count` features of the strings of a hypothesis and another line: with flags, or without. All are 0 for
/// lines whose strings were not analysed.
pub fn strings(hypothesis: &LineVectors, other: &LineVectors, count: usize) -> Vec<f32> {
    let mut features = vec![0.0; STRINGS + FLAGS];
    if let Some((own, others)) = hypothesis.strings.as_deref().zip(other.strings.as_deref()) {
        features[..STRINGS].copy_from_slice(&own.features(others));
        features[STRINGS..].copy_from_slice(&hypothesis.flags);
    }
    features.truncate(count);
    features
}

/// Precision, recall and F of each layer.
pub fn matching(hypothesis: &LineVectors, other: &LineVectors) -> [f32; MATCHING] {
    let mut features = [0.0; MATCHING];
    let layers = hypothesis.layers.iter().zip(&other.layers);
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
