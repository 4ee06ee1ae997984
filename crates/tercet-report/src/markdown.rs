//! Markdown tables, the best score of each metric in bold, the signatures as a list.

use super::table::{Marks, Table, raised_figures};
use tercet_text::visible;

/// How cells are marked in Markdown.
pub const MARKS: Marks = Marks {
    best: |cell| format!("**{cell}**"),
    escape,
    better: " ▲",
    worse: " ▼",
    neither: "",
    lower_is_better: "↓",
    delta: "Δ",
    raised: raised_figures,
};

/// Tables, then the signatures of their columns, then notes.
pub fn write(tables: &[Table], signatures: &[(String, String)], notes: &[String]) -> String {
    let mut text = String::new();
    for table in tables {
        if let Some(caption) = &table.caption {
            text += &format!("{caption}\n\n");
        }
        write_table(table, &mut text);
        text.push('\n');
    }
    for (title, signature) in signatures {
        text += &format!("- {title}: `{}`\n", visible(signature).replace('`', "'"));
    }
    for note in notes {
        text += &format!("\n{}\n", (MARKS.escape)(note));
    }
    text
}

/// Appends a table as Markdown.
pub fn write_table(table: &Table, text: &mut String) {
    let alignment = |column| {
        if column < table.numbers_from { "---" } else { "---:" }
    };
    let rule: Vec<&str> = (0..table.header.len()).map(alignment).collect();
    *text += &format!("| {} |\n|{}|\n", table.header.join(" | "), rule.join("|"));
    for row in &table.rows {
        *text += &format!("| {} |\n", row.join(" | "));
    }
}

/// A text on one line in which nothing is read as Markdown or HTML, and no address becomes a link.
pub fn escape(text: &str) -> String {
    let text = visible(text);
    let mut escaped = String::with_capacity(text.len());
    // At the start of a line these would make it a heading, a list or a quotation.
    if text.starts_with(['-', '+', '>']) || (text.starts_with('#') && text.len() > 1) {
        escaped.push('\\');
    }
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        match c {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("&lt;"),
            '&' if rest.starts_with(|c: char| c == '#' || c.is_ascii_alphanumeric()) => escaped.push_str("\\&"),
            ':' if rest.starts_with("//") => escaped.push_str("\\:"),
            '.' if ends_with_www(&text.as_bytes()[..at]) => escaped.push_str("\\."),
            other => escaped.push(other),
        }
    }
    escaped
}

fn ends_with_www(text: &[u8]) -> bool {
    text.last_chunk::<3>().is_some_and(|last| last.eq_ignore_ascii_case(b"www"))
}
