//! Trains an encoder by a [`InferSentRecipe`]: reads pairs, numbers their words, trains, tests, writes the model.
//!
//! During training, the checkpoint is beside the model and is replaced atomically; a resumed training ends with the
//! same bits as an uninterrupted one.
//!
//! # Model file
//! The tensors of the encoder, and what it must be used with: a file of `tercet-learn` (safetensors with checked
//! metadata) of the kind `infersent`. The tensors have the names of the published weights, `enc_lstm.weight_ih_l0` and
//! so on, so that the encoder reads both alike; the layers that only the training needs are not stored.
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `vectors` | the hash of the word vectors |
//! | `tokenizer`, `case` | how lines become words |
//! | `about.…` | notes: data, seed, accuracy, recipe |

use super::data::{KnownWords, PairData};
use super::recipe::InferSentRecipe;
use crate::cache::Cache;
use crate::corpora::NliLabel;
use crate::encode::recurrent::{WordCase, Words};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::recipe::ModelRecord;
use crate::text::Tokenizer;
use crate::vectors::{Coverage, WordVectors};
use crate::warning::Warning;
use std::path::Path;
use tercet_base::files;
use tercet_learn::networks::{RelationNetwork, RelationTraining};
use tercet_learn::training::{Outcome, TrainingFiles};
use tercet_model::model_file::{ModelFile, Values};

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
    let matrix = known.matrix().map_err(|error| Error::bad_file(path, error))?;
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
    write(&files.model, &network, words, vectors.hash(), &mut record)?;
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

const KIND: &str = "infersent";

/// The prefix of the published names.
const PREFIX: &str = "enc_lstm.";

/// The words that a model was trained with.
#[derive(Debug)]
pub(crate) struct TrainedWords {
    pub(crate) words: Words,
    vectors: String,
}

impl TrainedWords {
    /// Words of a file that [`write`] has written; `None` for weights of other programs.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        let bytes = files::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        if !ModelFile::is_ours(&bytes) {
            return Ok(None);
        }
        let file = ModelFile::from_bytes(path, bytes, KIND)?;
        file.check_version()?;
        file.check_finite()?;
        let bad = |key: &str| file.bad(format!("its entry `{key}` is not known to this version"));
        let tokenizer = Tokenizer::from_name(file.get("tokenizer")?).map_err(|_| bad("tokenizer"))?;
        let case = file.get("case")?.parse::<WordCase>().map_err(|_| bad("case"))?;
        Ok(Some(TrainedWords { words: Words { tokenizer, case }, vectors: file.get("vectors")?.to_owned() }))
    }

    /// Returns an error if the model was trained with other word vectors; `path` is their file.
    pub(crate) fn check_vectors(&self, path: &Path, vectors: &WordVectors) -> Result<()> {
        if self.vectors == vectors.hash() {
            return Ok(());
        }
        Err(Error::bad_file(
            path,
            format!(
                "word vectors {}, the encoder was trained with {}: they do not belong together",
                vectors.hash(),
                self.vectors
            ),
        ))
    }
}

/// Writes a model atomically; the record gets its hash.
pub(super) fn write(
    path: &Path,
    network: &RelationNetwork,
    words: Words,
    vectors: &str,
    record: &mut ModelRecord,
) -> Result<()> {
    let mut file = ModelFile::new(KIND);
    file.set_version();
    file.set("vectors", vectors);
    file.set("tokenizer", words.tokenizer.name());
    file.set("case", words.case.name());
    for tensor in network.encoder() {
        file.add(&format!("{PREFIX}{}", tensor.name), tensor.shape, Values::F32(tensor.values));
    }
    Ok(file.write_with(record, path)?)
}
