//! LaTeX tables (package booktabs), the best score in bold, the signatures as comments.

use super::table::{Marks, Table};
use tercet_text::visible;

/// How cells are marked in LaTeX.
pub const MARKS: Marks = Marks {
    best: |cell| format!("\\textbf{{{cell}}}"),
    escape,
    better: "$^{+}$",
    worse: "$^{-}$",
    neither: "",
    lower_is_better: "$\\downarrow$",
    delta: "$\\Delta$",
    raised: |number| format!("$^{{{number}}}$"),
};

/// Tables, then the signatures of their columns, then notes.
pub fn write(tables: &[Table], signatures: &[(String, String)], notes: &[String]) -> String {
    let mut text = String::new();
    for (title, signature) in signatures {
        text += &format!("% {}: {}\n", visible(title), visible(signature));
    }
    for note in notes {
        text += &format!("% {}\n", visible(note));
    }
    for table in tables {
        if let Some(caption) = &table.caption {
            text += &format!("% {caption}\n");
        }
        write_table(table, &mut text);
    }
    text
}

/// Appends a table as LaTeX.
pub fn write_table(table: &Table, text: &mut String) {
    let names = "l".repeat(table.numbers_from);
    let numbers = "r".repeat(table.header.len() - table.numbers_from);
    *text +=
        &format!("\\begin{{tabular}}{{{names}{numbers}}}\n\\toprule\n{} \\\\\n\\midrule\n", table.header.join(" & "));
    for row in &table.rows {
        *text += &format!("{} \\\\\n", row.join(" & "));
    }
    *text += "\\bottomrule\n\\end{tabular}\n";
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    // At the start of a row these would belong to the line end before it.
    if text.starts_with(['[', '*']) {
        escaped.push_str("{}");
    }
    for c in visible(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            other => escaped.push(other),
        }
    }
    escaped
}
