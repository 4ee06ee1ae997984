//! TERp's format of a table: one pair per line, `0.5 <p>phrase of the reference</p> <p>phrase of the hypothesis</p>`.
//!
//! Read as its program reads it: lines of any other form are ignored, and so are pairs of equal phrases. A line with
//! two numbers counts as two pairs in the same direction. Words are taken as they stand. METEOR's format ([`table`]) is
//! recognised by its first line, which is a number alone.

use super::table::{self, Contents, Lines, Table};
use crate::error::{Error, Result};
use std::path::Path;

/// Words and pairs of a table in either format.
pub(super) fn read(path: &Path) -> Result<Contents> {
    let mut lines = Lines::open(path)?;
    let mut table = Table::new();
    let mut is_first = true;
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if std::mem::take(&mut is_first) && line.parse::<f64>().is_ok() {
            return table::read(path);
        }
        let Some((numbers, first, second)) = parts(line) else { continue };
        if words(first).next().is_none() || words(second).next().is_none() || words(first).eq(words(second)) {
            continue;
        }
        let numbers: Vec<&str> = numbers.split_ascii_whitespace().collect();
        if !matches!(numbers.len(), 1 | 2) || !numbers.iter().all(|number| looks_like_number(number)) {
            continue;
        }
        let (first, second) = (table.first(first), table.phrase(second));
        let numbers: Vec<String> = numbers.into_iter().map(str::to_owned).collect();
        for number in numbers {
            let probability =
                number.parse().map_err(|_| lines.error(format!("expected a number, found `{number}`")))?;
            table.pair(first, second, probability, &lines)?;
        }
    }
    if table.is_empty() {
        let what = "no phrases in it (expected lines `0.5 <p>…</p> <p>…</p>`, or METEOR's form)";
        return Err(Error::bad_file(path, what));
    }
    Ok(table.finish())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

/// What TERp takes for a number.
fn looks_like_number(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-'))
}

/// The numbers and the two phrases of a line.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let (numbers, rest) = line.split_once("<p>")?;
    let rest = rest.strip_suffix("</p>")?;
    // White space must separate the phrases; the last place where it does counts.
    let (at, _) = rest.rmatch_indices("<p>").find(|&(at, _)| {
        let before = &rest[..at];
        before.trim_end().len() < at && before.trim_end().ends_with("</p>")
    })?;
    let first = rest[..at].trim_end().strip_suffix("</p>")?;
    let ends_in_space = numbers.ends_with(|c: char| c.is_ascii_whitespace());
    ends_in_space.then_some((numbers, first, &rest[at + 3..]))
}
