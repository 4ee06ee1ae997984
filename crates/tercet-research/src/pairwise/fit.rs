//! Trains a network on judged pairs and their inputs (Guzmán et al., 2017, sec. 3.3 and 4.4).
//!
//! Inputs are normalised by the ranges of the training pairs; every pair is used in both orders; the epoch with the
//! highest strict τ on the development pairs is kept, the latest on ties.
//!
//! # Choices
//! For the logistic cost, τ is computed from f(a, b, r) > ½, in the order of the pairs; for the Kendall cost, alone or
//! second, from the difference of both orders, on which this cost is defined.
//!
//! # Absolute scores
//! A trained network compares two translations and scores single ones (Guzmán et al., 2017, sec. 6.1). A translation is
//! compared with an empty one, in both orders:
//!
//! ```text
//! score(t) = p(t, ∅, r) − p(∅, t, r)
//! ```
//!
//! ∅ is [`EmptyTranslation::Zeros`], or [`EmptyTranslation::Averages`]: the mean of every normalised feature and
//! dimension of the translations in the training pairs. If the encoder is trained with the network, ∅ replaces its
//! output.
//!
//! # Symmetry
//! f(t₁, t₂, r) is not symmetric: p(a, b) + p(b, a) is only approximately 1. [`PairLogits::probability`] is symmetric:
//! it uses half the difference of both logits, so that swapping a and b gives exactly the complement and equal
//! translations get ½. [`Fitted::asymmetry`] measures how asymmetric f is.

use super::tables::{LearningSet, Scaling, Tables};
use crate::error::{Error, Result};
use crate::learned::{Inputs, JudgedTexts};
use crate::metrics::preference::logistic;
use std::sync::Arc;
use tercet_base::progress::Progress;
use tercet_learn::networks::{
    Architecture, Cost, Development, EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding, Example,
    FineTuning, Network, PairExamples, PairNetwork, PairSettings, PairShape, PairTraining, both_orders, logits,
};
use tercet_learn::training::{Checkpoints, Outcome};
use tercet_math::Matrix;
use tercet_math::functions::sigmoid_exact;

tercet_base::defaults! {
    /// The architecture and the training settings of a network. Default: the paper's, with precomputed vectors.
    #[derive(Clone, Debug)]
    pub struct Plan {
        /// The layers between the vectors and the output.
        pub architecture: Architecture = Architecture::Groups,
        /// H: nodes per group of the hidden layer.
        pub hidden: usize = 4,
        /// An encoder that is trained with the network. Default: none.
        pub words: Option<WordPlan> = None,
        /// Settings of the training loop. Default: the paper's.
        pub training: PairSettings = PairSettings::default(),
    }
}

/// An encoder that is trained with the network.
#[derive(Clone, Debug)]
pub struct WordPlan {
    /// How words become a vector.
    pub encoding: Encoding,
    /// How far training may move the word vectors E.
    pub fine_tuning: FineTuning,
    /// Probability that a number of a word vector is dropped.
    pub embedding_dropout: f32,
    /// Probability that a number of the sentence vector is dropped.
    pub hidden_dropout: f32,
    /// E⁰: the initial word vectors.
    pub matrix: Arc<Matrix>,
}

/// Trains a network, resuming from the checkpoint if there is one. Without development pairs the last epoch is kept.
pub fn fit(
    plan: &Plan,
    training: &[LearningSet<'_>],
    development: &[LearningSet<'_>],
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<Fitted> {
    check_classes(development)?;
    let [training, development] = [training, development]
        .map(|sets| sets.iter().filter(|set| !set.chosen.is_empty()).cloned().collect::<Vec<_>>());
    let Some(first) = training.first() else {
        return Err(Error::Unusable(
            "there is nothing to learn from: no strict judgement among the training data".to_owned(),
        ));
    };
    let names = Names::new(first.inputs);
    for set in training.iter().chain(&development) {
        set.inputs.check(set.judged)?;
        set.inputs.check_like(&names.features, &names.blocks)?;
    }
    let scaling = Scaling::fit(&training);
    let seen = Tables::from_sets(&training, &scaling);
    let held_out = (!development.is_empty()).then(|| Tables::from_sets(&development, &scaling));
    let mut run = TrainingRun { settings: &plan.training, held_out, checkpoints, progress };
    let (network, outcome) = match &plan.words {
        None => ready(plan, &scaling, seen.clone(), &mut run)?,
        Some(words) => encoded(plan, words, &scaling, seen.clone(), &mut run)?,
    };
    Fitted::new(network, scaling, names.features, names.blocks, seen, outcome)
}

/// Names of features and blocks.
struct Names {
    features: Vec<String>,
    blocks: Vec<String>,
}

impl Names {
    fn new(inputs: &Inputs) -> Self {
        let features = inputs.features.iter().map(|column| column.name.clone()).collect();
        Names { features, blocks: inputs.blocks.iter().map(|block| block.name.clone()).collect() }
    }
}

/// Returns an error if always the first or always the second translation is better: a constant output would then be
/// perfect.
fn check_classes(development: &[LearningSet<'_>]) -> Result<()> {
    let pairs = || development.iter().flat_map(|set| set.chosen.iter().map(|pair| set.judged.pairs[*pair as usize]));
    let (all, better) = (pairs().count(), pairs().filter(|pair| pair.a_is_better).count());
    if development.is_empty() || (better > 0 && better < all) {
        return Ok(());
    }
    let reason = if all == 0 {
        "it has no strict judgement".to_owned()
    } else {
        let which = if better == all { "first" } else { "second" };
        format!("of all its {all} pairs the {which} is better (one class): a constant output would be perfect")
    };
    Err(Error::Unusable(format!("the development set cannot be used: {reason}")))
}

/// Settings, development pairs and checkpoints of a training.
struct TrainingRun<'a> {
    settings: &'a PairSettings,
    held_out: Option<Tables>,
    checkpoints: &'a mut Checkpoints,
    progress: Progress<'a>,
}

impl TrainingRun<'_> {
    /// Trains a network; `examples` converts tables to its input. Epochs are compared by τ on the development pairs.
    fn train<N: Network>(
        &mut self,
        network: &mut N,
        seen: Tables,
        examples: impl Fn(Tables) -> Result<N::Examples>,
    ) -> Result<Outcome> {
        let settings = self.settings;
        let pairs = self.held_out.take().map(&examples).transpose()?;
        let id = pairs.as_ref().map(|pairs| network.data_hash(pairs));
        let score = |network: &N| match &pairs {
            Some(pairs) => Ok(development_tau(network, pairs, settings.cost)?),
            None => Ok(0.0),
        };
        let development = pairs.is_some().then_some(Development { id, name: "τ", score: &score });
        let seen = examples(seen)?;
        let training = PairTraining { development, ..PairTraining::new(network, &seen, settings) };
        Ok(training.run(self.checkpoints, self.progress)?)
    }
}

fn ready(plan: &Plan, scaling: &Scaling, seen: Tables, run: &mut TrainingRun<'_>) -> Result<(TrainedNetwork, Outcome)> {
    let shape = PairShape {
        architecture: plan.architecture,
        vector: scaling.translations.len(),
        skip: scaling.features.len(),
        hidden: plan.hidden,
    };
    let mut network = PairNetwork::new(shape, plan.training.seed)?;
    let outcome = run.train(&mut network, seen, |mut tables| {
        let (vectors, skips) = tables.matrices(scaling)?;
        Ok(PairExamples { vectors, skips, examples: tables.examples })
    })?;
    Ok((TrainedNetwork::Ready(network), outcome))
}

fn encoded(
    plan: &Plan,
    words: &WordPlan,
    scaling: &Scaling,
    seen: Tables,
    run: &mut TrainingRun<'_>,
) -> Result<(TrainedNetwork, Outcome)> {
    let shape = EncodedPairShape {
        architecture: plan.architecture,
        hidden: plan.hidden,
        skip: scaling.features.len(),
        fixed: scaling.translations.len(),
        encoding: words.encoding,
        fine_tuning: words.fine_tuning,
        embedding_dropout: words.embedding_dropout,
        hidden_dropout: words.hidden_dropout,
    };
    let mut network = EncodedPairNetwork::new(shape, Arc::clone(&words.matrix), plan.training.seed)?;
    let outcome = run.train(&mut network, seen, |mut tables| {
        let (fixed, skips) = tables.matrices(scaling)?;
        Ok(EncodedExamples { lists: tables.lists, fixed, skips, examples: tables.examples })
    })?;
    Ok((TrainedNetwork::Encoded(Box::new(network)), outcome))
}

/// τ on development pairs, from the logits of one order or of both.
fn development_tau<N: Network>(network: &N, pairs: &N::Examples, cost: Cost) -> tercet_learn::Result<f64> {
    let decisions = match cost {
        Cost::Logistic => logits(network, pairs)?,
        _ => both_orders(network, pairs)?.into_iter().map(|[forward, backward]| forward - backward).collect(),
    };
    Ok(strict_tau(&decisions, N::comparisons(pairs)))
}

/// The strict τ of WMT11–12; the sign is the decision, and 0 (a tie) counts as wrong.
fn strict_tau(decisions: &[f32], examples: &[Example]) -> f64 {
    let right = decisions
        .iter()
        .zip(examples)
        .filter(|(logit, example)| (**logit > 0.0) == (example.target > 0.5) && **logit != 0.0);
    let (right, all) = (right.count() as f64, examples.len() as f64);
    (2.0 * right - all) / all
}

tercet_base::choices! {
    /// The translation that a single one is compared with.
    pub enum EmptyTranslation: "empty" = Averages {
        /// All features and dimensions are 0.
        Zeros = "zeros",
        /// Averages of the training data. Default.
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
        let mut tables = Tables::from_sets(&[LearningSet { judged, inputs, chosen }], &self.scaling);
        let examples = std::mem::take(&mut tables.examples);
        let (vectors, skips) = self.ready(&mut tables)?;
        self.logits(PairExamples { vectors, skips, examples })
    }

    /// The absolute score of every translation of a set.
    pub fn scores(&self, judged: &JudgedTexts, inputs: &Inputs, empty: EmptyTranslation) -> Result<Vec<f64>> {
        inputs.check(judged)?;
        inputs.check_like(&self.features, &self.blocks)?;
        let (mut tables, rows) = Tables::from_all(judged, inputs, &self.scaling);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logit_of_zero_is_a_tie_and_lost() {
        let example = |target| Example { a: 0, b: 0, c: 0, skip_a: 0, skip_b: 0, target };
        let examples = [0.0, 1.0, 0.0, 1.0].map(example);
        assert_eq!(strict_tau(&[-1.0, 2.0, -0.5, 0.1], &examples), 1.0);
        assert_eq!(strict_tau(&[0.0, 2.0, 0.5, 0.1], &examples), 0.0);
        assert_eq!(strict_tau(&[0.0, 0.0, 0.0, 0.0], &examples), -1.0);
    }
}
