//! From a file or a text to a recipe of some kind.

use super::refusal::{listed, unknown_name};
use super::{KIND, RecipeText, Refusal, Setting, Settings, Table, settings};
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::path::{Path, PathBuf};
use tercet_learn::training::TrainingFiles;

/// Where a recipe comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The file, or what else it is called in messages.
    pub name: PathBuf,
    /// The folder of the files that it names.
    pub folder: PathBuf,
    /// The folder of the model.
    pub beside: PathBuf,
    /// The text as it is written, for the model to keep.
    pub text: String,
}

impl Origin {
    /// Whether a key of a table (`a.b`) is written in the text.
    pub(crate) fn has(&self, table: &str, key: &str) -> bool {
        RecipeText::new(&self.name, &self.text).has(table, key)
    }

    /// The error for a value, with the place of its key; without the place if there is no text.
    pub(crate) fn refuse(&self, refusal: Refusal) -> Error {
        if self.text.is_empty() {
            return refusal.into();
        }
        RecipeText::new(&self.name, &self.text).refuse(&refusal)
    }
}

settings! {
    /// `[model]`.
    pub struct ModelOutput {
        /// The file. Default: a name for each kind of recipe.
        file: Option<PathBuf> = None;
    }
}

/// A whole recipe of one kind.
pub trait RecipeKind: Settings {
    /// What the key `kind` says.
    const NAME: &'static str;
    /// What is trained, in a few words.
    const TRAINS: &'static str;
    /// All keys, with their meanings, as a recipe.
    const KEYS: &'static str;
    /// The model's file, if the recipe names none.
    const MODEL_FILE: &'static str;
    /// Whether recipes without the key `kind` are of this kind.
    const IS_DEFAULT: bool = false;

    /// Reads what depends on several tables, after all of them were read.
    fn read_dependent(&mut self, _table: &Table<'_>) -> Result<()> {
        Ok(())
    }

    /// Checks settings that depend on each other; each alone is checked before.
    fn check_together(&self) -> Result<(), Refusal>;

    /// Checks all settings.
    fn check_all(&self) -> Result<(), Refusal> {
        self.check_keys("")?;
        self.check_together()
    }

    /// Whether there is data by which the training can tell how good the model is.
    fn has_development(&self) -> bool;

    /// Trains the model and writes its file.
    fn train(&self, files: &TrainingFiles, progress: Progress<'_>) -> Result<Trained>;

    /// The seed of the training.
    fn seed(&mut self) -> &mut u64;

    /// How long it trains, if that is counted in epochs.
    fn epochs(&mut self) -> Option<&mut usize> {
        None
    }

    /// How long it trains, if that is counted in steps.
    fn steps(&mut self) -> Option<&mut usize> {
        None
    }
}

/// What is known of a model that was trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    /// The first eight hexadecimal digits of the SHA-256 of its file.
    pub hash: String,
    /// Where it comes from and how good it is: training data, seed, figures, recipe.
    pub notes: Vec<(String, String)>,
}

/// Reads a file. The files it names are in `data`, or beside it.
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

/// Which of some kinds a file is of; nothing if it has no such key.
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
