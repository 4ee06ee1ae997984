//! Scores of metrics that were not computed here: from files, and from tables in memory.

use super::from_files::scores_by_name;
use crate::corpora::{Judgements, Level, MetricRun, MetricScores, read_metric_scores, system_of_file};
use crate::error::{Error, Result};
use foldhash::HashSet;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Scores of segments by one metric, a list for each column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreTable {
    /// The metric.
    pub metric: String,
    /// The set of each score, if there are several.
    pub set: Option<Vec<String>>,
    /// The language pair of each score, if there are several.
    pub pair: Option<Vec<String>>,
    /// The system of each score.
    pub system: Vec<String>,
    /// The segment of each score, as the set calls it.
    pub segment: Vec<String>,
    /// The scores.
    pub score: Vec<f64>,
}

impl ScoreTable {
    /// The scores of a set; `None` if there are none. A row that is of two sets is an error; `used` are those of other
    /// sets.
    fn on(&self, judgements: &Judgements, used: &mut [bool]) -> Result<Option<MetricScores>> {
        let is = |column: &Option<Vec<String>>, row: usize, name: &str| {
            column.as_ref().is_none_or(|column| column[row] == name)
        };
        let rows: Vec<usize> = (0..self.score.len())
            .filter(|&row| is(&self.set, row, &judgements.set) && is(&self.pair, row, &judgements.pair))
            .filter(|&row| judgements.systems.contains(&self.system[row]))
            .collect();
        if rows.iter().any(|&row| std::mem::replace(&mut used[row], true)) {
            return Err(Error::BadRequest(format!(
                "the table of {} has scores that are of more than one set or language pair: add a column pair, or set",
                self.metric
            )));
        }
        let named = |&row: &usize| (self.system[row].as_str(), self.segment[row].as_str(), self.score[row]);
        let scores = scores_by_name(judgements, &self.metric, rows.iter().map(named))?;
        Ok(Some(scores).filter(|_| !rows.is_empty()))
    }
}

/// The names that the set has for the segments of a file; `None` if the file is in the order of the set.
pub(super) fn names_of_segments(run: &MetricRun, judgements: &Judgements) -> Option<Vec<String>> {
    if run.segments.is_empty() || run.scores.level != Level::Segment {
        return None;
    }
    let known: HashSet<&str> = judgements.segments.iter().map(String::as_str).collect();
    // MetricX numbers segments from 0, most sets from 1.
    let numbers: Option<Vec<u64>> = run.segments.iter().map(|name| name.parse().ok()).collect();
    let names: Vec<String> = match numbers.filter(|numbers| numbers.contains(&0) && !known.contains("0")) {
        Some(numbers) => numbers.iter().map(|number| (number + 1).to_string()).collect(),
        None => run.segments.clone(),
    };
    // Files with other names of segments are read in their order.
    names.iter().any(|name| known.contains(name.as_str())).then_some(names)
}

/// The scores of a file laid out as the set has its segments, if the file names them.
fn by_name(run: &MetricRun, judgements: &Judgements) -> Result<MetricScores> {
    let Some(names) = names_of_segments(run, judgements) else { return Ok(run.scores.clone()) };
    let known: HashSet<&str> = judgements.segments.iter().map(String::as_str).collect();
    let systems: Vec<&str> = run.scores.systems.iter().map(|system| system_of(system, run, judgements)).collect();
    let scores = systems.iter().zip(&run.scores.values).flat_map(|(system, values)| {
        names.iter().zip(values).filter_map(|(name, value)| Some((*system, name.as_str(), (*value)?)))
    });
    scores_by_name(judgements, &run.scores.metric, scores.filter(|(_, name, _)| known.contains(name)))
}

/// The system of a set that a file calls so, or by the name of a file.
pub(super) fn system_of<'n>(name: &'n str, run: &MetricRun, judgements: &'n Judgements) -> &'n str {
    match judgements.systems.as_slice() {
        [only] if run.scores.systems.len() == 1 => only,
        systems if systems.iter().any(|system| system == name) => name,
        _ => system_of_file(name),
    }
}

/// All scores of a run, with the rows of each table that were used.
pub(super) struct GivenScores<'a> {
    files: Vec<MetricRun>,
    tables: &'a [ScoreTable],
    used: Vec<Vec<bool>>,
}

impl<'a> GivenScores<'a> {
    /// Reads the files.
    pub(super) fn read(files: &[PathBuf], tables: &'a [ScoreTable]) -> Result<Self> {
        let mut runs = Vec::new();
        for file in files {
            runs.extend(read_metric_scores(file)?);
        }
        let used = tables.iter().map(|table| vec![false; table.score.len()]).collect();
        Ok(GivenScores { files: runs, tables, used })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.tables.is_empty()
    }

    /// Returns an error if one of these names is no metric that has scores.
    pub(super) fn check_names(&self, lower_is_better: &[String]) -> Result<()> {
        let files = self.files.iter().map(|run| run.scores.metric.as_str());
        let known: Vec<&str> = files.chain(self.tables.iter().map(|table| table.metric.as_str())).collect();
        match lower_is_better.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(Error::BadRequest(format!(
                "lower_is_better: there are no scores by {name:?} (there are: {})",
                known.join(", ")
            ))),
            None => Ok(()),
        }
    }

    /// The scores of one language pair.
    pub(super) fn on(&mut self, judgements: &Judgements) -> Result<Vec<MetricScores>> {
        let of_pair = |run: &&MetricRun| run.pair.is_empty() || run.pair == judgements.pair;
        let of_set = self.files.iter().filter(of_pair).map(|run| by_name(run, judgements));
        let mut found: Vec<MetricScores> = of_set.collect::<Result<_>>()?;
        for (table, used) in self.tables.iter().zip(&mut self.used) {
            found.extend(table.on(judgements, used)?);
        }
        Ok(found)
    }

    /// The metrics whose lower scores are better, as the formats of their files say.
    pub(super) fn lower_is_better(&self) -> impl Iterator<Item = &String> {
        self.files.iter().filter(|run| run.lower_is_better).map(|run| &run.scores.metric)
    }

    /// The tables without a score of any set.
    pub(super) fn unused(&self) -> impl Iterator<Item = &'a ScoreTable> {
        self.tables.iter().zip(&self.used).filter(|(_, used)| !used.contains(&true)).map(|(table, _)| table)
    }
}
