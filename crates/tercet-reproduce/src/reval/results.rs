//! The tables with what is run for each cell, and what has to be said beside them.

use super::experiments::{Experiment, Experiments};
use super::tables::{COMPARED, Level, Row, ablation, metrics, models};
use super::test_sets::TestSet;
use crate::finished::Figures;
use crate::plan::{self, CellGroup, CellNote, PlannedCell, average, mean};
use crate::published::PublishedTable;
use crate::{Cell, ReproduceJob, Unit};

/// A table of the papers or of ours, to be filled.
pub(super) type PlannedTable = plan::PlannedTable<Experiment>;

/// The published figures of a set.
fn published(set: TestSet, level: Level) -> Option<&'static PublishedTable> {
    PublishedTable::find(&format!("reval {} {}", set.name(), level.name()))
}

/// The columns of a table: their titles, and the figures of which each is the mean.
fn columns(set: TestSet, level: Level) -> Vec<(&'static str, Vec<String>)> {
    let of_pair = |pair: &&'static str| (*pair, vec![format!("{pair} {}", level.figure())]);
    let average = |title: &'static str, figure: &str| (title, named(set, figure));
    let mut columns: Vec<_> = set.pairs().iter().map(of_pair).collect();
    columns.push(average(level.average(), level.figure()));
    if level == Level::Systems {
        columns.extend((set == TestSet::Wmt15).then(|| average("Pre-TrueSkill", "expected wins")));
        columns.push(average("SAvg", "spearman"));
    }
    columns
}

/// A figure of all language pairs.
fn named(set: TestSet, figure: &str) -> Vec<String> {
    set.pairs().iter().map(|pair| format!("{pair} {figure}")).collect()
}

/// The tables of a test set.
pub(super) fn tables(settings: &ReproduceJob, set: TestSet) -> Vec<PlannedTable> {
    [Level::Systems, Level::Segments].into_iter().map(|level| table(settings, set, level)).collect()
}

fn table(settings: &ReproduceJob, set: TestSet, level: Level) -> PlannedTable {
    let columns = columns(set, level);
    let (name, titles) = (format!("{} {}", set.name(), level.name()), columns.iter().map(|(title, _)| *title));
    let titles: Vec<&str> = titles.collect();
    let mut table = PlannedTable::new(&name, &title(set, level), Unit::Coefficient, &titles, &[level.average()]);
    let published = published(set, level);
    for Row { name, task } in models(set).into_iter().chain(metrics(settings, level)) {
        let cell = |(title, figures): &(&str, Vec<String>)| PlannedCell {
            column: (*title).to_owned(),
            published: published.and_then(|table| table.figure(name, title)),
            figures: figures.clone(),
            note: (*title == Level::Systems.average())
                .then(|| Box::new(move |figures: &[Figures]| intervals(set, figures)) as CellNote),
        };
        let cells = columns.iter().map(cell).collect();
        table.add(name, vec![CellGroup { source: Ok((task, set)), cells, note: None }]);
    }
    // Rows of other authors, whose metrics tercet does not have.
    for row in published.map_or(&[][..], |table| &table.rows) {
        if table.rows.iter().all(|known| known.name != row.name) {
            let published = published.map_or(&[][..], |table| &table.columns).iter().zip(&row.figures);
            let cell = |(column, figure): (&&str, &Option<f64>)| PlannedCell {
                column: (*column).to_owned(),
                published: *figure,
                figures: Vec::new(),
                note: None,
            };
            let cells = published.map(cell).collect();
            table.add(row.name, vec![CellGroup { source: Err(String::new()), cells, note: None }]);
        }
    }
    table
}

fn title(set: TestSet, level: Level) -> String {
    let how = match (level, set) {
        (Level::Systems, TestSet::Wmt15) => {
            "systems: Pearson's r with official TrueSkill scores (Pre-TrueSkill: expected wins), and the average of \
             Spearman's ρ"
        }
        (Level::Systems, TestSet::Wmt12 | TestSet::Wmt14) => {
            "systems: Pearson's r with expected wins, computed from the judgements, and the average of Spearman's ρ"
        }
        (Level::Segments, TestSet::Wmt12) => "segments: Kendall's τ (ties count against the metric)",
        (Level::Segments, _) => "segments: Kendall's τ (ties count for nothing)",
    };
    format!("{}, {how}; trained on WMT13, `pairs` on all other years", set.title())
}

/// Half of the width of the 95% intervals, as papers write them after ±.
fn intervals(set: TestSet, figures: &[Figures]) -> String {
    let width = |pair: &&str| format!("{pair} ±{:.3}", mean(figures, &[format!("{pair} interval")]));
    let pairs: Vec<String> = set.pairs().iter().map(width).collect();
    format!("95% intervals: {}, average ±{:.3}", pairs.join(", "), mean(figures, &named(set, "interval")))
}

/// Whether Tree-LSTMs are better than LSTMs of the same size and data.
pub(super) fn comparisons(experiments: &Experiments<'_>, set: TestSet, level: Level) -> Vec<String> {
    let models = models(set);
    let averages = |name: &str| -> Vec<f64> {
        let row = models.iter().find(|row| row.name == name);
        let figures = row.map(|row| experiments.figures(&(row.task.clone(), set))).unwrap_or_default();
        figures.iter().map(|run| average(run, &named(set, level.figure()))).collect()
    };
    let compared = COMPARED.iter().map(|[tree, list]| (tree, list, averages(tree), averages(list)));
    let complete = compared.filter(|(_, _, trees, lists)| !trees.is_empty() && trees.len() == lists.len());
    complete.map(|(tree, list, trees, lists)| format!("{tree} and {list}: {}", difference(&trees, &lists))).collect()
}

/// The difference of two rows, seed by seed.
fn difference(trees: &[f64], lists: &[f64]) -> String {
    let differences: Vec<f64> = trees.iter().zip(lists).map(|(tree, list)| tree - list).collect();
    let count = differences.len();
    let wins = differences.iter().filter(|difference| **difference > 0.0).count();
    let cell = Cell::from_figures("", "", None, &differences, true);
    let (mean, spread) = (cell.ours.unwrap_or(f64::NAN), cell.spread);
    let verdict = if mean > 0.0 { "better" } else { "not better" };
    let difference = Unit::Coefficient.with_spread(mean, spread);
    format!(
        "Tree-LSTM is {verdict} than LSTM at equal size and data: {difference} over {count} seeds, better in {wins} \
         of {count}"
    )
}

/// The ablation: averages on WMT12 and WMT15.
pub(super) fn ablation_table() -> PlannedTable {
    let columns = [TestSet::Wmt12, TestSet::Wmt15].map(|set| [(set, Level::Systems), (set, Level::Segments)]).concat();
    let named_columns: Vec<String> =
        columns.iter().map(|(set, level)| format!("{} {}", set.title(), level.name())).collect();
    let titles: Vec<&str> = named_columns.iter().map(String::as_str).collect();
    let title = "what trees, word vectors, training data and objective contribute (ours): averages over language pairs";
    let mut table = PlannedTable::new("ablation", title, Unit::Coefficient, &titles, &[]);
    for Row { name, task } in ablation() {
        let group = |(&(set, level), column): (&(TestSet, Level), &String)| {
            let published = published(set, level).and_then(|table| table.figure(name, level.average()));
            let (column, figures) = (column.clone(), named(set, level.figure()));
            let cells = vec![PlannedCell { column, published, figures, note: None }];
            CellGroup { source: Ok((task.clone(), set)), cells, note: None }
        };
        table.add(name, columns.iter().zip(&named_columns).map(group).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_papers() {
        let titles = |set, level| columns(set, level).into_iter().map(|(title, _)| title).collect::<Vec<_>>();
        let systems = ["fr-en", "fi-en", "de-en", "cs-en", "ru-en", "PAvg", "Pre-TrueSkill", "SAvg"];
        assert_eq!(titles(TestSet::Wmt15, Level::Systems), systems);
        assert_eq!(titles(TestSet::Wmt12, Level::Segments), ["cs-en", "de-en", "es-en", "fr-en", "AVG"]);
        assert_eq!(named(TestSet::Wmt12, "tau"), ["cs-en tau", "de-en tau", "es-en tau", "fr-en tau"]);
    }

    #[test]
    fn rows_of_others_have_published_figures_only() {
        let settings = ReproduceJob::new(crate::Paper::Reval, std::path::PathBuf::from("data"));
        let others = |level| {
            let rows = table(&settings, TestSet::Wmt15, level).rows.into_iter();
            rows.filter(|row| row.groups[0].source.is_err()).map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(others(Level::Systems), ["DPMFcomb", "BEER_Treepel", "DPMF", "UPF-Cobalt"]);
        assert_eq!(others(Level::Segments), ["DPMFcomb", "BEER_Treepel", "RATATOUILLE", "UPF-Cobalt"]);
        let wmt14 = table(&settings, TestSet::Wmt14, Level::Systems);
        let bleu = wmt14.rows.iter().find(|row| row.name == "BLEU").unwrap();
        let figures: Vec<Option<f64>> = bleu.groups[0].cells.iter().map(|cell| cell.published).collect();
        assert_eq!(figures, [None, None, None, None, None, Some(0.888), None]);
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
