//! Where the paper's order of its rows does not come out.
//!
//! Every two learned rows of a table whose published figures differ are held against ours. A reversal is stated with
//! both spreads over seeds, and with the distance: one smaller than the spreads together, √(s₁² + s₂²), says nothing.

use super::cell::{Cell, TableResult, Unit};

/// Two rows that the paper has in one order and we in the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Reversal<'a> {
    /// Better in the paper.
    pub better: &'a Cell,
    /// Worse in the paper, better here.
    pub worse: &'a Cell,
    /// What their figures are.
    pub unit: Unit,
}

impl Reversal<'_> {
    /// How far ours are apart, against the paper's order.
    pub fn distance(&self) -> f64 {
        self.worse.ours.unwrap_or(f64::NAN) - self.better.ours.unwrap_or(f64::NAN)
    }

    /// Whether the distance is within the spreads together.
    pub fn is_within_spread(&self) -> bool {
        let square = |cell: &Cell| cell.spread.unwrap_or(0.0).powi(2);
        self.distance() <= (square(self.better) + square(self.worse)).sqrt()
    }

    /// In words.
    pub fn describe(&self) -> String {
        let published = |cell: &Cell| self.unit.rounded(cell.published.unwrap_or(f64::NAN));
        let ours = |cell: &Cell| self.unit.with_spread(cell.ours.unwrap_or(f64::NAN), cell.spread);
        let verdict = match (self.better.spread.or(self.worse.spread), self.is_within_spread()) {
            (None, _) => "which one seed cannot judge",
            (Some(_), true) => "within the spread over seeds",
            (Some(_), false) => "beyond the spread over seeds",
        };
        format!(
            "{}: the paper has {} ({}) above {} ({}), ours are {} and {}: {} apart, {verdict}",
            self.better.column,
            self.better.row,
            published(self.better),
            self.worse.row,
            published(self.worse),
            ours(self.better),
            ours(self.worse),
            self.unit.rounded(self.distance())
        )
    }
}

/// All reversals of a table, in the columns by which its rows are put in order.
pub fn reversals(table: &TableResult) -> Vec<Reversal<'_>> {
    let mut found = Vec::new();
    for column in &table.ordered_by {
        let cells: Vec<&Cell> = table.cells.iter().filter(|cell| cell.column == *column && cell.seeds > 0).collect();
        for (i, one) in cells.iter().enumerate() {
            for other in &cells[i + 1..] {
                found.extend(reversal(one, other, table.unit));
            }
        }
    }
    found
}

fn reversal<'a>(one: &'a Cell, other: &'a Cell, unit: Unit) -> Option<Reversal<'a>> {
    let published = (one.published?, other.published?);
    let (better, worse) = if published.0 > published.1 { (one, other) } else { (other, one) };
    (published.0 != published.1 && better.ours? < worse.ours?).then_some(Reversal { better, worse, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TableResult {
        let cell = |row: &str, published, ours: &[f64]| Cell::from_figures(row, "AVG", Some(published), ours, true);
        TableResult {
            ordered_by: vec!["AVG".to_owned()],
            cells: vec![
                cell("first", 29.0, &[27.0, 27.2]),
                cell("second", 28.0, &[27.1, 27.3]),
                cell("third", 27.0, &[29.0, 29.2]),
                cell("as good", 27.0, &[20.0, 21.0]),
                Cell::from_figures("plain", "AVG", Some(50.0), &[1.0], false),
                Cell::missing("missing", "AVG", Some(99.0), "no file"),
            ],
            ..TableResult::default()
        }
    }

    #[test]
    fn reversals_among_learned_rows_are_found_and_told_with_their_spread() {
        let table = table();
        let found = reversals(&table);
        let names: Vec<_> = found.iter().map(|one| (one.better.row.as_str(), one.worse.row.as_str())).collect();
        assert_eq!(names, [("first", "second"), ("first", "third"), ("second", "third")]);
        assert!(found[0].is_within_spread() && !found[1].is_within_spread());
        assert_eq!(
            found[0].describe(),
            "AVG: the paper has first (29.00) above second (28.00), ours are 27.10 ± 0.14 and 27.20 ± 0.14: 0.10 \
             apart, within the spread over seeds"
        );
    }

    #[test]
    fn one_seed_has_no_spread_to_judge_by() {
        let cell = |row: &str, published, ours: f64| Cell::from_figures(row, "AVG", Some(published), &[ours], true);
        let table = TableResult {
            ordered_by: vec!["AVG".to_owned()],
            cells: vec![cell("first", 29.0, 27.0), cell("second", 28.0, 28.0)],
            ..TableResult::default()
        };
        let told = reversals(&table)[0].describe();
        assert!(told.ends_with("1.00 apart, which one seed cannot judge"), "{told}");
    }

    #[test]
    fn an_order_that_comes_out_is_not_mentioned() {
        let mut table = table();
        table.cells.retain(|cell| cell.row != "first" && cell.row != "third");
        assert!(reversals(&table).is_empty());
    }
}
