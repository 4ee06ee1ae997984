//! The models of the paper, and those of the ablation.
//!
//! Those of the paper learn scores that are derived from the rankings of WMT13, as the paper's did; no test set is of that year. The paper had five language pairs; the judgements of
//! ru-en are not to be had, and those of cs-en, de-en and es-en as pairs only, from which their rankings are recovered
//! ([`PairsReading::Recovered`](tercet::learned::PairsReading)).
//!
//! Ours learn from pairs, which of two translations is better, of all years of WMT12 to WMT16 but that of the test set.

use crate::ReproduceJob;
use serde_json::{Value, json};
use std::path::PathBuf;
use tercet::metrics::reval::{Recipe, ScoredEntry};

/// The file of SICK's training set.
pub(super) const SICK: &str = "sick/SICK_train.txt";

/// What a model learns from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TrainingData {
    /// Folders of rankings.
    pub(super) sets: &'static [&'static str],
    /// Language pairs; all if empty.
    pub(super) pairs: &'static [&'static str],
    /// `L`, `LNF` or `XL`.
    pub(super) set: &'static str,
    /// How sets without ranks are read.
    pub(super) reading: &'static str,
    /// Whether SICK is added.
    pub(super) sick: bool,
}

/// A model that is trained.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) encoding: &'static str,
    pub(super) hidden: usize,
    pub(super) memory: usize,
    pub(super) data: TrainingData,
    /// `scores` or `pairs`.
    pub(super) objective: &'static str,
    /// How far word vectors are trained.
    pub(super) fine_tuning: &'static str,
    /// Whether memory cells have an output gate.
    pub(super) output_gate: bool,
    /// Whether words get the vectors of the subset of the data folder only.
    pub(super) few_words: bool,
}

/// The paper's L, with SICK or without.
pub(super) const fn wmt13(set: &'static str, sick: bool) -> TrainingData {
    TrainingData { sets: &["wmt13-rr"], pairs: &[], set, reading: "recovered", sick }
}

/// Pairs of these sets.
const fn pairs(sets: &'static [&'static str]) -> TrainingData {
    TrainingData { sets, ..wmt13("L", false) }
}

/// A Tree-LSTM of the paper. It has no output gate: with one, and the 300 dimensions of the paper's word vectors, there would be more
/// than the 203,400 and 541,800 compositional parameters that the paper counts.
pub(super) const fn tree(hidden: usize, memory: usize, data: TrainingData) -> Model {
    Model {
        encoding: "tree-lstm",
        hidden,
        memory,
        data,
        objective: "scores",
        fine_tuning: "none",
        output_gate: false,
        few_words: false,
    }
}

/// A Tree-LSTM that learns from pairs, with the settings of the model inside tercet.
pub(super) const fn pairwise(sets: &'static [&'static str]) -> Model {
    Model { objective: "pairs", output_gate: true, ..tree(50, 150, pairs(sets)) }
}

impl Model {
    /// The recipe, with a seed.
    pub(super) fn recipe(&self, settings: &ReproduceJob, seed: u64) -> Recipe {
        let mut recipe = Recipe::default();
        recipe.data.train = self.data.sets.iter().map(|set| settings.data.join(set)).collect();
        recipe.data.train_pairs = self.data.pairs.iter().map(|pair| (*pair).to_owned()).collect();
        if self.data.sick {
            recipe.data.scored = vec![ScoredEntry::from(settings.data.join(SICK))];
        }
        recipe.scores.set = self.data.set.to_owned();
        recipe.scores.from_pairs = self.data.reading.to_owned();
        recipe.words.file = self.vector_file(settings);
        // Test sets have words that the training texts have not.
        recipe.words.further = usize::MAX;
        recipe.words.fine_tuning = self.fine_tuning.to_owned();
        recipe.network.encoding = self.encoding.to_owned();
        recipe.network.hidden = self.hidden;
        recipe.network.memory = self.memory;
        recipe.network.output_gate = self.output_gate;
        recipe.training.objective = self.objective.to_owned();
        recipe.training.epochs = settings.epochs.unwrap_or(10);
        if self.objective == "pairs" {
            recipe.data.identical = true;
            recipe.training.epochs = settings.epochs.unwrap_or(6);
            recipe.training.optimizer = "adam".to_owned();
            recipe.training.learning_rate = 0.003;
            recipe.training.rate = "falling".to_owned();
            recipe.training.weight_decay = 1e-5;
            recipe.training.batch = 32;
            recipe.training.batch_by = "reference".to_owned();
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
            "fine tuning": self.fine_tuning,
            "identical": recipe.data.identical,
        })
    }
}
