//! The CSV that Appraise exports (`ExportSystemScoresToCSV`): a line for each judgement, without a header.
//!
//! ```text
//! user,system,item,type,source language,target language,score[,document,is whole document][,errors][,start,end]
//! engces0101,SystemA,17,TGT,eng,ces,87,doc-3,False,"[{""start_i"": 0, …}]",1660000000.1,1660000012.5
//! ```
//!
//! Seven fields with direct assessment of segments, up to twelve with documents, times, and the errors of ESA. The
//! types are those of Appraise: `TGT` and `REF` are judgements; `BAD`, `CHK` and others check the rater and are left
//! out, as are items of documents that end in `#bad`, `#dup` or `#incomplete`, tutorials, and scores of documents.
//! There are no texts: metrics are read from files of scores.

use super::Format;
use super::marks::error_spans;
use super::sets::{RatedOutput, RatedSets};
use crate::error::{Error, Result};
use crate::language_pair;
use crate::records::score;
use crate::rows::{Row, RowReader};
use serde_json::Value;
use std::path::Path;

const TYPES: [&str; 7] = ["TGT", "REF", "BAD", "CHK", "SRC", "TAR", "BREF"];

/// Numbers of fields.
const WIDTHS: std::ops::RangeInclusive<usize> = 7..=12;

/// Reads judgements of Appraise.
pub(super) struct Appraise;

/// Whether a file starts with a line of Appraise.
pub(super) fn is_first_line(start: &[u8]) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let fields: Vec<&str> = line.trim_start_matches('\u{feff}').split(',').map(str::trim).collect();
    fields.len() >= *WIDTHS.start() && is_first(&fields)
}

fn is_first(fields: &[&str]) -> bool {
    let is_language = |text: &str| (2..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
    TYPES.contains(&fields[3]) && is_language(fields[4]) && is_language(fields[5]) && fields[6].parse::<f64>().is_ok()
}

/// The format and the first line of a table, if that is a judgement and no header.
pub(super) fn of_header(rows: &RowReader) -> Option<(Appraise, &[String])> {
    let first = rows.columns()?;
    let fields: Vec<&str> = first.iter().map(String::as_str).collect();
    (WIDTHS.contains(&fields.len()) && is_first(&fields)).then_some((Appraise, first))
}

impl Appraise {
    /// Adds a judgement.
    pub(super) fn add_fields<'f>(
        &self,
        path: &Path,
        line: usize,
        field: &dyn Fn(usize) -> Option<&'f str>,
        sets: &mut RatedSets,
    ) -> Result<()> {
        let text = |place: usize| field(place).unwrap_or_default().trim();
        let bad = |name: &str, what: String| Error::bad_line(path, line, format!("field `{name}`: {what}"));
        let (kind, document) = (text(3), text(7));
        if !TYPES.contains(&kind) {
            return Err(bad("type", format!("expected {}, found {kind:?}", TYPES.join(", "))));
        }
        let is_check = ["#bad", "#dup", "#incomplete"].iter().any(|end| document.ends_with(end));
        let is_whole = text(8).eq_ignore_ascii_case("true");
        if !matches!(kind, "TGT" | "REF") || is_check || document.contains("-tutorial") || is_whole {
            return Ok(());
        }
        let score = score(text(6)).map_err(|what| bad("score", what))?;
        let errors = (7..WIDTHS.end() + 1).map(text).find(|text| text.starts_with('['));
        let read = |text: &str| error_spans(&Value::String(text.to_owned()), None, None);
        let errors = errors.map(read).transpose().map_err(|what| bad("errors", what))?;
        let has_document = !document.is_empty() && field(8).is_some_and(|text| matches!(text, "True" | "False"));
        let rated = RatedOutput {
            line,
            pair: language_pair::pair(text(4), text(5)),
            scores: "score".to_owned(),
            system: Some(text(1).to_owned()),
            id: Some(text(2).to_owned()),
            document: has_document.then(|| document.to_owned()),
            rater: Some(text(0).to_owned()),
            score,
            errors,
            ..RatedOutput::default()
        };
        sets.add(path, rated)
    }
}

impl Format for Appraise {
    fn add(&self, row: &Row, sets: &mut RatedSets) -> Result<()> {
        self.add_fields(row.path(), row.line(), &|place| row.column(place), sets)
    }
}
