//! Trains a network on judged pairs and their inputs (Guzmán et al., 2017, sec. 3.3 and 4.4).
//!
//! Inputs are normalised by the ranges of the training pairs; every pair is used in both orders; the epoch with the
//! highest strict τ on the development pairs is kept, the latest on ties.
//!
//! # Choices
//! For the logistic cost, τ is computed from f(a, b, r) > ½, in the order of the pairs; for the Kendall cost, alone or
//! second, from the difference of both orders, on which this cost is defined.

use super::fitted::{Fitted, TrainedNetwork};
use super::tables::{LearningSet, Scaling, Tables};
use crate::error::{Error, Result};
use crate::learned::Inputs;
use std::sync::Arc;
use tercet_base::progress::Progress;
use tercet_learn::networks::{
    Architecture, Cost, Development, EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding, Example,
    FineTuning, Network, PairExamples, PairNetwork, PairSettings, PairShape, PairTraining, both_orders, logits,
};
use tercet_learn::training::{Checkpoints, Outcome};
use tercet_math::Matrix;

/// The architecture of a network and its training settings.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The layers between the vectors and the output.
    pub architecture: Architecture,
    /// H: nodes per group of the hidden layer.
    pub hidden: usize,
    /// An encoder that is trained with the network. Default: none.
    pub words: Option<WordPlan>,
    /// Settings of the training loop. Default: the paper's.
    pub training: PairSettings,
}

impl Default for Plan {
    /// The paper's network, with precomputed sentence vectors.
    fn default() -> Self {
        let training = PairSettings::default();
        Plan { architecture: Architecture::Groups, hidden: 4, words: None, training }
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
    let names = Names::of(first.inputs);
    for set in training.iter().chain(&development) {
        set.inputs.check(set.judged)?;
        set.inputs.check_like(&names.features, &names.blocks)?;
    }
    let scaling = Scaling::fit(&training);
    let seen = Tables::of(&training, &scaling);
    let held_out = (!development.is_empty()).then(|| Tables::of(&development, &scaling));
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
    fn of(inputs: &Inputs) -> Self {
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
