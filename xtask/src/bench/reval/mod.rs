//! `cargo xtask bench reval`: training of the network of ReVal compared with PyTorch, and scoring with the command.
//!
//! Of training only the work is timed, without starting a process and reading. Both sides are small programs that read
//! the same file of pairs, trees and first weights and print seconds and values:
//! `crates/tercet-learn/examples/similarity.rs` and `pytorch.py` here. Scoring is `tercet score`, with all that it
//! does: loading the model, tokens, trees.

use super::measure::{output, timed};
use super::pairwise::same_values;
use super::peers::TORCH;
use super::row::{Bar, Quantity, Row};
use super::session::{self, About, RunsArgs, release_example, timed_in_turns};
use super::texts::Texts;
use crate::step::release_build;
use anyhow::Result;
use std::fs;
use std::process::Command;

#[derive(clap::Args)]
pub struct RevalArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The metric that scores
    #[arg(long, value_name = "METRIC", default_value = "reval")]
    metric: String,
}

const ABOUT: About = About {
    file: "reval",
    title: "ReVal",
    text: "Training: seconds of the work alone, in turns; medians. Random sentences and trees; both sides read the \
           same file with the same pairs, first weights and order. Ten scores before an epoch and its loss were \
           compared, to 1e-4. ≈: PyTorch and tercet train on 400 pairs, scaled. Scoring: CPU seconds of the whole \
           command.",
};

/// Pairs of an epoch.
const PAIRS: u32 = 14_000;
/// Pairs that PyTorch is timed on.
const SAMPLE: u32 = 400;

const BESIDE_PYTORCH: &str = "epoch of 14,000 pairs of sentences of 12 to 32 words, child-sum Tree-LSTM(50, 150), word \
                              vectors of 50 dimensions, batches of 25, AdaGrad";
const ON_TWO_THREADS: &str = "epoch of 14,000 pairs, two threads";

pub fn run(args: &RevalArgs) -> Result<()> {
    let similarity = &release_example("tercet-learn", "similarity")?;
    session::run(&args.runs, &ABOUT, |session| {
        let scratch = session.scratch.clone();
        let make = |pairs: u32| {
            let file = scratch.join(format!("{pairs}.pairs"));
            output(Command::new(similarity).arg("make").arg(&file).arg(pairs.to_string())).map(|_| file)
        };
        if session.wants(BESIDE_PYTORCH) {
            let python = session.python_with(&TORCH, &[])?;
            let row = Row { is_extrapolated: true, ..Row::new(BESIDE_PYTORCH, "PyTorch", [Bar::Ratio(5.0)]) };
            session.row(row, |row, session| {
                let (file, script) = (make(SAMPLE)?, session.write("pytorch.py", include_str!("pytorch.py"))?);
                let [mut theirs, mut ours] = [&python, similarity].map(Command::new);
                theirs.arg(script).arg("epoch").arg(&file).arg("1");
                ours.arg("epoch").arg(&file).arg("20");
                let scale = f64::from(PAIRS) / f64::from(SAMPLE);
                timed_in_turns(row, session.runs(), scale, &mut theirs, &mut ours, same_values)
            })?;
        }
        let row = Row {
            quantity: Quantity::Wall,
            items: vec![("pairs", f64::from(PAIRS))],
            ..Row::new(ON_TWO_THREADS, "", [Bar::Seconds(120.0)])
        };
        session.row(row, |row, session| {
            let file = make(PAIRS)?;
            let run = || Ok(timed(Command::new(similarity).arg("epoch").arg(&file).arg("1"), 2)?.0);
            row.alone(session.runs(), run)
        })?;
        for systems in [1, 11] {
            let name = format!("scoring of WMT17 German–English, {systems} systems, one thread, parsing included");
            session.row(Row::new(name, "", [Bar::PerSecond(1500.0, "segments")]), |row, session| {
                let tercet = release_build("-p tercet-cli", "tercet")?;
                let texts = Texts::wmt17()?;
                let segments = fs::read_to_string(&texts.reference)?.lines().count();
                row.items.push(("segments", (systems * segments) as f64));
                let mut command = texts.score(&tercet, systems, &format!("-m {}", args.metric), 1);
                row.alone(session.runs(), || Ok(session.process(&mut command)?.0))
            })?;
        }
        Ok(())
    })
}
