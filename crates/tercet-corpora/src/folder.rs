//! The files of a folder by their names without the extension of compression, and the name of a set from its path.

use std::fs;
use std::path::{Path, PathBuf};

use super::compressed;
use crate::error::{Error, Result};

/// Extensions of tables.
const TABLES: &[&str] = &[".csv", ".tsv", ".txt", ".jsonl", ".json"];

/// The files of a folder, sorted by name, without those that start with a dot.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    files: Vec<(String, PathBuf)>,
}

impl Folder {
    pub(super) fn read(path: &Path) -> Result<Folder> {
        let failed = |source| Error::Read { path: path.to_owned(), source };
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = name_of(&path);
            if path.is_file() && !name.starts_with('.') {
                files.push((compressed::unpacked_name(&name).to_owned(), path));
            }
        }
        files.sort();
        Ok(Folder { files })
    }

    /// The same; an empty folder if there is none.
    pub(super) fn read_if_there(path: &Path) -> Result<Folder> {
        if path.is_dir() { Folder::read(path) } else { Ok(Folder::default()) }
    }

    /// Names without the extension of compression, and paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.files.iter().map(|(name, path)| (name.as_str(), path.as_path()))
    }

    /// The file with this name, compressed or not.
    pub(super) fn find(&self, name: &str) -> Option<&Path> {
        self.files().find(|(found, _)| *found == name).map(|(_, path)| path)
    }
}

/// The name of a file without the extension of compression.
pub(super) fn unpacked_name(path: &Path) -> String {
    compressed::unpacked_name(&name_of(path)).to_owned()
}

/// The name of a set: that of its folder, or of its file without extensions.
pub(super) fn set_name(path: &Path) -> String {
    let whole = if path.file_name().is_none() { fs::canonicalize(path).ok() } else { None };
    let name = name_of(whole.as_deref().unwrap_or(path));
    if path.is_dir() { name } else { without(compressed::unpacked_name(&name), TABLES).to_owned() }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn without<'a>(name: &'a str, endings: &[&str]) -> &'a str {
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_without_the_extension_of_compression() {
        let scratch = tempfile::tempdir().unwrap();
        for name in ["b.tsv.gz", "a.tsv", ".hidden"] {
            fs::write(scratch.path().join(name), "").unwrap();
        }
        fs::create_dir(scratch.path().join("folder")).unwrap();
        let folder = Folder::read(scratch.path()).unwrap();
        assert_eq!(folder.files().map(|(name, _)| name).collect::<Vec<_>>(), ["a.tsv", "b.tsv"]);
        assert_eq!(folder.find("b.tsv"), Some(scratch.path().join("b.tsv.gz").as_path()));
        assert_eq!(set_name(&scratch.path().join("b.tsv.gz")), "b");
        assert_eq!(set_name(&scratch.path().join("folder")), "folder");
        assert_eq!(set_name(&scratch.path().join("folder/..")), name_of(&fs::canonicalize(scratch.path()).unwrap()));
    }
}
