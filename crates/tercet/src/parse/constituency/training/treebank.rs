//! The treebanks a recipe names: folders of bracketed trees, a file per document.
//!
//! ```toml
//! { folder = "gum/const", split = "gum/splits.md", part = "train", without = ["essay", "fiction"] }
//! ```
//!
//! Files end in `.ptb` or `.mrg` and are read in the order of their names. `without` leaves out documents by parts of their names, the parts
//! being what stands between `_`: `essay` is in `GUM_essay_evolved`. `split` is a list of documents under headings and `part` the heading
//! that is meant. Trees are normalised: no functions, no empty elements, one `ROOT`.

use crate::corpora::read_bytes;
use crate::error::{Error, Result};
use crate::parse::Tree;
use crate::parse::bracketed::{Normalisation, read_trees};
use crate::parse::document_split::{DocumentSplit, has_part};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Endings of files of trees.
const ENDINGS: [&str; 2] = ["ptb", "mrg"];

/// A treebank in a recipe.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreebankEntry {
    /// The folder.
    pub folder: PathBuf,
    /// The list of its parts.
    pub split: Option<PathBuf>,
    /// The part that is meant.
    pub part: Option<String>,
    /// Documents with none of these in their names.
    #[serde(default)]
    pub without: Vec<String>,
}

impl TreebankEntry {
    /// What a model says it was trained on.
    pub fn name(&self) -> String {
        let mut name = self.folder.to_string_lossy().into_owned();
        if let Some(part) = &self.part {
            name.push_str(&format!(" {part}"));
        }
        if !self.without.is_empty() {
            name.push_str(&format!(" without {}", self.without.join(", ")));
        }
        name
    }

    /// All its trees, normalised; the folder lies in `beside` unless it is absolute.
    pub fn read(&self, beside: &Path) -> Result<Vec<Tree>> {
        let folder = beside.join(&self.folder);
        let split = DocumentSplit::named(beside, self.split.as_deref(), self.part.as_deref(), &folder)?;
        let mut trees = Vec::new();
        for path in documents(&folder)? {
            let document = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if !has_part(document, &self.without)
                && split.as_ref().map_or(Ok(true), |split| split.has(document))?
            {
                let read = read_trees(&path, read_bytes(&path)?)?;
                trees.extend(read.iter().filter_map(|tree| Normalisation::default().apply(tree)));
            }
        }
        if trees.is_empty() {
            let endings = ENDINGS.join(" or .");
            let what = format!("there is no tree to learn from (files that end in .{endings} are read)");
            return Err(Error::Unusable(format!("{}: {what}", folder.display())));
        }
        Ok(trees)
    }
}

/// The files of a folder that have trees, by name.
fn documents(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |source| Error::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ENDINGS.contains(&ending) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
