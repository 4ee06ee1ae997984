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

mod published;
mod rows;
mod sets;

use crate::finished::{Figures, FinishedRuns, Key};
use crate::{Cell, ReproduceJob, Reproduction, TableResult, Unit};
use published::{AVERAGE, PAIRS, Reading, published};
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
    on Universal Sentence \
                     Representations";

/// The folds of the paper.
const FOLDS: usize = 10;

/// The only entry of a finished run.
const PEARSON: &str = "pearson";

/// Computes the table again. `progress` advances by tested language pairs of rows.
pub(crate) fn reproduce(settings: &ReproduceJob, registry: &Registry, progress: Progress<'_>) -> Result<Reproduction> {
    let rows = rows(settings)?;
    let sets = sets::read(settings)?;
    let encoders = Encoders::build(rows.iter().map(|row| &row.task), registry.context())?;
    let finished = FinishedRuns::new(settings.cache(), settings.fresh, progress);
    let mut runs = Vec::new();
    for row in &rows {
        for pair in PAIRS {
            if let Some(key) = key(&row.task, pair, &sets, &encoders, registry)? {
                runs.push(Run { task: &row.task, pair, key });
            }
        }
    }
    let open: Vec<&Run<'_>> = runs.iter().filter(|run| finished.find(&run.key, 0).is_none()).collect();
    let tasks: Vec<&Task> = open.iter().map(|run| run.task).collect();
    let inputs = Inputs::compute(&tasks, &sets, &encoders, (settings, registry), progress)?;
    progress.stage("runs", open.len(), "runs")?;
    for run in open {
        let value = run.value(&sets, &inputs, progress)?;
        finished.keep(&run.key, 0, &Figures::from([(PEARSON.to_owned(), value)]));
        progress.advance(1)?;
    }
    let figure = |task: &Task, pair: &str| {
        let run = runs.iter().find(|run| std::ptr::eq(run.task, task) && run.pair == pair)?;
        finished.find(&run.key, 0)?.get(PEARSON).copied()
    };
    let tables = vec![
        table("2", "columns de-en and fi-en of the paper exchanged", Reading::Exchanged, &rows, &figure),
        table("2 as printed", "columns of the paper as they are printed", Reading::Printed, &rows, &figure),
    ];
    Ok(Reproduction { paper: PAPER.to_owned(), tables, notes: notes() })
}

/// A row on a tested language pair.
struct Run<'a> {
    task: &'a Task,
    pair: &'static str,
    key: Key,
}

impl Run<'_> {
    /// Pearson's r of the row on the pair.
    fn value(&self, sets: &[JudgedSet], inputs: &Inputs, progress: Progress<'_>) -> Result<f64> {
        let tested = tested(sets, self.pair);
        match self.task {
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

/// All that decides the digits of a run; `None` if there is nothing to run.
fn key(task: &Task, pair: &str, sets: &[JudgedSet], encoders: &Encoders, registry: &Registry) -> Result<Option<Key>> {
    let data: Vec<&str> = sets.iter().map(|set| set.fingerprint.as_str()).collect();
    let what = match task {
        Task::Missing(_) => return Ok(None),
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
    Ok(Some(Key(json!({"paper": "ruse", "tested": pair, "data": data, "row": what}))))
}

fn table(
    name: &str,
    title: &str,
    reading: Reading,
    rows: &[Row],
    figure: &dyn Fn(&Task, &str) -> Option<f64>,
) -> TableResult {
    let columns: Vec<String> = PAIRS.iter().chain([&AVERAGE]).map(|column| (*column).to_owned()).collect();
    let mut cells = Vec::new();
    for Row { name, task } in rows {
        let figures: Vec<f64> = PAIRS.iter().filter_map(|pair| figure(task, pair)).collect();
        let average = figures.iter().sum::<f64>() / PAIRS.len() as f64;
        for (place, column) in columns.iter().enumerate() {
            let of_paper = published(name, column, reading);
            cells.push(match task {
                Task::Missing(why) => Cell::missing(name, column, of_paper, why.clone()),
                _ => Cell::of(name, column, of_paper, &[figures.get(place).copied().unwrap_or(average)], false),
            });
        }
    }
    TableResult {
        table: name.to_owned(),
        title: format!("Pearson's r with direct assessments of WMT16, {title}"),
        unit: Unit::Coefficient,
        columns,
        ordered_by: vec![AVERAGE.to_owned()],
        cells,
        notes: Vec::new(),
    }
}

/// What holds for the table.
fn notes() -> Vec<String> {
    vec![
        "each pair of WMT16 is tested by a regression that learned from all other direct assessments into English of \
         WMT15 and WMT16"
            .to_owned(),
        "SentBLEU has the published digits only if the printed columns de-en and fi-en are exchanged".to_owned(),
        "ReVal without a given model is the embedded one, which has learned from rankings of WMT12 to WMT16, those of \
         the tested systems \
         among them; only a given model is combined with other metrics"
            .to_owned(),
        "Blend is the same regression over the metrics of tercet; the paper combines 57 metrics".to_owned(),
    ]
}
