//! Which figures of a run a row of the article shows.

use super::experiment::Task;
use crate::Unit;
use crate::finished::Figures;
use crate::plan::{self, CellNote, PlannedCell, mean};
use crate::published::{PublishedRow, PublishedTable};

/// A table of the article or of ours, to be filled.
pub(super) type PlannedTable = plan::PlannedTable<Task>;

/// The published rows of a table.
pub(super) fn published(table: &str) -> &'static [PublishedRow] {
    &PublishedTable::find(&format!("guzman {table}")).expect("a table of the article").rows
}

/// Which figures of a run a row shows: what follows the language in their names, and what stands beside the average or
/// beside every cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) figure: &'static str,
    pub(super) beside: &'static [Beside],
}

/// What the note of a cell says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    pub(super) title: &'static str,
    pub(super) figure: &'static str,
    pub(super) average_only: bool,
}

/// Further figures of a network's decisions; see `agreement.rs`.
const OTHER_DECISIONS: &[Beside] = &[
    Beside { title: "by f(a, b, r) alone", figure: " single", average_only: true },
    Beside { title: "with ties for equal inputs", figure: " antisymmetric", average_only: true },
    Beside { title: "equal inputs, %", figure: " undecided", average_only: true },
];

/// Ties that count for nothing, beside the average of scores.
const fn ties(figure: &'static str, average_only: bool) -> Beside {
    Beside { title: "ties for nothing", figure, average_only }
}

impl Shown {
    /// Decisions by both orders, with other ways to decide beside the average.
    pub(super) const PAIRWISE: Shown = Shown { figure: "", beside: OTHER_DECISIONS };

    /// A metric's scores.
    pub(super) const METRIC: Shown = Shown::only("");

    /// A metric that ties often.
    pub(super) const METRIC_WITH_TIES: Shown = Shown { figure: "", beside: &[ties(" ties for nothing", false)] };

    /// Absolute scores against averages, or against zeros: equal scores tie.
    pub(super) const AVERAGES: Shown =
        Shown { figure: " averages", beside: &[ties(" averages ties for nothing", true)] };
    pub(super) const ZEROS: Shown = Shown { figure: " zeros", beside: &[ties(" zeros ties for nothing", true)] };

    /// Figures of this name, and nothing beside them.
    pub(super) const fn only(figure: &'static str) -> Shown {
        Shown { figure, beside: &[] }
    }
}

/// The cells of a row with a column for each language and one for the average.
pub(super) fn language_cells(
    languages: &[&str],
    suffix: &str,
    published: Option<&PublishedRow>,
    shown: Shown,
) -> Vec<PlannedCell> {
    let published = |place: usize| published.and_then(|row| *row.figures.get(place)?);
    let of_language = |(place, language): (usize, &&str)| {
        let beside = shown.beside.iter().filter(|beside| !beside.average_only);
        planned_cell(format!("{language}{suffix}"), &[language], published(place), shown.figure, beside)
    };
    let average = average_cell(format!("AVG{suffix}"), languages, published(languages.len()), shown);
    languages.iter().enumerate().map(of_language).chain([average]).collect()
}

/// The cell of the average over languages.
pub(super) fn average_cell(column: String, languages: &[&str], published: Option<f64>, shown: Shown) -> PlannedCell {
    planned_cell(column, languages, published, shown.figure, shown.beside.iter())
}

fn planned_cell<'b>(
    column: String,
    languages: &[&str],
    published: Option<f64>,
    figure: &str,
    beside: impl Iterator<Item = &'b Beside>,
) -> PlannedCell {
    let named = |figure: &str| languages.iter().map(|language| format!("{language}{figure}")).collect::<Vec<_>>();
    let beside: Vec<(&str, Vec<String>)> = beside.map(|beside| (beside.title, named(beside.figure))).collect();
    let note = move |figures: &[Figures]| {
        let words = beside.iter().map(|(title, names)| match mean(figures, names) {
            value if value.is_nan() => format!("{title}: not a number"),
            value => format!("{title}: {value:.2}"),
        });
        words.collect::<Vec<_>>().join("; ")
    };
    PlannedCell { column, published, figures: named(figure), note: Some(Box::new(note) as CellNote) }
}

/// A table with a column for each of the four languages and one for the average.
pub(super) fn by_language(table: &str, title: &str) -> PlannedTable {
    PlannedTable::new(table, title, Unit::TauTimes100, &["cz", "de", "es", "fr", "AVG"], &["AVG", "AVG/all"])
}
