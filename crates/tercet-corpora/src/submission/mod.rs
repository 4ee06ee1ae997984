//! Submissions to the WMT metrics task: files of scores, each line complete in itself.
//!
//! `METRIC.seg.score`, `METRIC.sys.score`, `METRIC.doc.score` (`.scr` in early years), mostly gzipped, no header.
//! Columns are separated by tabs (lines without any tab: by white space):
//!
//! | years | `seg` | `sys` |
//! |---|---|---|
//! | –2016 | METRIC LANG-PAIR TEST-SET SYSTEM SEGMENT SCORE | METRIC LANG-PAIR TEST-SET SYSTEM SCORE |
//! | 2017–19 | METRIC LANG-PAIR TEST-SET SYSTEM SEGMENT SCORE ENSEMBLE AVAILABLE | METRIC LANG-PAIR TEST-SET SYSTEM SCORE \[BEGIN END\] ENSEMBLE AVAILABLE |
//! | 2020 | METRIC LANG-PAIR TEST-SET REFERENCE SYSTEM DOCUMENT SEGMENT SCORE | METRIC LANG-PAIR TEST-SET REFERENCE SYSTEM SCORE |
//! | 2021 | METRIC LANG-PAIR TEST-SET REFERENCE SYSTEM SEGMENT SCORE | as 2020 |
//! | 2022–24 | METRIC LANG-PAIR TEST-SET DOMAIN DOCUMENT REFERENCE SYSTEM SEGMENT SCORE | METRIC LANG-PAIR TEST-SET DOMAIN REFERENCE SYSTEM SCORE |
//!
//! 2020 also accepted documents: METRIC LANG-PAIR TEST-SET REFERENCE SYSTEM DOCUMENT SCORE. SEGMENT counts from 1; in
//! 2020 within its DOCUMENT, in all other years within the test set. REFERENCE is `src` for metrics without reference.
//! TEST-SET may have a track, `DAsys+newstest2017`. A document `-` means none. After the nine columns of 2024 there may
//! be a tenth, which is ignored.
//!
//! Sources: the task's pages for 2017 and 2021–23, `codalab/eval.py` of mt-metrics-eval for 2023, the organisers'
//! script for 2024, and for 2020, whose page was not available, the submissions themselves
//! (WMT-Metrics-task/wmt20-metrics). In 2018 and 2019 BEGIN and END may be missing.
//!
//! The format is recognised by the first line: the number of its columns, which of them are numbers, and the column of
//! `ensemble` or `non-ensemble`. If several levels remain, `.seg.`, `.sys.` or `.doc.` in the file's name decides;
//! without it, segments are preferred to systems, systems to documents. Numbers are written so that reading gives the
//! same bits.

mod columns;
mod runs;
mod write;

pub use columns::SubmissionFormat;
pub use write::{ScoredSet, gzip};

use super::judgements::Level;
use super::plain_text::Lines;
use crate::error::{Error, Result};
use columns::{LISTS, SubmissionColumn};
use std::path::Path;

/// One line: a score and what it belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubmissionRow {
    /// Name of the metric.
    pub metric: String,
    /// The language pair, as in `cs-en`.
    pub pair: String,
    /// The track in front of the test set, such as `DAsys`.
    pub track: Option<String>,
    /// Name of the test set, without the track.
    pub test_set: String,
    /// The domain; `all` for the whole test set.
    pub domain: Option<String>,
    /// Name of the document.
    pub document: Option<String>,
    /// Name of the reference that was used; `src` for none.
    pub reference: Option<String>,
    /// Name of the system.
    pub system: String,
    /// Number of the segment, from 1: within its document in 2020, else within the test set.
    pub segment: Option<u32>,
    /// Score of the segment, document, domain or system.
    pub score: f64,
    /// Begin and end of scoring.
    pub times: Option<(String, String)>,
    /// Whether the metric is an ensemble: `ensemble` or `non-ensemble`.
    pub ensemble: Option<String>,
    /// Where to get the metric, or `no`.
    pub available: Option<String>,
}

/// A file of scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// The format of the lines.
    pub format: SubmissionFormat,
    /// What each score belongs to.
    pub level: Level,
    /// One row per line.
    pub rows: Vec<SubmissionRow>,
}

impl Submission {
    /// Reads a submission.
    pub fn parse(lines: &Lines) -> Result<Submission> {
        let untrimmed = || lines.iter_untrimmed().map(|line| line.trim_end_matches('\r'));
        let Some(first) = untrimmed().next() else {
            return Err(lines.is_empty_error("expected scores"));
        };
        let tabs = first.contains('\t');
        let (format, level, columns) = recognise(&split(first, tabs), level_of(lines.path())).ok_or_else(|| {
            bad(lines, 0, format!("expected a number, or the columns of a WMT submission, found {first:?}"))
        })?;
        let row = |(i, line): (usize, &str)| row(&split(line, tabs), columns).map_err(|what| bad(lines, i, what));
        let rows: Result<Vec<_>> = untrimmed().enumerate().map(row).collect();
        Ok(Submission { format, level, rows: rows? })
    }
}

fn bad(lines: &Lines, i: usize, what: String) -> Error {
    lines.bad(i + 1, what)
}

fn split(line: &str, tabs: bool) -> Vec<&str> {
    if tabs { line.split('\t').collect() } else { line.split_whitespace().collect() }
}

/// The level in a file's name.
fn level_of(path: &Path) -> Option<Level> {
    let name = path.file_name()?.to_str()?;
    let levels = name.rsplit('.').filter_map(Level::from_code);
    levels.into_iter().next()
}

/// The first list of columns that matches a line, of this level if one is given.
fn recognise(fields: &[&str], level: Option<Level>) -> Option<(SubmissionFormat, Level, &'static [SubmissionColumn])> {
    let order = [Level::Segment, Level::System, Level::Document];
    let mut levels = order.into_iter().filter(|of| level.is_none_or(|level| level == *of));
    levels.find_map(|of| {
        let mut lists = LISTS.iter().filter(|(_, level, _)| *level == of);
        lists.find(|(_, _, columns)| fits(fields, columns)).copied()
    })
}

/// Whether there is a field for each column. For segments of 2024 a tenth is allowed.
fn has_width(fields: &[&str], columns: &[SubmissionColumn]) -> bool {
    fields.len() == columns.len() || (fields.len() == 10 && columns.len() == 9 && columns[8] == SubmissionColumn::Score)
}

fn fits(fields: &[&str], columns: &[SubmissionColumn]) -> bool {
    has_width(fields, columns) && columns.iter().zip(fields).all(|(column, field)| column.takes(field))
}

fn row(fields: &[&str], columns: &[SubmissionColumn]) -> Result<SubmissionRow, String> {
    if !has_width(fields, columns) {
        return Err(format!("expected {} fields as on the first line, found {}", columns.len(), fields.len()));
    }
    let mut row = SubmissionRow::default();
    for (&column, &field) in columns.iter().zip(fields) {
        let text = || field.to_owned();
        let some = || (field != "-").then(|| field.to_owned());
        match column {
            _ if !column.takes(field) => return Err(format!("expected {}, found {field:?}", column.name())),
            SubmissionColumn::Metric => row.metric = text(),
            SubmissionColumn::Pair => row.pair = text(),
            SubmissionColumn::TestSet => match field.split_once('+') {
                Some((track, set)) => (row.track, row.test_set) = (Some(track.to_owned()), set.to_owned()),
                None => row.test_set = text(),
            },
            SubmissionColumn::Domain => row.domain = Some(text()),
            SubmissionColumn::Document => row.document = some(),
            SubmissionColumn::Reference => row.reference = Some(text()),
            SubmissionColumn::System => row.system = text(),
            SubmissionColumn::Segment => row.segment = columns::segment(field),
            SubmissionColumn::Score => row.score = columns::score(field).unwrap_or_default(),
            SubmissionColumn::Began => row.times = Some((text(), String::new())),
            SubmissionColumn::Ended => row.times = row.times.map(|(began, _)| (began, text())),
            SubmissionColumn::Ensemble => row.ensemble = Some(text()),
            SubmissionColumn::Available => row.available = Some(text()),
        }
    }
    row.times = row.times.filter(|(began, ended)| began != "-" || ended != "-");
    Ok(row)
}

impl SubmissionColumn {
    fn name(self) -> &'static str {
        match self {
            SubmissionColumn::Metric => "a metric",
            SubmissionColumn::Pair => "a language pair",
            SubmissionColumn::TestSet => "a test set",
            SubmissionColumn::Domain => "a domain",
            SubmissionColumn::Document => "a document",
            SubmissionColumn::Reference => "a reference",
            SubmissionColumn::System => "a system",
            SubmissionColumn::Segment => "a segment number from 1",
            SubmissionColumn::Score => "a number",
            SubmissionColumn::Began | SubmissionColumn::Ended => "a time",
            SubmissionColumn::Ensemble => "`ensemble` or `non-ensemble`",
            SubmissionColumn::Available => "an address or `no`",
        }
    }
}

#[cfg(test)]
mod tests;
