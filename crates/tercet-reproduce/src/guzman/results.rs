//! From figures to cells, with what has to be said beside them.

use super::execute::PlannedRuns;
use super::experiment::{Task, Vectors};
use super::experiment_cache::ExperimentCache;
use super::plan::{CellGroup, PlannedCell, PlannedRow, PlannedTable};
use super::sets::SetName;
use crate::VectorFile;
use crate::finished::Figures;
use crate::{Cell, Reproduction, TableResult, Unit};
use tercet::Result;
use tercet::learned::Scope;

/// What the article is called.
const PAPER: &str = "Guzmán, Joty, Màrquez & Nakov (2017): Machine Translation Evaluation with Neural Networks";

/// All tables with their cells.
pub(super) fn results(
    shared: &mut ExperimentCache<'_>,
    planned: &[PlannedTable],
    wanted: &[PlannedRuns],
    figures: &[Vec<Figures>],
) -> Result<Reproduction> {
    let of = |task: &Task| -> &[Figures] {
        let place = wanted.iter().position(|known| known.task == *task);
        place.map_or(&[], |place| &figures[place])
    };
    let tables = planned.iter().map(|table| table_result(table, &of)).collect();
    Ok(Reproduction { paper: PAPER.to_owned(), tables, notes: notes(shared, wanted) })
}

fn table_result<'f>(table: &PlannedTable, of: &dyn Fn(&Task) -> &'f [Figures]) -> TableResult {
    let cells = |row: &PlannedRow| -> Vec<Cell> {
        row.groups.iter().flat_map(|group| group_cells(&row.name, table.unit, group, of)).collect()
    };
    TableResult {
        table: table.table.clone(),
        title: table.title.clone(),
        unit: table.unit,
        columns: table.columns.clone(),
        ordered_by: table.ordered_by.clone(),
        cells: table.rows.iter().flat_map(cells).collect(),
        notes: table.notes.clone(),
    }
}

fn group_cells<'f>(row: &str, unit: Unit, group: &CellGroup, of: &dyn Fn(&Task) -> &'f [Figures]) -> Vec<Cell> {
    let cells = |cell: &PlannedCell| match &group.source {
        Err(why) => Cell::missing(row, &cell.column, cell.published, why.clone()),
        Ok(task) => {
            let made = cell_result(row, cell, of(task), task.is_learned());
            let undefined = undefined(&cell.figures, of(task), unit);
            let note = group.note.iter().cloned().chain(undefined).chain(made.note).collect::<Vec<_>>();
            Cell { note: (!note.is_empty()).then(|| note.join("; ")), ..made }
        }
    };
    group.cells.iter().map(cells).collect()
}

/// A cell of ours, with what stands beside it as its note.
fn cell_result(row: &str, cell: &PlannedCell, figures: &[Figures], learned: bool) -> Cell {
    let averages = |names: &[String]| -> Vec<f64> { figures.iter().map(|figures| average(figures, names)).collect() };
    let beside = |(title, names): &(&str, Vec<String>)| {
        let by = Cell::of(row, "", None, &averages(names), learned).ours;
        format!("{title}: {}", by.map_or("not a number".to_owned(), |by| format!("{by:.2}")))
    };
    let note = cell.beside.iter().map(beside).collect::<Vec<_>>().join("; ");
    let made = Cell::of(row, &cell.column, cell.published, &averages(&cell.figures), learned);
    Cell { note: (!note.is_empty()).then_some(note), ..made }
}

/// Why a cell is not a number, if it is not.
fn undefined(names: &[String], figures: &[Figures], unit: Unit) -> Option<String> {
    let odd = |name: &&String| figures.iter().any(|run| run.get(*name).is_none_or(|figure| figure.is_nan()));
    let odd: Vec<&str> = names.iter().filter(odd).map(String::as_str).collect();
    let why = match unit {
        Unit::TauTimes100 => "no strict judgement has a score for both outputs",
        Unit::Coefficient => "fewer than two systems have scores, or all have the same",
    };
    (!odd.is_empty()).then(|| format!("not a number: {}: {why}", odd.join(", ")))
}

/// The mean of some figures of a run; NaN if one is missing.
fn average(figures: &Figures, names: &[String]) -> f64 {
    let figure = |name: &String| figures.get(name).copied().unwrap_or(f64::NAN);
    names.iter().map(figure).sum::<f64>() / names.len() as f64
}

/// What holds for all tables.
fn notes(shared: &ExperimentCache<'_>, wanted: &[PlannedRuns]) -> Vec<String> {
    let mut notes = Vec::new();
    let learned = || {
        wanted.iter().filter_map(|one| match &one.task {
            Task::Learned(experiment) => Some(experiment),
            Task::Metric { .. } | Task::Cosine { .. } => None,
        })
    };
    if learned().next().is_none() {
        return notes;
    }
    let settings = shared.settings;
    notes.push(format!(
        "trained on WMT13 (10,000 judgements per language, or all in the columns /all), stopped by 5,000 judgements \
         of WMT14 \
         (of WMT12 where WMT14 is the test) after {} epochs without a new best ({} for all), of {} at most (learned \
         encoders: {} of {}); mean ± standard deviation over seeds; \
         the article trained on WMT11 for 10,000 epochs",
        settings.ready().patience,
        settings.ready().for_all().patience,
        settings.ready().epochs,
        settings.encoded().patience,
        settings.encoded().epochs
    ));
    notes.extend(learned().find_map(|experiment| identical(shared, experiment.test.scope())));
    let averages = Vectors::averages(VectorFile::WikiGw50);
    if let Some(with) = learned().find(|experiment| experiment.vectors.contains(&averages)) {
        notes.extend(coverage(shared, averages, with.test.scope()));
    }
    notes.push(match settings.paraphrase {
        Some(_) => "METEOR has the paraphrase table that was given".to_owned(),
        None => "METEOR has no paraphrase table (give paraphrase-en.gz)".to_owned(),
    });
    notes
}

/// How many judgements of WMT12 are of two equal outputs.
fn identical(shared: &ExperimentCache<'_>, scope: Scope) -> Option<String> {
    let set = shared.known_set(SetName::Wmt12, scope)?;
    let (same, all) = set.identical();
    Some(format!(
        "{same} of {all} judgements of WMT12 ({:.2}%) are of two outputs with the same text: they, and others with \
         the same \
         features, are decided by the bias of f(a, b, r), a coin toss; all other pairs by both orders of a and b",
        100.0 * same as f64 / all as f64
    ))
}

/// How many words of newstest2012's reference have a vector.
fn coverage(shared: &ExperimentCache<'_>, averages: Vectors, scope: Scope) -> Option<String> {
    let reference = &shared.known_set(SetName::Wmt12, scope)?.reference;
    let lines: Vec<&str> = reference.iter().map(String::as_str).collect();
    let share = shared.encoder(averages).coverage(&lines)?.share();
    Some(format!(
        "WIKI-GW50 has a vector for {:.1}% of the tokens of the reference of WMT12 (for all 400,000 words, give the \
         whole file \
         of GloVe as wiki-gw50)",
        100.0 * share
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guzman::experiment::Test;
    use crate::guzman::plan::{Shown, language_cells};

    #[test]
    fn a_figure_that_is_not_a_number_says_which_and_why() {
        let group = CellGroup {
            source: Ok(Task::Metric { metric: "bleu".to_owned(), test: Test::WMT12 }),
            cells: language_cells(&["cz", "de"], "", None, Shown::only(" systems")),
            note: Some("a remark".to_owned()),
        };
        let run: Figures = [("cz systems".to_owned(), f64::NAN), ("de systems".to_owned(), 0.5)].into();
        let cells = group_cells("BLEU", Unit::Coefficient, &group, &|_| std::slice::from_ref(&run));
        let why = "a remark; not a number: cz systems: fewer than two systems have scores, or all have the same";
        assert_eq!((cells[0].ours, cells[0].note.as_deref()), (None, Some(why)));
        assert_eq!((cells[1].ours, cells[1].note.as_deref()), (Some(0.5), Some("a remark")));
        assert_eq!((cells[2].ours, cells[2].note.as_deref()), (None, Some(why)));
    }
}
