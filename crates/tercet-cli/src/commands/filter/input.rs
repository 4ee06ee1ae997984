//! The files of pairs: lines, rows, columns; and the pairs that stay, written in the same way.

use super::table::PairTable;
use crate::args::FilterArgs;
use crate::output::Misuse;
use anyhow::Context;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tercet::corpora::rows::{RowFormat, RowWriter};
use tercet::files::AtomicFile;
use tercet::progress::Progress;
use tercet::scoring::{LinePairs, PairReader, RowPairs, Verdict};

/// What becomes of each pair, in order.
pub type Verdicts<'v> = dyn Iterator<Item = tercet::Result<Verdict>> + 'v;

/// Pairs in files.
pub enum Pairs<'a> {
    /// A file of sources and one of targets, a line each.
    Lines([&'a Path; 2]),
    /// Rows with the fields that flags name.
    Rows(&'a Path, [Option<&'a str>; 2]),
    /// A Parquet or Arrow file, or a folder of them, with the columns that flags name.
    #[cfg(feature = "columns")]
    Columns(&'a Path, [Option<&'a str>; 2]),
}

impl<'a> Pairs<'a> {
    /// What the flags name.
    pub fn find(args: &'a FilterArgs) -> anyhow::Result<Self> {
        let path = args.pairs.as_path();
        if path == Path::new("-") {
            return Err(Misuse("pairs are read three times: save them as a file in place of -".to_owned()).into());
        }
        let source = args.source.as_deref();
        let names = || [source.and_then(Path::to_str), args.target.as_deref()];
        if crate::commands::score::columns::is_columns(path) {
            #[cfg(feature = "columns")]
            return Ok(Pairs::Columns(path, names()));
            #[cfg(not(feature = "columns"))]
            return Err(Misuse("this build of tercet does not read Parquet and Arrow files".to_owned()).into());
        }
        match source.filter(|source| source.is_file()) {
            Some(source) if args.target.is_some() => {
                let source = source.display();
                Err(Misuse(format!("-s {source} is a file of lines, so that there is no field for --target")).into())
            }
            Some(source) => Ok(Pairs::Lines([source, path])),
            None => Ok(Pairs::Rows(path, names())),
        }
    }

    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = &'a Path> {
        let (first, second) = match self {
            Pairs::Lines([source, target]) => (*source, Some(*target)),
            Pairs::Rows(path, _) => (*path, None),
            #[cfg(feature = "columns")]
            Pairs::Columns(path, _) => (*path, None),
        };
        std::iter::once(first).chain(second)
    }

    /// The fields that flags name.
    pub fn fields(&self) -> [Option<&'a str>; 2] {
        match self {
            Pairs::Lines(_) => [None; 2],
            Pairs::Rows(_, fields) => *fields,
            #[cfg(feature = "columns")]
            Pairs::Columns(_, fields) => *fields,
        }
    }

    /// The pairs from the first on.
    pub fn open(&self) -> anyhow::Result<Box<dyn PairReader>> {
        Ok(match self {
            Pairs::Lines([source, target]) => Box::new(LinePairs::open(source, target)?),
            Pairs::Rows(path, [source, target]) => Box::new(RowPairs::open(path, *source, *target)?),
            #[cfg(feature = "columns")]
            Pairs::Columns(path, names) => Box::new(super::columns::ColumnPairs::open(path, *names)?),
        })
    }

    /// Returns an error for files that are not written in this way.
    pub fn check_targets(&self, args: &FilterArgs) -> Result<(), Misuse> {
        args.dropped.as_deref().map_or(Ok(()), |path| PairTable::check(path, "--dropped"))?;
        let Some(path) = args.output.as_deref() else { return Ok(()) };
        if args.output_source.is_some() && !matches!(self, Pairs::Lines(_)) {
            return Err(Misuse("--output-source writes lines: rows are written whole by --output".to_owned()));
        }
        #[cfg(feature = "columns")]
        let is_columns = tercet_columns::Format::of_name(path).is_some();
        #[cfg(not(feature = "columns"))]
        let is_columns = false;
        match self {
            #[cfg(feature = "columns")]
            Pairs::Columns(..) if is_columns => Ok(()),
            #[cfg(feature = "columns")]
            Pairs::Columns(..) => Err(Misuse("--output of columns ends in .parquet or .arrow".to_owned())),
            Pairs::Lines(_) if args.output_source.is_some() => Ok(()),
            _ if is_columns => Err(Misuse("--output: only rows of Parquet and Arrow files are written as such".into())),
            Pairs::Lines(_) => PairTable::check(path, "--output (or name a file for the sources: --output-source)"),
            Pairs::Rows(..) => Ok(()),
        }
    }

    /// Writes the pairs that stay, and those that are dropped.
    pub fn write(
        &self,
        verdicts: &mut Verdicts<'_>,
        args: &FilterArgs,
        has_scores: bool,
        progress: Progress<'_>,
    ) -> anyhow::Result<()> {
        let mut dropped = args.dropped.as_deref().map(|path| PairTable::create(path, true, true)).transpose()?;
        match self {
            Pairs::Lines(paths) => write_lines(*paths, verdicts, &mut dropped, args, has_scores, progress)?,
            Pairs::Rows(path, names) => {
                write_rows((*path, *names), verdicts, &mut dropped, args, has_scores, progress)?;
            }
            #[cfg(feature = "columns")]
            Pairs::Columns(path, names) => {
                super::columns::write((*path, *names), verdicts, &mut dropped, args, has_scores, progress)?;
            }
        }
        dropped.map_or(Ok(()), PairTable::finish)
    }
}

/// The next verdict; there is one for each pair.
pub fn next(verdicts: &mut Verdicts<'_>) -> anyhow::Result<Verdict> {
    verdicts.next().context("the files have changed while they were read")?.map_err(Into::into)
}

/// A file that appears when it is complete.
struct Whole {
    path: std::path::PathBuf,
    file: AtomicFile,
    to: BufWriter<File>,
}

impl Whole {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let context = || format!("cannot write {}", path.display());
        let mut file = AtomicFile::create(path).with_context(context)?;
        let to = BufWriter::new(file.file().try_clone().with_context(context)?);
        Ok(Whole { path: path.to_owned(), file, to })
    }

    fn finish(mut self) -> anyhow::Result<()> {
        let done = self.to.flush().and_then(|()| self.file.finish());
        done.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn write_lines(
    [source, target]: [&Path; 2],
    verdicts: &mut Verdicts<'_>,
    dropped: &mut Option<PairTable>,
    args: &FilterArgs,
    has_scores: bool,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let mut plain = None;
    let mut rows = None;
    match (&args.output, &args.output_source) {
        (Some(targets), Some(sources)) => plain = Some([Whole::create(sources)?, Whole::create(targets)?]),
        (Some(path), None) => rows = Some(PairTable::create(path, false, has_scores)?),
        _ => {}
    }
    let mut pairs = LinePairs::open(source, target)?;
    let mut line = 0;
    while let Some([source, target]) = pairs.next_pair()? {
        line += 1;
        let verdict = next(verdicts)?;
        if verdict.reason.is_some() {
            dropped.as_mut().map_or(Ok(()), |dropped| dropped.write(line, &verdict, source, target))?;
        } else if let Some([sources, targets]) = &mut plain {
            writeln!(sources.to, "{source}").and_then(|()| writeln!(targets.to, "{target}"))?;
        } else if let Some(rows) = &mut rows {
            rows.write(line, &verdict, source, target)?;
        }
        progress.advance(1)?;
    }
    rows.map_or(Ok(()), PairTable::finish)?;
    plain.into_iter().flatten().try_for_each(Whole::finish)
}

fn write_rows(
    (path, [source, target]): (&Path, [Option<&str>; 2]),
    verdicts: &mut Verdicts<'_>,
    dropped: &mut Option<PairTable>,
    args: &FilterArgs,
    has_scores: bool,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let mut pairs = RowPairs::open(path, source, target)?;
    let mut kept = None;
    if let Some(path) = args.output.as_deref() {
        let format = RowFormat::of_name(path).unwrap_or(pairs.format());
        let new: Vec<String> = has_scores.then(|| "score".to_owned()).into_iter().collect();
        let mut file = AtomicFile::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let to = BufWriter::new(file.file().try_clone()?);
        kept = Some((file, RowWriter::new(to, path, format, &new)));
    }
    while let Some(row) = pairs.next_row()? {
        let verdict = next(verdicts)?;
        match (&mut kept, &mut *dropped) {
            (_, Some(dropped)) if verdict.reason.is_some() => {
                let [source, target] = pairs.texts(&row)?;
                dropped.write(row.line(), &verdict, &source, &target)?;
            }
            (Some((_, writer)), _) if verdict.reason.is_none() => {
                let scores: Vec<f64> = verdict.score.into_iter().collect();
                writer.write(&row, &scores)?;
            }
            _ => {}
        }
        progress.advance(1)?;
    }
    if let Some((file, writer)) = kept {
        writer.finish()?;
        file.finish().context("cannot write --output")?;
    }
    Ok(())
}
