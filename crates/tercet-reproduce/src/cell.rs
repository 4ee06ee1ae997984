//! What comes out of a reproduction: cells of tables, published and ours.

use serde::Serialize;

/// One figure of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The row.
    pub row: String,
    /// The column.
    pub column: String,
    /// What the paper has there.
    pub published: Option<f64>,
    /// The mean over seeds; `None` where it could not be run, or is not a number.
    pub ours: Option<f64>,
    /// The standard deviation over seeds (n − 1); `None` for fewer than two.
    pub spread: Option<f64>,
    /// How many seeds; 0 where nothing is learned.
    pub seeds: usize,
    /// What has to be known about it, or why there is nothing of ours.
    pub note: Option<String>,
}

impl Cell {
    /// A cell of ours from the figures of all seeds; one figure without a seed is of something that is not learned.
    /// Where one is not a number, so is the mean: the note has to say why.
    pub fn from_figures(row: &str, column: &str, published: Option<f64>, figures: &[f64], learned: bool) -> Cell {
        let count = figures.len() as f64;
        let mean = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|figure| (figure - mean) * (figure - mean)).sum();
        Cell {
            row: row.to_owned(),
            column: column.to_owned(),
            published,
            ours: Some(mean).filter(|mean| !mean.is_nan()),
            spread: (learned && figures.len() > 1 && !mean.is_nan()).then(|| (squares / (count - 1.0)).sqrt()),
            seeds: if learned { figures.len() } else { 0 },
            note: None,
        }
    }

    /// A cell that could not be run, and why, if there is anything to say.
    pub fn missing(row: &str, column: &str, published: Option<f64>, why: impl Into<String>) -> Cell {
        let note = Some(why.into()).filter(|why| !why.is_empty());
        Cell { row: row.to_owned(), column: column.to_owned(), published, note, ..Cell::default() }
    }
}

/// What the figures of a table are, and so how many decimals they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// Kendall's τ × 100: two decimals, as in papers.
    #[default]
    TauTimes100,
    /// A coefficient from −1 to 1: three decimals.
    Coefficient,
}

impl Unit {
    /// A figure with the decimals it has in this unit.
    pub fn rounded(self, value: f64) -> String {
        match self {
            Unit::TauTimes100 => format!("{value:.2}"),
            Unit::Coefficient => format!("{value:.3}"),
        }
    }

    /// A figure of ours, with its spread over seeds if it has one.
    pub fn with_spread(self, value: f64, spread: Option<f64>) -> String {
        let spread = spread.map_or(String::new(), |spread| format!(" ± {}", self.rounded(spread)));
        format!("{}{spread}", self.rounded(value))
    }
}

/// A table, or a part of one that has columns of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TableResult {
    /// Its name in the paper: `1`; or ours, where it is not the paper's.
    pub table: String,
    /// What it shows.
    pub title: String,
    /// What its figures are.
    pub unit: Unit,
    /// The columns as the paper has them; ours may add `<column>/all`.
    pub columns: Vec<String>,
    /// The column by which rows are put in order.
    pub ordered_by: Vec<String>,
    /// Row by row.
    pub cells: Vec<Cell>,
    /// What has to be known about all of it.
    pub notes: Vec<String>,
}

impl TableResult {
    /// The names of the rows, in order.
    pub fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !rows.contains(&cell.row.as_str()) {
                rows.push(&cell.row);
            }
        }
        rows
    }

    /// The cell in this row and column.
    pub fn cell(&self, row: &str, column: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.row == row && cell.column == column)
    }
}

/// All that was asked for of a paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reproduction {
    /// The paper.
    pub paper: String,
    /// Its tables.
    pub tables: Vec<TableResult>,
    /// What has to be known about all of them.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_seeds_become_a_mean_and_a_spread() {
        let cell = Cell::from_figures("a", "AVG", Some(2.0), &[1.0, 2.0, 4.0], true);
        assert!((cell.ours.unwrap() - 7.0 / 3.0).abs() < 1e-12);
        // By hand: deviations −4/3, −1/3, 5/3; squares sum to 42/9; halved, 21/9.
        assert!((cell.spread.unwrap() - (21.0f64 / 9.0).sqrt()).abs() < 1e-12);
        assert_eq!((cell.seeds, cell.published), (3, Some(2.0)));
    }

    #[test]
    fn what_is_not_learned_has_no_seeds_and_one_seed_no_spread() {
        let plain = Cell::from_figures("a", "AVG", None, &[3.0], false);
        assert_eq!((plain.ours, plain.spread, plain.seeds), (Some(3.0), None, 0));
        let single = Cell::from_figures("a", "AVG", None, &[3.0], true);
        assert_eq!((single.spread, single.seeds), (None, 1));
        assert_eq!(Cell::missing("a", "b", Some(1.0), "why").ours, None);
    }

    #[test]
    fn a_mean_that_is_not_a_number_is_none() {
        let cell = Cell::from_figures("a", "AVG", None, &[1.0, f64::NAN], true);
        assert_eq!((cell.ours, cell.spread, cell.seeds), (None, None, 2));
    }

    #[test]
    fn decimals_follow_the_unit_and_not_the_size() {
        assert_eq!(Unit::TauTimes100.with_spread(0.5, Some(0.1234)), "0.50 ± 0.12");
        assert_eq!(Unit::Coefficient.with_spread(1.0, Some(0.1234)), "1.000 ± 0.123");
        assert_eq!(Unit::Coefficient.with_spread(-0.98765, None), "-0.988");
    }
}
