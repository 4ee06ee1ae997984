//! Lines of at most 120 columns: rustfmt keeps to them in code, this check in comments, strings and documents.

use crate::step::root;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::process::Command;

const MAX_COLUMNS: usize = 120;

/// Documents that tercet and the benchmarks write.
const WRITTEN: [&str; 2] = ["/tables.md", "benchsuite/runs/"];

/// Checks the Rust files and documents of the checkout; returns why they were not checked.
pub fn check() -> Result<Option<String>> {
    let listed = Command::new("git").args(["ls-files", "-z", "*.rs", "*.md"]).current_dir(root()).output();
    let Some(listed) = listed.ok().filter(|listed| listed.status.success()) else {
        return Ok(Some("the widths of lines: this is no checkout of git".to_owned()));
    };
    let names = String::from_utf8(listed.stdout)?;
    let mut wide = Vec::new();
    for name in names.split_terminator('\0').filter(|name| WRITTEN.iter().all(|written| !name.contains(written))) {
        let path = root().join(name);
        // A file that is no longer there is listed until that is committed.
        if path.is_file() {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
            let lines = wide_lines(&text, name.ends_with(".md"));
            wide.extend(lines.into_iter().map(|line| format!("{name}:{line}")));
        }
    }
    ensure!(wide.is_empty(), "lines of more than {MAX_COLUMNS} columns:\n  {}", wide.join("\n  "));
    println!("── widths of lines: passed\n");
    Ok(None)
}

/// The numbers of lines that are too wide and could be broken: not rows of tables, nor, in documents, blocks of code
/// and output.
fn wide_lines(text: &str, is_document: bool) -> Vec<usize> {
    let mut is_code = false;
    let mut wide = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let content = line.trim_start().trim_start_matches(['/', '!']).trim_start();
        is_code ^= is_document && content.starts_with("```");
        let can_be_broken = !is_code && !content.starts_with('|') && content.contains(' ');
        if can_be_broken && line.chars().count() > MAX_COLUMNS {
            wide.push(number);
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_output_and_addresses_may_be_wider() {
        let words = "word ".repeat(25);
        let text = format!("{words}\n\n| {words}|\n//! | {words}|\n{}\n```console\n$ {words}\n```\n", "x".repeat(121));
        assert_eq!(wide_lines(&text, true), [1]);
        assert_eq!(wide_lines(&text, false), [1, 7]);
        assert!(wide_lines(&"é".repeat(120), true).is_empty());
    }
}
