//! The comma-separated rankings of WMT12–14: one row for each ranking task, five outputs side by side.
//!
//! ```text
//! srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,…,system5Id,system1rank,…,system5rank
//! ```
//!
//! Any number of systems per row, as many as columns `system<N>Id` and `system<N>rank`. Rank 1 is the best, equal
//! ranks are ties; -1 or nothing means the judge gave none. A system without a name (empty or -1) was not shown. The
//! segment is `segmentId`, as in wmt-trueskill; `srcIndex` if the row names a document, since then `segmentId`
//! counts within it. One file may hold several language pairs. A system that a row names twice is compared with the
//! others twice, but not with itself.

use crate::error::Result;

use crate::collection::{ByPair, Collection};
use crate::judgements::{Judgements, RankedOutput, Ranking};
use crate::language_pair;
use crate::plain_text::Lines;
use crate::records::{Record, Records, Separator};

use super::rank;

/// Indices of the columns.
struct Columns {
    languages: (usize, usize),
    index: Option<usize>,
    document: Option<usize>,
    segment: usize,
    judge: usize,
    /// Name and rank of each system.
    systems: Vec<(usize, usize)>,
}

/// Reads the rankings of WMT12–14; one result per language pair.
pub fn parse_five_way(lines: &Lines) -> Result<Vec<Judgements>> {
    let records = Records::new(lines, Separator::Comma)?;
    let columns = Columns::find(&records)?;
    let mut pairs = ByPair::default();
    for record in records.rows() {
        let record = record?;
        let (source, target) = columns.languages;
        let pair = language_pair::pair(record.text(source), record.text(target));
        columns.read(&record, pairs.collection(&pair))?;
    }
    pairs.into_judgements(lines.path())
}

impl Columns {
    fn find(records: &Records<'_>) -> Result<Columns> {
        let mut systems = vec![(records.column(&["system1Id"])?, records.column(&["system1rank"])?)];
        while let Some(system) = records.find(&[&format!("system{}Id", systems.len() + 1)]) {
            systems.push((system, records.column(&[&format!("system{}rank", systems.len() + 1)])?));
        }
        Ok(Columns {
            languages: (records.column(&["srclang"])?, records.column(&["trglang", "tgtlang"])?),
            index: records.find(&["srcIndex"]),
            document: records.find(&["documentId"]),
            segment: records.column(&["segmentId"])?,
            judge: records.column(&["judgeId"])?,
            systems,
        })
    }

    fn read(&self, record: &Record<'_>, into: &mut Collection) -> Result<()> {
        let in_document = self.document.is_some_and(|column| !matches!(record.text(column), "-1" | ""));
        let segment = self.index.filter(|_| in_document).unwrap_or(self.segment);
        let segment = into.segment(record.text(segment)).map_err(|what| record.bad(what))?;
        let mut outputs: Vec<RankedOutput> = Vec::with_capacity(self.systems.len());
        for (number, &(name, given)) in (1..).zip(&self.systems) {
            let rank = rank(record, given)?;
            if !matches!(record.text(name), "" | "-1") {
                let system = into.systems.place(record.text(name));
                let twin = outputs.iter().find(|output| output.system == system);
                outputs.push(RankedOutput { system, group: twin.map_or(number, |twin| twin.group), rank });
            }
        }
        let ranking = Ranking { segment, judge: record.text(self.judge).to_owned(), outputs };
        into.comparisons.extend(ranking.comparisons());
        into.rankings.push(ranking);
        Ok(())
    }
}
