//! From a file or a text to the recipe of someone who trains.

use super::{RecipeText, Refusal};
use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Where a recipe comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The file, or what else it is called in messages.
    pub name: PathBuf,
    /// The folder in which the files that it names are looked for.
    pub folder: PathBuf,
    /// The text as it is written, for the model to keep.
    pub text: String,
}

impl Origin {
    /// Whether a key of a table (`a.b`) is written in the text.
    pub(crate) fn says(&self, table: &str, key: &str) -> bool {
        self.source().says(table, key)
    }

    /// The error that a value makes, with the place of its key; plain if there is no text.
    pub(crate) fn refuse(&self, refusal: Refusal) -> Error {
        if self.text.is_empty() { refusal.into() } else { self.source().refuse(&refusal) }
    }

    fn source(&self) -> RecipeText<'_> {
        RecipeText::new(&self.name, &self.text)
    }
}

/// The tables of a kind of recipe.
pub(crate) trait Tables: DeserializeOwned {
    /// Takes down where they come from, and refuses what cannot be meant.
    fn checked(self, origin: Origin) -> Result<Self, Refusal>;

    /// Refuses what only the text can tell.
    fn check_text(_text: RecipeText<'_>) -> Result<()> {
        Ok(())
    }
}

/// Reads a file; what it names lies in `data`, or beside it.
pub(crate) fn read<T: Tables>(path: &Path, data: Option<&Path>) -> Result<T> {
    let text = RecipeText::read(path)?;
    let folder = data.or(path.parent()).unwrap_or(Path::new(""));
    from_text(RecipeText::new(path, &text), folder)
}

/// Reads a text; what it names lies in `folder`.
pub(crate) fn parse<T: Tables>(text: &str, folder: &Path) -> Result<T> {
    from_text(RecipeText::new(Path::new("recipe"), text), folder)
}

fn from_text<T: Tables>(source: RecipeText<'_>, folder: &Path) -> Result<T> {
    let tables: T = source.settings()?;
    T::check_text(source)?;
    let (name, text) = (source.name.to_owned(), source.text.to_owned());
    let origin = Origin { name, folder: folder.to_owned(), text };
    tables.checked(origin).map_err(|refusal| source.refuse(&refusal))
}
