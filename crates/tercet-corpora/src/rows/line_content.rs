//! Whether a file of lines has one text per line, or something else that would be scored with its syntax.
//!
//! It is JSON if it starts as an array or an object and most lines are values of JSON or parts of one; CSV if every
//! record has the same number of fields, two at least, and most have quotation marks; columns if nine of ten lines have
//! a tab. Sources may have tabs, which change no score.

use crate::error::Result;
use crate::plain_text::Lines;
use crate::separated;
use tercet_base::{FieldRole, LineContent, RowError};

/// Lines that are looked at.
const MAX_LINES: usize = 1000;

/// Lines with quotation marks that it takes to be CSV.
const MIN_QUOTED: usize = 2;

/// Fails if a file seems to have something else than a text per line.
pub fn check_lines(lines: &Lines, role: FieldRole) -> Result<()> {
    let found = match () {
        () if is_json(lines) => LineContent::Json,
        () if is_quoted_csv(lines) => LineContent::QuotedCsv,
        () if role != FieldRole::Source && has_columns(lines) => LineContent::Columns(width(lines)),
        () => return Ok(()),
    };
    Err(RowError::NotLines { path: lines.path().to_owned(), role, found }.into())
}

fn first_lines(lines: &Lines) -> impl Iterator<Item = &str> + Clone {
    lines.iter_untrimmed().take(MAX_LINES).filter(|line| !line.trim().is_empty())
}

fn is_json(lines: &Lines) -> bool {
    let Some(first) = first_lines(lines).next().map(|line| line.trim_start_matches('\u{feff}').trim()) else {
        return false;
    };
    let is_value = |line: &str| {
        let line = line.trim();
        line.starts_with(['{', '[']) && line.len() > 2 && serde_json::from_str::<serde_json::Value>(line).is_ok()
    };
    if is_value(first) {
        return are_most(first_lines(lines), is_value);
    }
    let is_part = |line: &str| line.trim_end().ends_with([',', '[', '{', '}', ']', '"']);
    let is_start = matches!(first, "[" | "{") || first.starts_with("[\"") || first.starts_with("{\"");
    is_start && are_most(first_lines(lines), is_part)
}

/// Whether nine of ten are.
fn are_most<'l>(lines: impl Iterator<Item = &'l str>, are: impl Fn(&str) -> bool) -> bool {
    let (mut found, mut all) = (0, 0);
    for line in lines {
        all += 1;
        found += usize::from(are(line));
    }
    all > 0 && found * 10 >= all * 9
}

fn is_quoted_csv(lines: &Lines) -> bool {
    let mut rest = first_lines(lines);
    let (mut width, mut records, mut quoted) = (None, 0, 0);
    while let Some(line) = rest.next() {
        let Ok(fields) = separated::record(line, b',', || rest.next()) else {
            // The last record may go on behind the lines that are looked at.
            if rest.next().is_none() && lines.len() > MAX_LINES {
                break;
            }
            return false;
        };
        if fields.len() < 2 || *width.get_or_insert(fields.len()) != fields.len() {
            return false;
        }
        records += 1;
        quoted += usize::from(line.starts_with('"') || line.contains(",\""));
    }
    quoted >= MIN_QUOTED && quoted * 2 >= records
}

fn has_columns(lines: &Lines) -> bool {
    are_most(first_lines(lines), |line| line.trim().contains('\t'))
}

/// The number of columns, if all lines have the same.
fn width(lines: &Lines) -> Option<usize> {
    let mut widths = lines.iter_untrimmed().map(|line| line.split('\t').count());
    let first = widths.next()?;
    widths.all(|width| width == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn found(text: &str, role: FieldRole) -> Option<LineContent> {
        let lines = Lines::from_bytes(Path::new("x"), text.as_bytes().to_vec()).unwrap();
        match check_lines(&lines, role) {
            Err(crate::error::Error::Rows(RowError::NotLines { found, .. })) => Some(found),
            other => {
                other.unwrap();
                None
            }
        }
    }

    #[test]
    fn lines_that_are_no_texts_are_recognised() {
        for (text, expected) in [
            ("[\"a b\", \"c\"]\n[\"d\"]\n", LineContent::Json),
            ("[\n  \"a b\",\n  \"c\"\n]\n", LineContent::Json),
            ("[\"a b\",\n\"c\"]\n", LineContent::Json),
            ("{\"a\": 1}\n\n{\"b\": 2}\n", LineContent::Json),
            ("\"a, b\",\"c\"\n\"d \"\"e\"\"\",f\n", LineContent::QuotedCsv),
            ("1,\"a\nb\"\n2,\"c, d\"\n", LineContent::QuotedCsv),
            ("a b\tc d\ne\tf g\n", LineContent::Columns(Some(2))),
            ("a\tb\nc\td\te\n", LineContent::Columns(None)),
        ] {
            assert_eq!(found(text, FieldRole::Reference), Some(expected), "{text:?}");
        }
        assert_eq!(found("a\tb\n", FieldRole::Source), None);
    }

    #[test]
    fn texts_with_quotation_marks_brackets_and_a_tab_are_texts() {
        for text in [
            "",
            "a\n",
            "\"No\", he said.\n\"Yes\", she said.\nThen they went.\n",
            "\"No\", he said.\n",
            "\"So it began.\n\"And so it ended.\n",
            "[noise] Hello.\n[music]\n",
            "{name}, you have won\n{}\n[]\n",
            "[1]\nA note.\nAnother.\n",
            "[\nA dog.\nA cat.\n",
            "[\"A dog\" is a poem]\nA cat.\n",
            "a\tb\nc\nd\n",
            "a\t\nb\t\n",
            "Yes, it is.\nNo, it is not.\n",
        ] {
            assert_eq!(found(text, FieldRole::Hypothesis), None, "{text:?}");
        }
    }
}
