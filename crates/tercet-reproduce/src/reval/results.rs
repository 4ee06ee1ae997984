//! From figures to tables, with what has to be said beside them.

use super::experiments::{Experiment, Experiments};
use super::published::{
    EXPECTED_WINS_AVERAGE, Level, PEARSON_AVERAGE, SPEARMAN_AVERAGE, TAU_AVERAGE, published, rows_of_others,
};
use super::tables::{COMPARED, Row, ablation, metrics, models};
use super::test_sets::TestSet;
use crate::finished::Figures;
use crate::{Cell, TableResult, Unit};

/// A column: its title, and the figures of which it is the mean.
struct Column {
    title: String,
    figures: Vec<String>,
}

fn columns(set: TestSet, level: Level) -> Vec<Column> {
    let one = |figure: &str| {
        let column = |pair: &&str| Column { title: (*pair).to_owned(), figures: vec![format!("{pair} {figure}")] };
        set.pairs().iter().map(column).collect::<Vec<_>>()
    };
    let average = |title: &str, figure: &str| Column { title: title.to_owned(), figures: named(set, figure) };
    let mut columns = match level {
        Level::Systems => one("pearson"),
        Level::Segments => one("tau"),
    };
    match level {
        Level::Segments => columns.push(average(TAU_AVERAGE, "tau")),
        Level::Systems => {
            columns.push(average(PEARSON_AVERAGE, "pearson"));
            if set == TestSet::Wmt15 {
                columns.push(average(EXPECTED_WINS_AVERAGE, "expected wins"));
            }
            columns.push(average(SPEARMAN_AVERAGE, "spearman"));
        }
    }
    columns
}

/// A figure of all language pairs.
fn named(set: TestSet, figure: &str) -> Vec<String> {
    set.pairs().iter().map(|pair| format!("{pair} {figure}")).collect()
}

/// The mean of some figures of a run; NaN if one is missing.
fn average(figures: &Figures, names: &[String]) -> f64 {
    let figure = |name: &String| figures.get(name).copied().unwrap_or(f64::NAN);
    names.iter().map(figure).sum::<f64>() / names.len() as f64
}

/// The tables of a test set.
pub(super) fn tables(experiments: &Experiments<'_>, set: TestSet) -> Vec<TableResult> {
    [Level::Systems, Level::Segments].map(|level| table(experiments, set, level)).into_iter().collect()
}

fn table(experiments: &Experiments<'_>, set: TestSet, level: Level) -> TableResult {
    let columns = columns(set, level);
    let mut cells = Vec::new();
    for row in models(set).iter().chain(&metrics(experiments.settings, level)) {
        cells.extend(cells_of(experiments, set, level, row, &columns));
    }
    for name in rows_of_others(set, level) {
        let missing = columns.iter().filter_map(|column| {
            let figure = published(set, level, name, &column.title)?;
            Some(Cell {
                row: (*name).to_owned(),
                column: column.title.clone(),
                published: Some(figure),
                ..Cell::default()
            })
        });
        cells.extend(missing);
    }
    let (name, title, average) = match level {
        Level::Systems => ("systems", systems_title(set), PEARSON_AVERAGE),
        Level::Segments => ("segments", segments_title(set), TAU_AVERAGE),
    };
    TableResult {
        table: format!("{} {name}", set.name()),
        title,
        unit: Unit::Coefficient,
        columns: columns.into_iter().map(|column| column.title).collect(),
        ordered_by: vec![average.to_owned()],
        cells,
        notes: comparisons(experiments, set, level),
    }
}

fn systems_title(set: TestSet) -> String {
    let human = match set {
        TestSet::Wmt15 => "official TrueSkill scores (Pre-TrueSkill: expected wins)",
        TestSet::Wmt12 | TestSet::Wmt14 => "expected wins, computed from the judgements",
    };
    format!(
        "{}, systems: Pearson's r with {human}, and the average of Spearman's ρ; trained on WMT13, `pairs` on all \
         other years",
        set.title()
    )
}

fn segments_title(set: TestSet) -> String {
    let ties = if set == TestSet::Wmt12 { "ties count against the metric" } else { "ties count for nothing" };
    format!("{}, segments: Kendall's τ ({ties}); trained on WMT13, `pairs` on all other years", set.title())
}

fn cells_of(experiments: &Experiments<'_>, set: TestSet, level: Level, row: &Row, columns: &[Column]) -> Vec<Cell> {
    let figures = experiments.figures(&row.task, set);
    let learned = !row.task.models().is_empty();
    let cell = |column: &Column| {
        let values: Vec<f64> = figures.iter().map(|figures| average(figures, &column.figures)).collect();
        let published = published(set, level, row.name, &column.title);
        let cell = Cell::of(row.name, &column.title, published, &values, learned);
        let note = (column.title == PEARSON_AVERAGE).then(|| intervals(set, &figures));
        Cell { note, ..cell }
    };
    columns.iter().map(cell).collect()
}

/// Half of the width of the 95% intervals, as papers write them after ±.
fn intervals(set: TestSet, figures: &[Figures]) -> String {
    let mean =
        |names: &[String]| figures.iter().map(|figures| average(figures, names)).sum::<f64>() / figures.len() as f64;
    let of = |pair: &&str| format!("{pair} ±{:.3}", mean(&[format!("{pair} interval")]));
    let pairs: Vec<String> = set.pairs().iter().map(of).collect();
    format!("95% intervals: {}, average ±{:.3}", pairs.join(", "), mean(&named(set, "interval")))
}

/// Whether Tree-LSTMs are better than LSTMs of the same size and data.
fn comparisons(experiments: &Experiments<'_>, set: TestSet, level: Level) -> Vec<String> {
    let figure = match level {
        Level::Systems => "pearson",
        Level::Segments => "tau",
    };
    let models = models(set);
    let of = |name: &str| -> Vec<f64> {
        let row = models.iter().find(|row| row.name == name);
        let figures = row.map(|row| experiments.figures(&row.task, set)).unwrap_or_default();
        figures.iter().map(|figures| average(figures, &named(set, figure))).collect()
    };
    let compared = COMPARED.iter().map(|[tree, list]| (tree, list, of(tree), of(list)));
    let complete = compared.filter(|(_, _, trees, lists)| !trees.is_empty() && trees.len() == lists.len());
    complete.map(|(tree, list, trees, lists)| format!("{tree} and {list}: {}", difference(&trees, &lists))).collect()
}

/// The difference of two rows, seed by seed.
fn difference(trees: &[f64], lists: &[f64]) -> String {
    let differences: Vec<f64> = trees.iter().zip(lists).map(|(tree, list)| tree - list).collect();
    let count = differences.len();
    let wins = differences.iter().filter(|difference| **difference > 0.0).count();
    let cell = Cell::of("", "", None, &differences, true);
    let (mean, spread) = (cell.ours.unwrap_or(f64::NAN), cell.spread);
    let verdict = if mean > 0.0 { "better" } else { "not better" };
    let difference = Unit::Coefficient.with_spread(mean, spread);
    format!(
        "Tree-LSTM is {verdict} than LSTM at equal size and data: {difference} over {count} seeds, better in {wins} \
         of {count}"
    )
}

/// The ablation: averages on WMT12 and WMT15.
pub(super) fn ablation_table(experiments: &Experiments<'_>) -> TableResult {
    let mut cells = Vec::new();
    for row in ablation() {
        for (set, figure, title) in ABLATION_COLUMNS {
            let figures = experiments.figures(&row.task, set);
            let values: Vec<f64> = figures.iter().map(|figures| average(figures, &named(set, figure))).collect();
            let level = if figure == "tau" { Level::Segments } else { Level::Systems };
            let column = if figure == "tau" { TAU_AVERAGE } else { PEARSON_AVERAGE };
            cells.push(Cell::of(row.name, title, published(set, level, row.name, column), &values, true));
        }
    }
    TableResult {
        table: "ablation".to_owned(),
        title: "what trees, word vectors, training data and objective contribute (ours): averages over language \
            pairs"
            .to_owned(),
        unit: Unit::Coefficient,
        columns: ABLATION_COLUMNS.iter().map(|(_, _, title)| (*title).to_owned()).collect(),
        ordered_by: Vec::new(),
        cells,
        notes: Vec::new(),
    }
}

/// Set, figure and title.
pub(super) const ABLATION_COLUMNS: [(TestSet, &str, &str); 4] = [
    (TestSet::Wmt12, "pearson", "WMT12 systems"),
    (TestSet::Wmt12, "tau", "WMT12 segments"),
    (TestSet::Wmt15, "pearson", "WMT15 systems"),
    (TestSet::Wmt15, "tau", "WMT15 segments"),
];

/// The tasks of a test set.
pub(super) fn tasks(experiments: &Experiments<'_>, set: TestSet) -> Vec<Experiment> {
    let of_level = |level| metrics(experiments.settings, level).into_iter();
    let rows = models(set).into_iter().chain(of_level(Level::Systems)).chain(of_level(Level::Segments));
    rows.map(|row| (row.task, set)).collect()
}

/// The tasks of the ablation.
pub(super) fn ablation_tasks() -> Vec<Experiment> {
    let sets = [TestSet::Wmt12, TestSet::Wmt15];
    ablation().into_iter().flat_map(|row| sets.map(|set| (row.task.clone(), set))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_over_all_language_pairs_and_undefined_if_one_is_missing() {
        let names = named(TestSet::Wmt12, "tau");
        assert_eq!(names, ["cs-en tau", "de-en tau", "es-en tau", "fr-en tau"]);
        let mut figures: Figures =
            names.iter().zip([0.1, 0.2, 0.3, 0.4]).map(|(name, value)| (name.clone(), value)).collect();
        assert!((average(&figures, &names) - 0.25).abs() < 1e-12);
        figures.remove("es-en tau");
        assert!(average(&figures, &names).is_nan());
    }

    #[test]
    fn columns_are_those_of_the_papers() {
        let titles = |set, level| columns(set, level).into_iter().map(|column| column.title).collect::<Vec<_>>();
        let systems = ["fr-en", "fi-en", "de-en", "cs-en", "ru-en", "PAvg", "Pre-TrueSkill", "SAvg"];
        assert_eq!(titles(TestSet::Wmt15, Level::Systems), systems);
        assert_eq!(titles(TestSet::Wmt12, Level::Segments), ["cs-en", "de-en", "es-en", "fr-en", "AVG"]);
    }

    #[test]
    fn trees_are_compared_with_lists_seed_by_seed() {
        assert_eq!(
            difference(&[0.5, 0.75, 0.5], &[0.25, 0.5, 0.5]),
            "Tree-LSTM is better than LSTM at equal size and data: 0.167 ± 0.144 over 3 seeds, better in 2 of 3"
        );
        assert!(difference(&[0.25], &[0.5]).starts_with("Tree-LSTM is not better than LSTM"));
    }

    #[test]
    fn every_published_row_is_in_its_table() {
        for set in TestSet::ALL {
            let names: Vec<&str> = models(set).iter().map(|row| row.name).collect();
            let published = ["L+Sick(50,150)", "L+Sick(100,300)"];
            assert!(published.iter().chain(COMPARED.as_flattened()).all(|name| names.contains(name)), "{names:?}");
        }
    }

    #[test]
    fn no_model_learns_from_the_year_it_is_tested_on() {
        for set in TestSet::ALL {
            for row in models(set) {
                let sets = row.task.models().iter().flat_map(|model| model.data.sets);
                assert!(sets.copied().all(|trained| trained != set.folder()), "{} {}", set.name(), row.name);
            }
        }
    }
}
