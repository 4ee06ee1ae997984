//! RUSE: Shimanaka, Kajiwara & Komachi (2018), *Metric for Automatic Machine Translation Evaluation based on Universal
//! Sentence Representations*. Table 2: Pearson's r with direct assessments of WMT16, segment by segment.
//!
//! | | the paper | here |
//! |---|---|---|
//! | test | each pair into English of WMT16, 560 segments | the same |
//! | training | all other direct assessments into English of WMT15 and WMT16, 4,800 segments | the same |
//! | regression | ε-SVR, RBF kernel, 64 settings by 10-fold cross-validation | the same; for combinations another grid and scaled features |
//! | encoders | Skip-Thought, InferSent | averages of GloVe, and those that are given |
//! | Blend | 57 metrics | those of tercet, and their components |
//!
//! The printed columns de-en and fi-en are exchanged; both readings are shown.

mod rows;
mod sets;

use crate::finished::{Figures, FinishedRuns, Key};
use crate::plan::{self, CellGroup, PlannedCell, PlannedRuns, PlannedTable, Run, begin, left};
use crate::published::PublishedTable;
use crate::{ReproduceJob, Reproduction, Unit};
use rows::{Combination, Row, Task, rows};
use serde_json::json;
use sets::{Encoders, Inputs, JudgedSet, ScoredRows, signature};
use tercet::Result;
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::statistics::correlation::pearson;
use tercet_learn::feature_scaling::FeatureScaling;
use tercet_learn::model_selection::{Folds, lowest};
use tercet_learn::regression::Problem;

/// What the paper is called.
const PAPER: &str = "Shimanaka, Kajiwara & Komachi (2018): Metric for Automatic Machine Translation Evaluation based \
    on Universal Sentence Representations";

/// The folds of the paper.
const FOLDS: usize = 10;

/// The only entry of a finished run.
const PEARSON: &str = "pearson";

/// The tested language pairs, in the order of the table.
const PAIRS: [&str; 6] = ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"];

/// The last column.
const AVERAGE: &str = "Avg.";

/// A row on a tested language pair.
type RowOnPair<'r> = (&'r Task, &'static str);

impl plan::Task for &Row {
    fn is_learned(&self) -> bool {
        false
    }
}

/// Computes the table again. `progress` advances by tested language pairs of rows.
pub(crate) fn reproduce(settings: &ReproduceJob, registry: &Registry, progress: Progress<'_>) -> Result<Reproduction> {
    let rows = rows(settings)?;
    let sets = sets::read(settings)?;
    let encoders = Encoders::build(rows.iter().map(|row| &row.task), registry.context())?;
    let finished = FinishedRuns::new(settings.cache(), settings.fresh, progress);
    let mut wanted: Vec<PlannedRuns<RowOnPair<'_>>> = Vec::new();
    let mut keys: Vec<Key> = Vec::new();
    for row in rows.iter().filter(|row| row.missing().is_none()) {
        for pair in PAIRS {
            keys.push(key(&row.task, pair, &sets, &encoders, registry)?);
            wanted.push(PlannedRuns { task: (&row.task, pair), name: row.name.clone(), seeds: vec![0] });
        }
    }
    let key = |task: &RowOnPair<'_>| {
        let place = wanted.iter().position(|one| std::ptr::eq(one.task.0, task.0) && one.task.1 == task.1);
        keys[place.expect("every row on every pair is wanted")].clone()
    };
    let runs = left(&wanted, &finished, key);
    let tasks: Vec<&Task> = runs.iter().map(|run| run.wanted.task.0).collect();
    let inputs = Inputs::compute(&tasks, &sets, &encoders, (settings, registry), progress)?;
    begin(progress, &wanted, runs.len())?;
    for Run { wanted, key, .. } in &runs {
        let value = value(wanted.task, &sets, &inputs, progress)?;
        finished.keep(key, 0, &Figures::from([(PEARSON.to_owned(), value)]));
        progress.advance(1)?;
    }
    let figures = |row: &&Row| {
        let on_pair = |pair: &&'static str| {
            let found = finished.find(&key(&(&row.task, *pair)), 0)?;
            Some(((*pair).to_owned(), *found.get(PEARSON)?))
        };
        vec![PAIRS.iter().filter_map(on_pair).collect()]
    };
    let tables = [
        ("2", "columns de-en and fi-en of the paper exchanged", true),
        ("2 as printed", "columns of the paper as they are printed", false),
    ];
    let tables = tables.map(|(name, title, exchanged)| table(name, title, exchanged, &rows).fill(figures));
    Ok(Reproduction { paper: PAPER.to_owned(), tables: tables.into(), notes: notes() })
}

/// Pearson's r of a row on a pair.
fn value((task, pair): RowOnPair<'_>, sets: &[JudgedSet], inputs: &Inputs, progress: Progress<'_>) -> Result<f64> {
    let tested = tested(sets, pair);
    match task {
        Task::Metric(feature) => {
            let mut values = Vec::new();
            let mut scores = Vec::new();
            for &set in &tested {
                let column = &inputs.columns(feature, set)?[0].values;
                let judged = &sets[set].judged.scores;
                values.extend(judged.iter().map(|one| column[one.translation as usize]));
                scores.extend(judged.iter().map(|one| one.score));
            }
            Ok(pearson(&values, &scores).value)
        }
        Task::Regression(combination) => {
            let (mut training, mut test) = (ScoredRows::default(), ScoredRows::default());
            for set in 0..sets.len() {
                let rows = inputs.table(combination, sets, set)?;
                if tested.contains(&set) { test.extend(rows) } else { training.extend(rows) }
            }
            predict(combination, &training, &test, progress)
        }
        Task::Missing(_) => Ok(f64::NAN),
    }
}

/// Chooses settings on the training rows, fits, and compares the predictions for the others with their scores.
fn predict(combination: &Combination, training: &ScoredRows, test: &ScoredRows, progress: Progress<'_>) -> Result<f64> {
    let progress = progress.quiet();
    let (mut rows, mut tested) = (training.matrix()?, test.matrix()?);
    let scaling = FeatureScaling::fit(&rows, &training.blocks, combination.scaling)?;
    scaling.apply(&mut rows)?;
    scaling.apply(&mut tested)?;
    let problem = Problem::new(&rows, &training.scores)?;
    let folds = Folds::contiguous(training.scores.len(), FOLDS)?;
    let errors = problem.search(&combination.methods, &folds, progress)?;
    let chosen = combination.methods[lowest(&errors).unwrap_or(0)];
    let predictions = problem.fit(&chosen, progress)?.predict(&tested)?;
    Ok(pearson(&predictions, &test.scores).value)
}

/// The sets of WMT16 of a language pair.
fn tested(sets: &[JudgedSet], pair: &str) -> Vec<usize> {
    let is_tested = |set: &JudgedSet| set.judged.pair == pair && set.judged.set.contains("wmt16");
    (0..sets.len()).filter(|&set| is_tested(&sets[set])).collect()
}

/// All that decides the digits of a run.
fn key(task: &Task, pair: &str, sets: &[JudgedSet], encoders: &Encoders, registry: &Registry) -> Result<Key> {
    let data: Vec<&str> = sets.iter().map(|set| set.fingerprint.as_str()).collect();
    let what = match task {
        Task::Missing(why) => json!({"missing": why}),
        Task::Metric(feature) => json!({"metric": signature(feature, registry)?}),
        Task::Regression(combination) => json!({
            "metrics": combination
                .metrics
                .iter()
                .map(|feature| signature(feature, registry))
                .collect::<Result<Vec<_>>>()?,
            "encoders": combination.encoders.iter().map(|spec| encoders.signature(spec)).collect::<Vec<_>>(),
            "scaling": combination.scaling.name(),
            "methods": format!("{:?}", combination.methods),
        }),
    };
    Ok(Key(json!({"paper": "ruse", "tested": pair, "data": data, "row": what})))
}

/// The table, with the published columns de-en and fi-en exchanged or as they are printed: SentBLEU, which is the same
/// program everywhere, has its figure of de-en under fi-en, and the reverse.
fn table<'r>(name: &str, title: &str, exchanged: bool, rows: &'r [Row]) -> PlannedTable<&'r Row> {
    let (title, columns) = (format!("Pearson's r with direct assessments of WMT16, {title}"), [&PAIRS[..], &[AVERAGE]]);
    let columns = columns.concat();
    let mut table = PlannedTable::new(name, &title, Unit::Coefficient, &columns, &[AVERAGE]);
    for row in rows {
        let cell = |column: &&str| PlannedCell {
            column: (*column).to_owned(),
            published: published(&row.name, column, exchanged),
            figures: PAIRS
                .iter()
                .filter(|pair| **pair == *column || *column == AVERAGE)
                .map(|pair| (*pair).to_owned())
                .collect(),
            note: None,
        };
        let source = row.missing().map_or(Ok(row), |why| Err(why.to_owned()));
        table.add(&row.name, vec![CellGroup { source, cells: columns.iter().map(cell).collect(), note: None }]);
    }
    table
}

/// A figure of the paper, if it has one.
fn published(row: &str, column: &str, exchanged: bool) -> Option<f64> {
    let column = match column {
        "de-en" if exchanged => "fi-en",
        "fi-en" if exchanged => "de-en",
        column => column,
    };
    PublishedTable::find("ruse 2")?.figure(row, column)
}

/// What holds for the table.
fn notes() -> Vec<String> {
    vec![
        "each pair of WMT16 is tested by a regression that learned from all other direct assessments into English of \
         WMT15 and WMT16"
            .to_owned(),
        "SentBLEU has the published digits only if the printed columns de-en and fi-en are exchanged".to_owned(),
        "ReVal without a given model is the embedded one, which has learned from rankings of WMT12 to WMT16, those of \
         the tested systems among them; only a given model is combined with other metrics"
            .to_owned(),
        "Blend is the same regression over the metrics of tercet; the paper combines 57 metrics".to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_are_exchanged_in_one_reading() {
        assert_eq!(published("SentBLEU", "de-en", true), Some(0.484));
        assert_eq!(published("SentBLEU", "de-en", false), Some(0.448));
        assert_eq!(published("SentBLEU", "cs-en", true), published("SentBLEU", "cs-en", false));
        assert_eq!(published("chrF", "cs-en", false), None);
    }
}
