//! Relative rankings, the judgements of WMT12–16: people ranked some outputs of a segment.
//!
//! Five kinds of files, each described in its module:
//!
//! - `five_way`: the comma-separated rankings of WMT12–14, one row for each ranking;
//! - `pairwise`: those of WMT15–16, one row for each pair of outputs of a ranking;
//! - `tables`: rankings or strict pairs of one language pair, tab-separated, `rankings.<pair>.tsv`, `pairs.<pair>.tsv`;
//! - `pairs_with_texts`: strict pairs with their texts in the same table, as those of WMT19 are published;
//! - the texts in the same folder: `text_tables`, or folders of plain text (`corpora/text_folder.rs`).
//!
//! A comma-separated file is a set of its own. In a folder the tables of one pair belong together and the set is named
//! after the folder. Subfolders are not searched.

mod five_way;
mod pairs_with_texts;
mod pairwise;
mod tables;
mod text_tables;

use std::path::Path;

use crate::error::Result;

use super::collection::Collection;
use super::folder::{Folder, set_name, unpacked_name};
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::plain_text::{Lines, read_lines};
use super::records::{Header, Record, Records, Separator};
use super::text_folder::TextFolder;
use super::{language_pair, pairs_of_file};

pub use five_way::parse_five_way;
pub use pairwise::parse_pairwise;

/// The tables of one language pair; at least one of the first two.
#[derive(Clone, Debug, Default)]
pub struct RankingTables {
    /// `rankings.<pair>.tsv`.
    pub rankings: Option<Lines>,
    /// `pairs.<pair>.tsv`.
    pub pairs: Option<Lines>,
    /// `segments.<pair>.tsv`.
    pub segments: Option<Lines>,
    /// `outputs.<pair>.tsv`; used only together with `segments`.
    pub outputs: Option<Lines>,
}

/// The language pairs with rankings in a folder or file.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if path.is_dir() { in_folder(path) } else { in_file(path) }
}

fn in_folder(path: &Path) -> Result<Vec<JudgementSource>> {
    let (mut found, mut pairs) = (Vec::new(), Vec::new());
    for (name, file) in Folder::read(path)?.files() {
        if name.ends_with(".csv") {
            found.extend(in_file(file)?);
        }
        let stem = name.strip_suffix(".tsv").unwrap_or_default();
        let pair = stem.strip_prefix("rankings.").or_else(|| stem.strip_prefix("pairs."));
        pairs.extend(pair.filter(|pair| language_pair::written(pair).is_some()).map(str::to_owned));
    }
    pairs.sort();
    pairs.dedup();
    let set = set_name(path);
    found.extend(pairs.into_iter().map(|pair| {
        let (folder, written) = (path.to_owned(), pair.clone());
        let pair = language_pair::written(&pair).unwrap_or(pair);
        JudgementSource::new(set.clone(), pair, move || read_folder(&folder, &written))
    }));
    Ok(found)
}

fn in_file(path: &Path) -> Result<Vec<JudgementSource>> {
    let commas = Header::read(path, Separator::Comma)?;
    if commas.has(&[&["srclang"], &["system1rank"]]) {
        let parse = if commas.has(&[&["rankingID"]]) { parse_pairwise } else { parse_five_way };
        return pairs_of_file::sources(path, std::sync::Arc::new(parse));
    }
    let tabs = Header::read(path, Separator::Tab)?;
    let is_ranking = tabs.has(&[&["ranking_id"], &["output_group"]]);
    let parse: fn(&Lines) -> Result<Judgements> = if pairs_with_texts::has_texts(&tabs) {
        pairs_with_texts::read
    } else if is_ranking {
        |lines| RankingTables { rankings: Some(lines.clone()), ..RankingTables::default() }.judgements()
    } else if tabs.has(&[&["better"], &["worse"], &["seg_id"]]) {
        |lines| RankingTables { pairs: Some(lines.clone()), ..RankingTables::default() }.judgements()
    } else {
        return Ok(Vec::new());
    };
    let pair = language_pair::in_name(&unpacked_name(path)).unwrap_or_default();
    Ok(vec![JudgementSource::from_file(set_name(path), pair, path, parse)])
}

/// Reads one pair of a folder, with its texts.
fn read_folder(path: &Path, pair: &str) -> Result<Judgements> {
    let folder = Folder::read(path)?;
    let table = |name: &str| folder.find(&format!("{name}.{pair}.tsv")).map(read_lines).transpose();
    let tables = RankingTables {
        rankings: table("rankings")?,
        pairs: table("pairs")?,
        segments: table("segments")?,
        outputs: table("outputs")?,
    };
    if let RankingTables { rankings: None, pairs: Some(pairs), segments: None, .. } = &tables
        && pairs_with_texts::has_texts(Records::new(pairs, Separator::Tab)?.header())
    {
        return pairs_with_texts::read(pairs);
    }
    match TextFolder::read(path, pair)? {
        Some(texts) if tables.segments.is_none() => {
            let mut read = Collection::with_segments(texts.segments());
            tables::read(tables.rankings.as_ref(), tables.pairs.as_ref(), &mut read)?;
            let texts = texts.with_outputs(read.systems.as_slice())?;
            read.into_judgements(path, Some(texts))
        }
        _ => tables.judgements(),
    }
}

impl RankingTables {
    /// Reads the tables.
    pub fn judgements(&self) -> Result<Judgements> {
        let named = [&self.rankings, &self.pairs].into_iter().flatten().next();
        let path = named.map(Lines::path).unwrap_or(Path::new(""));
        let Some(segments) = &self.segments else {
            let mut read = Collection::default();
            tables::read(self.rankings.as_ref(), self.pairs.as_ref(), &mut read)?;
            return read.into_judgements(path, None);
        };
        let (names, mut texts) = text_tables::read_segments(segments)?;
        let mut read = Collection::with_segments(&names);
        tables::read(self.rankings.as_ref(), self.pairs.as_ref(), &mut read)?;
        texts.outputs = match &self.outputs {
            Some(outputs) => text_tables::read_outputs(outputs, &mut read, names.len())?,
            None => vec![vec![None; names.len()]; read.systems.as_slice().len()],
        };
        read.into_judgements(path, Some(texts))
    }
}

/// A rank from 1; `None` for -1 or an empty field.
fn rank(record: &Record<'_>, column: usize) -> Result<Option<u32>> {
    match record.text(column) {
        "-1" | "" => Ok(None),
        text => match text.parse() {
            Ok(rank) if rank > 0 => Ok(Some(rank)),
            _ => Err(record.bad(format!("expected a rank from 1, or -1 for none, found {text:?}"))),
        },
    }
}

#[cfg(test)]
mod tests;
