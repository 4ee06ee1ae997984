//! Published tables next to ours, as `tercet reproduce` prints them.
//!
//! JSON is a stable format: an array with an object for each cell,
//! `{table, row, column, published, ours, spread, seeds, note}`. `published` is null where the paper has nothing,
//! `ours` where it could not be run or is not a number (`note` says why), `spread` (the standard deviation over seeds,
//! n − 1) where there are fewer than two seeds; `seeds` is 0 where nothing is learned. Columns are the paper's;
//! `<column>/all` is the same cell trained on all judgements.
//!
//! Text and Markdown: for each column what was published and ours, with the spread; τ × 100 has two decimals and a
//! coefficient three, their spreads as many. Below each table the notes of its rows, and a line for each pair of rows
//! whose order differs from the paper's.

use crate::{Cell, Reproduction, TableResult, Unit, reversals};
use serde::Serialize;
use tercet::report::{Format, Table, escape_markdown, records};
use tercet::{Error, Result};

/// Writes published and reproduced values as text, JSON or Markdown.
pub fn write(reproduction: &Reproduction, format: Format) -> Result<String> {
    match format {
        Format::Text => Ok(written(reproduction, &str::to_owned, Table::to_text, "")),
        Format::Markdown => Ok(written(reproduction, &escape_markdown, Table::to_markdown, "- ")),
        Format::Json => Ok(records::write(&cells(reproduction), &[], format)),
        Format::Jsonl | Format::Tsv | Format::Csv | Format::Latex => {
            Err(Error::BadRequest("reproductions are written as text, json or markdown".to_owned()))
        }
    }
}

/// A cell with its table.
#[derive(Serialize)]
struct CellOfTable<'a> {
    table: &'a str,
    #[serde(flatten)]
    cell: &'a Cell,
}

fn cells(reproduction: &Reproduction) -> Vec<CellOfTable<'_>> {
    let tables = reproduction.tables.iter();
    tables.flat_map(|table| table.cells.iter().map(|cell| CellOfTable { table: &table.table, cell })).collect()
}

fn written(
    reproduction: &Reproduction,
    escape: &dyn Fn(&str) -> String,
    write_table: fn(&Table) -> String,
    item: &str,
) -> String {
    let mut text = format!("{}\n\n", escape(&reproduction.paper));
    let gap = if item.is_empty() { "" } else { "\n" };
    for table in &reproduction.tables {
        text += &format!("Table {}: {}\n{gap}", table.table, escape(&table.title));
        text += &write_table(&for_people(table, escape));
        text += gap;
        for line in remarks(table) {
            text += &format!("{item}{}\n", escape(&line));
        }
        text.push('\n');
    }
    for note in &reproduction.notes {
        text += &format!("{item}{}\n", escape(note));
    }
    text
}

/// Published and reproduced values side by side; columns without any value are left out.
fn for_people(table: &TableResult, escape: &dyn Fn(&str) -> String) -> Table {
    let any = |column: &str, has: fn(&Cell) -> bool| table.cells.iter().any(|cell| cell.column == column && has(cell));
    let published = |column: &&String| any(column, |cell| cell.published.is_some());
    let with_all = |column: &String| [column.clone(), format!("{column}/all")];
    let mut shown: Vec<(String, bool)> = Vec::new();
    for column in &table.columns {
        shown.extend(Some(column).filter(published).map(|column| (column.clone(), true)));
        let ours = with_all(column).into_iter().filter(|column| any(column, |cell| cell.ours.is_some()));
        shown.extend(ours.map(|column| (column, false)));
    }
    let header = |(column, published): &(String, bool)| {
        if *published { format!("{column} (paper)") } else { column.clone() }
    };
    let row = |row: &str| {
        let cells = shown.iter().map(|(column, published)| figure(table.cell(row, column), *published, table.unit));
        std::iter::once(escape(row)).chain(cells).collect()
    };
    Table {
        caption: None,
        header: std::iter::once("row".to_owned()).chain(shown.iter().map(header)).collect(),
        rows: table.rows().into_iter().map(row).collect(),
        numbers_from: 1,
    }
}

fn figure(cell: Option<&Cell>, published: bool, unit: Unit) -> String {
    let Some(cell) = cell else { return String::new() };
    if published {
        return cell.published.map_or("–".to_owned(), |value| unit.rounded(value));
    }
    cell.ours.map_or("–".to_owned(), |value| unit.with_spread(value, cell.spread))
}

/// The lines below a table: each row's notes once, then rows whose order differs.
fn remarks(table: &TableResult) -> Vec<String> {
    let mut lines = table.notes.clone();
    for row in table.rows() {
        let mut said: Vec<(&str, Vec<&str>)> = Vec::new();
        for cell in table.cells.iter().filter(|cell| cell.row == row) {
            let Some(note) = cell.note.as_deref() else { continue };
            match said.iter_mut().find(|(known, _)| *known == note) {
                Some((_, columns)) => columns.push(&cell.column),
                None => said.push((note, vec![&cell.column])),
            }
        }
        lines.extend(said.iter().map(|(note, columns)| format!("{row} [{}]: {note}", columns.join(" "))));
    }
    lines.extend(reversals(table).iter().map(|reversal| format!("order: {}", reversal.describe())));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn reproduction() -> Reproduction {
        let learned = |row: &str, column: &str, published, ours: &[f64]| {
            Cell::from_figures(row, column, Some(published), ours, true)
        };
        let noted =
            Cell { note: Some("antisymmetric: 26.50".to_owned()), ..learned("NET", "AVG", 29.7, &[27.0, 28.0]) };
        let cells = vec![
            Cell::from_figures("BLEU", "AVG", Some(18.46), &[18.2], false),
            noted,
            learned("NET", "AVG/all", 29.7, &[28.0, 28.0]),
            learned("OLD_NET", "AVG", 27.0, &[29.0, 29.5]),
            Cell::missing("OLD_NET", "AVG/all", Some(27.0), "not asked for"),
        ];
        let table = TableResult {
            table: "1".to_owned(),
            title: "Scores".to_owned(),
            unit: Unit::TauTimes100,
            columns: vec!["AVG".to_owned()],
            ordered_by: vec!["AVG".to_owned(), "AVG/all".to_owned()],
            cells,
            notes: vec!["a remark".to_owned()],
        };
        let notes = vec!["at the end".to_owned()];
        Reproduction { paper: "Paper".to_owned(), tables: vec![table], notes }
    }

    #[test]
    fn text_has_published_and_ours_side_by_side_and_what_there_is_to_say() {
        let text = write(&reproduction(), Format::Text).unwrap();
        let expected = "\
Paper

Table 1: Scores
row      AVG (paper)           AVG       AVG/all
BLEU           18.46         18.20
NET            29.70  27.50 ± 0.71  28.00 ± 0.00
OLD_NET        27.00  29.25 ± 0.35             –
a remark
NET [AVG]: antisymmetric: 26.50
OLD_NET [AVG/all]: not asked for
order: AVG: the paper has NET (29.70) above OLD_NET (27.00), ours are 27.50 ± 0.71 and 29.25 ± 0.35: 1.75 apart, \
beyond the spread over seeds

at the end
";
        assert_eq!(text, expected);
    }

    #[test]
    fn decimals_are_those_of_what_the_table_shows() {
        let mut made = reproduction();
        let cell = |row: &str, ours: &[f64]| Cell::from_figures(row, "AVG", Some(1.0), ours, true);
        made.tables[0].cells = vec![cell("SMALL", &[0.5, 0.75]), cell("ONE", &[1.0, 1.0])];
        let lines = |made: &Reproduction| {
            let text = write(made, Format::Text).unwrap();
            text.lines().skip(4).take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&made), ["SMALL         1.00  0.62 ± 0.18", "ONE           1.00  1.00 ± 0.00"]);
        made.tables[0].unit = Unit::Coefficient;
        assert_eq!(lines(&made), ["SMALL        1.000  0.625 ± 0.177", "ONE          1.000  1.000 ± 0.000"]);
    }

    #[test]
    fn markdown_is_a_table_and_a_list() {
        let text = write(&reproduction(), Format::Markdown).unwrap();
        assert!(text.contains("| row | AVG (paper) | AVG | AVG/all |\n|---|---:|---:|---:|\n"), "{text}");
        assert!(text.contains("| OLD\\_NET | 27.00 |") && text.contains("\n- a remark\n"), "{text}");
    }

    #[test]
    fn json_follows_the_contract() {
        let text = write(&reproduction(), Format::Json).unwrap();
        let cells: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(cells.len(), 5);
        let keys: Vec<&str> = cells[0].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["table", "row", "column", "published", "ours", "spread", "seeds", "note"]);
        assert_eq!(cells[0]["spread"], Value::Null);
        assert_eq!((&cells[0]["seeds"], &cells[1]["seeds"]), (&json!(0), &json!(2)));
        assert_eq!((&cells[4]["ours"], &cells[4]["note"]), (&Value::Null, &json!("not asked for")));
        assert!(write(&reproduction(), Format::Tsv).is_err());
    }
}
