//! `cargo xtask bench pairwise`: training and scoring of the pairwise network compared with PyTorch, and memory of word
//! vectors.
//!
//! Only the work is timed, without starting a process and reading. Both sides are small programs that read the same
//! file of pairs and first weights and print seconds and values: `crates/tercet-learn/examples/timing` and `pytorch.py`
//! here.

use super::measure::output;
use super::peers::TORCH;
use super::row::{self, Bar, Quantity, Row, Run, relatively_within};
use super::session::{self, About, RunsArgs, Session, release_example, timed_in_turns};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

const ABOUT: About = About {
    file: "pairwise",
    title: "Pairwise network",
    text: "Seconds of training or scoring alone, one thread on both sides, in turns; medians. Random numbers in the \
           sizes of Guzmán et al. (2017). Both sides read the same file: the same pairs, first weights and order. \
           Before anything was timed the loss of one epoch and logits after it were compared, to 1e-4. ≈: an epoch of \
           fewer pairs, scaled. The fastest of PyTorch's methods that were tried is named below. Memory: the same \
           words of a small file of vectors and of a large one, GloVe's text; the peer is the small one.",
};

const PAIRS: u32 = 40_000;
/// Pairs of lists that are timed, of 40,000.
const LISTS: u32 = 2_000;

/// Work on a file of pairs or of lists.
struct Work {
    name: &'static str,
    /// The first argument of both programs.
    work: &'static str,
    file: &'static str,
    /// Repetitions within a run, by the peer and by tercet.
    times: [u32; 2],
    /// The factor from one repetition to the work of the row.
    scale: f64,
    is_extrapolated: bool,
    bar: Bar,
}

const WORK: [Work; 3] = [
    Work {
        name: "epoch of 40,000 pairs, 3 × 75 dimensions and 2 × 4 skip features, H = 4, batches of 30, AdaGrad",
        work: "epoch",
        file: "pairs",
        times: [2, 20],
        scale: 1.0,
        is_extrapolated: false,
        bar: Bar::Ratio(20.0),
    },
    Work {
        name: "scoring of 1,000,000 pairs from ready features, the same network; PyTorch in batches of 4,096",
        work: "score",
        file: "pairs",
        times: [25, 25],
        scale: 1e6 / PAIRS as f64,
        is_extrapolated: false,
        bar: Bar::Seconds(1.0),
    },
    Work {
        name: "epoch of 40,000 pairs of lists of 15 to 35 words, bidirectional LSTM of 50 units each way, 10,000 × 50 \
               embedding learned, batches of 30, AdaGrad",
        work: "epoch",
        file: "lists",
        times: [1, 1],
        scale: PAIRS as f64 / LISTS as f64,
        is_extrapolated: true,
        bar: Bar::Ratio(1.0),
    },
];

pub fn run(args: &RunsArgs) -> Result<()> {
    let timing = release_example("tercet-learn", "timing")?;
    let vectors = release_example("tercet", "vectors")?;
    session::run(args, &ABOUT, |session| {
        let python = session.python_with(&TORCH, &[])?;
        let script = session.write("pytorch.py", include_str!("pytorch.py"))?;
        for (file, pairs) in [("pairs", PAIRS), ("lists", LISTS)] {
            let mut make = Command::new(&timing);
            output(make.args(["make", file]).arg(session.scratch.join(file)).arg(pairs.to_string()))?;
        }
        for Work { name, work, file, times, scale, is_extrapolated, bar } in WORK {
            let file = session.scratch.join(file);
            let row = Row { is_extrapolated, ..Row::new(name, "PyTorch", [bar]) };
            session.row(row, |row, session| {
                let [mut theirs, mut ours] = [&python, &timing].map(Command::new);
                theirs.arg(&script).arg(work).arg(&file).arg(times[0].to_string());
                ours.arg(work).arg(&file).arg(times[1].to_string());
                timed_in_turns(row, session.runs(), scale, &mut theirs, &mut ours, same_values)
            })?;
        }
        memory(session, &vectors)
    })
}

/// Notes how the values that both programs print differ.
pub fn same_values(row: &mut Row, theirs: &serde_json::Value, ours: &serde_json::Value) -> Result<()> {
    row.difference = row::difference(&theirs["values"], &ours["values"], relatively_within(1e-4));
    Ok(())
}

const WANTED: &str = "8000";
const SIZES: [&str; 2] = ["50000", "400000"];

/// Memory depends on the words in use, not on the size of the file: it may grow by a tenth for the large one. Both
/// files are opened both ways with `crates/tercet/examples/vectors.rs`.
fn memory(session: &mut Session, program: &Path) -> Result<()> {
    let work =
        |how: &str, what: &str| format!("memory of 8,000 words of 400,000 × 300 beside 50,000 × 300, `{how}`, {what}");
    let works = [work("read-for", "peak"), work("open-for", "own, after opening")];
    if !works.iter().any(|work| session.wants(work)) {
        return Ok(());
    }
    let mut mib = [Vec::new(), Vec::new()];
    for words in SIZES {
        let file = session.scratch.join(format!("vectors.{words}.txt"));
        let run = |how: &str, words: &str| {
            let mut command = Command::new(program);
            command.arg(&file).args([how, words]).env("XDG_CACHE_HOME", &session.scratch);
            session.process(&mut command)
        };
        run("make", words)?;
        run("open-for", WANTED)?; // makes the compact form
        for (how, mib) in ["read-for", "open-for"].into_iter().zip(&mut mib) {
            let (run, printed) = run(how, WANTED)?;
            let found = printed.contains(&format!("{WANTED} words looked up"));
            ensure!(found, "examples/vectors kept other words than wanted: {printed}");
            mib.push(if how == "open-for" { own_memory(&printed)? } else { run.peak_mib.context("no peak")? });
        }
        fs::remove_file(&file)?;
    }
    for (work, mib) in works.into_iter().zip(mib) {
        let row = Row { quantity: Quantity::Memory, ..Row::new(work, "a smaller file", [Bar::Mib(1.1 * mib[0])]) };
        session.row(row, |row, _| {
            let runs = [mib[0], mib[1]].map(|mib| vec![Run { peak_mib: Some(mib), ..Run::default() }]);
            [row.theirs, row.ours] = runs;
            Ok(())
        })?;
    }
    Ok(())
}

/// The process's own memory after opening, in MiB; Linux only.
fn own_memory(printed: &str) -> Result<f64> {
    let kib = printed.split("RssAnon: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    Ok(kib.context("examples/vectors does not print its own memory: this needs Linux")? / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_memory_is_read_from_the_first_line_that_has_it() {
        let printed = "memory after opening: VmHWM: 9 kB, RssAnon: 2048 kB, RssFile: 5 kB\nmemory: RssAnon: 9 kB";
        assert_eq!(own_memory(printed).unwrap(), 2.0);
        assert!(own_memory("memory after opening: ").is_err());
    }
}
