//! `cargo xtask bench encoders`: sentence vectors of a transformer compared with sentence-transformers.
//!
//! Both sides are small programs that read the same folder and the same lines, time the encoding alone on one thread,
//! and write the vectors: `crates/tercet-transformer/examples/encoding.rs` and `pytorch.py` here.

use super::peers::SENTENCE_TRANSFORMERS;
use super::row::{Bar, Row};
use super::session::{self, About, RunsArgs, release_example, timed_in_turns};
use super::texts::Texts;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct EncodersArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The folder of a model: config.json, tokenizer, weights
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
}

const ABOUT: About = About {
    file: "encoders",
    title: "Encoders",
    text: "Seconds of the encoding alone, tokenization included, reading of the model not; one thread, in turns, \
           medians. The same vectors: in single precision no number differs by more than 1e-5, with 8-bit weights the \
           mean cosine is at least .999.",
};

/// Lines that are encoded.
const LINES: usize = 2000;

/// How close vectors must be.
type Compare = fn(&[f32], &[f32], usize) -> Option<String>;

/// What is encoded, in which precision, by how much faster, and how close vectors must be.
const ROWS: [(&str, &str, f64, Compare); 2] = [
    ("2,000 sentences in single precision", "single", 1.0, largest_difference),
    ("2,000 sentences with 8-bit weights", "int8", 2.0, mean_cosine),
];

pub fn run(args: &EncodersArgs) -> Result<()> {
    let encoding = release_example("tercet-transformer", "encoding")?;
    session::run(&args.runs, &ABOUT, |session| {
        let python = session.python_with(&SENTENCE_TRANSFORMERS, &["torch"])?;
        session.note("model", args.model.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let script = session.write("pytorch.py", include_str!("pytorch.py"))?;
        let lines = first_lines(&Texts::wmt17()?.reference, LINES)?;
        let lines = session.write("lines", lines)?;
        for (name, precision, bar, compare) in ROWS {
            session.row(Row::new(name, "sentence-transformers", [Bar::Ratio(bar)]), |row, session| {
                let vectors = ["theirs", "ours"].map(|name| session.scratch.join(name));
                let [mut theirs, mut ours] = [&python, &encoding].map(Command::new);
                theirs.arg(&script).arg(&args.model).arg(&lines).arg(&vectors[0]);
                ours.arg(&args.model).arg(&lines).arg(precision).arg(&vectors[1]);
                timed_in_turns(row, session.runs(), 1.0, &mut theirs, &mut ours, |row, _, _| {
                    row.difference = compare(&numbers(&vectors[0])?, &numbers(&vectors[1])?, LINES);
                    Ok(())
                })
            })?;
        }
        Ok(())
    })
}

/// The first lines of a text.
pub fn first_lines(path: &Path, count: usize) -> Result<String> {
    Ok(fs::read_to_string(path)?.lines().take(count).map(|line| format!("{line}\n")).collect())
}

fn numbers(path: &Path) -> Result<Vec<f32>> {
    let bytes = fs::read(path).with_context(|| format!("no vectors in {}", path.display()))?;
    Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}

/// Vectors of length 1, or not, whose numbers differ by more than 1e-5.
fn largest_difference(theirs: &[f32], ours: &[f32], _lines: usize) -> Option<String> {
    if theirs.len() != ours.len() {
        return Some(format!("{} numbers, not {}", ours.len(), theirs.len()));
    }
    let largest = theirs.iter().zip(ours).map(|(a, b)| (a - b).abs()).fold(0.0f32, f32::max);
    (largest > 1e-5).then(|| format!("a number differs by {largest:e}"))
}

/// Vectors whose mean cosine is below .999.
fn mean_cosine(theirs: &[f32], ours: &[f32], lines: usize) -> Option<String> {
    if theirs.len() != ours.len() || theirs.is_empty() {
        return Some(format!("{} numbers, not {}", ours.len(), theirs.len()));
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let width = theirs.len() / lines;
    let rows = theirs.chunks_exact(width).zip(ours.chunks_exact(width));
    let mean = rows.map(|(a, b)| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).sum::<f64>() / lines as f64;
    (mean < 0.999).then(|| format!("the mean cosine is {mean:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_compared_by_difference_or_by_cosine() {
        let (theirs, near, other) = ([1.0, 0.0, 0.0, 2.0], [1.0, 0.000_001, 0.0, 2.0], [0.9, 0.1, 0.0, 2.0]);
        assert_eq!(largest_difference(&theirs, &near, 2), None);
        assert!(largest_difference(&theirs, &other, 2).unwrap().starts_with("a number differs by"));
        assert_eq!(mean_cosine(&theirs, &near, 2), None);
        assert_eq!(mean_cosine(&theirs, &other, 2).unwrap(), "the mean cosine is 0.9969");
        assert_eq!(mean_cosine(&theirs, &[], 2).unwrap(), "0 numbers, not 4");
    }
}
