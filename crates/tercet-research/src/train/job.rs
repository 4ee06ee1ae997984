//! Training as a use case: a recipe, what is changed in it, and the file of the model.

use super::{AnyRecipe, ModelRecord, TrainingFiles, read};
use crate::error::{Error, Result};
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::warning::Done;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tercet_base::files::{AtomicFile, is_same_file};

/// Trains the model of a recipe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainJob {
    /// The recipe, a TOML file.
    pub recipe: PathBuf,
    /// The kinds of recipes that are accepted; if empty, all.
    pub kinds: Vec<String>,
    /// The folder of the files that the recipe names. Default: that of the recipe.
    pub data: Option<PathBuf>,
    /// The model file. Default: the one that the recipe names.
    pub output: Option<PathBuf>,
    /// The seed, in place of the recipe's.
    pub seed: Option<u64>,
    /// The number of epochs, in place of the recipe's.
    pub epochs: Option<usize>,
    /// The number of training steps, in place of the recipe's.
    pub steps: Option<usize>,
    /// Whether to go on from the checkpoint of an interrupted training.
    pub resume: bool,
    /// Whether an existing model is overwritten.
    pub force: bool,
}

/// A model that has been trained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainedModel {
    /// Its file.
    pub model: PathBuf,
    /// Its hash.
    pub hash: String,
    /// Data, seed and figures: names and values.
    pub notes: Vec<(String, String)>,
}

/// A training that can begin: the recipe was read, and its files can be written.
#[derive(Debug)]
pub struct ReadyTraining {
    recipe: AnyRecipe,
    files: TrainingFiles,
}

impl TrainJob {
    /// Reads the recipe and checks, before hours of work, that the model can be written and no file would be lost.
    pub fn open(&self) -> Result<ReadyTraining> {
        let kinds: Vec<&str> = self.kinds.iter().map(String::as_str).collect();
        let mut recipe = read(&self.recipe, self.data.as_deref(), (!kinds.is_empty()).then_some(&kinds))?;
        if let Some(seed) = self.seed {
            recipe.set_seed(seed);
        }
        self.epochs.map_or(Ok(()), |epochs| recipe.set_epochs(epochs))?;
        self.steps.map_or(Ok(()), |steps| recipe.set_steps(steps))?;
        let model = self.output.clone().unwrap_or_else(|| recipe.model_file());
        let files = TrainingFiles { model, resume: self.resume };
        self.check(&files)?;
        if let Some(read) = recipe.reads(&files.model) {
            return Err(not_written(&files.model, format!("the recipe reads {}", read.display())));
        }
        Ok(ReadyTraining { recipe, files })
    }

    /// Trains the model.
    pub fn run(&self, registry: &Registry, progress: Progress<'_>) -> Result<Done<TrainedModel>> {
        self.open()?.run(registry, progress)
    }

    fn check(&self, files: &TrainingFiles) -> Result<()> {
        check_model(&self.recipe, &files.model)?;
        let (checkpoint, model) = (files.checkpoint(), files.model.clone());
        if checkpoint.exists() && !checkpoint.is_file() {
            return Err(not_written(&checkpoint, "that is not a file"));
        }
        match (files.resume, checkpoint.is_file()) {
            (true, false) => Err(Error::NoCheckpoint { path: checkpoint }),
            (false, true) => Err(Error::UnusedCheckpoint { path: checkpoint }),
            // A resumed training was allowed to overwrite the model when it started.
            (false, false) if model.exists() && !self.force => Err(Error::ModelExists { path: model }),
            _ => Ok(()),
        }
    }
}

/// Returns an error if the model cannot be written to this path.
fn check_model(recipe: &Path, model: &Path) -> Result<()> {
    let parent = model.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if model.is_dir() {
        Err(not_written(model, "that is a folder"))
    } else if model.exists() && !model.is_file() {
        Err(not_written(model, "that is a device or a pipe, not a file"))
    } else if is_same_file(model, recipe) {
        Err(not_written(model, "that is the recipe"))
    } else if let Some(folder) = parent {
        Err(not_written(model, format!("there is no folder {}", folder.display())))
    } else {
        AtomicFile::create(model).map(drop).map_err(|error| not_written(model, error))
    }
}

fn not_written(path: &Path, why: impl ToString) -> Error {
    Error::NotWritten { path: path.to_owned(), why: why.to_string() }
}

impl ReadyTraining {
    /// The checkpoint that a training leaves which is stopped.
    pub fn checkpoint(&self) -> PathBuf {
        self.files.checkpoint()
    }

    /// Trains the model.
    pub fn run(&self, registry: &Registry, progress: Progress<'_>) -> Result<Done<TrainedModel>> {
        Done::collect(progress, |progress| {
            self.recipe.warnings(registry).iter().try_for_each(|warning| progress.warn(warning))?;
            let ModelRecord { hash, notes, .. } = self.recipe.train(&self.files, registry, progress)?;
            Ok(TrainedModel { model: self.files.model.clone(), hash, notes })
        })
    }
}
