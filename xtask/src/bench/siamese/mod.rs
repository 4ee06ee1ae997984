//! `cargo xtask bench siamese`: the metric `siamese` compared with the same model in PyTorch, ONNX Runtime and
//! CTranslate2.
//!
//! Both sides are small programs that score the same lines on one thread and time the scoring alone:
//! `crates/tercet/examples/siamese_scoring.rs` with the embedded model of 8-bit weights, and `peers.py` here with the
//! same weights as floats, or with the model in single precision that it was made from.

use super::encoders::first_lines;
use super::peers::{self, CTRANSLATE2, ONNX, ONNXRUNTIME, Package, SENTENCE_TRANSFORMERS};
use super::row::{Bar, Row};
use super::session::{self, About, RunsArgs, release_example, timed_in_turns};
use super::texts::Texts;
use crate::step::root;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub struct SiameseArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The embedded model in single precision, as training/siamese/export.py wrote it [default: its 8-bit weights as
    /// floats]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Segments that are scored
    #[arg(long, value_name = "N", default_value_t = 500)]
    segments: usize,
}

const ABOUT: About = About {
    file: "siamese",
    title: "Siamese",
    text: "Seconds of the scoring alone, tokenization, matching and head included, reading of the model not; one \
           thread, in turns, medians. Segments of WMT17 German–English with one reference, each distinct line encoded \
           once. tercet has the embedded model of 8-bit weights, the others the same model in the precision that the \
           row says. CTranslate2 returns the last layer only, so its seconds are of less work than tercet's.",
};

/// How close a peer must be.
#[derive(Clone, Copy, Debug)]
enum Agreement {
    /// Scores with at least this Pearson correlation and at most this mean absolute difference.
    Scores { correlation: f64, difference: f64 },
    /// The peer has no scores; it says cosines of its sentence vectors with those in single precision, whose mean is at
    /// least this.
    Cosines(f64),
}

/// What tercet is compared with, its name for `peers.py`, further packages, by how much tercet must be faster, and how
/// close the scores must be. Peers that also have 8-bit activations differ more: their scores only have to be of the
/// same model.
const ROWS: [(&str, &str, &[Package], f64, Agreement); 4] = [
    ("PyTorch in single precision", "torch", &[], 3.0, Agreement::Scores { correlation: 0.999, difference: 0.05 }),
    ("PyTorch with dynamic 8-bit weights", "torch-int8", &[], 1.0, SAME_MODEL),
    ("ONNX Runtime with dynamic 8-bit weights", "onnxruntime-int8", &[ONNX, ONNXRUNTIME], 1.0, SAME_MODEL),
    (
        "CTranslate2 with 8-bit weights: its encoder alone",
        "ctranslate2-int8",
        &[CTRANSLATE2],
        1.0,
        Agreement::Cosines(0.98),
    ),
];

const SAME_MODEL: Agreement = Agreement::Scores { correlation: 0.9, difference: 1.0 };

pub fn run(args: &SiameseArgs) -> Result<()> {
    let scoring = release_example("tercet", "siamese_scoring")?;
    let texts = Texts::wmt17()?;
    let system = texts.systems.first().context("WMT17 has no systems")?;
    let model = args.model.clone().unwrap_or_else(|| root().join("models"));
    let model = model.canonicalize().with_context(|| model.display().to_string())?;
    session::run(&args.runs, &ABOUT, |session| {
        let python = session.python_with(&SENTENCE_TRANSFORMERS, &["torch", "transformers"])?;
        let script = session.write("peers.py", include_str!("peers.py"))?;
        let reference = session.write("reference", first_lines(&texts.reference, args.segments)?)?;
        let hypothesis = session.write("hypothesis", first_lines(system, args.segments)?)?;
        session.note("segments", args.segments);
        session.note(
            "model",
            match args.model.as_deref().and_then(Path::file_name) {
                Some(name) => name.to_string_lossy().into_owned(),
                None => "the embedded one, its 8-bit weights as floats".to_owned(),
            },
        );
        for (name, kind, packages, bar, agreement) in ROWS {
            session.row(Row::new(name, "the row's", [Bar::Ratio(bar)]), |row, session| {
                let environment = python.parent().and_then(Path::parent);
                for package in packages {
                    let Package { name, version, .. } = package;
                    match peers::python_with(package, environment) {
                        Ok(_) => row.notes.push(format!("{name} {version}")),
                        Err(error) => {
                            row.not_measured = Some(format!("{name} {version} does not install ({error})"));
                            return Ok(());
                        }
                    }
                }
                let scores = ["theirs", "ours"].map(|name| session.scratch.join(name));
                let [mut theirs, mut ours] = [&python, &scoring].map(Command::new);
                theirs.arg(&script).arg(kind).arg(&model).args([&reference, &hypothesis, &scores[0]]);
                ours.args([&reference, &hypothesis, &scores[1]]);
                timed_in_turns(row, session.runs(), 1.0, &mut theirs, &mut ours, |row, _, _| {
                    let (closeness, differs) = agreement.check(&numbers(&scores[0])?, &numbers(&scores[1])?);
                    row.difference = differs.then(|| closeness.clone());
                    row.notes.push(closeness);
                    Ok(())
                })
            })?;
        }
        Ok(())
    })
}

fn numbers(path: &Path) -> Result<Vec<f64>> {
    let text = fs::read_to_string(path).with_context(|| format!("no scores in {}", path.display()))?;
    text.lines().map(|line| line.parse().with_context(|| format!("`{line}` is no score"))).collect()
}

impl Agreement {
    /// How close the two are, in words, and whether that is too far.
    fn check(self, theirs: &[f64], ours: &[f64]) -> (String, bool) {
        match self {
            Agreement::Cosines(least) => {
                let mean = mean(theirs.iter().copied());
                (
                    format!("Mean cosine of its sentence vectors with PyTorch's in single precision: {mean:.4}"),
                    mean.is_nan() || mean < least,
                )
            }
            Agreement::Scores { .. } if theirs.len() != ours.len() => {
                (format!("{} scores, not {}", ours.len(), theirs.len()), true)
            }
            Agreement::Scores { correlation, difference } => {
                let found = pearson(theirs, ours);
                let apart = mean(theirs.iter().zip(ours).map(|(a, b)| (a - b).abs()));
                let words = format!("Its raw scores and tercet's: Pearson {found:.5}, mean difference {apart:.4}");
                (words, found.is_nan() || found < correlation || apart > difference)
            }
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let [mean_a, mean_b] = [a, b].map(|values| mean(values.iter().copied()));
    let product = |x: &[f64], mean_x: f64, y: &[f64], mean_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum()
    };
    product(a, mean_a, b, mean_b) / (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: Agreement = Agreement::Scores { correlation: 0.999, difference: 0.05 };

    #[test]
    fn scores_agree_by_correlation_and_mean_difference() {
        let (words, disagree) = SCORES.check(&[0.0, 1.0, 2.0], &[0.01, 1.01, 2.01]);
        assert_eq!(words, "Its raw scores and tercet's: Pearson 1.00000, mean difference 0.0100");
        assert!(!disagree);
        assert!(SCORES.check(&[0.0, 1.0, 2.0], &[0.1, 1.1, 2.1]).1, "the same order, other values");
        assert!(SCORES.check(&[0.0, 0.01, 0.02], &[0.02, 0.01, 0.0]).1, "similar values, another order");
    }

    #[test]
    fn missing_scores_never_agree() {
        assert_eq!(SCORES.check(&[0.0, 1.0], &[0.0]), ("1 scores, not 2".to_owned(), true));
        assert!(SCORES.check(&[], &[]).1);
        assert!(Agreement::Cosines(0.98).check(&[], &[]).1);
    }

    #[test]
    fn cosines_agree_by_their_mean() {
        assert!(!Agreement::Cosines(0.98).check(&[0.97, 1.0], &[]).1);
        assert!(Agreement::Cosines(0.99).check(&[0.97, 1.0], &[]).1);
    }
}
