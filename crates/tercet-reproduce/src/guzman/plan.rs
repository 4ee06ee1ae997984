//! Tables before they are filled: which task each cell's figure comes from.

use super::experiment::Task;
use super::published::{LANGUAGES, PublishedRow};
use crate::Unit;

/// A table to be filled.
#[derive(Clone, Debug)]
pub(super) struct PlannedTable {
    pub(super) table: String,
    pub(super) title: String,
    pub(super) unit: Unit,
    pub(super) columns: Vec<String>,
    pub(super) ordered_by: Vec<String>,
    pub(super) rows: Vec<PlannedRow>,
    pub(super) notes: Vec<String>,
}

/// A row: cells from one task or several.
#[derive(Clone, Debug)]
pub(super) struct PlannedRow {
    pub(super) name: String,
    pub(super) groups: Vec<CellGroup>,
}

/// Cells that come from one task, or that cannot be run.
#[derive(Clone, Debug)]
pub(super) struct CellGroup {
    pub(super) source: Result<Task, String>,
    pub(super) cells: Vec<PlannedCell>,
    /// What has to be known about all of them.
    pub(super) note: Option<String>,
}

/// A cell: the mean of some figures of a run.
#[derive(Clone, Debug)]
pub(super) struct PlannedCell {
    pub(super) column: String,
    pub(super) published: Option<f64>,
    pub(super) figures: Vec<String>,
    /// The same by other decisions, for the note: what each is called, and its figures.
    pub(super) beside: Vec<(&'static str, Vec<String>)>,
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

impl Shown {
    /// Decisions by both orders, with other ways to decide beside the average.
    pub(super) const PAIRWISE: Shown = Shown { figure: "", beside: OTHER_DECISIONS };

    /// A metric's scores.
    pub(super) const METRIC: Shown = Shown { figure: "", beside: &[] };

    /// A metric that ties often.
    pub(super) const METRIC_WITH_TIES: Shown = Shown {
        figure: "",
        beside: &[Beside { title: "ties for nothing", figure: " ties for nothing", average_only: false }],
    };

    /// Absolute scores against averages, or against zeros: equal scores tie.
    pub(super) const AVERAGES: Shown = Shown {
        figure: " averages",
        beside: &[Beside { title: "ties for nothing", figure: " averages ties for nothing", average_only: true }],
    };
    pub(super) const ZEROS: Shown = Shown {
        figure: " zeros",
        beside: &[Beside { title: "ties for nothing", figure: " zeros ties for nothing", average_only: true }],
    };

    /// Figures of this name, and nothing beside them.
    pub(super) const fn only(figure: &'static str) -> Shown {
        Shown { figure, beside: &[] }
    }
}

/// The cells of a row with a column for each language and one for the average.
pub(super) fn language_cells(
    languages: &[&str],
    suffix: &str,
    published: Option<&[f64]>,
    shown: Shown,
) -> Vec<PlannedCell> {
    let published = |number: usize| published.and_then(|figures| figures.get(number).copied());
    let of_language = |(number, language): (usize, &&str)| {
        let beside = shown.beside.iter().filter(|beside| !beside.average_only);
        planned_cell(format!("{language}{suffix}"), &[language], published(number), shown.figure, beside)
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
    let of = |figure: &str| languages.iter().map(|language| format!("{language}{figure}")).collect();
    let beside = beside.map(|beside| (beside.title, of(beside.figure))).collect();
    PlannedCell { column, published, figures: of(figure), beside }
}

impl PlannedTable {
    /// A table with a column for each of the four languages and one for the average.
    pub(super) fn by_language(table: &str, title: &str) -> Self {
        PlannedTable {
            table: table.to_owned(),
            title: title.to_owned(),
            unit: Unit::TauTimes100,
            columns: LANGUAGES.map(str::to_owned).to_vec(),
            ordered_by: vec!["AVG".to_owned(), "AVG/all".to_owned()],
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a row of the article.
    pub(super) fn add(&mut self, published: &PublishedRow, groups: Vec<CellGroup>) {
        self.rows.push(PlannedRow { name: published.name.to_owned(), groups });
    }

    /// Adds a row of ours.
    pub(super) fn add_own(&mut self, name: &str, groups: Vec<CellGroup>) {
        self.rows.push(PlannedRow { name: name.to_owned(), groups });
    }
}
