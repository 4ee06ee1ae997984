//! Texts of one language pair as tab-separated tables, for sets whose segments are not lines of a file.
//!
//! - `segments.<pair>.tsv`: `seg_id source reference`, a row for each segment;
//! - `outputs.<pair>.tsv`: `seg_id system text`, a row for each output that was shown.
//!
//! Texts are kept as they are, with quotation marks, byte order marks and unusual spaces. Outputs of systems that were
//! not judged are ignored.

use crate::error::Result;

use crate::collection::Collection;
use crate::judgements::{Reference, Texts};
use crate::names::Names;
use crate::plain_text::Lines;
use crate::records::{Records, Separator};

/// The segments of a table: their names, sources and references.
pub(super) fn read_segments(lines: &Lines) -> Result<(Vec<String>, Texts)> {
    let records = Records::new(lines, Separator::Tab)?;
    let (id, source, reference) =
        (records.column(&["seg_id"])?, records.find(&["source"]), records.find(&["reference"]));
    let (mut names, mut sources, mut references) = (Names::default(), Vec::new(), Vec::new());
    for (row, record) in records.rows().enumerate() {
        let record = record?;
        if names.place(record.text(id)) != row {
            return Err(record.bad(format!("segment {:?} was given before", record.text(id))));
        }
        sources.extend(source.map(|column| record.text(column).to_owned()));
        references.extend(reference.map(|column| Some(record.text(column).to_owned())));
    }
    let references = reference.map(|_| Reference { name: String::new(), lines: references });
    let texts =
        Texts { sources: source.map(|_| sources), references: references.into_iter().collect(), outputs: Vec::new() };
    Ok((names.into_vec(), texts))
}

/// `outputs[system][segment]` of the systems in a collection that knows its `segments`.
pub(super) fn read_outputs(lines: &Lines, read: &mut Collection, segments: usize) -> Result<Vec<Vec<Option<String>>>> {
    let records = Records::new(lines, Separator::Tab)?;
    let (id, name, text) = (records.column(&["seg_id"])?, records.column(&["system"])?, records.column(&["text"])?);
    let mut outputs = vec![vec![None; segments]; read.systems.as_slice().len()];
    for record in records.rows() {
        let record = record?;
        let Some(system) = read.systems.find(record.text(name)) else { continue };
        let segment = read.segment(record.text(id)).map_err(|what| record.bad(what))?;
        if outputs[system][segment].replace(record.text(text).to_owned()).is_some() {
            return Err(record.bad(format!(
                "an output of {:?} for segment {:?} was given before",
                record.text(name),
                record.text(id)
            )));
        }
    }
    Ok(outputs)
}
