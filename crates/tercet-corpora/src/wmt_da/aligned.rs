//! Segment-level direct assessment as line-aligned files, one set of files for each language pair.
//!
//! Each line is one output of one system. Two layouts:
//!
//! - WMT15–16, `DAseg-wmt-newstest2016.tar.gz` by Yvette Graham: `<prefix>.source.<pair>`, `.reference.`, `.mt-system.`
//!   and `.human.`, under any prefix (`newstest2015`, `DAseg.newstest2016`, `DAseg-newstest2016`). Beside them
//!   `.details.`, a table `LP DATA THIS.SID ORIG.SID SYSTEM`. Any other file of a pair with a number on each line holds
//!   the scores of a metric, named after it (`sbleumoses`); other files are not read.
//! - newstest2013, Graham et al. 2016 (COLING, "Is all that Glitters in Machine Translation Quality Estimation really
//!   Gold?"): `src.<pair>`, `ref.`, `sys.` and `human-scores.<pair>.csv`, a table `LP SYSTEM SID HUMAN` with a row for
//!   each line. `human-post-edit.<pair>` is not read: a correction of this very output is not an independent reference.
//!   To use it all the same, pass the file as a reference.
//!
//! The lines come from many systems, with too few of each to judge it: they are taken as the outputs of one system
//! called `mt-system`. A segment is named by its number in the test set and its system, `1158:cu-mergedtrees`, or by
//! its line if the files do not say. Scores are z: standardised by judge, then averaged over judges.

use crate::error::{Error, Result};

use crate::judgements::{HumanScores, Judgements, Level, MetricScores, Reference, Texts};
use crate::plain_text::Lines;
use crate::records::{Record, Records, Separator, score};

/// Name of the only system.
const SYSTEM: &str = "mt-system";

/// The files of one language pair.
#[derive(Clone, Debug)]
pub struct AlignedFiles {
    /// The sources.
    pub source: Option<Lines>,
    /// The references.
    pub reference: Option<Lines>,
    /// The outputs of the systems.
    pub hypothesis: Lines,
    /// The human scores.
    pub human: AlignedScores,
    /// Other files of the pair by name; those with a number on each line are metric scores.
    pub others: Vec<(String, Lines)>,
}

/// The file of human scores.
#[derive(Clone, Debug)]
pub enum AlignedScores {
    /// A number on each line, and optionally a table with the system and segment of each line.
    Numbers(Lines, Option<Lines>),
    /// A table with a row for each line: `LP SYSTEM SID HUMAN`.
    Table(Lines),
}

impl AlignedFiles {
    /// Reads the files.
    pub fn judgements(&self) -> Result<Judgements> {
        let hypothesis = &self.hypothesis;
        for text in [&self.source, &self.reference].into_iter().flatten() {
            hypothesis.check_length_of(text)?;
        }
        let (segments, values) = match &self.human {
            AlignedScores::Numbers(numbers, details) => {
                hypothesis.check_length_of(numbers)?;
                let names = details.as_ref().map(|details| details_names(details, hypothesis));
                let lines = || (1..=hypothesis.len()).map(|line| line.to_string()).collect();
                (names.transpose()?.unwrap_or_else(lines), read_numbers(numbers)?)
            }
            AlignedScores::Table(table) => read_table(table, hypothesis)?,
        };
        let texts = Texts {
            sources: self.source.as_ref().map(|lines| lines.iter().map(str::to_owned).collect()),
            references: self.reference.iter().map(reference).collect(),
            outputs: vec![present(hypothesis)],
        };
        Ok(Judgements {
            systems: vec![SYSTEM.to_owned()],
            segments,
            texts: Some(texts),
            scores: vec![HumanScores {
                name: "z".to_owned(),
                level: Level::Segment,
                higher_is_better: true,
                values: vec![values],
            }],
            metric_scores: self.metric_scores()?,
            ..Judgements::default()
        })
    }

    /// Metric scores: the other files whose first line is a number; they must have one on every line.
    fn metric_scores(&self) -> Result<Vec<MetricScores>> {
        let is_numbers = |lines: &Lines| lines.iter().next().is_some_and(|line| score(line).is_ok());
        let metrics = self.others.iter().filter(|(_, lines)| is_numbers(lines));
        metrics
            .map(|(name, lines)| {
                self.hypothesis.check_length_of(lines)?;
                Ok(MetricScores {
                    metric: name.clone(),
                    level: Level::Segment,
                    systems: vec![SYSTEM.to_owned()],
                    values: vec![read_numbers(lines)?],
                })
            })
            .collect()
    }
}

fn present(lines: &Lines) -> Vec<Option<String>> {
    lines.iter().map(|line| Some(line.to_owned())).collect()
}

fn reference(lines: &Lines) -> Reference {
    Reference { name: String::new(), lines: present(lines) }
}

/// A number on each line.
fn read_numbers(lines: &Lines) -> Result<Vec<Option<f64>>> {
    let number = |(at, line)| score(line).map_err(|what| lines.bad(at + 1, what));
    lines.iter().enumerate().map(number).collect()
}

/// The names of the segments in the details.
fn details_names(details: &Lines, hypothesis: &Lines) -> Result<Vec<String>> {
    let records = Records::new(details, Separator::Space)?;
    let (this, original) = (records.find(&["THIS.SID"]), records.column(&["ORIG.SID", "SID"])?);
    let system = records.column(&["SYSTEM", "SYS"])?;
    let mut names = Vec::new();
    for record in records.rows() {
        let record = record?;
        let line = names.len() + 1;
        if let Some(found) = this.map(|column| record.text(column)).filter(|text| text.parse() != Ok(line)) {
            return Err(record.bad(format!("expected the details of line {line}, found those of {found:?}")));
        }
        names.push(segment_name(&record, original, system));
    }
    same_length(details, names.len(), hypothesis)?;
    Ok(names)
}

/// Names and scores in a table with a row for each line.
fn read_table(table: &Lines, hypothesis: &Lines) -> Result<(Vec<String>, Vec<Option<f64>>)> {
    let records = Records::new(table, Separator::Space)?;
    let (segment, system) = (records.column(&["SID"])?, records.column(&["SYSTEM", "SYS"])?);
    let human = records.column(&["HUMAN"])?;
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for record in records.rows() {
        let record = record?;
        names.push(segment_name(&record, segment, system));
        values.push(record.score(human)?);
    }
    same_length(table, names.len(), hypothesis)?;
    Ok((names, values))
}

fn segment_name(record: &Record<'_>, segment: usize, system: usize) -> String {
    format!("{}:{}", record.text(segment), record.text(system))
}

fn same_length(table: &Lines, rows: usize, hypothesis: &Lines) -> Result<()> {
    if rows == hypothesis.len() {
        return Ok(());
    }
    Err(Error::LineCount {
        path: table.path().to_owned(),
        found: rows,
        other: hypothesis.path().to_owned(),
        expected: hypothesis.len(),
        hint: Some("its header not counted".to_owned()),
    })
}
