//! Aligned columns for a terminal, the signatures below.

use super::table::Table;
use super::terminal::{Terminal, styled_width};
use tercet_text::visible;
use unicode_width::UnicodeWidthStr;

/// Tables, then the signatures of their columns, then notes.
pub fn write(tables: Vec<Table>, signatures: &[(String, String)], notes: &[String], terminal: Terminal) -> String {
    let mut text = String::new();
    for table in tables {
        if !text.is_empty() {
            text.push('\n');
        }
        if let Some(caption) = &table.caption {
            text += &format!("{caption}\n");
        }
        write_table(&terminal.fit(table), &mut text);
    }
    text.push('\n');
    let width = signatures.iter().map(|(title, _)| title.width()).max().unwrap_or(0);
    for (title, signature) in signatures {
        let padding = " ".repeat(width - title.width());
        text += &format!("{title}{padding}  {}\n", visible(signature));
    }
    for note in notes {
        text += &format!("{}\n", visible(note));
    }
    text
}

/// Appends a table as aligned text.
pub fn write_table(table: &Table, text: &mut String) {
    let lines = || std::iter::once(&table.header).chain(&table.rows);
    let widths: Vec<usize> = (0..table.header.len())
        .map(|column| lines().map(|line| styled_width(&line[column])).max().unwrap_or(0))
        .collect();
    for line in lines() {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let padding = " ".repeat(width - styled_width(cell));
            if column < table.numbers_from { format!("{cell}{padding}") } else { format!("{padding}{cell}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        *text += line.trim_end();
        text.push('\n');
    }
}
