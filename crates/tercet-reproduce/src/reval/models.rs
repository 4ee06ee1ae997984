//! The models of the paper, and those of the ablation.
//!
//! Those of the paper learn scores that are derived from the rankings of WMT13, as the paper's did; no test set is of
//! that year. The paper had five language pairs; the judgements of ru-en are not to be had, and those of cs-en, de-en
//! and es-en as pairs only, from which their rankings are recovered
//! ([`PairsReading::Recovered`](tercet::learned::PairsReading)).
//!
//! Ours learn from pairs, which of two translations is better, of all years of WMT12 to WMT16 but that of the test set.

use crate::ReproduceJob;
use serde_json::{Value, json};
use std::path::PathBuf;
use tercet::learned::{OptimizerName, PairsReading, TrainingSet};
use tercet::metrics::reval::{RateOverEpochs, RevalObjective, RevalRecipe, ScoredEntry};
use tercet_learn::networks::{BatchBy, FineTuning, TreeEncoding};

/// The file of SICK's training set.
pub(super) const SICK: &str = "sick/SICK_train.txt";

/// What a model learns from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TrainingData {
    /// Folders of rankings.
    pub(super) sets: &'static [&'static str],
    /// Language pairs; all if empty.
    pub(super) pairs: &'static [&'static str],
    /// Which scores are derived.
    pub(super) set: TrainingSet,
    /// How sets without ranks are read.
    pub(super) reading: PairsReading,
    /// Whether SICK is added.
    pub(super) sick: bool,
}

/// A model that is trained.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) encoding: TreeEncoding,
    pub(super) hidden: usize,
    pub(super) memory: usize,
    pub(super) data: TrainingData,
    /// What is learned from rankings.
    pub(super) objective: RevalObjective,
    /// How far word vectors are trained.
    pub(super) fine_tuning: FineTuning,
    /// Whether memory cells have an output gate.
    pub(super) output_gate: bool,
    /// Whether words get the vectors of the subset of the data folder only.
    pub(super) few_words: bool,
}

/// The paper's L, with SICK or without.
pub(super) const fn wmt13(set: TrainingSet, sick: bool) -> TrainingData {
    TrainingData { sets: &["wmt13-rr"], pairs: &[], set, reading: PairsReading::Recovered, sick }
}

/// Pairs of these sets.
const fn pairs(sets: &'static [&'static str]) -> TrainingData {
    TrainingData { sets, ..wmt13(TrainingSet::L, false) }
}

/// A Tree-LSTM of the paper. It has no output gate: with one, and the 300 dimensions of the paper's word vectors, there
/// would be more than the 203,400 and 541,800 compositional parameters that the paper counts.
pub(super) const fn tree(hidden: usize, memory: usize, data: TrainingData) -> Model {
    Model {
        encoding: TreeEncoding::ChildSumTreeLstm,
        hidden,
        memory,
        data,
        objective: RevalObjective::Scores,
        fine_tuning: FineTuning::None,
        output_gate: false,
        few_words: false,
    }
}

/// A Tree-LSTM that learns from pairs, with the settings of the model inside tercet.
pub(super) const fn pairwise(sets: &'static [&'static str]) -> Model {
    Model { objective: RevalObjective::Pairs, output_gate: true, ..tree(50, 150, pairs(sets)) }
}

impl Model {
    /// The recipe, with a seed.
    pub(super) fn recipe(&self, settings: &ReproduceJob, seed: u64) -> RevalRecipe {
        let mut recipe = RevalRecipe::default();
        recipe.data.train = self.data.sets.iter().map(|set| settings.data.join(set)).collect();
        recipe.data.train_pairs = self.data.pairs.iter().map(|pair| (*pair).to_owned()).collect();
        if self.data.sick {
            recipe.data.scored = vec![ScoredEntry::from(settings.data.join(SICK))];
        }
        recipe.scores.set = self.data.set;
        recipe.scores.from_pairs = self.data.reading;
        recipe.words.file = self.vector_file(settings);
        // Test sets have words that the training texts have not.
        recipe.words.further = usize::MAX;
        recipe.words.fine_tuning = self.fine_tuning;
        recipe.network.encoding = self.encoding;
        recipe.network.hidden = self.hidden;
        recipe.network.memory = self.memory;
        recipe.network.output_gate = self.output_gate;
        recipe.training.objective = self.objective;
        recipe.training.epochs = settings.epochs.unwrap_or(10);
        if self.objective == RevalObjective::Pairs {
            recipe.data.identical = true;
            recipe.training.epochs = settings.epochs.unwrap_or(6);
            recipe.training.optimizer = OptimizerName::Adam;
            recipe.training.learning_rate = 0.003;
            recipe.training.rate = RateOverEpochs::Falling;
            recipe.training.weight_decay = 1e-5;
            recipe.training.batch = 32;
            recipe.training.batch_by = BatchBy::Reference;
            recipe.training.ranking_scale = 2.0;
            recipe.training.ranking_weight = 0.25;
        }
        recipe.training.seed = seed;
        recipe
    }

    /// The file of its word vectors.
    pub(super) fn vector_file(&self, settings: &ReproduceJob) -> PathBuf {
        if self.few_words { settings.subset() } else { settings.vector_file() }
    }

    /// All settings that decide on its digits, but data and seed.
    pub(super) fn described(&self, settings: &ReproduceJob) -> Value {
        let recipe = self.recipe(settings, 0);
        json!({
            "network": format!("{:?}", recipe.network),
            "training": format!("{:?}", recipe.training),
            "scores": format!("{:?}", recipe.scores),
            "fine tuning": self.fine_tuning.name(),
            "identical": recipe.data.identical,
        })
    }
}
