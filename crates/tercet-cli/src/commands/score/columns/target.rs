//! The file of rows with their scores.

use super::roles::Roles;
use crate::args::ScoreArgs;
use crate::output::Misuse;
use anyhow::Context;
use std::fs::File;
use std::path::{Path, PathBuf};
use tercet::files::AtomicFile;
use tercet::scoring::{Evaluation, StreamScorer};
use tercet_columns::{Batch, Format, TableReader, TableWriter};

/// The format of the file that `-o` names, if it is one of columns.
pub fn format(args: &ScoreArgs) -> Option<Format> {
    args.report.target.output.as_deref().and_then(Format::of_name)
}

/// Where the report goes: the file of `-o`, unless that takes the rows.
pub fn report_path(args: &ScoreArgs) -> Option<&Path> {
    args.report.target.output.as_deref().filter(|_| format(args).is_none())
}

/// A file of columns that appears when it is complete.
pub struct TableTarget {
    path: PathBuf,
    whole: AtomicFile,
    writer: TableWriter<File>,
}

impl TableTarget {
    /// Starts the file, if `-o` names one of columns.
    pub fn open(
        args: &ScoreArgs,
        table: &TableReader,
        roles: &Roles,
        scorer: &StreamScorer,
    ) -> anyhow::Result<Option<Self>> {
        let Some((format, path)) = format(args).zip(args.report.target.output.as_deref()) else {
            return Ok(None);
        };
        let folder = args.hypotheses[0].canonicalize().ok();
        if folder.is_some() && path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned)) == folder {
            let what = format!("--output would overwrite a part of {}, which is read", args.hypotheses[0].display());
            return Err(Misuse(what).into());
        }
        let metrics: Vec<&str> = scorer.metrics().iter().map(|named| named.name.as_str()).collect();
        let context = || format!("cannot write {}", path.display());
        let mut whole = AtomicFile::create(path).with_context(context)?;
        let file = whole.file().try_clone().with_context(context)?;
        let writer = TableWriter::new(file, format, table, &roles.score_columns(&metrics)).with_context(context)?;
        Ok(Some(TableTarget { path: path.to_owned(), whole, writer }))
    }

    /// Writes rows with their scores: `scores[column][row]`.
    pub fn write(&mut self, batch: &Batch, scores: Vec<Vec<f64>>) -> anyhow::Result<()> {
        self.writer.write(batch, scores).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Writes the end of the file, with the signatures of the scores as notes, and gives it its name.
    pub fn finish(self, evaluation: &Evaluation) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        let note = |column: &tercet::scoring::Column| {
            (format!("tercet.signature.{}", column.metric), column.signature.clone())
        };
        let notes: Vec<(String, String)> = evaluation.columns.iter().map(note).collect();
        self.writer.finish(&notes).with_context(context)?;
        self.whole.finish().with_context(context)
    }
}
