//! Side-by-side MQM: two translations of a document annotated by one rater in one sitting.
//!
//! The table is an MQM table with `metadata` (Google's `sxs_mqm_*`, a TSV in a tar archive); each row belongs to one of
//! the two systems, and does not name the other. What links the two is in the JSON:
//!
//! - `side` of an error: 0 the source, 1 the first translation, 2 the second. A system is always on the same side.
//! - `timestamp` of the row and `timing.*.log[].ts`: when something was clicked, in milliseconds. One click often
//!   appears in rows of both sides (closing an error of one side starts work on the other), and only there: among
//!   the rows of one rater on one segment, a timestamp shared by two systems means one session.
//!
//! So two systems are a pair if each shares timestamps with the other more often than with any other system; in the
//! sets of 2023 all links agree (1,560 of 1,560 sessions for en-de, except two that share no timestamp and are assigned
//! like the rest; 5,655 of 5,655 for zh-en). In en-de `GPT4-5shot` was paired with two systems; as in the file, it is
//! two systems here, `GPT4-5shot_with_refA` and `…_with_ONLINE-W`.
//!
//! Each session of a pair is a [`Comparison`] for each segment: the lower penalty is better, an equal one a tie (to
//! 1e-9: the same errors in another order must tie). Scores are those of any MQM table.

use super::annotations::{Annotation, Annotations};
use super::penalties::{Penalty, judge, penalties};
use super::weights::MqmWeights;
use crate::error::Result;
use crate::{Comparison, Judgements, Lines, Outcome};
use foldhash::HashMap;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Penalties that differ by less are equal.
const SAME: f64 = 1e-9;

#[derive(Default, Deserialize)]
struct Metadata {
    timestamp: Option<f64>,
    side: Option<u8>,
    #[serde(default)]
    timing: BTreeMap<String, Event>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    log: Vec<Click>,
}

#[derive(Deserialize)]
struct Click {
    ts: Option<f64>,
}

impl Metadata {
    fn instants(&self) -> impl Iterator<Item = u64> {
        let clicks = self.timing.values().flat_map(|event| &event.log).filter_map(|click| click.ts);
        self.timestamp.into_iter().chain(clicks).map(f64::to_bits)
    }
}

/// Reads a side-by-side MQM table: scores, texts, comparisons.
pub fn parse_side_by_side(lines: &Lines, weights: &MqmWeights) -> Result<Judgements> {
    let table = super::weighable(lines, weights)?;
    let mut judgements = judge(&table, weights);
    judgements.comparisons = comparisons(&table, &pairs(lines, &table)?, weights);
    Ok(judgements)
}

/// The pairs of systems that were shown together, first side first.
fn pairs(lines: &Lines, table: &Annotations) -> Result<Vec<(usize, usize)>> {
    let count = table.systems.len();
    let mut second_sides = vec![0i64; count];
    let mut seen: HashMap<(usize, &str, u64), usize> = HashMap::default();
    let mut links: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for row in table.rows.iter().filter(|row| !row.metadata.is_empty()) {
        let metadata = metadata(lines, row)?;
        second_sides[row.system] += match metadata.side {
            Some(1) => -1,
            Some(2) => 1,
            _ => 0,
        };
        for instant in metadata.instants() {
            let other = *seen.entry((row.segment, row.rater, instant)).or_insert(row.system);
            if other != row.system {
                *links.entry((other, row.system)).or_default() += 1;
                *links.entry((row.system, other)).or_default() += 1;
            }
        }
    }
    let mut partners: Vec<Option<(usize, usize)>> = vec![None; count];
    for (&(system, other), &links) in &links {
        if partners[system].is_none_or(|(most, _)| links > most) {
            partners[system] = Some((links, other));
        }
    }
    let partner = |system: usize| partners[system].map(|(_, other)| other);
    let mutual = (0..count).filter_map(|one| partner(one).map(|other| (one, other)));
    let mutual = mutual.filter(|&(one, other)| one < other && partner(other) == Some(one));
    Ok(mutual.map(|(a, b)| if second_sides[a] > second_sides[b] { (b, a) } else { (a, b) }).collect())
}

fn metadata(lines: &Lines, row: &Annotation) -> Result<Metadata> {
    serde_json::from_str(row.metadata)
        .map_err(|error| lines.bad(row.line, format!("expected metadata in JSON, found {error}")))
}

fn comparisons(table: &Annotations, pairs: &[(usize, usize)], weights: &MqmWeights) -> Vec<Comparison> {
    let penalties = penalties(table, weights);
    let of_segment = |segment: usize| {
        let penalties = &penalties;
        pairs.iter().flat_map(move |&(first, second)| {
            let outcomes = outcomes(&penalties[first][segment], &penalties[second][segment]);
            outcomes.map(move |outcome| Comparison { segment, first, second, outcome })
        })
    };
    (0..table.segments.len()).flat_map(of_segment).collect()
}

/// The outcome for each rater who rated both sides.
fn outcomes<'a>(first: &'a [Penalty], second: &'a [Penalty]) -> impl Iterator<Item = Outcome> + 'a {
    first.iter().filter_map(|one| {
        let other = second.iter().find(|of| of.rater == one.rater)?;
        Some(match one.penalty - other.penalty {
            less if less < -SAME => Outcome::First,
            more if more > SAME => Outcome::Second,
            _ => Outcome::Tie,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn read(rows: &[(&str, &str, &str, &str, &str)]) -> Result<Judgements> {
        let mut text = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# \
            see\n"
            .to_owned();
        for (system, segment, rater, severity, metadata) in rows {
            text += &format!("{system}\td\t{segment}\t{segment}\t{rater}\ts\tt\tOther\t{severity}\t{metadata}\n");
        }
        let lines = Lines::from_bytes(Path::new("s.tsv"), text.into_bytes()).unwrap();
        parse_side_by_side(&lines, &MqmWeights::standard())
    }

    #[test]
    fn a_shared_click_makes_a_pair_also_for_sessions_without_one() {
        let log = |ts: u64, side: u8| {
            format!(r#"{{"timestamp":{ts},"side":{side},"timing":{{"next-arrow":{{"log":[{{"ts":7,"side":1}}]}}}}}}"#)
        };
        let alone = |ts: u64| format!(r#"{{"timestamp":{ts}}}"#);
        let (b, a) = (log(1, 2), log(2, 1));
        let rows = [
            ("b", "1", "r1", "Major", b.as_str()),
            ("a", "1", "r1", "Minor", a.as_str()),
            ("c", "1", "r1", "Minor", &alone(30)),
            // Another rater, and another segment: the same timestamp, but no shared click.
            ("c", "1", "r2", "Minor", &log(4, 1)),
            ("a", "2", "r1", "Minor", &alone(50)),
            ("b", "2", "r1", "Minor", &alone(60)),
        ];
        let judgements = read(&rows).unwrap();
        let found: Vec<_> =
            judgements.comparisons.iter().map(|of| (of.segment, of.first, of.second, of.outcome)).collect();
        assert_eq!(judgements.systems, ["b", "a", "c"]);
        assert_eq!(found, [(0, 1, 0, Outcome::First), (1, 1, 0, Outcome::Tie)]);
        assert_eq!(judgements.scores[0].values[0], [Some(-5.0), Some(-1.0)]);
    }

    #[test]
    fn metadata_that_is_not_json_is_an_error_with_its_line() {
        let message = read(&[("a", "1", "r", "Minor", "{")]).unwrap_err().to_string();
        assert!(message.starts_with("s.tsv:2: expected metadata in JSON, found "), "{message}");
    }
}
