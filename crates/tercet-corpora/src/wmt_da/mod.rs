//! Direct assessment, the judgements of WMT15–22: each output has a human score, standardised by judge.
//!
//! Three kinds of files, each described in its module:
//!
//! - `aligned`: line-aligned files for each pair, WMT15–16 and newstest2013;
//! - `tables`: all pairs in one table, the metrics tasks of WMT17–20;
//! - `scores`: a table for each pair, the news tasks of WMT18–22.
//!
//! Beside the tables, the folder may have the texts: `references/`, `sources/` and `system-outputs/`, as in
//! `text_folder`. The set is named after the folder (after the files' prefix if there are several in one folder), or
//! after the file if the path is a file.

mod aligned;
mod scores;
mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Result;

use super::folder::{Folder, set_name, unpacked_name};
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::plain_text::{Lines, read_lines};
use super::records::{Header, Separator};
use super::{language_pair, pairs_of_file, text_folder};

pub use aligned::{AlignedFiles, AlignedScores};
pub use scores::parse_da_scores;
pub use tables::parse_da_tables;

/// Tables of all pairs, in the order of reading.
const TABLES: [&str; 4] = ["DA-seglevel.csv", "DA-syslevel.csv", "RR-seglevel.csv", "DArr-seglevel.csv"];

/// The language pairs with direct assessment in a folder or file.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if !path.is_dir() {
        return in_file(path);
    }
    let folder = Folder::read(path)?;
    let mut found = aligned_sources(path, &folder);
    found.extend(table_sources(path, &folder)?);
    found.extend(score_sources(path, &folder));
    Ok(found)
}

/// Files by pair and prefix, then by role.
type Roles = BTreeMap<(String, String), BTreeMap<String, PathBuf>>;

fn aligned_sources(path: &Path, folder: &Folder) -> Vec<JudgementSource> {
    let mut roles = Roles::new();
    for (name, file) in folder.files() {
        let name = name.strip_suffix(".csv").unwrap_or(name);
        let Some((before, pair)) = name.rsplit_once('.') else { continue };
        let Some(pair) = language_pair::written(pair) else { continue };
        let (prefix, role) = before.rsplit_once('.').unwrap_or(("", before));
        roles.entry((pair, prefix.to_owned())).or_default().insert(role.to_owned(), file.to_owned());
    }
    roles.retain(|_, files| {
        let has = |role: &str| files.contains_key(role);
        (has("human") && has("mt-system")) || (has("human-scores") && has("sys"))
    });
    let prefixes: Vec<&String> = roles.keys().map(|(_, prefix)| prefix).collect();
    let one_prefix = prefixes.windows(2).all(|two| two[0] == two[1]);
    let named = |prefix: String| if one_prefix { set_name(path) } else { prefix };
    roles
        .into_iter()
        .map(|((pair, prefix), files)| JudgementSource::new(named(prefix), pair, move || read_aligned(&files)))
        .collect()
}

fn read_aligned(files: &BTreeMap<String, PathBuf>) -> Result<Judgements> {
    let read = |role: &str| files.get(role).map(|path| read_lines(path)).transpose();
    let aligned = if files.contains_key("human-scores") {
        AlignedFiles {
            source: read("src")?,
            reference: read("ref")?,
            hypothesis: read_lines(&files["sys"])?,
            human: AlignedScores::Table(read_lines(&files["human-scores"])?),
            others: Vec::new(),
        }
    } else {
        let known = ["source", "reference", "mt-system", "human", "details"];
        let others = files.iter().filter(|(role, _)| !known.contains(&role.as_str()));
        AlignedFiles {
            source: read("source")?,
            reference: read("reference")?,
            hypothesis: read_lines(&files["mt-system"])?,
            human: AlignedScores::Numbers(read_lines(&files["human"])?, read("details")?),
            // A file that is not text has no scores.
            others: others.filter_map(|(role, path)| Some((role.clone(), read_lines(path).ok()?))).collect(),
        }
    };
    aligned.judgements()
}

fn table_sources(path: &Path, folder: &Folder) -> Result<Vec<JudgementSource>> {
    let files: Vec<PathBuf> = TABLES.iter().filter_map(|name| folder.find(name)).map(Path::to_owned).collect();
    let read = |files: &[PathBuf]| -> Result<Vec<Judgements>> {
        let tables: Vec<Lines> = files.iter().map(|file| read_lines(file)).collect::<Result<_>>()?;
        parse_da_tables(&tables)
    };
    let mut found = Vec::new();
    for judgements in read(&files)? {
        let (files, folder, pair) = (files.clone(), path.to_owned(), judgements.pair);
        let again = move |pair: &str| with_texts(pairs_of_file::pick(read(&files)?, pair, &folder)?, pair, &folder);
        found.push(JudgementSource::new(set_name(path), pair.clone(), move || again(&pair)));
    }
    Ok(found)
}

fn score_sources(path: &Path, folder: &Folder) -> Vec<JudgementSource> {
    let mut pairs: BTreeMap<String, [Option<PathBuf>; 2]> = BTreeMap::new();
    for (name, file) in folder.files() {
        let Some((level, pair)) = score_file(name) else { continue };
        // `ad-…` sorts before `metrics-ad-…`, its copy.
        pairs.entry(pair).or_default()[level].get_or_insert(file.to_owned());
    }
    pairs
        .into_iter()
        .map(|(pair, files)| {
            let (folder, of) = (path.to_owned(), pair.clone());
            JudgementSource::new(set_name(path), pair, move || with_texts(read_score_files(&files)?, &of, &folder))
        })
        .collect()
}

/// The judgements with the texts of the folder, if it has any.
fn with_texts(judgements: Judgements, pair: &str, folder: &Path) -> Result<Judgements> {
    let mut judgements = Judgements { pair: pair.to_owned(), ..judgements };
    text_folder::add_texts(&mut judgements, folder)?;
    Ok(judgements)
}

fn read_score_files(files: &[Option<PathBuf>; 2]) -> Result<Judgements> {
    let [segments, systems] = files.each_ref().map(|file| file.as_deref().map(read_lines).transpose());
    parse_da_scores(segments?.as_ref(), systems?.as_ref())
}

/// The level, 0 for segments or 1 for systems, and the pair of a file of scores.
fn score_file(name: &str) -> Option<(usize, String)> {
    let name = name.strip_prefix("metrics-").unwrap_or(name).strip_suffix(".csv")?;
    let kinds = ["ad-seg-scores-", "ad-sys-scores-"];
    kinds
        .iter()
        .enumerate()
        .find_map(|(level, prefix)| Some((level, language_pair::written(name.strip_prefix(prefix)?)?)))
}

fn in_file(path: &Path) -> Result<Vec<JudgementSource>> {
    let header = Header::read(path, Separator::Space)?;
    let is_scored = header.has(&[tables::SYSTEM, tables::HUMAN]);
    if header.has(&[tables::PAIR]) && (is_scored || header.has(&[&["BETTER"], &["WORSE"]])) {
        return pairs_of_file::sources(path, Arc::new(|lines: &Lines| parse_da_tables(std::slice::from_ref(lines))));
    }
    if !header.has(&[tables::SYSTEM, &["RAW.SCR"], &["Z.SCR"]]) {
        return Ok(Vec::new());
    }
    let pair = score_file(&unpacked_name(path)).map(|(_, pair)| pair).unwrap_or_default();
    let of_segments = header.has(&[tables::SEGMENT]);
    let parse = move |lines: &Lines| {
        if of_segments { parse_da_scores(Some(lines), None) } else { parse_da_scores(None, Some(lines)) }
    };
    Ok(vec![JudgementSource::from_file(set_name(path), pair, path, parse)])
}

#[cfg(test)]
mod tests;
