//! Rankings and pairs of one language pair as tab-separated tables.
//!
//! - `rankings.<pair>.tsv`: `ranking_id seg_id judge output_group system rank`, a row for each output of a ranking;
//!   systems of one group had the same output, shown once; rank 1 is the best, -1 means none was given;
//! - `pairs.<pair>.tsv`: `seg_id better worse`, a row for each strict judgement, repeated if it was made again.
//!
//! Where both are given, the comparisons come from the rankings, ties included; those that are not ties must be exactly
//! the pairs of the other file, or it is an error.

use foldhash::HashMap;

use crate::error::{Error, Result};

use crate::collection::Collection;
use crate::judgements::{Comparison, Outcome, RankedOutput, Ranking};
use crate::plain_text::Lines;
use crate::records::{Record, Records, Separator};

use super::rank;

/// Reads the given tables into a collection.
pub(super) fn read(rankings: Option<&Lines>, pairs: Option<&Lines>, into: &mut Collection) -> Result<()> {
    if let Some(rankings) = rankings {
        read_rankings(rankings, into)?;
    }
    let Some(lines) = pairs else { return Ok(()) };
    let pairs = read_pairs(lines, into)?;
    match rankings {
        Some(rankings) => agree(rankings, lines, into, &pairs),
        None => {
            into.comparisons = pairs;
            Ok(())
        }
    }
}

fn read_rankings(lines: &Lines, into: &mut Collection) -> Result<()> {
    let records = Records::new(lines, Separator::Tab)?;
    let columns = ["ranking_id", "seg_id", "judge", "output_group", "system", "rank"];
    let columns: Vec<usize> = columns.iter().map(|name| records.column(&[name])).collect::<Result<_>>()?;
    let mut places: HashMap<String, usize> = HashMap::default();
    let first = into.rankings.len();
    for record in records.rows() {
        let record = record?;
        let segment = into.segment(record.text(columns[1])).map_err(|what| record.bad(what))?;
        let output = RankedOutput {
            system: into.systems.place(record.text(columns[4])),
            group: whole(&record, columns[3])?,
            rank: rank(&record, columns[5])?,
        };
        let (id, judge) = (record.text(columns[0]), record.text(columns[2]));
        let place = *places.entry(id.to_owned()).or_insert_with(|| {
            into.rankings.push(Ranking { segment, judge: judge.to_owned(), outputs: Vec::new() });
            into.rankings.len() - 1
        });
        add(&record, &mut into.rankings[place], (segment, judge), output)?;
    }
    into.comparisons.extend(into.rankings[first..].iter().flat_map(Ranking::comparisons));
    Ok(())
}

/// Adds an output to a ranking; an error if it does not belong to it.
fn add(record: &Record<'_>, ranking: &mut Ranking, of: (usize, &str), output: RankedOutput) -> Result<()> {
    if (ranking.segment, ranking.judge.as_str()) != of {
        return Err(record.bad("this ranking_id was used before, for another segment or judge"));
    }
    if ranking.outputs.iter().any(|known| known.system == output.system) {
        return Err(record.bad("this system is already in this ranking"));
    }
    ranking.outputs.push(output);
    Ok(())
}

fn whole(record: &Record<'_>, column: usize) -> Result<u32> {
    let text = record.text(column);
    text.parse().map_err(|_| record.bad(format!("expected a whole number, found {text:?}")))
}

fn read_pairs(lines: &Lines, into: &mut Collection) -> Result<Vec<Comparison>> {
    let records = Records::new(lines, Separator::Tab)?;
    let columns = (records.column(&["seg_id"])?, records.column(&["better"])?, records.column(&["worse"])?);
    let pair = |record: Result<Record<'_>>| {
        let record = record?;
        let segment = into.segment(record.text(columns.0)).map_err(|what| record.bad(what))?;
        let first = into.systems.place(record.text(columns.1));
        let second = into.systems.place(record.text(columns.2));
        if first == second {
            return Err(record.bad("a system cannot be better than itself"));
        }
        Ok(Comparison { segment, first, second, outcome: Outcome::First })
    };
    records.rows().map(pair).collect()
}

/// Fails unless the comparisons of the rankings that are not ties are the pairs.
fn agree(rankings: &Lines, pairs: &Lines, read: &Collection, listed: &[Comparison]) -> Result<()> {
    let (drawn, listed) = (strict(&read.comparisons), strict(listed));
    if drawn == listed {
        return Ok(());
    }
    let equal = drawn.iter().zip(&listed).take_while(|(one, other)| one == other).count();
    let (segment, better, worse) =
        [drawn.get(equal), listed.get(equal)].into_iter().flatten().min().copied().expect("the lists differ");
    let count = |list: &[_]| list.iter().filter(|pair| **pair == (segment, better, worse)).count();
    let systems = read.systems.as_slice();
    Err(Error::Unusable(format!(
        "{} and {} disagree: segment {:?}, {:?} better than {:?}, is {} times in the first and {} times in the second",
        rankings.path().display(),
        pairs.path().display(),
        read.segment_name(segment),
        systems[better],
        systems[worse],
        count(&drawn),
        count(&listed),
    )))
}

/// Segment, better and worse system of each comparison that is not a tie, sorted.
fn strict(comparisons: &[Comparison]) -> Vec<(usize, usize, usize)> {
    let sides = |pair: &Comparison| match pair.outcome {
        Outcome::First => Some((pair.segment, pair.first, pair.second)),
        Outcome::Second => Some((pair.segment, pair.second, pair.first)),
        Outcome::Tie => None,
    };
    let mut strict: Vec<_> = comparisons.iter().filter_map(sides).collect();
    strict.sort_unstable();
    strict
}
