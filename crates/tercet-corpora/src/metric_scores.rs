//! Scores of metrics, in any of their formats.
//!
//! | format | recognised by | metric's name | |
//! |---|---|---|---|
//! | tercet's table, or a number per line | the header, or one field on the first line | the table's, or the file's name | `score_file` |
//! | mt-metrics-eval's `NAME-REF.LEVEL.score` | two fields on the first line, three for domains | the file's name | `score_blocks` |
//! | a WMT submission | five fields or more | each line's | `submission` |
//! | COMET's lines and JSON, MetricX, rows | see there | the file's name | `tool_scores` |
//!
//! In the first two formats a file has the scores of one set, without its name and language pair. For mt-metrics-eval's
//! files without a level in their name, one score per system means scores of systems, several mean scores of segments.
//! Every system must have as many scores as the first. Domains are sorted by name.

use super::compressed::unpacked_name;
use super::judgements::{Level, MetricScores};
use super::plain_text::{Lines, read_lines};
use super::ratings::Ratings;
use super::score_blocks::{ScoreBlock, parse_blocks};
use super::score_file;
use super::submission::Submission;
use super::tool_scores::Tool;
use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::path::Path;

/// Scores of one metric on one test set.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricRun {
    /// Name of the test set, with its track if there is one; empty if the file does not say.
    pub set: String,
    /// The language pair; empty if the file does not say.
    pub pair: String,
    /// The scores.
    pub scores: MetricScores,
    /// The names of the segments, if the file has them: scores are joined by name, and by order without.
    pub segments: Vec<String>,
    /// The errors that the metric marked, and the scores of its runs, if there are several; systems and segments are
    /// numbered as in the scores, and a run is a rater.
    pub ratings: Option<Ratings>,
    /// Whether lower scores are better, as the format says.
    pub lower_is_better: bool,
}

impl MetricRun {
    /// Scores of a file that says nothing of set and pair.
    pub(super) fn new(scores: MetricScores) -> MetricRun {
        let (set, pair, segments) = (String::new(), String::new(), Vec::new());
        MetricRun { set, pair, scores, segments, ratings: None, lower_is_better: false }
    }
}

/// Reads a file of metric scores in any of its formats, compressed or not; `-` is standard input.
pub fn read_metric_scores(path: &Path) -> Result<Vec<MetricRun>> {
    parse_metric_scores(&read_lines(path)?)
}

/// Reads metric scores in any of their formats.
pub fn parse_metric_scores(lines: &Lines) -> Result<Vec<MetricRun>> {
    let first = lines.iter().next().unwrap_or_default();
    if first != score_file::HEADER
        && let Some(tool) = Tool::from_first_line(first)
    {
        return tool.parse(lines);
    }
    match first.split_whitespace().count() {
        _ if first == score_file::HEADER => own_table(lines),
        0 | 1 => own_table(lines),
        2 => Ok(vec![MetricRun::new(blocks(lines, false)?)]),
        3 => Ok(vec![MetricRun::new(blocks(lines, true)?)]),
        _ => Submission::parse(lines)?.runs(lines.path()),
    }
}

/// Splits a metric's name from the reference it used: `BLEU-refA` is `BLEU` with `refA`, `X-src` has none.
pub fn metric_and_reference(metric: &str) -> (&str, Option<&str>) {
    match metric.rsplit_once('-') {
        Some((name, used)) if matches!(used, "src" | "all") || used.starts_with("ref") => (name, Some(used)),
        _ => (metric, None),
    }
}

/// The name of a system from the file of its outputs or scores: `a/online-B.txt.gz` is `online-B`.
pub fn system_of_file(file: &str) -> &str {
    let name = unpacked_name(file.rsplit(['/', '\\']).next().unwrap_or(file));
    name.strip_suffix(".txt").unwrap_or(name)
}

/// The metric and level in a file's name: `BLEU-refA.seg.score.gz`.
pub(super) fn metric_and_level(path: &Path) -> (String, Option<Level>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = unpacked_name(&name);
    let Some(stem) = name.strip_suffix(".score") else { return (name.to_owned(), None) };
    match stem.rsplit_once('.').map(|(metric, level)| (metric, Level::from_code(level))) {
        Some((metric, Some(level))) => (metric.to_owned(), Some(level)),
        _ => (stem.to_owned(), None),
    }
}

fn own_table(lines: &Lines) -> Result<Vec<MetricRun>> {
    let mut found: Vec<MetricScores> = Vec::new();
    for column in score_file::parse(lines)? {
        let metric = column.metric.unwrap_or_else(|| metric_and_level(lines.path()).0);
        let segments: Vec<Option<f64>> = column.scores.into_iter().map(Some).collect();
        for (level, values) in [(Level::Segment, segments), (Level::System, Vec::from_iter(column.corpus.map(Some)))] {
            if !values.is_empty() {
                add_system(&mut found, (&metric, level), &column.system, values, lines)?;
            }
        }
    }
    if found.is_empty() {
        return Err(Error::Unusable(format!("{} has no scores", lines.path().display())));
    }
    Ok(found.into_iter().map(MetricRun::new).collect())
}

/// Adds a system's scores to those of its metric and level.
fn add_system(
    found: &mut Vec<MetricScores>,
    (metric, level): (&str, Level),
    system: &str,
    values: Vec<Option<f64>>,
    lines: &Lines,
) -> Result<()> {
    match found.iter_mut().find(|scores| scores.metric == metric && scores.level == level) {
        Some(scores) if scores.values[0].len() != values.len() => Err(Error::bad_file(
            lines.path(),
            format!(
                "{metric} has {} scores for {system} but {} for {}",
                values.len(),
                scores.values[0].len(),
                scores.systems[0]
            ),
        )),
        Some(scores) => {
            scores.systems.push(system.to_owned());
            scores.values.push(values);
            Ok(())
        }
        None => {
            let (metric, systems) = (metric.to_owned(), vec![system.to_owned()]);
            found.push(MetricScores { metric, level, systems, values: vec![values] });
            Ok(())
        }
    }
}

fn blocks(lines: &Lines, domains: bool) -> Result<MetricScores> {
    let blocks = parse_blocks(lines, domains)?;
    let (metric, level) = metric_and_level(lines.path());
    let items = if domains { by_domain(&blocks, lines)? } else { in_order(&blocks) };
    let expected = items[0].len();
    for (block, values) in blocks.iter().zip(&items) {
        let last = block.scores.last().map_or(1, |score| score.line);
        if values.len() != expected {
            let (first, found) = (blocks[0].system, values.len());
            return Err(lines
                .bad(last, format!("expected {expected} scores for {} as for {first}, found {found}", block.system)));
        }
        if let Some(missing) = block.scores.iter().find(|score| score.score.is_none()) {
            return Err(lines.bad(missing.line, "a metric's score cannot be None".to_owned()));
        }
    }
    let guess = match expected {
        _ if domains => Level::Domain,
        1 => Level::System,
        _ => Level::Segment,
    };
    let level = level.unwrap_or(guess);
    if (level == Level::System && expected != 1) || ((level == Level::Domain) != domains) {
        let what = format!("expected {} scores as the file's name says", level.code());
        return Err(lines.bad(blocks[0].scores.last().map_or(1, |score| score.line), what));
    }
    let systems = blocks.iter().map(|block| block.system.to_owned()).collect();
    Ok(MetricScores { metric, level, systems, values: items })
}

fn in_order(blocks: &[ScoreBlock]) -> Vec<Vec<Option<f64>>> {
    blocks.iter().map(|block| block.scores.iter().map(|score| score.score).collect()).collect()
}

/// The scores of each system, sorted by domain; every system has every domain once.
fn by_domain(blocks: &[ScoreBlock], lines: &Lines) -> Result<Vec<Vec<Option<f64>>>> {
    let domains: BTreeSet<&str> = blocks.iter().flat_map(|block| &block.scores).map(|score| score.domain).collect();
    let row = |block: &ScoreBlock| {
        let mut scores = block.scores.clone();
        scores.sort_by_key(|score| score.domain);
        if scores.iter().map(|score| score.domain).eq(domains.iter().copied()) {
            return Ok(scores.iter().map(|score| score.score).collect());
        }
        Err(lines.bad(
            block.scores.last().map_or(1, |score| score.line),
            format!("expected one score of {} for each of {} domains", block.system, domains.len()),
        ))
    };
    blocks.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Vec<MetricRun>> {
        parse_metric_scores(&Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn formats_are_recognised() {
        let only = |name: &str, text: &str| {
            let runs = read(name, text).unwrap();
            assert_eq!(runs.len(), 1);
            (runs[0].scores.metric.clone(), runs[0].scores.level, runs[0].scores.values.clone())
        };
        let some = |values: &[f64]| values.iter().map(|&value| Some(value)).collect::<Vec<_>>();
        let name = "dir/BLEU-refA.seg.score.gz";
        assert_eq!(
            only(name, "a 1\nb\t2\na 3\nb 4\n"),
            ("BLEU-refA".to_owned(), Level::Segment, vec![some(&[1.0, 3.0]), some(&[2.0, 4.0])])
        );
        assert_eq!(only("x.txt", "a 1\nb 2\n").1, Level::System);
        assert_eq!(only("x.doc.score", "a 1\nb 2\n").1, Level::Document);
        assert_eq!(
            only("M-src.domain.score", "news a 1\nchat a 2\nchat b 3\nnews b 4\n"),
            ("M-src".to_owned(), Level::Domain, vec![some(&[2.0, 1.0]), some(&[3.0, 4.0])])
        );
        assert_eq!(only("m.txt", "1\n2\n"), ("m.txt".to_owned(), Level::Segment, vec![some(&[1.0, 2.0])]));
        let table = "system\tsegment\tmetric\tscore\nx\t1\tm\t1\ny\t1\tm\t2\n";
        assert_eq!(only("t.tsv", table), ("m".to_owned(), Level::Segment, vec![some(&[1.0]), some(&[2.0])]));
        let submitted = read("M.seg.score", "M\tcs-en\tT\ta\t1\t0.5\n").unwrap();
        assert_eq!((submitted[0].set.as_str(), submitted[0].pair.as_str()), ("T", "cs-en"));
    }

    #[test]
    fn errors_name_file_and_line() {
        let message = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        assert_eq!(message("m", "a 1\na 2\nb 3\n"), "m:3: expected 2 scores for b as for a, found 1");
        assert_eq!(message("m", "a None\n"), "m:1: a metric's score cannot be None");
        assert_eq!(message("m", "a 1\na x\n"), "m:2: expected a number or None, found \"x\"");
        assert_eq!(message("m", "a 1\n\n"), "m:2: expected a system and a score, found \"\"");
        assert_eq!(message("m.sys.score", "a 1\na 2\n"), "m.sys.score:2: expected sys scores as the file's name says");
        assert_eq!(message("m", "d a 1\ne a 1\nd b 1\n"), "m:3: expected one score of b for each of 2 domains");
        let table = "system\tsegment\tmetric\tscore\nx\t1\tm\t1\nx\t2\tm\t1\ny\t1\tm\t2\n";
        assert_eq!(message("t", table), "t: m has 1 scores for y but 2 for x");
        assert!(message("m", "").starts_with("m is empty"));
    }
}
