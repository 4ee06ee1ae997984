//! The treebanks of a recipe: files of bracketed trees, or folders with a file per document.
//!
//! ```toml
//! "wsj.mrg"
//! { folder = "gum/const", split = "gum/splits.md", part = "train", without = ["essay", "fiction"] }
//! ```
//!
//! In a folder, files that end in `.ptb` or `.mrg` are read in the order of their names; a single file may have any
//! name and may be compressed. `without` leaves out documents by the parts of their names between `_`: `essay` is part
//! of `GUM_essay_evolved`. `split` is a file that lists the documents of each part, and `part` the part to read (see
//! `document_split`). Trees are normalised: no functions, no empty elements, one `ROOT`.

use crate::corpora::read_bytes;
use crate::error::{Error, Result};
use crate::parse::Tree;
use crate::parse::bracketed::{Normalisation, read_trees};
use crate::parse::document_split::{DocumentSplit, has_part};
use crate::recipe::settings;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Extensions of files of trees.
const ENDINGS: [&str; 2] = ["ptb", "mrg"];

settings! {
    /// A treebank in a recipe: a path, or a table that selects documents of a folder.
    pub struct TreebankEntry or folder {
        /// The folder or file.
        folder | file: PathBuf;
        /// The file that lists the documents of each part, as GUM's `splits.md`.
        split: Option<PathBuf> = None;
        /// The part to read, a heading of `split`.
        part: Option<String> = None;
        /// Leave out documents with one of these between `_` in their names.
        without: Vec<String> = Vec::new();
    }
}

/// The contents of a treebank.
#[derive(Debug)]
pub struct Treebank {
    /// The normalised trees.
    pub trees: Vec<Tree>,
    /// The number of files they are from.
    pub files: usize,
}

impl TreebankEntry {
    /// The name in the notes of the model.
    pub(super) fn name(&self) -> String {
        let mut name = self.folder.to_string_lossy().into_owned();
        if let Some(part) = &self.part {
            name.push_str(&format!(" {part}"));
        }
        if !self.without.is_empty() {
            name.push_str(&format!(" without {}", self.without.join(", ")));
        }
        name
    }

    /// Reads the treebank; relative paths are in `beside`.
    pub fn read(&self, beside: &Path) -> Result<Treebank> {
        let place = beside.join(&self.folder);
        let files = if place.is_dir() {
            self.documents(&place, beside)?
        } else if self.chooses() && place.exists() {
            let what = "is not a folder: split, part and without select documents of a folder";
            return Err(Error::BadRequest(format!("{} {what}", place.display())));
        } else {
            vec![place.clone()]
        };
        let mut trees = Vec::new();
        for path in &files {
            let read = read_trees(path, read_bytes(path)?)?;
            trees.extend(read.iter().filter_map(|tree| Normalisation::default().apply(tree)));
        }
        if trees.is_empty() {
            let found = if place.is_dir() { format!(" in {}", counted(files.len())) } else { String::new() };
            return Err(Error::Unusable(format!("{}: there is no tree{found}", place.display())));
        }
        Ok(Treebank { trees, files: files.len() })
    }

    fn chooses(&self) -> bool {
        self.split.is_some() || self.part.is_some() || !self.without.is_empty()
    }

    /// The selected files of a folder; an error if there are none.
    fn documents(&self, folder: &Path, beside: &Path) -> Result<Vec<PathBuf>> {
        let split = DocumentSplit::named(beside, self.split.as_deref(), self.part.as_deref(), folder)?;
        let all = files_of(folder)?;
        let unusable = |what: String| Err(Error::Unusable(format!("{}: {what}", folder.display())));
        let is_of_trees = |path: &&PathBuf| ENDINGS.contains(&text_of(path.extension()));
        let of_trees: Vec<&PathBuf> = all.iter().filter(is_of_trees).collect();
        if of_trees.is_empty() {
            let endings = ENDINGS.join(" or .");
            return unusable(format!(
                "expected files of trees, which end in .{endings}, found none of them among {}",
                counted(all.len())
            ));
        }
        let mut chosen = Vec::new();
        for path in &of_trees {
            let document = text_of(path.file_stem());
            if !has_part(document, &self.without) && split.as_ref().map_or(Ok(true), |split| split.has(document))? {
                chosen.push((*path).clone());
            }
        }
        if chosen.is_empty() {
            return unusable(format!(
                "{} of trees, none of which split, part and without leave",
                counted(of_trees.len())
            ));
        }
        Ok(chosen)
    }
}

fn text_of(name: Option<&OsStr>) -> &str {
    name.and_then(OsStr::to_str).unwrap_or_default()
}

fn counted(files: usize) -> String {
    format!("{files} file{}", if files == 1 { "" } else { "s" })
}

/// The files of a folder, sorted by name.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |source| Error::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("trees/T_b.mrg", "((S (A a)))"),
            ("trees/T_a.ptb", "(S (B b))\n(S (B c) (-NONE- *))"),
            ("trees/notes.txt", "((("),
            ("empty/T_a.ptb", "(S (-NONE- *))"),
            ("other/readme", ""),
            ("other/x.txt", ""),
            ("split.md", "## train\n * T_a\n * T_b\n## dev\n * T_c\n"),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn entry(path: &str) -> TreebankEntry {
        PathBuf::from(path).into()
    }

    #[test]
    fn folders_and_files_are_read() {
        let folder = folder();
        let words = |entry: &TreebankEntry| {
            let read = entry.read(folder.path()).unwrap();
            let words: Vec<&str> = read.trees.iter().flat_map(|tree| tree.words()).collect();
            (words.join(" "), read.files)
        };
        assert_eq!(words(&entry("trees")), ("b c a".to_owned(), 2));
        assert_eq!(words(&entry("trees/T_b.mrg")), ("a".to_owned(), 1));
        let without = TreebankEntry { without: vec!["b".to_owned()], ..entry("trees") };
        assert_eq!(words(&without), ("b c".to_owned(), 1));
        assert_eq!(without.name(), "trees without b");
    }

    #[test]
    fn errors_name_what_was_found_instead_of_trees() {
        let folder = folder();
        let refused = |entry: &TreebankEntry| entry.read(folder.path()).unwrap_err().to_string();
        let split = |part: &str| TreebankEntry {
            split: Some("split.md".into()),
            part: Some(part.to_owned()),
            ..entry("trees")
        };
        for (entry, message) in [
            (entry("empty"), "empty: there is no tree in 1 file"),
            (entry("empty/T_a.ptb"), "T_a.ptb: there is no tree"),
            (
                entry("other"),
                "other: expected files of trees, which end in .ptb or .mrg, found none of them among 2 files",
            ),
            (split("dev"), "trees: 2 files of trees, none of which split, part and without leave"),
            (
                TreebankEntry { without: vec!["x".to_owned()], ..entry("trees/T_a.ptb") },
                "T_a.ptb is not a folder: split, part and without select documents of a folder",
            ),
        ] {
            let error = refused(&entry);
            assert!(error.ends_with(message), "{error}");
        }
        assert!(refused(&entry("trees/notes.txt")).contains("notes.txt:1: "));
        let chosen = TreebankEntry { without: vec!["x".to_owned()], ..entry("nowhere") };
        for missing in [entry("nowhere"), chosen] {
            let error = missing.read(folder.path()).unwrap_err();
            assert!(matches!(&error, Error::Read { path, .. } if path.ends_with("nowhere")), "{error:?}");
        }
    }
}
