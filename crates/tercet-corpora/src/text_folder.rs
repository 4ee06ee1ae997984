//! Texts of a test set as WMT packs them: plain text, a line for each segment, in three folders.
//!
//! ```text
//! references/newstest2012-ref.en            for all pairs into English, or
//! references/newstest2014-csen-ref.en       for one
//! sources/newstest2012-src.cs
//! system-outputs/cs-en/newstest2012.cs-en.onlineA
//! system-outputs/newstest2017/cs-en/newstest2017.online-A.0.cs-en      since 2017
//! ```
//!
//! Segments are named by their line numbers, from 1. A reference belongs to a pair if its name ends in the target
//! language and has that pair or none in it; those with the pair are preferred. Any of the folders may be missing. All
//! files of a pair must have the same number of lines.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::folder::Folder;
use super::judgements::{Judgements, Reference, Texts};
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
        for (name, path) in texts(&Folder::read_if_there(&named(folder, &["references", "reference"]))?, target, pair) {
            read.push((name, read_lines(&path)?));
        }
        let sources = texts(&Folder::read_if_there(&named(folder, &["sources", "source"]))?, source, pair);
        let sources = sources.first().map(|(_, path)| read_lines(path)).transpose()?;
        let outputs = outputs_of(&named(folder, &["system-outputs", "outputs", "system_outputs"]), pair)?;
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

    /// The output of a system whose file is called after test set and pair too: `newstest2017.online-A.0.cs-en`.
    fn output_named(&self, system: &str) -> Option<&Path> {
        let end = format!(".{system}");
        let is_of = |name: &str| {
            let stem = name.strip_suffix(".txt").unwrap_or(name);
            let stem = match stem.rsplit_once('.') {
                Some((before, pair)) if language_pair::written(pair).is_some() => before,
                _ => stem,
            };
            stem == system || stem.ends_with(&end)
        };
        self.outputs.files().find(|(name, _)| is_of(name)).map(|(_, path)| path)
    }

    /// The texts with the outputs of these systems, each in the file of its name.
    pub(super) fn with_outputs(self, systems: &[String]) -> Result<Texts> {
        let mut outputs = Vec::with_capacity(systems.len());
        for system in systems {
            outputs.push(match self.outputs.find(system).or_else(|| self.output_named(system)) {
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

/// The first of these folders that is there.
fn named(folder: &Path, names: &[&str]) -> PathBuf {
    let there = names.iter().map(|name| folder.join(name)).find(|path| path.is_dir());
    there.unwrap_or_else(|| folder.join(names[0]))
}

/// The outputs of a pair, which may be in a folder of the test set: `newstest2017/cs-en`.
fn outputs_of(folder: &Path, pair: &str) -> Result<Folder> {
    if folder.join(pair).is_dir() {
        return Folder::read(&folder.join(pair));
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path().join(pair));
    let mut inside: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    inside.sort();
    inside.first().map_or_else(|| Ok(Folder::default()), |path| Folder::read(path))
}

/// Adds the texts of a folder to judgements without texts whose segments are named by their lines.
pub(super) fn add_texts(judgements: &mut Judgements, folder: &Path) -> Result<()> {
    let numbers = judgements.segments.iter().map(|name| name.parse::<usize>().ok()?.checked_sub(1));
    let (Some(numbers), None) = (numbers.collect::<Option<Vec<usize>>>(), &judgements.texts) else { return Ok(()) };
    let Some(texts) = TextFolder::read(folder, &judgements.pair)? else { return Ok(()) };
    let count = texts.measure.len();
    if let Some(number) = numbers.iter().find(|&&number| number >= count) {
        let what = format!("segment {} is judged, but the texts have {count} lines", number + 1);
        return Err(Error::bad_file(texts.measure.path(), what));
    }
    let all = texts.with_outputs(&judgements.systems)?;
    if all.outputs.iter().flatten().all(Option::is_none) {
        return Ok(());
    }
    let picked = |lines: &[Option<String>]| numbers.iter().map(|&number| lines[number].clone()).collect();
    judgements.texts = Some(Texts {
        sources: all.sources.map(|lines| numbers.iter().map(|&number| lines[number].clone()).collect()),
        references: all.references.into_iter().map(|of| Reference { lines: picked(&of.lines), ..of }).collect(),
        outputs: all.outputs.iter().map(|lines| picked(lines)).collect(),
    });
    Ok(())
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
