//! Aligned columns for a terminal, the signatures below.

use super::table::Table;

/// Tables, what their titles stand for, and what else there is to say.
pub(super) fn write(tables: &[Table], signatures: &[(String, String)], notes: &[String]) -> String {
    let mut text = String::new();
    for table in tables {
        if !text.is_empty() {
            text.push('\n');
        }
        if let Some(caption) = &table.caption {
            text += &format!("{caption}\n");
        }
        write_table(table, &mut text);
    }
    text.push('\n');
    let width = signatures.iter().map(|(title, _)| display_width(title)).max().unwrap_or(0);
    for (title, signature) in signatures {
        text += &format!("{title}{}  {signature}\n", " ".repeat(width - display_width(title)));
    }
    for note in notes {
        text += &format!("{note}\n");
    }
    text
}

pub(super) fn write_table(table: &Table, text: &mut String) {
    let lines = || std::iter::once(&table.header).chain(&table.rows);
    let widths: Vec<usize> = (0..table.header.len())
        .map(|column| lines().map(|line| display_width(&line[column])).max().unwrap_or(0))
        .collect();
    for line in lines() {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let padding = " ".repeat(width - display_width(cell));
            if column < table.numbers_from { format!("{cell}{padding}") } else { format!("{padding}{cell}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        *text += line.trim_end();
        text.push('\n');
    }
}

/// Columns on a terminal, near enough: two for East Asian wide characters, one for others.
pub(super) fn display_width(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}
