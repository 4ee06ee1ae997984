//! Checks that memory of `tercet parse` does not grow with the text and is small for a long sentence.

use super::Programs;
use super::texts::Texts;
use crate::bench::measure::measure;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Peak memory of one run of the command.
pub struct Memory {
    what: &'static str,
    mib: f64,
    /// The maximum, in MiB.
    bar: f64,
    /// The reason for this maximum.
    reason: String,
}

impl Memory {
    pub fn passes(&self) -> bool {
        self.mib <= self.bar
    }

    pub fn name(&self) -> &'static str {
        self.what
    }

    pub fn line(&self) -> String {
        let pass = if self.passes() { "yes" } else { "**no**" };
        format!("| {} | {:.1} | ≤ {:.1} ({}) | {pass} |", self.what, self.mib, self.bar, self.reason)
    }

    pub fn to_json(&self) -> Value {
        json!({"what": self.what, "peak_mib": self.mib, "bar_mib": self.bar, "pass": self.passes()})
    }
}

pub const HEAD: &str = "\
| `tercet parse`, one thread | peak MiB | bar | pass |
|---|---:|---:|---|";

/// A hundred thousand sentences are compared with ten thousand; for phrases, which take longer, ten thousand with a quarter,
/// which is more than the command parses before it writes.
pub fn measure_all(programs: &Programs, texts: &Texts, scratch: &Path) -> Result<Vec<Memory>> {
    let peak = |work: &str, text: &str| -> Result<f64> {
        let file = scratch.join("memory.txt");
        fs::write(&file, text)?;
        let format = if work == "constituency" { "brackets" } else { "conllu" };
        let fixed = ["parse", "--quiet", "--threads", "1", "--tok", "none", "--format", format];
        let model = programs.model(work).map(|path| format!("--model={}", path.display()));
        let file = file.to_string_lossy().into_owned();
        let arguments: Vec<String> =
            fixed.map(str::to_owned).into_iter().chain(model).chain([file]).collect();
        Ok(measure(&programs.tercet, &arguments, &[], scratch).context("tercet parse")?.0.peak)
    };
    let memory = |what, mib, bar, reason: &str| Memory { what, mib, bar, reason: reason.to_owned() };
    let long = texts.repeated(20)?.replace('\n', " ");
    let some = peak("dependency", &texts.repeated(10_000)?)?;
    let many = peak("dependency", &texts.repeated(100_000)?)?;
    let some_phrases = peak("constituency", &texts.repeated(2500)?)?;
    let many_phrases = peak("constituency", &texts.repeated(10_000)?)?;
    Ok(vec![
        memory("one sentence of 500 words", peak("dependency", &long)?, 256.0, "fixed"),
        memory("100,000 sentences of 25 words", many, 1.1 * some, "1.1 × 10,000 sentences"),
        memory("phrases of one sentence of 500 words", peak("constituency", &long)?, 256.0, "fixed"),
        memory("phrases of 10,000 sentences", many_phrases, 1.1 * some_phrases, "1.1 × 2,500 sentences"),
    ])
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_peak_above_its_bar_fails() {
        let memory = |mib| super::Memory { what: "x", mib, bar: 10.0, reason: "y".to_owned() };
        assert!(memory(10.0).passes() && !memory(10.1).passes());
        assert_eq!(memory(9.96).line(), "| x | 10.0 | ≤ 10.0 (y) | yes |");
    }
}
