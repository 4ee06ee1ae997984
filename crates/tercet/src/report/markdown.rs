//! Markdown tables, the best score of each metric in bold, the signatures as a list.

use super::table::{self, Marks, Table};
use crate::scoring::Evaluation;

pub(super) const MARKS: Marks = Marks {
    best: |cell| format!("**{cell}**"),
    escape: |text| text.replace('\\', "\\\\").replace('|', "\\|").replace('*', "\\*").replace('_', "\\_"),
    plus_minus: "±",
    lower_is_better: "↓",
    delta: "Δ",
};

pub(super) fn write(tables: &[Table], evaluation: &Evaluation) -> String {
    let mut text = String::new();
    for table in tables {
        if let Some(caption) = &table.caption {
            text += &format!("{caption}\n\n");
        }
        write_table(table, &mut text);
        text.push('\n');
    }
    for (title, signature) in table::signatures(evaluation) {
        text += &format!("- {title}: `{signature}`\n");
    }
    text
}

fn write_table(table: &Table, text: &mut String) {
    let alignment = |column| {
        if column < table.numbers_from { "---" } else { "---:" }
    };
    let rule: Vec<&str> = (0..table.header.len()).map(alignment).collect();
    *text += &format!("| {} |\n|{}|\n", table.header.join(" | "), rule.join("|"));
    for row in &table.rows {
        *text += &format!("| {} |\n", row.join(" | "));
    }
}
