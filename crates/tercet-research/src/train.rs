//! Recipes of everything that can be trained, and the files of a training.
//!
//! A recipe is a TOML file; its key `kind` is what it trains. [`KINDS`] lists the kinds with their keys, [`read`] reads
//! a recipe of any kind. A program can also fill the struct of a kind, which has a `Default`, and call its `check`:
//!
//! ```
//! use tercet_research::pairwise::PairwiseRecipe;
//!
//! let mut recipe = PairwiseRecipe::default();
//! recipe.data.train = vec!["wmt13-rr".into()];
//! recipe.training.epochs = 100;
//! recipe.check()?;
//! recipe.training.epochs = 0;
//! assert_eq!(
//!     recipe.check().unwrap_err().to_string(),
//!     "[training] epochs cannot be 0: expected 1 at least, 1000000000 at most"
//! );
//! # Ok::<(), tercet_base::Error>(())
//! ```
//!
//! [`TrainJob`] is the use case: a recipe, what is changed in it, and the file of the model.

pub use crate::recipe::{ModelOutput, ModelRecord};
pub use tercet_learn::training::{Checkpoints, TrainingFiles};

use crate::blend::BlendRecipe;
use crate::corpora::find_files;
use crate::encode::infersent_training::InferSentRecipe;
use crate::error::{Error, Result};
use crate::metrics::Registry;
use crate::pairwise::PairwiseRecipe;
use crate::parse::constituency::ConstituencyRecipe;
use crate::parse::dependency::DependencyRecipe;
use crate::progress::Progress;
use crate::recipe::{Origin, Recipe, RecipeTable};
use crate::reval::RevalRecipe;
use crate::ruse::RuseRecipe;
use crate::siamese::SiameseRecipe;
use crate::warning::{Done, Warning};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tercet_base::files::{AtomicFile, is_same_file};

/// A kind of recipe.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// The value of the key `kind`.
    pub name: &'static str,
    /// What is trained, in a few words.
    pub trains: &'static str,
    /// A recipe to start from, with all keys, explained in comments, and their defaults or examples.
    pub keys: &'static str,
    /// The default name of the model file.
    pub model_file: &'static str,
    read: fn(&RecipeTable<'_>) -> Result<AnyRecipe>,
}

/// The kind of recipes without the key `kind`.
pub(crate) const DEFAULT_KIND: &str = "pairwise";

impl Kind {
    const fn new<T: Recipe>(read: fn(&RecipeTable<'_>) -> Result<AnyRecipe>) -> Self {
        Kind { name: T::KIND, trains: T::TRAINS, keys: T::KEYS, model_file: T::MODEL_FILE, read }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.name == name)
    }
}

/// Whether a path is this file, or a folder that contains it.
fn contains(path: &Path, file: &Path) -> bool {
    let place = |path: &Path| path.canonicalize().ok();
    let is_inside = || matches!((place(path), place(file)), (Some(path), Some(file)) if file.starts_with(&path));
    is_same_file(path, file) || (path.is_dir() && is_inside())
}

/// Declares the list of kinds, and the enum of their recipes.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident($recipe:ty),)*) => {
        /// All kinds of recipes.
        pub static KINDS: &[Kind] =
            &[$(Kind::new::<$recipe>(|table| crate::recipe::read(table).map(AnyRecipe::$kind))),*];

        /// A recipe of any kind.
        #[derive(Clone, Debug)]
        pub enum AnyRecipe {
            $($(#[$about])* $kind($recipe),)*
        }

        impl AnyRecipe {
            /// The value of the key `kind`.
            pub fn kind(&self) -> &'static str {
                match self { $(AnyRecipe::$kind(_) => <$recipe as crate::recipe::Declared>::KIND,)* }
            }

            /// The path of the model file; relative paths are beside the recipe.
            pub fn model_file(&self) -> PathBuf {
                match self { $(AnyRecipe::$kind(recipe) => recipe.model_file(),)* }
            }

            /// The file or folder named in the recipe that contains this existing file, which must not be overwritten.
            pub fn reads(&self, file: &Path) -> Option<PathBuf> {
                let origin = match self { $(AnyRecipe::$kind(recipe) => &recipe.origin,)* };
                let mut found = origin.named_paths().into_iter().flat_map(|path| find_files(&path).unwrap_or_default());
                found.find(|path| contains(path, file))
            }

            /// Returns an error if a setting is not allowed.
            pub fn check(&self) -> Result<()> {
                match self { $(AnyRecipe::$kind(recipe) => recipe.check(),)* }
            }

            /// Whether the recipe names a development set.
            pub fn has_development(&self) -> bool {
                match self { $(AnyRecipe::$kind(recipe) => recipe.has_development(),)* }
            }

            /// What should be known before the training.
            pub fn warnings(&self, registry: &Registry) -> Vec<Warning> {
                let mut warnings = Vec::from_iter((!self.has_development()).then_some(Warning::NoDevelopment));
                if let AnyRecipe::Pairwise(recipe) = self {
                    let kind = Warning::NoKind { read_as: DEFAULT_KIND.to_owned() };
                    warnings.extend((!recipe.origin.has_kind()).then_some(kind));
                    warnings.extend(recipe.feature_warnings(registry));
                }
                let all = warnings.clone();
                let mut places = 0..;
                warnings.retain(|warning| all.iter().position(|other| other == warning) == places.next());
                warnings
            }

            /// Trains the model, writes its file and returns its notes. A training that is stopped through `progress`
            /// leaves its checkpoint beside the model.
            pub fn train(
                &self,
                files: &TrainingFiles,
                registry: &Registry,
                progress: Progress<'_>,
            ) -> Result<ModelRecord> {
                match self { $(AnyRecipe::$kind(recipe) => recipe.train(files, registry, progress),)* }
            }

            /// Sets the seed of the training.
            pub fn set_seed(&mut self, seed: u64) {
                *match self { $(AnyRecipe::$kind(recipe) => recipe.seed(),)* } = seed;
            }

            /// Sets how many epochs or steps are trained. Returns an error for kinds whose training is not counted in
            /// this unit.
            pub fn set_length(&mut self, unit: &str, length: usize) -> Result<()> {
                let name = self.kind();
                let refuse = |what| Err(Error::BadRequest(format!("the training of kind = \"{name}\" {what}")));
                let counted = match self { $(AnyRecipe::$kind(recipe) => recipe.length(),)* };
                match counted {
                    Some((counted, setting)) if counted == unit => *setting = length,
                    Some((counted, _)) => return refuse(format!("is counted in {counted}, not in {unit}")),
                    None => return refuse(format!("has no {unit}")),
                }
                self.check()
            }
        }
    };
}

kinds! {
    /// The pairwise network, which predicts which of two translations is better.
    Pairwise(PairwiseRecipe),
    /// ReVal, which scores the similarity of translation and reference.
    Reval(RevalRecipe),
    /// RUSE, a regression over sentence vectors.
    Ruse(RuseRecipe),
    /// Blend, a regression over the scores of metrics.
    Blend(BlendRecipe),
    /// The metric siamese, fine-tuned.
    Siamese(SiameseRecipe),
    /// InferSent, a sentence encoder.
    InferSent(InferSentRecipe),
    /// A dependency parser.
    Dependency(DependencyRecipe),
    /// A constituency parser.
    Constituency(ConstituencyRecipe),
}

/// Reads a recipe of one of these kinds (`None`: of any kind). The files it names are in the folder `data`, or beside
/// the recipe. A recipe without the key `kind` is read as `pairwise`, if that is among the kinds.
pub fn read(path: &Path, data: Option<&Path>, kinds: Option<&[&str]>) -> Result<AnyRecipe> {
    let is_meant = |kind: &&Kind| kinds.is_none_or(|names| names.contains(&kind.name));
    let kinds: Vec<&Kind> = KINDS.iter().filter(is_meant).collect();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    Origin::read(path, data)?.with_keys(|table| match table.kind(&names)? {
        Some(place) => (kinds[place].read)(table),
        None => match kinds.iter().find(|kind| kind.name == DEFAULT_KIND) {
            Some(default) => (default.read)(table).map_err(|error| match error {
                Error::BadRequest(what) if kinds.len() > 1 => {
                    Error::BadRequest(format!("{what} (kind is missing: read as kind = \"{DEFAULT_KIND}\")"))
                }
                other => other,
            }),
            None => Err(Error::BadRequest(format!("{}: kind is missing", path.display()))),
        },
    })
}

#[cfg(test)]
mod tests;

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
    /// Whether the job says what is trained, so that the recipe need not.
    kind_is_given: bool,
}

impl TrainJob {
    /// Reads the recipe and checks, before hours of work, that the model can be written and no file would be lost.
    pub fn open(&self) -> Result<ReadyTraining> {
        let kinds: Vec<&str> = self.kinds.iter().map(String::as_str).collect();
        let mut recipe = read(&self.recipe, self.data.as_deref(), (!kinds.is_empty()).then_some(&kinds))?;
        if let Some(seed) = self.seed {
            recipe.set_seed(seed);
        }
        self.epochs.map_or(Ok(()), |epochs| recipe.set_length("epochs", epochs))?;
        self.steps.map_or(Ok(()), |steps| recipe.set_length("steps", steps))?;
        let model = self.output.clone().unwrap_or_else(|| recipe.model_file());
        let files = TrainingFiles { model, resume: self.resume };
        self.check(&files)?;
        if let Some(read) = recipe.reads(&files.model) {
            return Err(not_written(&files.model, format!("the recipe reads {}", read.display())));
        }
        Ok(ReadyTraining { recipe, files, kind_is_given: !kinds.is_empty() })
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
            let mut warnings = self.recipe.warnings(registry);
            warnings.retain(|warning| !(self.kind_is_given && matches!(warning, Warning::NoKind { .. })));
            warnings.iter().try_for_each(|warning| progress.warn(warning))?;
            let ModelRecord { hash, notes, .. } = self.recipe.train(&self.files, registry, progress)?;
            Ok(TrainedModel { model: self.files.model.clone(), hash, notes })
        })
    }
}
