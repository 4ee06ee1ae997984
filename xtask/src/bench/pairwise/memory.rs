//! Checks that memory depends on the words in use, not on the size of the file: the same words from a small and a large
//! file.

use crate::bench::measure::measure;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const WANTED: u32 = 8_000;
const SIZES: [u32; 2] = [50_000, 400_000];

/// The maximum growth for the large file.
const BAR: f64 = 0.1;

/// Peaks of one way to open files.
pub struct Memory {
    /// The argument of the example.
    how: &'static str,
    /// The kind of memory.
    what: &'static str,
    /// MiB, for the small and the large file.
    mib: Vec<f64>,
}

impl Memory {
    fn growth(&self) -> f64 {
        self.mib[1] / self.mib[0] - 1.0
    }

    pub fn passes(&self) -> bool {
        self.growth() < BAR
    }

    pub fn name(&self) -> &'static str {
        self.how
    }

    pub fn line(&self) -> String {
        let pass = if self.passes() { "yes" } else { "**no**" };
        let (small, large, growth) = (self.mib[0], self.mib[1], 100.0 * self.growth());
        format!(
            "| `{}`, {} | {small:.1} | {large:.1} | {growth:+.1}% | < {:.0}% | {pass} |",
            self.how,
            self.what,
            100.0 * BAR
        )
    }

    pub fn to_json(&self) -> Value {
        json!({
            "how": self.how,
            "what": self.what,
            "words_of_files": SIZES,
            "words_wanted": WANTED,
            "mib": self.mib,
            "bar": format!("< {BAR} more"),
            "pass": self.passes(),
        })
    }
}

pub const HEAD: &str = "\
| 8,000 words, kept in memory | 50,000 × 300, MiB | 400,000 × 300, MiB | growth | bar | pass |
|---|---:|---:|---:|---:|---|";

/// Makes both files, and opens them both ways with `crates/tercet/examples/vectors.rs`.
pub fn measure_all(program: &Path, scratch: &Path) -> Result<Vec<Memory>> {
    let environment = [("XDG_CACHE_HOME".to_owned(), scratch.to_string_lossy().into_owned())];
    let mut ways = [("read-for", "peak"), ("open-for", "own, after opening")].map(|(how, what)| Memory {
        how,
        what,
        mib: Vec::new(),
    });
    for words in SIZES {
        let file = scratch.join(format!("vectors.{words}.txt"));
        let run = |how: &str, words: u32| {
            let arguments = [file.to_string_lossy().into_owned(), how.to_owned(), words.to_string()];
            measure(program, &arguments, &environment, scratch).context("examples/vectors")
        };
        run("make", words)?;
        let (usage, said) = run("read-for", WANTED)?;
        check(&said)?;
        ways[0].mib.push(usage.peak);
        run("open-for", WANTED)?; // makes the compact form
        let (_, said) = run("open-for", WANTED)?;
        check(&said)?;
        ways[1].mib.push(own(&said)?);
        fs::remove_file(&file)?;
    }
    Ok(ways.into())
}

/// Checks that all wanted words were found.
fn check(said: &str) -> Result<()> {
    let found = said.contains(&format!("{WANTED} words looked up"));
    found.then_some(()).with_context(|| format!("examples/vectors kept other words than wanted: {said}"))
}

/// The process's own memory after opening, in MiB; Linux only.
fn own(said: &str) -> Result<f64> {
    let kib = said.split("RssAnon: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    Ok(kib.context("examples/vectors does not print its own memory: this needs Linux")? / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_memory_is_read_from_the_first_line_that_has_it() {
        let said =
            "memory after opening: VmHWM: 9 kB, RssAnon: 2048 kB, RssFile: 5 kB\nmemory: RssAnon: 9 kB";
        assert_eq!(own(said).unwrap(), 2.0);
        assert!(own("memory after opening: ").is_err());
    }

    #[test]
    fn growth_beyond_the_bar_is_a_failure() {
        let memory = |small: f64, large: f64| Memory { how: "", what: "", mib: vec![small, large] };
        assert!(memory(10.0, 10.9).passes() && memory(10.0, 9.0).passes());
        assert!(!memory(10.0, 11.1).passes());
    }
}
