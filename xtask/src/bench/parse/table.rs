//! The table of `bench parse` and its raw numbers.

use super::Bar;
use super::memory::{self, Memory};
use crate::bench::record::{self, median};
use anyhow::{Context, Result};
use serde_json::{Value, json};

/// One run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    cpu: f64,
    wall: f64,
    sentences: f64,
    words: f64,
}

impl Run {
    /// What a program printed.
    pub fn said(said: &Value) -> Result<Self> {
        let number = |key: &str| said[key].as_f64().with_context(|| format!("no {key} in {said}"));
        Ok(Run {
            cpu: number("cpu_s")?,
            wall: number("wall_s")?,
            sentences: number("sentences")?,
            words: number("words")?,
        })
    }

    fn to_json(self) -> Value {
        json!({"cpu_s": self.cpu, "wall_s": self.wall, "sentences": self.sentences, "words": self.words})
    }
}

/// A row with its runs.
pub struct Measured {
    pub name: &'static str,
    pub bar: Bar,
    pub theirs: Vec<Run>,
    pub ours: Vec<Run>,
    /// Instructions per word, if valgrind is installed.
    pub instructions: Option<f64>,
}

/// Sentences or words per CPU second, the median of the runs.
fn speed(runs: &[Run], of: fn(&Run) -> f64) -> f64 {
    median(runs.iter().map(|run| of(run) / run.cpu).collect())
}

impl Measured {
    pub fn passes(&self) -> bool {
        match self.bar {
            Bar::Sentences(bar) => speed(&self.ours, |run| run.sentences) >= bar,
            Bar::Words(bar) => speed(&self.ours, |run| run.words) >= bar,
        }
    }

    pub fn line(&self) -> String {
        let sentences = |runs: &[Run]| match runs {
            [] => "–".to_owned(),
            _ => format!("{:.0}", speed(runs, |run| run.sentences)),
        };
        let bar = match self.bar {
            Bar::Sentences(bar) => format!("≥ {bar:.0} sentences"),
            Bar::Words(bar) => format!("≥ {bar:.0} words"),
        };
        format!(
            "| {} | {} | {} | {:.0} | {} | {bar} | {} |",
            self.name,
            sentences(&self.theirs),
            sentences(&self.ours),
            speed(&self.ours, |run| run.words),
            self.instructions.map_or_else(|| "–".to_owned(), |count| format!("{count:.0}")),
            if self.passes() { "yes" } else { "**no**" },
        )
    }

    fn to_json(&self) -> Value {
        let runs = |runs: &[Run]| -> Vec<Value> { runs.iter().map(|run| run.to_json()).collect() };
        json!({
            "work": self.name,
            "their_runs": runs(&self.theirs),
            "our_runs": runs(&self.ours),
            "instructions_per_word": self.instructions,
            "pass": self.passes(),
        })
    }
}

pub const HEAD: &str = "\
| work | UDPipe, sentences/s | tercet, sentences/s | tercet, words/s | instructions/word | bar per second | pass |
|---|---:|---:|---:|---:|---:|---|";

const ABOUT: &str = "\
Per second of CPU, one thread on both sides, in turns; medians. Reading and loading are left out. Sentences of 25 words are the first \
words of every sentence of EWT's training part that has as many, for phrases the first 500 of them; texts are all of it. UDPipe 1 tags (UPOS and XPOS, no lemmas, no \
features) and parses the same words with a model trained here for a minute, which says nothing about its accuracy. Instructions are \
valgrind's count; it has no AVX-512, so that where a processor has it fewer are run. See `../../README.md`.";

/// Records a run.
pub fn write(machine: &Value, rows: &[Measured], memory: &[Memory]) -> Result<()> {
    let lines = |lines: Vec<String>| lines.join("\n");
    let mut page = record::head("Parsing", machine);
    page += &format!("\n{ABOUT}\n\n{HEAD}\n{}\n", lines(rows.iter().map(Measured::line).collect()));
    page +=
        &format!("\n## Memory\n\n{}\n{}\n", memory::HEAD, lines(memory.iter().map(Memory::line).collect()));
    let json = json!({
        "machine": machine,
        "rows": rows.iter().map(Measured::to_json).collect::<Vec<_>>(),
        "memory": memory.iter().map(Memory::to_json).collect::<Vec<_>>(),
    });
    record::write("parse", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_per_second_of_cpu_and_held_against_the_bar() {
        let run = |cpu: f64| Run { cpu, wall: 9.0, sentences: 1000.0, words: 25_000.0 };
        let row = |bar: Bar, cpu: f64| Measured {
            name: "x",
            bar,
            theirs: Vec::new(),
            ours: vec![run(cpu), run(9.0), run(0.1)],
            instructions: None,
        };
        assert!(row(Bar::Sentences(2000.0), 0.5).passes() && !row(Bar::Sentences(2000.0), 0.51).passes());
        assert!(row(Bar::Words(50_000.0), 0.5).passes() && !row(Bar::Words(50_000.0), 0.51).passes());
        let line = row(Bar::Sentences(2000.0), 0.5).line();
        assert_eq!(line, "| x | – | 2000 | 50000 | – | ≥ 2000 sentences | yes |");
    }
}
