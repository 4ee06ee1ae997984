//! The comma-separated rankings of WMT15–16: one row for each pair of outputs of a ranking task.
//!
//! ```text
//! srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
//! ```
//!
//! Judges were shown distinct outputs. There are two forms of these files: in `data/collapsed/` systems with the same
//! output are joined by `+`, elsewhere every system has its own rows. Joined systems are separated here, share a group,
//! and are not compared with each other. In the other form they are rows with equal ranks that cannot be distinguished
//! from ties; they are kept as ties, as in wmt-trueskill (Finnish–English of WMT15: 8,687 ties in one form, 4,072 in
//! the other).
//!
//! Rows with one `rankingID` are one ranking if they agree on segment, judge and ranks and have every pair exactly
//! once. Otherwise only their comparisons are kept.

use foldhash::{HashMap, HashSet};

use crate::error::Result;

use crate::collection::{ByPair, Collection};
use crate::judgements::{Comparison, Judgements, RankedOutput, Ranking};
use crate::language_pair;
use crate::plain_text::Lines;
use crate::records::{Record, Records, Separator};

use super::rank;

/// Indices of the columns.
struct Columns {
    languages: (usize, usize),
    segment: usize,
    judge: usize,
    systems: [(usize, usize); 2],
    ranking: usize,
}

/// A ranking task, built up row by row.
#[derive(Default)]
struct Task {
    ranking: Ranking,
    /// Outputs by the joined names of their systems.
    groups: HashMap<String, u32>,
    pairs: HashSet<(u32, u32)>,
    rows: usize,
    /// Whether the rows contradicted each other.
    broken: bool,
}

/// Reads the comparisons and rankings of WMT15–16; one result per language pair.
pub fn parse_pairwise(lines: &Lines) -> Result<Vec<Judgements>> {
    let records = Records::new(lines, Separator::Comma)?;
    let columns = Columns {
        languages: (records.column(&["srclang"])?, records.column(&["trglang", "tgtlang"])?),
        segment: records.column(&["segmentId", "srcIndex"])?,
        judge: records.column(&["judgeID"])?,
        systems: [
            (records.column(&["system1Id"])?, records.column(&["system1rank"])?),
            (records.column(&["system2Id"])?, records.column(&["system2rank"])?),
        ],
        ranking: records.column(&["rankingID"])?,
    };
    let mut pairs = ByPair::default();
    let mut tasks: Vec<(String, Task)> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::default();
    for record in records.rows() {
        let record = record?;
        let pair = language_pair::pair(record.text(columns.languages.0), record.text(columns.languages.1));
        let place = *places.entry((pair.clone(), record.text(columns.ranking).to_owned())).or_insert_with(|| {
            tasks.push((pair.clone(), Task::default()));
            tasks.len() - 1
        });
        columns.read(&record, pairs.collection(&pair), &mut tasks[place].1)?;
    }
    for (pair, task) in tasks {
        pairs.collection(&pair).rankings.extend(task.into_ranking());
    }
    pairs.into_judgements(lines.path())
}

impl Columns {
    fn read(&self, record: &Record<'_>, into: &mut Collection, task: &mut Task) -> Result<()> {
        let segment = into.segment(record.text(self.segment)).map_err(|what| record.bad(what))?;
        let mut outputs = Vec::new();
        for (number, (name, given)) in (0..).zip(self.systems) {
            let rank = rank(record, given)?;
            let joined = record.text(name).split('+').filter(|name| !name.is_empty());
            outputs.extend(joined.map(|name| RankedOutput { system: into.systems.place(name), group: number, rank }));
        }
        let ranking = Ranking { segment, judge: record.text(self.judge).to_owned(), outputs };
        let comparisons: Vec<Comparison> = ranking.comparisons().collect();
        if let Some(pair) = comparisons.iter().find(|pair| pair.first == pair.second) {
            let name = &into.systems.as_slice()[pair.first];
            return Err(record.bad(format!("the system {name:?} is compared with itself")));
        }
        into.comparisons.extend(comparisons);
        task.add(ranking, self.systems.map(|(name, _)| record.text(name)));
        Ok(())
    }
}

impl Task {
    /// Adds a row: a ranking of two outputs, and the names of the systems behind each.
    fn add(&mut self, row: Ranking, names: [&str; 2]) {
        if self.rows == 0 {
            (self.ranking.segment, self.ranking.judge) = (row.segment, row.judge.clone());
        }
        self.rows += 1;
        self.broken |= (row.segment, &row.judge) != (self.ranking.segment, &self.ranking.judge);
        let mut groups = [0; 2];
        for (side, name) in (0..).zip(names) {
            let next = self.groups.len() as u32 + 1;
            let group = *self.groups.entry(name.to_owned()).or_insert(next);
            groups[side as usize] = group;
            for output in row.outputs.iter().filter(|output| output.group == side) {
                self.add_output(RankedOutput { group, ..*output });
            }
        }
        self.broken |= !self.pairs.insert((groups[0].min(groups[1]), groups[0].max(groups[1])));
    }

    fn add_output(&mut self, output: RankedOutput) {
        let known = &mut self.ranking.outputs;
        match known.iter().find(|known| known.system == output.system) {
            Some(same) => self.broken |= *same != output,
            None => known.push(output),
        }
    }

    /// The ranking, if the rows have all its pairs.
    fn into_ranking(self) -> Option<Ranking> {
        let outputs = self.groups.len();
        (!self.broken && self.rows == outputs * (outputs - 1) / 2).then_some(self.ranking)
    }
}
