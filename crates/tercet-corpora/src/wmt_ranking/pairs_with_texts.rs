//! Pairs with their texts in the same table, `pairs.<pair>.tsv`:
//! `source reference better_system better worse_system worse`, a row for each judgement; `better` and `worse` are
//! texts. The column `source` may be missing, others are ignored. Rows with the same source and reference are
//! judgements of one segment; segments are numbered from 1 in the order of the file.

use foldhash::HashMap;

use crate::error::Result;

use crate::collection::Collection;
use crate::judgements::{Comparison, Judgements, Outcome, Reference, Texts};
use crate::plain_text::Lines;
use crate::records::{Header, Record, Records, Separator};

/// Whether a table of pairs is of this kind.
pub(super) fn has_texts(header: &Header) -> bool {
    header.has(&[&["better_system"], &["worse_system"]])
}

/// Reads the table.
pub(super) fn read(lines: &Lines) -> Result<Judgements> {
    let records = Records::new(lines, Separator::Tab)?;
    let source = records.find(&["source"]);
    let reference = records.column(&["reference"])?;
    let better = (records.column(&["better_system"])?, records.column(&["better"])?);
    let worse = (records.column(&["worse_system"])?, records.column(&["worse"])?);
    let mut read = Read::default();
    for record in records.rows() {
        let record = record?;
        let segment = read.segment(source.map_or("", |column| record.text(column)), record.text(reference))?;
        let first = read.output(&record, segment, better)?;
        let second = read.output(&record, segment, worse)?;
        if first == second {
            return Err(record.bad("a system cannot be better than itself"));
        }
        read.collection.comparisons.push(Comparison { segment, first, second, outcome: Outcome::First });
    }
    let texts = read.texts(source.is_some());
    read.collection.into_judgements(lines.path(), Some(texts))
}

/// The rows read so far.
#[derive(Default)]
struct Read {
    collection: Collection,
    places: HashMap<(String, String), usize>,
    /// Source and reference of each segment.
    segments: Vec<(String, String)>,
    /// By system and segment, as far as they were read.
    outputs: Vec<Vec<Option<String>>>,
}

impl Read {
    fn segment(&mut self, source: &str, reference: &str) -> Result<usize> {
        let next = self.segments.len();
        let texts = (source.to_owned(), reference.to_owned());
        let place = *self.places.entry(texts.clone()).or_insert(next);
        if place == next {
            self.segments.push(texts);
        }
        let name = (place + 1).to_string();
        Ok(self.collection.segment(&name).expect("segments are not closed"))
    }

    /// The number of the system in a column, whose output is in another.
    fn output(&mut self, record: &Record<'_>, segment: usize, columns: (usize, usize)) -> Result<usize> {
        let (name, text) = (record.text(columns.0), record.text(columns.1));
        let system = self.collection.systems.place(name);
        if self.outputs.len() <= system {
            self.outputs.push(Vec::new());
        }
        let outputs = &mut self.outputs[system];
        outputs.resize(outputs.len().max(segment + 1), None);
        if outputs[segment].get_or_insert_with(|| text.to_owned()) != text {
            return Err(record.bad(format!("{name:?} had another output for this segment before")));
        }
        Ok(system)
    }

    fn texts(&mut self, has_sources: bool) -> Texts {
        let mut outputs = std::mem::take(&mut self.outputs);
        outputs.iter_mut().for_each(|outputs| outputs.resize(self.segments.len(), None));
        let (sources, references): (Vec<String>, Vec<Option<String>>) =
            self.segments.drain(..).map(|(source, reference)| (source, Some(reference))).unzip();
        let reference = Reference { name: String::new(), lines: references };
        Texts { sources: has_sources.then_some(sources), references: vec![reference], outputs }
    }
}
