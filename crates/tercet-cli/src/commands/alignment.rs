//! The table of `--alignment`: what each segment was made of.

use super::input::Input;
use crate::args::DocumentArgs;
use crate::output::{self, Misuse};
use std::ffi::OsStr;
use std::path::Path;
use tercet::choice::Choice;
use tercet::report::{Format, write_alignment};

/// Returns an error, before any work is done, if the table cannot be written.
pub fn check<'r>(
    args: &'r DocumentArgs,
    result: Option<&'r Path>,
    read: impl Iterator<Item = &'r Path>,
) -> anyhow::Result<()> {
    let Some(path) = args.alignment.as_deref() else { return Ok(()) };
    format(path)?;
    output::check(Some(path), read.chain(result))
}

/// Returns an error for names of documents that change nothing.
pub fn check_used(args: &DocumentArgs, needs_documents: bool) -> Result<(), Misuse> {
    match args.document_ids.is_some() && !needs_documents && !args.align {
        true => Err(Misuse("--document-ids changes nothing without --resample-by document or -f html".to_owned())),
        false => Ok(()),
    }
}

/// Writes the table, if that is asked for.
pub fn write(input: &Input, args: &DocumentArgs) -> anyhow::Result<()> {
    let (Some(path), Some(aligned)) = (&args.alignment, input.aligned()) else { return Ok(()) };
    output::write(&write_alignment(&aligned.segments, format(path)?), Some(path))
}

/// By the ending of the file; TSV if it has none.
fn format(path: &Path) -> Result<Format, Misuse> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or("tsv").to_lowercase();
    match Format::from_name(&ending) {
        Ok(format @ (Format::Tsv | Format::Csv | Format::Json | Format::Jsonl)) => Ok(format),
        _ => Err(Misuse(format!("--alignment: .{ending} is not written; endings are .tsv, .csv, .json and .jsonl"))),
    }
}
