//! The tables of the metrics tasks of WMT17–20, space-separated, all language pairs in one file.
//!
//! - `DA-seglevel.csv`: `LP DATA SYSTEM SID HUMAN`, the z score of an output. Systems with the same output are joined
//!   by `+`; the first of them gets the score, as in the task's own scripts, so that an output counts once;
//! - `DA-syslevel.csv`: `LP HUMAN SYSTEM`, the z score of a system;
//! - `RR-seglevel.csv`, `DArr-seglevel.csv`: `LP DATA SID BETTER WORSE`, two outputs whose scores are at least 25
//!   points apart; a further column with the difference has no name and is not read.
//!
//! A table is recognised by its columns. Tables given together are read into one set. Systems have the names of the
//! tables (`online-B.0`), segments are named by their line in the test set, from 1.

use crate::error::Result;

use crate::collection::ByPair;
use crate::judgements::{Comparison, Judgements, Level, Outcome};
use crate::language_pair;
use crate::plain_text::Lines;
use crate::records::{Record, Records, Separator};

/// The names of the columns, in all spellings.
pub(super) const PAIR: &[&str] = &["LP"];
pub(super) const SYSTEM: &[&str] = &["SYSTEM", "SYS"];
pub(super) const SEGMENT: &[&str] = &["SID", "SEGID"];
pub(super) const HUMAN: &[&str] = &["HUMAN", "Z.SCR", "Z"];

/// Reads tables of direct assessment; one result per language pair.
pub fn parse_da_tables(tables: &[Lines]) -> Result<Vec<Judgements>> {
    let mut pairs = ByPair::default();
    for lines in tables {
        let records = Records::new(lines, Separator::Space)?;
        match (records.find(&["BETTER"]), records.find(SEGMENT)) {
            (Some(_), _) => read_comparisons(&records, &mut pairs)?,
            (None, Some(segment)) => read_scores(&records, Some(segment), &mut pairs)?,
            (None, None) => read_scores(&records, None, &mut pairs)?,
        }
    }
    let path = tables.first().map(Lines::path);
    path.map_or(Ok(Vec::new()), |path| pairs.into_judgements(path))
}

/// The language pair of a row.
fn pair_of(record: &Record<'_>, column: usize) -> Result<String> {
    let text = record.text(column);
    language_pair::written(text)
        .ok_or_else(|| record.bad(format!("expected a language pair such as cs-en, found {text:?}")))
}

fn read_scores(records: &Records<'_>, segment: Option<usize>, pairs: &mut ByPair) -> Result<()> {
    let (pair, system, human) = (records.column(PAIR)?, records.column(SYSTEM)?, records.column(HUMAN)?);
    for record in records.rows() {
        let record = record?;
        let into = pairs.collection(&pair_of(&record, pair)?);
        let name = record.text(system);
        let name = if segment.is_some() { name.split('+').next().unwrap_or(name) } else { name };
        let system = into.systems.place(name);
        let (level, item) = match segment {
            Some(segment) => (Level::Segment, into.segment(record.text(segment)).map_err(|what| record.bad(what))?),
            None => (Level::System, 0),
        };
        if !into.score(("z", level), system, item, record.score(human)?) {
            return Err(record.bad(format!("a second score of {name:?} for the same item")));
        }
    }
    Ok(())
}

fn read_comparisons(records: &Records<'_>, pairs: &mut ByPair) -> Result<()> {
    let (pair, segment) = (records.column(PAIR)?, records.column(SEGMENT)?);
    let (better, worse) = (records.column(&["BETTER"])?, records.column(&["WORSE"])?);
    for record in records.rows() {
        let record = record?;
        let into = pairs.collection(&pair_of(&record, pair)?);
        let segment = into.segment(record.text(segment)).map_err(|what| record.bad(what))?;
        let first = into.systems.place(record.text(better));
        let second = into.systems.place(record.text(worse));
        if first == second {
            return Err(record.bad("a system cannot be better than itself"));
        }
        into.comparisons.push(Comparison { segment, first, second, outcome: Outcome::First });
    }
    Ok(())
}
