//! Scores of metrics that were not computed here, for agreement with people.

use pyo3::prelude::*;
use tercet::corpora::{Judgements, MetricRun, MetricScores};
use tercet::meta_evaluation::scores_by_name;

/// Scores of segments by one metric, a list for each column, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ScoreTable {
    metric: String,
    /// The set and the language pair of each score, if there are several.
    set: Option<Vec<String>>,
    pair: Option<Vec<String>>,
    system: Vec<String>,
    segment: Vec<String>,
    score: Vec<f64>,
}

impl ScoreTable {
    /// The scores of a set; `None` if there are none. A row that is of two sets is an error; `used` are those of other sets.
    fn on(&self, judgements: &Judgements, used: &mut [bool]) -> tercet::Result<Option<MetricScores>> {
        let is = |column: &Option<Vec<String>>, row: usize, name: &str| {
            column.as_ref().is_none_or(|column| column[row] == name)
        };
        let rows: Vec<usize> = (0..self.score.len())
            .filter(|&row| is(&self.set, row, &judgements.set) && is(&self.pair, row, &judgements.pair))
            .filter(|&row| judgements.systems.contains(&self.system[row]))
            .collect();
        if rows.iter().any(|&row| std::mem::replace(&mut used[row], true)) {
            return Err(tercet::Error::BadRequest(format!(
                "scores[{:?}] has scores that are of more than one set or language pair: add a column pair, or set",
                self.metric
            )));
        }
        let named = |&row: &usize| (self.system[row].as_str(), self.segment[row].as_str(), self.score[row]);
        let scores = scores_by_name(judgements, &self.metric, rows.iter().map(named))?;
        Ok(Some(scores).filter(|_| !rows.is_empty()))
    }
}

/// Scores that were not computed here: from files, and tables with the rows of each that were used.
pub struct GivenScores<'a> {
    files: Vec<MetricRun>,
    tables: &'a [ScoreTable],
    used: Vec<Vec<bool>>,
}

impl<'a> GivenScores<'a> {
    pub fn new(files: Vec<MetricRun>, tables: &'a [ScoreTable]) -> Self {
        let used = tables.iter().map(|table| vec![false; table.score.len()]).collect();
        GivenScores { files, tables, used }
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.tables.is_empty()
    }

    /// Returns an error if one of the names of error rates is no metric.
    pub fn check_names(&self, lower_is_better: &[String]) -> tercet::Result<()> {
        let files = self.files.iter().map(|run| run.scores.metric.as_str());
        let known: Vec<&str> = files.chain(self.tables.iter().map(|table| table.metric.as_str())).collect();
        match lower_is_better.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(tercet::Error::BadRequest(format!(
                "lower_is_better: there are no scores by {name:?} (there are: {})",
                known.join(", ")
            ))),
            None => Ok(()),
        }
    }

    /// The scores of one language pair.
    pub fn on(&mut self, judgements: &Judgements) -> tercet::Result<Vec<MetricScores>> {
        let of_pair = |run: &&MetricRun| run.pair.is_empty() || run.pair == judgements.pair;
        let mut found: Vec<MetricScores> =
            self.files.iter().filter(of_pair).map(|run| run.scores.clone()).collect();
        for (table, used) in self.tables.iter().zip(&mut self.used) {
            found.extend(table.on(judgements, used)?);
        }
        Ok(found)
    }

    /// What is wrong with tables without a score of any set.
    pub fn unused(&self) -> impl Iterator<Item = String> {
        let unused = self.tables.iter().zip(&self.used).filter(|(_, used)| !used.contains(&true));
        unused.map(|(table, _)| {
            let first =
                table.system.first().map_or(String::new(), |name| format!(" (its first is of {name:?})"));
            format!(
                "{} is left out: its table has no score of these systems, pairs and sets{first}",
                table.metric
            )
        })
    }
}
