//! Pairs in Parquet and Arrow files.

use super::input::{Verdicts, next};
use super::table::PairTable;
use crate::args::FilterArgs;
use anyhow::Context;
use std::path::Path;
use tercet::files::AtomicFile;
use tercet::progress::Progress;
use tercet::scoring::PairReader;
use tercet::{Error, Result};
use tercet_columns::{Format, TableReader, TableWriter, TextColumn};

/// Names of columns, the likeliest first.
const SOURCES: [&str; 6] = ["source", "src", "source_text", "src_text", "input", "original"];
const TARGETS: [&str; 8] = ["target", "tgt", "target_text", "tgt_text", "translation", "hypothesis", "mt", "reference"];

/// The columns of sources and targets.
pub struct ColumnPairs {
    table: TableReader,
    columns: [TextColumn; 2],
    /// Pairs of a batch that were not taken yet, the last first.
    rest: Vec<(String, String)>,
}

impl ColumnPairs {
    /// Opens a file, or a folder of parts, of which only these columns are read.
    pub fn open(path: &Path, names: [Option<&str>; 2]) -> anyhow::Result<Self> {
        let (table, columns) = found(path, names)?;
        let names = columns.each_ref().map(|column| column.name().to_owned());
        let table = table.only(&names.each_ref().map(String::as_str))?;
        let columns = [TextColumn::find(&table, &names[0])?, TextColumn::find(&table, &names[1])?];
        Ok(ColumnPairs { table, columns, rest: Vec::new() })
    }
}

fn found(path: &Path, names: [Option<&str>; 2]) -> anyhow::Result<(TableReader, [TextColumn; 2])> {
    let table = TableReader::open(path)?;
    let known: Vec<String> = table.columns().into_iter().map(str::to_owned).collect();
    let name = |given: Option<&str>, usual: &[&str], what: &str, flag: &str| {
        let is = |name: &&str| known.iter().find(|known| known.eq_ignore_ascii_case(name)).cloned();
        let found = given.map(str::to_owned).or_else(|| usual.iter().find_map(is));
        found.with_context(|| {
            format!("which column has the {what}? name it with {flag} (there are: {})", known.join(", "))
        })
    };
    let source = name(names[0], &SOURCES, "sources", "--source")?;
    let target = name(names[1], &TARGETS, "targets", "--target")?;
    let columns = [TextColumn::find(&table, &source)?, TextColumn::find(&table, &target)?];
    Ok((table, columns))
}

impl PairReader for ColumnPairs {
    fn read(&mut self, pairs: &mut Vec<(String, String)>, most: usize) -> Result<bool> {
        let failed = |error: tercet_columns::Error| Error::Unusable(error.to_string());
        let wanted = pairs.len() + most;
        while pairs.len() < wanted {
            if let Some(pair) = self.rest.pop() {
                pairs.push(pair);
                continue;
            }
            let Some(batch) = self.table.next_batch().map_err(failed)? else { return Ok(false) };
            let [sources, targets] = self.columns.each_ref().map(|column| column.texts_or_empty(&batch));
            let both = sources.into_iter().zip(targets);
            self.rest = both.map(|(source, target)| (source.to_owned(), target.to_owned())).collect();
            self.rest.reverse();
        }
        Ok(true)
    }
}

/// Writes the rows that stay, with their scores.
pub fn write(
    (path, names): (&Path, [Option<&str>; 2]),
    verdicts: &mut Verdicts<'_>,
    dropped: &mut Option<PairTable>,
    args: &FilterArgs,
    has_scores: bool,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let (mut table, columns) = found(path, names)?;
    let new: Vec<String> = has_scores.then(|| "score".to_owned()).into_iter().collect();
    let mut kept = None;
    if let Some(path) = args.output.as_deref() {
        let context = || format!("cannot write {}", path.display());
        let mut whole = AtomicFile::create(path).with_context(context)?;
        let file = whole.file().try_clone().with_context(context)?;
        let format = Format::of_name(path).with_context(context)?;
        kept = Some((whole, TableWriter::new(file, format, &table, &new).with_context(context)?));
    }
    let mut line = 0;
    while let Some(batch) = table.next_batch()? {
        let (mut stays, mut scores) = (Vec::with_capacity(batch.len()), Vec::new());
        let [sources, targets] = columns.each_ref().map(|column| column.texts_or_empty(&batch));
        for (source, target) in sources.into_iter().zip(targets) {
            line += 1;
            let verdict = next(verdicts)?;
            stays.push(verdict.reason.is_none());
            match verdict.reason {
                None => scores.push(verdict.score.unwrap_or(f64::NAN)),
                Some(_) => dropped.as_mut().map_or(Ok(()), |dropped| dropped.write(line, &verdict, source, target))?,
            }
        }
        if let Some((_, writer)) = &mut kept {
            writer.write(&batch.filtered(&stays)?, if has_scores { vec![scores] } else { Vec::new() })?;
        }
        progress.advance(batch.len())?;
    }
    if let Some((whole, writer)) = kept {
        writer.finish(&[])?;
        whole.finish().context("cannot write --output")?;
    }
    Ok(())
}
