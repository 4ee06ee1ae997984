//! The files of an EvalSet.

use crate::error::{Error, Result};
use crate::folder::Folder;
use std::path::{Path, PathBuf};

/// A file of the set, by its name without `.gz` or `.zst`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetFile {
    /// For example `zh-en.refA.txt`.
    pub name: String,
    pub path: PathBuf,
}

/// The files of a folder, sorted by name, without hidden ones and folders; none if there is no such folder.
pub fn list(folder: &Path) -> Result<Vec<SetFile>> {
    let found = Folder::read_if_there(folder)?;
    let file = |(name, path): (&str, &Path)| SetFile { name: name.to_owned(), path: path.to_owned() };
    let files: Vec<SetFile> = found.files().map(file).collect();
    if let Some(twice) = files.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(Error::Unusable(format!(
            "{} and {} are the same file of the set (remove one)",
            twice[0].path.display(),
            twice[1].path.display()
        )));
    }
    Ok(files)
}

/// The language pairs of a set: those with a source.
pub fn pairs(folder: &Path) -> Result<Vec<String>> {
    let mut pairs: Vec<String> = list(&folder.join("sources"))?
        .iter()
        .filter_map(|file| file.name.strip_suffix(".txt").or_else(|| file.name.strip_suffix(".jsonl")))
        .filter(|pair| is_pair(pair))
        .map(str::to_owned)
        .collect();
    pairs.dedup();
    Ok(pairs)
}

/// Whether this is a language pair, such as `en-de` or `en-de_DE`.
fn is_pair(text: &str) -> bool {
    let language =
        |text: &str| text.len() >= 2 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.split_once('-').is_some_and(|(source, target)| language(source) && language(target))
}

/// Whether a folder has the layout of an EvalSet: sources, system outputs, and scores by people or metrics.
pub fn is_eval_set(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_dir();
    has("sources")
        && has("system-outputs")
        && (has("human-scores") || has("metric-scores"))
        && pairs(folder).is_ok_and(|pairs| !pairs.is_empty())
}
