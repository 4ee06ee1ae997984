//! Texts of a test set as WMT packs them: plain text, a line for each segment, in three folders.
//!
//! ```text
//! references/newstest2012-ref.en            for all pairs into English, or
//! references/newstest2014-csen-ref.en       for one
//! sources/newstest2012-src.cs
//! system-outputs/cs-en/newstest2012.cs-en.onlineA
//! ```
//!
//! Segments are named by their line numbers, from 1. A reference belongs to a pair if its name ends in the target
//! language and has that pair or none in it; those with the pair are preferred. Any of the folders may be missing. All
//! files of a pair must have the same number of lines.

use std::path::{Path, PathBuf};

use crate::error::Result;

use super::folder::Folder;
use super::judgements::{Reference, Texts};
use super::language_pair;
use super::plain_text::{Lines, read_lines};

/// The texts of one pair except the outputs, and the folder of the outputs.
#[derive(Debug)]
pub(super) struct TextFolder {
    sources: Option<Lines>,
    references: Vec<(String, Lines)>,
    outputs: Folder,
    /// All other files must have as many lines as this one.
    measure: Lines,
}

impl TextFolder {
    /// The texts of a pair, if the folder has any.
    pub(super) fn read(folder: &Path, pair: &str) -> Result<Option<TextFolder>> {
        let (source, target) = pair.split_once('-').unwrap_or((pair, pair));
        let mut read = Vec::new();
        for (name, path) in texts(&Folder::read_if_there(&folder.join("references"))?, target, pair) {
            read.push((name, read_lines(&path)?));
        }
        let sources = texts(&Folder::read_if_there(&folder.join("sources"))?, source, pair);
        let sources = sources.first().map(|(_, path)| read_lines(path)).transpose()?;
        let outputs = Folder::read_if_there(&folder.join("system-outputs").join(pair))?;
        let first_output = outputs.files().next().map(|(_, path)| path);
        let measure = match (read.first(), &sources, first_output) {
            (Some((_, lines)), ..) | (None, Some(lines), _) => lines.clone(),
            (None, None, Some(path)) => read_lines(path)?,
            (None, None, None) => return Ok(None),
        };
        for lines in read.iter().map(|(_, lines)| lines).chain(&sources) {
            measure.check_length_of(lines)?;
        }
        Ok(Some(TextFolder { sources, references: read, outputs, measure }))
    }

    pub(super) fn segments(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.measure.len()).map(|line| line.to_string())
    }

    /// The texts with the outputs of these systems, each in the file of its name.
    pub(super) fn with_outputs(self, systems: &[String]) -> Result<Texts> {
        let mut outputs = Vec::with_capacity(systems.len());
        for system in systems {
            outputs.push(match self.outputs.find(system) {
                Some(path) => {
                    let lines = read_lines(path)?;
                    self.measure.check_length_of(&lines)?;
                    owned(&lines).map(Some).collect()
                }
                None => vec![None; self.measure.len()],
            });
        }
        let only = self.references.len() == 1;
        let reference = |(name, lines): (String, Lines)| Reference {
            name: if only { String::new() } else { name },
            lines: owned(&lines).map(Some).collect(),
        };
        Ok(Texts {
            sources: self.sources.map(|lines| owned(&lines).collect()),
            references: self.references.into_iter().map(reference).collect(),
            outputs,
        })
    }
}

fn owned(lines: &Lines) -> impl Iterator<Item = String> {
    lines.iter().map(str::to_owned)
}

/// The files of a folder in one language for a pair, or else for all pairs.
fn texts(folder: &Folder, language: &str, pair: &str) -> Vec<(String, PathBuf)> {
    let about = |mark: Option<&str>| -> Vec<(String, PathBuf)> {
        folder
            .files()
            .filter_map(|(name, path)| {
                let stem = name.strip_suffix(language)?.strip_suffix('.')?;
                (language_pair::marked(stem).as_deref() == mark).then(|| (stem.to_owned(), path.to_owned()))
            })
            .collect()
    };
    let own = about(Some(pair));
    if own.is_empty() { about(None) } else { own }
}
