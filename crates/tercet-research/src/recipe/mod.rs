//! Recipes: TOML files with the data and the settings of a training.
//!
//! A kind of recipe declares its tables with [`settings!`]: keys, types, defaults, allowed values, former names of
//! keys. The macro derives reading, checks and `Default`. Every error names file, line, table and key, what was found
//! and what is expected:
//!
//! ```text
//! parser.toml:9: [training] steps cannot be "many": expected a whole number, 0 or more
//! ```
//!
//! Texts are parsed by the crate `toml`, and settings are read from its values with their positions, so that no message
//! depends on the wording of that crate, except the one for a text that is not TOML.

mod macros;
mod setting;
mod table;

pub(crate) use macros::{settings, usual_methods};
pub(crate) use setting::{MAX_NUMBER, MAX_WIDTH, Setting, SettingError, range, setting_by_name};
pub(crate) use table::{Origin, RecipeTable, RecipeValue};
pub use tercet_model::model_file::ModelRecord;

use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::Progress;
use std::path::PathBuf;
use tercet_learn::training::TrainingFiles;

/// The key for the kind of a recipe.
const KIND: &str = "kind";

settings! {
    /// `[model]` of any recipe: where the model is written.
    pub struct ModelOutput {
        /// The model file. Default: the name of the kind, such as `pairwise.safetensors`.
        file: Option<PathBuf> = None;
    }
}

/// What [`settings!`] declares of a whole recipe.
pub trait Declared: Setting {
    /// The value of the key `kind`.
    const KIND: &'static str;
    /// What is trained, in a few words.
    const TRAINS: &'static str;
    /// A recipe with all keys, explained in comments.
    const KEYS: &'static str;
    /// The default name of the model file.
    const MODEL_FILE: &'static str;

    /// Where the recipe comes from.
    fn origin_mut(&mut self) -> &mut Origin;
}

/// A whole recipe of one kind.
pub trait Recipe: Declared {
    /// Reads tables whose missing keys are those of other tables, after all tables were read.
    fn read_inherited(&mut self, _table: &RecipeTable<'_>) -> Result<()> {
        Ok(())
    }

    /// Checks settings that depend on each other; single settings are already checked.
    fn check_together(&self) -> Result<(), SettingError>;

    /// Whether the recipe names a development set, if its kind has one.
    fn has_development(&self) -> bool {
        true
    }

    /// Trains the model and writes its file.
    fn train(&self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<ModelRecord>;

    /// The seed of the training.
    fn seed(&mut self) -> &mut u64;

    /// `epochs` or `steps`, in which training is counted, and how many there are, if it is counted.
    fn length(&mut self) -> Option<(&'static str, &mut usize)>;
}

/// Reads a recipe of one kind from the keys of a text.
pub(crate) fn read<T: Recipe>(table: &RecipeTable<'_>) -> Result<T> {
    if table.kind(&[T::KIND])?.is_none() && T::KIND != crate::train::DEFAULT_KIND {
        return Err(table.missing(KIND));
    }
    let mut recipe = T::default().read_keys(table)?;
    recipe.read_inherited(table)?;
    *recipe.origin_mut() = table.origin();
    let checked = recipe.check_keys("").and_then(|()| recipe.check_together());
    checked.map_err(|refusal| recipe.origin_mut().refuse(&refusal)).map(|()| recipe)
}

#[cfg(test)]
mod tests;
