//! A trained network, which compares two translations and scores single ones (Guzmán et al., 2017, sec. 6.1).
//!
//! # Absolute scores
//! A translation is compared with an empty one, in both orders:
//!
//! ```text
//! score(t) = p(t, ∅, r) − p(∅, t, r)
//! ```
//!
//! ∅ is [`EmptyTranslation::Zeros`], or [`EmptyTranslation::Averages`]: the mean of every normalised feature and dimension of the
//! translations in the training pairs. If the encoder is trained with the network, ∅ replaces its output.
//!
//! # Symmetry
//! f(t₁, t₂, r) is not symmetric: p(a, b) + p(b, a) is only approximately 1. [`PairLogits::probability`] is symmetric: it uses half
//! the difference of both logits, so that swapping a and b gives exactly the complement and equal translations get ½.
//! [`Fitted::asymmetry`] measures how asymmetric f is.

use super::tables::{LearningSet, Scaling, Tables};
use crate::error::Result;
use crate::learned::{Inputs, JudgedTexts};
use crate::metrics::preference::logistic;
use tercet_learn::networks::{EncodedPairNetwork, Example, PairExamples, PairNetwork, PairShape, both_orders};
use tercet_learn::training::Outcome;
use tercet_math::Matrix;
use tercet_math::functions::sigmoid_exact;

tercet_base::choices! {
    /// The translation that a single one is compared with.
    #[derive(Default)]
    pub enum EmptyTranslation: "empty" {
        /// All features and dimensions are 0.
        Zeros = "zeros",
        /// Averages of the training data. Default.
        #[default]
        Averages = "averages",
    }
}

/// The network's output for two translations, in both orders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLogits {
    /// The logit of f(a, b, r): above 0 where a is better.
    pub forward: f32,
    /// The logit of f(b, a, r): above 0 where b is better.
    pub backward: f32,
}

impl PairLogits {
    /// The logit of the probability that a is better, from both orders: antisymmetric.
    pub fn logit(self) -> f64 {
        (f64::from(self.forward) - f64::from(self.backward)) / 2.0
    }

    /// The probability that a is better, from both orders.
    pub fn probability(self) -> f64 {
        logistic(self.logit())
    }
}

/// The network, with or without an encoder.
#[derive(Clone, Debug)]
pub(super) enum TrainedNetwork {
    /// Over precomputed sentence vectors.
    Ready(PairNetwork),
    /// With an encoder that was trained with it.
    Encoded(Box<EncodedPairNetwork>),
}

impl TrainedNetwork {
    /// The input of the pair network for each item.
    fn items(&self, tables: &Tables, vectors: Matrix) -> Result<Matrix> {
        match self {
            TrainedNetwork::Ready(_) => Ok(vectors),
            TrainedNetwork::Encoded(network) => Ok(network.encode_items(&tables.lists, &vectors)?),
        }
    }

    /// The pair network without the encoder.
    fn head(&self) -> PairNetwork {
        match self {
            TrainedNetwork::Ready(network) => network.clone(),
            TrainedNetwork::Encoded(network) => network.head(),
        }
    }
}

/// [`EmptyTranslation::Averages`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Averages {
    pub vector: Vec<f32>,
    pub features: Vec<f32>,
}

/// A trained network with the normalisation of its inputs.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub(super) network: TrainedNetwork,
    pub(super) scaling: Scaling,
    pub(super) averages: Averages,
    pub(super) features: Vec<String>,
    pub(super) blocks: Vec<String>,
    head: PairNetwork,
    asymmetry: f64,
    outcome: Option<Outcome>,
}

impl Fitted {
    /// Computes averages and asymmetry from the training data.
    pub(super) fn new(
        network: TrainedNetwork,
        scaling: Scaling,
        features: Vec<String>,
        blocks: Vec<String>,
        mut seen: Tables,
        outcome: Outcome,
    ) -> Result<Self> {
        let examples = std::mem::take(&mut seen.examples);
        let (vectors, skips) = seen.matrices(&scaling)?;
        let vectors = network.items(&seen, vectors)?;
        let averages = Averages {
            vector: average(&vectors, examples.iter().flat_map(|e| [e.a, e.b])),
            features: average(&skips, examples.iter().flat_map(|e| [e.skip_a, e.skip_b])),
        };
        let mut fitted = Fitted::from_parts(network, scaling, averages, features, blocks, 0.0);
        let logits = both_orders(&fitted.head, &PairExamples { vectors, skips, examples })?;
        let off = |[p, q]: &[f32; 2]| (sigmoid_exact(f64::from(*p)) + sigmoid_exact(f64::from(*q)) - 1.0).abs();
        fitted.asymmetry = logits.iter().map(off).sum::<f64>() / logits.len().max(1) as f64;
        fitted.outcome = Some(outcome);
        Ok(fitted)
    }

    pub(super) fn from_parts(
        network: TrainedNetwork,
        scaling: Scaling,
        averages: Averages,
        features: Vec<String>,
        blocks: Vec<String>,
        asymmetry: f64,
    ) -> Self {
        let head = network.head();
        Fitted { network, scaling, averages, features, blocks, head, asymmetry, outcome: None }
    }

    /// The sizes of the pair network without the encoder.
    pub(super) fn head_shape(&self) -> PairShape {
        self.head.shape()
    }

    /// Costs and τ of the training; `None` for a network read from a file.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The mean of |p(a, b, r) + p(b, a, r) − 1| over the training pairs: 0 if f is antisymmetric.
    pub fn asymmetry(&self) -> f64 {
        self.asymmetry
    }

    /// Compares the translations of every pair of a set.
    pub fn judge(&self, judged: &JudgedTexts, inputs: &Inputs) -> Result<Vec<PairLogits>> {
        inputs.check(judged)?;
        inputs.check_like(&self.features, &self.blocks)?;
        let chosen = (0..judged.pairs.len() as u32).collect();
        let mut tables = Tables::of(&[LearningSet { judged, inputs, chosen }], &self.scaling);
        let examples = std::mem::take(&mut tables.examples);
        let (vectors, skips) = self.ready(&mut tables)?;
        self.logits(PairExamples { vectors, skips, examples })
    }

    /// The absolute score of every translation of a set.
    pub fn scores(&self, judged: &JudgedTexts, inputs: &Inputs, empty: EmptyTranslation) -> Result<Vec<f64>> {
        inputs.check(judged)?;
        inputs.check_like(&self.features, &self.blocks)?;
        let (mut tables, rows) = Tables::of_all(judged, inputs, &self.scaling);
        let (vectors, skips) = self.ready(&mut tables)?;
        let (item, skip) = (vectors.rows() as u32, skips.rows() as u32);
        let averages = &self.averages;
        let (vectors, skips) = match empty {
            EmptyTranslation::Zeros => (with_row(vectors, None)?, with_row(skips, None)?),
            EmptyTranslation::Averages => {
                (with_row(vectors, Some(&averages.vector))?, with_row(skips, Some(&averages.features))?)
            }
        };
        let compared = |[a, skip_a, c]: [u32; 3]| Example { a, b: item, c, skip_a, skip_b: skip, target: 1.0 };
        let examples = rows.into_iter().map(compared).collect();
        let logits = self.logits(PairExamples { vectors, skips, examples })?;
        let p = |logit: f32| sigmoid_exact(f64::from(logit));
        Ok(logits.into_iter().map(|logits| p(logits.forward) - p(logits.backward)).collect())
    }

    fn ready(&self, tables: &mut Tables) -> Result<(Matrix, Matrix)> {
        let (vectors, skips) = tables.matrices(&self.scaling)?;
        Ok((self.network.items(tables, vectors)?, skips))
    }

    fn logits(&self, examples: PairExamples) -> Result<Vec<PairLogits>> {
        let logits = both_orders(&self.head, &examples)?;
        Ok(logits.into_iter().map(|[forward, backward]| PairLogits { forward, backward }).collect())
    }
}

/// The mean of these rows; repeated rows count repeatedly.
fn average(table: &Matrix, rows: impl Iterator<Item = u32>) -> Vec<f32> {
    let (mut sums, mut count) = (vec![0.0; table.columns()], 0.0);
    for row in rows {
        sums.iter_mut().zip(table.row(row as usize)).for_each(|(sum, value)| *sum += f64::from(*value));
        count += 1.0;
    }
    sums.into_iter().map(|sum: f64| (sum / f64::max(count, 1.0)) as f32).collect()
}

/// A table with an additional row: this one, or zeros.
fn with_row(table: Matrix, row: Option<&[f32]>) -> Result<Matrix> {
    let (rows, columns) = (table.rows(), table.columns());
    let mut values = table.values().to_vec();
    match row {
        Some(row) => values.extend_from_slice(row),
        None => values.resize((rows + 1) * columns, 0.0),
    }
    Ok(Matrix::new(rows + 1, columns, values)?)
}
