//! Trains an encoder by a [`InferSentRecipe`]: reads pairs, numbers their words, trains, tests, writes the model.
//!
//! During training, the checkpoint is beside the model and is replaced atomically; a resumed training ends with the same bits as an
//! uninterrupted one.

use super::data::{KnownWords, PairData};
use super::model;
use super::recipe::InferSentRecipe;
use crate::cache::Cache;
use crate::corpora::NliLabel;
use crate::encode::recurrent::Words;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::recipe::ModelRecord;
use crate::vectors::{Coverage, WordVectors};
use crate::warning::Warning;
use tercet_learn::networks::{RelationNetwork, RelationTraining};
use tercet_learn::training::{Outcome, TrainingFiles};

/// Trains a model, writes its file and returns its notes.
pub fn train(recipe: &InferSentRecipe, files: &TrainingFiles, progress: Progress<'_>) -> Result<ModelRecord> {
    recipe.check()?;
    let mut checkpoints = files.begin(recipe.training.checkpoint, &[RelationTraining::PHASE])?;
    // Before data are read, so that a wrong file is an error at once.
    let path = recipe.origin.path(&recipe.words.file);
    let cache = Cache::default();
    let vectors = WordVectors::open(&path, &cache)?;
    cache.warn_of_damaged(progress)?;
    let data = TrainingData::read(recipe, progress)?;
    let words = Words { tokenizer: recipe.words.tokenizer, case: recipe.words.case };
    let mut known = KnownWords::new(words, &vectors);
    let [examples, development, test] = [&data.seen, &data.development, &data.test].map(|set| known.examples(set));
    let coverage = known.coverage;
    let matrix = known.matrix().map_err(|error| Error::Unusable(format!("{}: {error}", path.display())))?;
    warn_of_few_words(coverage, progress)?;
    let settings = recipe.training.settings();
    let shape = recipe.network.shape(NliLabel::ALL.len());
    let mut network = RelationNetwork::new(shape, matrix, settings.seed)?;
    let development = (!data.development.is_empty()).then_some(&development);
    let training = RelationTraining { network: &mut network, examples: &examples, settings: &settings, development };
    let outcome = training.run(&mut checkpoints, progress)?;
    let mut record = ModelRecord::default();
    record.set_notes(data.notes());
    record.set_notes(words_notes(&vectors, coverage));
    record.set_notes(outcome_notes(&outcome));
    if !data.test.is_empty() {
        progress.uncounted("testing")?;
        record.set_note("test_accuracy", format!("{:.4}", network.accuracy(&test)?));
    }
    record.set_note("seed", settings.seed);
    record.set_note("recipe", &recipe.origin.text);
    record.set_note("tercet", env!("CARGO_PKG_VERSION"));
    model::write(&files.model, &network, words, vectors.hash(), &mut record)?;
    files.end();
    Ok(record)
}

/// The pairs of a recipe.
struct TrainingData {
    seen: PairData,
    development: PairData,
    test: PairData,
}

impl TrainingData {
    fn read(recipe: &InferSentRecipe, progress: Progress<'_>) -> Result<Self> {
        let read = |patterns| PairData::read(recipe, patterns, progress);
        let seen = read(&recipe.data.train)?;
        seen.check_labels()?;
        let development = read(&recipe.data.development)?;
        development.check_apart_from(&seen, "development")?;
        let test = read(&recipe.data.test)?;
        test.check_apart_from(&seen, "test")?;
        Ok(TrainingData { seen, development, test })
    }

    fn notes(&self) -> Vec<(&'static str, String)> {
        let sets = [("trained_on", &self.seen), ("development", &self.development), ("test", &self.test)];
        sets.into_iter().filter(|(_, set)| !set.is_empty()).map(|(key, set)| (key, set.names())).collect()
    }
}

/// Warns if most words have no vector.
fn warn_of_few_words(coverage: Coverage, progress: Progress<'_>) -> Result<()> {
    if 2 * coverage.known < coverage.all {
        let Coverage { known, all } = coverage;
        progress.warn(&Warning::FewVectors { known, all })?;
    }
    Ok(())
}

fn words_notes(vectors: &WordVectors, coverage: Coverage) -> [(&'static str, String); 2] {
    let share = 100.0 * coverage.known as f64 / coverage.all.max(1) as f64;
    let words = format!("{} of {} have a vector ({share:.1}%)", coverage.known, coverage.all);
    [("vectors", format!("{} ({} numbers)", vectors.hash(), vectors.dimension())), ("words", words)]
}

fn outcome_notes(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let mut notes = vec![("epochs", outcome.rounds.to_string()), ("best_epoch", outcome.best_round.to_string())];
    notes.extend(outcome.best_value.map(|value| ("development_accuracy", format!("{value:.4}"))));
    notes
}
