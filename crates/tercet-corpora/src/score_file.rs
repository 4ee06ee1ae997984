//! Segment scores made by other tools, or by tercet.
//!
//! Two formats. One number per line: the scores of one system, named after the file. Or the TSV report of tercet: a
//! header `system segment metric score`, tab-separated, segments numbered from 1, or `corpus` for the score of the
//! whole system.

use super::plain_text::Lines;
use super::read_lines;
use crate::error::{Error, Result};
use std::path::Path;

pub(super) const HEADER: &str = "system\tsegment\tmetric\tscore";

/// Larger scores could overflow when they are added up.
const MAX_SCORE: f64 = 1e200;

/// Segment scores of one system by one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreColumn {
    /// Name of the system.
    pub system: String,
    /// The metric, if the file names it.
    pub metric: Option<String>,
    /// A score for each segment, in order.
    pub scores: Vec<f64>,
    /// The score of the whole system, if the file gives it.
    pub corpus: Option<f64>,
}

/// Reads a file of segment scores; `-` is standard input.
pub fn read_scores(path: &Path) -> Result<Vec<ScoreColumn>> {
    let mut columns = parse(&read_lines(path)?)?;
    columns.retain(|column| !column.scores.is_empty());
    if columns.is_empty() {
        let path = path.display();
        return Err(Error::Unusable(format!("{path} has no segment scores, only scores of systems")));
    }
    Ok(columns)
}

/// The score columns in these lines.
pub(super) fn parse(lines: &Lines) -> Result<Vec<ScoreColumn>> {
    if lines.is_empty() {
        return Err(Error::Unusable(format!("{} is empty: expected one score per line", lines.path().display())));
    }
    if lines.line(0) == HEADER { parse_table(lines) } else { parse_numbers(lines) }
}

fn parse_numbers(lines: &Lines) -> Result<Vec<ScoreColumn>> {
    let scores: Result<Vec<f64>> =
        lines.iter().enumerate().map(|(i, line)| number(line).ok_or_else(|| not_a_score(lines, i, line))).collect();
    Ok(vec![ScoreColumn { system: lines.path().display().to_string(), metric: None, scores: scores?, corpus: None }])
}

fn parse_table(lines: &Lines) -> Result<Vec<ScoreColumn>> {
    let mut columns: Vec<ScoreColumn> = Vec::new();
    for (i, line) in lines.iter().enumerate().skip(1) {
        let bad = |what: String| lines.bad(i + 1, what);
        let fields: Vec<&str> = line.split('\t').collect();
        let &[system, segment, metric, score] = fields.as_slice() else {
            return Err(bad(format!("expected 4 tab-separated fields, found {}", fields.len())));
        };
        let score = number(score).ok_or_else(|| not_a_score(lines, i, score))?;
        let of = |column: &ScoreColumn| column.system == system && column.metric.as_deref() == Some(metric);
        let column = match columns.iter().rposition(of) {
            Some(found) => &mut columns[found],
            None => {
                let (system, metric) = (system.to_owned(), Some(metric.to_owned()));
                columns.push(ScoreColumn { system, metric, scores: Vec::new(), corpus: None });
                columns.last_mut().expect("just pushed")
            }
        };
        if segment == "corpus" {
            if column.corpus.replace(score).is_some() {
                return Err(bad(format!("{system} by {metric} has a second score for the corpus")));
            }
            continue;
        }
        let expected = column.scores.len() + 1;
        if segment.parse() != Ok(expected) {
            return Err(bad(format!("expected segment {expected} of {system} by {metric}, found `{segment}`")));
        }
        column.scores.push(score);
    }
    Ok(columns)
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|score: &f64| score.abs() <= MAX_SCORE)
}

fn not_a_score(lines: &Lines, i: usize, found: &str) -> Error {
    lines.bad(
        i + 1,
        format!(
            "expected a number, found {found:?} (one score per line, or a table with the header system, segment, \
             metric, score)"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Result<Vec<ScoreColumn>> {
        parse(&Lines::from_bytes(Path::new("a.tsv"), text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn both_forms_are_read() {
        let plain = columns("0.5\n-1e-3\n").unwrap();
        assert_eq!(plain[0].scores, [0.5, -1e-3]);
        assert_eq!(plain[0].system, "a.tsv");
        let table =
            columns("system\tsegment\tmetric\tscore\nx\t1\tm\t1\ny\t1\tm\t2\nx\t2\tm\t3\nx\tcorpus\tm\t9\n").unwrap();
        assert_eq!((table[0].system.as_str(), &table[0].scores), ("x", &vec![1.0, 3.0]));
        assert_eq!((table[1].system.as_str(), &table[1].scores), ("y", &vec![2.0]));
    }

    #[test]
    fn errors_name_file_and_line() {
        assert!(columns("1\nnan\n").unwrap_err().to_string().starts_with("a.tsv:2: expected a number, found \"nan\""));
        let gap = columns("system\tsegment\tmetric\tscore\nx\t2\tm\t1\n").unwrap_err();
        assert_eq!(gap.to_string(), "a.tsv:2: expected segment 1 of x by m, found `2`");
        assert!(columns("").is_err());
    }
}
