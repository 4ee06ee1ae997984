//! Segment scores made by other tools, or by tercet.
//!
//! Two formats are read here; those of other tools are in `metric_scores`. One number per line: the scores of one
//! system, named after the file. Or the TSV report of tercet: a header `system segment metric score`, tab-separated,
//! segments numbered from 1, or `corpus` for the score of the whole system.

use super::metric_scores::{MetricRun, parse_metric_scores};
use super::plain_text::Lines;
use super::{Level, read_lines};
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
    /// Whether lower scores are better, as the format says.
    pub lower_is_better: bool,
}

/// Reads a file of segment scores in any format of [`read_metric_scores`](crate::read_metric_scores); `-` is standard
/// input.
pub fn read_scores(path: &Path) -> Result<Vec<ScoreColumn>> {
    let lines = read_lines(path)?;
    let first = lines.iter().next().unwrap_or_default();
    let is_own = first == HEADER || lines.is_empty() || number(first).is_some();
    let mut columns = if is_own { parse(&lines)? } else { of_metrics(&lines)? };
    columns.retain(|column| !column.scores.is_empty());
    if columns.is_empty() {
        let path = path.display();
        return Err(Error::Unusable(format!("{path} has no segment scores, only scores of systems")));
    }
    Ok(columns)
}

/// The scores of segments in a file of another tool, which must all be of one test set.
fn of_metrics(lines: &Lines) -> Result<Vec<ScoreColumn>> {
    let mut runs = parse_metric_scores(lines)?;
    runs.retain(|run| run.scores.level == Level::Segment);
    let about = |run: &MetricRun| format!("{} {}", run.set, run.pair).trim().to_owned();
    if let Some(other) = runs.iter().find(|run| about(run) != about(&runs[0])) {
        let what = format!(
            "it has scores of several test sets or language pairs, {} and {}: give each a file of its own",
            about(&runs[0]),
            about(other)
        );
        return Err(Error::bad_file(lines.path(), what));
    }
    let mut columns = Vec::new();
    for MetricRun { scores, segments, lower_is_better, .. } in runs {
        for (system, values) in scores.systems.into_iter().zip(scores.values) {
            if let Some(missing) = values.iter().position(Option::is_none) {
                let segment = segments.get(missing).cloned().unwrap_or_else(|| (missing + 1).to_string());
                let what = format!("{} has no score of {system} for segment {segment}", scores.metric);
                return Err(Error::bad_file(lines.path(), what));
            }
            let scores_of_segments = values.into_iter().flatten().collect();
            let metric = Some(scores.metric.clone());
            columns.push(ScoreColumn { system, metric, scores: scores_of_segments, corpus: None, lower_is_better });
        }
    }
    Ok(columns)
}

/// The score columns in these lines.
pub(super) fn parse(lines: &Lines) -> Result<Vec<ScoreColumn>> {
    if lines.is_empty() {
        return Err(lines.is_empty_error("expected one score per line"));
    }
    if lines.line(0) == HEADER { parse_table(lines) } else { parse_numbers(lines) }
}

fn parse_numbers(lines: &Lines) -> Result<Vec<ScoreColumn>> {
    let scores: Result<Vec<f64>> =
        lines.iter().enumerate().map(|(i, line)| number(line).ok_or_else(|| not_a_score(lines, i, line))).collect();
    Ok(vec![ScoreColumn {
        system: lines.path().display().to_string(),
        metric: None,
        scores: scores?,
        corpus: None,
        lower_is_better: false,
    }])
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
                columns.push(ScoreColumn { system, metric, scores: Vec::new(), corpus: None, lower_is_better: false });
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
