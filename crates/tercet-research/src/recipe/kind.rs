//! Reads a recipe of one kind from a file or a text.

use super::setting_error::{listed, unknown_name};
use super::{KIND, RecipeText, Setting, SettingError, Settings, Table, settings};
use crate::error::{Error, Result};
use crate::metrics::Registry;
use crate::progress::Progress;
use std::path::{Path, PathBuf};
use tercet_learn::training::TrainingFiles;

/// Where a recipe comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The path, or the name in error messages.
    pub name: PathBuf,
    /// The folder of the data files that it names.
    pub folder: PathBuf,
    /// The folder of the model.
    pub beside: PathBuf,
    /// The text as written, for the notes of the model.
    pub text: String,
}

impl Origin {
    /// Whether the text sets a key of a table (`a.b`).
    pub(crate) fn has(&self, table: &str, key: &str) -> bool {
        RecipeText::new(&self.name, &self.text).has(table, key)
    }

    /// Everything in the text that may be a path: the texts in quotes, and the files in `average:file=…`. Not the model.
    pub(crate) fn named_paths(&self) -> Vec<PathBuf> {
        let texts = RecipeText::new(&self.name, &self.text).texts();
        let path = |text: &String| {
            let file = text.split_once("file=").map_or(text.as_str(), |(_, file)| file);
            self.folder.join(file.split(',').next().unwrap_or(file))
        };
        texts.iter().flat_map(|text| [self.folder.join(text), path(text)]).collect()
    }

    /// The error for a value, with the line of its key if there is a text.
    pub(crate) fn refuse(&self, refusal: SettingError) -> Error {
        if self.text.is_empty() {
            return refusal.into();
        }
        RecipeText::new(&self.name, &self.text).refuse(&refusal)
    }
}

settings! {
    /// `[model]` of any recipe: where the model is written.
    pub struct ModelOutput {
        /// The model file. Default: the name of the kind, such as `pairwise.safetensors`.
        file: Option<PathBuf> = None;
    }
}

/// A whole recipe of one kind.
pub trait RecipeKind: Settings {
    /// The value of the key `kind`.
    const NAME: &'static str;
    /// What is trained, in a few words.
    const TRAINS: &'static str;
    /// A recipe with all keys, explained in comments.
    const KEYS: &'static str;
    /// The default name of the model file.
    const MODEL_FILE: &'static str;
    /// Whether this is the kind of recipes without the key `kind`.
    const IS_DEFAULT: bool = false;

    /// Reads settings that depend on several tables, after all tables were read.
    fn read_dependent(&mut self, _table: &Table<'_>) -> Result<()> {
        Ok(())
    }

    /// Checks settings that depend on each other; single settings are already checked.
    fn check_together(&self) -> Result<(), SettingError>;

    /// Checks all settings.
    fn check_all(&self) -> Result<(), SettingError> {
        self.check_keys("")?;
        self.check_together()
    }

    /// Whether the recipe names a development set.
    fn has_development(&self) -> bool;

    /// Trains the model and writes its file.
    fn train(&self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<Trained>;

    /// The seed of the training.
    fn seed(&mut self) -> &mut u64;

    /// The number of epochs, if training is counted in epochs.
    fn epochs(&mut self) -> Option<&mut usize> {
        None
    }

    /// The number of steps, if training is counted in steps.
    fn steps(&mut self) -> Option<&mut usize> {
        None
    }
}

/// A trained model's hash and notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    /// The first eight hexadecimal digits of the SHA-256 of the model file.
    pub hash: String,
    /// Notes of the model file: training data, seed, scores, recipe.
    pub notes: Vec<(String, String)>,
}

/// Reads a file. The files it names are in the folder `data`, or beside the recipe.
pub(crate) fn read<T: RecipeKind>(path: &Path, data: Option<&Path>) -> Result<T> {
    let text = RecipeText::read(path)?;
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let folder = data.map_or_else(|| beside.clone(), Path::to_owned);
    from_text(Origin { name: path.to_owned(), folder, beside, text })
}

/// Reads a text. The files it names are in `folder`.
pub(crate) fn parse<T: RecipeKind>(text: &str, folder: &Path) -> Result<T> {
    let (folder, beside) = (folder.to_owned(), folder.to_owned());
    from_text(Origin { name: "recipe".into(), folder, beside, text: text.to_owned() })
}

fn from_text<T: RecipeKind>(origin: Origin) -> Result<T> {
    let text = RecipeText::new(&origin.name, &origin.text);
    let mut recipe = text.with_keys(|table| {
        if written_kind(table, &[T::NAME])?.is_none() && !T::IS_DEFAULT {
            return Err(table.missing(KIND));
        }
        let mut recipe = T::default().read_keys(table)?;
        recipe.read_dependent(table)?;
        Ok(recipe)
    })?;
    recipe.set_origin(origin.clone());
    recipe.check_all().map_err(|refusal| text.refuse(&refusal))?;
    Ok(recipe)
}

/// The index of a file's kind among the `known` ones; `None` if it has no key `kind`.
pub(crate) fn kind_in(path: &Path, known: &[&str]) -> Result<Option<usize>> {
    let text = RecipeText::read(path)?;
    RecipeText::new(path, &text).with_keys(|table| written_kind(table, known))
}

fn written_kind(table: &Table<'_>, known: &[&str]) -> Result<Option<usize>> {
    let Some(value) = table.value(&[KIND])? else { return Ok(None) };
    let kind = String::read(String::new(), &value)?;
    let place = known.iter().position(|name| *name == kind);
    place.map(Some).ok_or_else(|| value.error(&unknown_name(&kind, &listed(known))))
}
