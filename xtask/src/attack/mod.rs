//! `cargo xtask attack`: malformed and extreme inputs for every command and every reader.
//!
//! Every input is a run of the release binary in a folder of its own. It starts from small valid files (`case.rs`),
//! which are changed (`mutation.rs`, `arguments.rs`, `compression.rs`, `files.rs`), or it is stopped by a signal
//! (`stopping.rs`). Seed and number decide an input, so that each can be repeated alone. `check.rs` says what must not
//! happen.

mod arguments;
mod case;
mod check;
mod compression;
mod extreme;
mod files;
mod input;
mod mutation;
mod prepare;
mod process;
mod report;
mod stopping;

use crate::random::Random;
use crate::step::{TESTED, cargo_step, release_build, root, target_folder};
use anyhow::{Result, bail};
use arguments::{Flags, flags_of};
use case::Case;
use input::Input;
use process::{Limits, Outcome, Run, limit_resources};
use report::Report;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct AttackArgs {
    /// Decides all inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of inputs
    #[arg(long, default_value_t = 20_000, conflicts_with = "minutes")]
    inputs: u64,
    /// Go on for this long, instead of a number of inputs
    #[arg(long)]
    minutes: Option<f64>,
    /// Number of the first input
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Only cases whose `COMMAND: READER` contains this
    #[arg(long)]
    filter: Option<String>,
    /// The program to attack [default: the release build of this checkout]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Attack the development build, which checks arithmetic, instead of the release build
    #[arg(long, conflicts_with = "binary")]
    dev: bool,
    /// Only inputs that take little time: no long lines, no large files, no runs that are stopped
    #[arg(long)]
    quick: bool,
    /// Processes at a time [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Memory that a process may reserve, in MiB
    #[arg(long, default_value_t = 3072)]
    memory: u64,
    /// Folder for the inputs with findings, made anew
    #[arg(long, default_value = "target/attack")]
    output: PathBuf,
}

/// What all inputs have in common.
struct Attack {
    binary: PathBuf,
    cases: Vec<Case>,
    flags: Flags,
    seed: u64,
    quick: bool,
}

pub fn run(args: &AttackArgs) -> Result<()> {
    let binary = match &args.binary {
        Some(given) => given.canonicalize()?,
        None if args.dev => dev_build()?,
        None => release_build("--quiet -p tercet-cli", "tercet")?.canonicalize()?,
    };
    limit_resources(args.memory << 20)?;
    let scratch = std::env::temp_dir().join(format!("tercet-attack-{}", std::process::id()));
    let report = attacked(args, binary, &scratch);
    std::fs::remove_dir_all(&scratch)?;
    let report = report?;
    let repeat = format!("cargo xtask attack --seed {}", args.seed);
    report.print(&args.filter.as_ref().map_or(repeat.clone(), |filter| format!("{repeat} --filter '{filter}'")));
    match report.len() {
        0 => Ok(()),
        found => bail!("{found} findings"),
    }
}

/// Prepares and runs all inputs, with the folders of the runs in `scratch`.
fn attacked(args: &AttackArgs, binary: PathBuf, scratch: &Path) -> Result<Report> {
    if let Some(lost) = files::lost_devices().next() {
        bail!("{lost}: make it one before the attack");
    }
    let prepared = scratch.join("prepared").join("run");
    prepare::prepare(&binary, &prepared)?;
    let filter = args.filter.as_deref().unwrap_or_default();
    let mut cases = case::all(&prepared)?;
    cases.retain(|case| case.name().contains(filter) && !(args.quick && (case.stopped || case.is_large())));
    if cases.is_empty() {
        bail!("no case has `{filter}` in its name");
    }
    let flags = flags(&binary, scratch)?;
    let attack = Attack { binary, cases, flags, seed: args.seed, quick: args.quick };
    attack.valid_inputs(&scratch.join("valid").join("run"))?;
    let report = Mutex::new(Report::new(root().join(&args.output))?);
    attack.all(args, scratch, &report)?;
    Ok(report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn dev_build() -> Result<PathBuf> {
    cargo_step("build", &format!("build --quiet {TESTED} --bins --tests"))?;
    Ok(target_folder()?.join("debug").join("tercet").canonicalize()?)
}

/// The subcommands that are attacked.
const COMMANDS: &str =
    "score compare rank correlate systems train parse tokenize metrics encoders meteor sacrebleu completions";

/// The flags of every subcommand, from its help.
fn flags(binary: &Path, scratch: &Path) -> Result<Flags> {
    let folder = scratch.join("help").join("run");
    std::fs::create_dir_all(&folder)?;
    let mut flags = Flags::new();
    for command in COMMANDS.split(' ') {
        let words = [command.to_owned(), "--help".to_owned()];
        let help = Run { binary, folder: &folder, words: &words, stdin: None }.wait(&Limits::seconds(20.0))?;
        flags.insert(command.to_owned(), flags_of(&String::from_utf8_lossy(&help.stdout)));
    }
    Ok(flags)
}

impl Attack {
    /// Runs all inputs, several at a time.
    fn all(&self, args: &AttackArgs, scratch: &Path, report: &Mutex<Report>) -> Result<()> {
        let end = args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
        let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let next = AtomicU64::new(args.from);
        let worker = |job: usize| -> Result<()> {
            let folder = scratch.join(job.to_string()).join("run");
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let over = end.map_or(number >= args.from + args.inputs, |end| Instant::now() > end);
                if over {
                    return Ok(());
                }
                self.one(number, &folder, report)?;
                let done = number - args.from + 1;
                if done.is_multiple_of(1_000) {
                    eprintln!("about {done} inputs done");
                }
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|job| scope.spawn(move || worker(job))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    /// Returns an error if a command line fails without changes: then its files test little.
    fn valid_inputs(&self, folder: &Path) -> Result<()> {
        let mut failing = Vec::new();
        for case in &self.cases {
            for line in &case.lines {
                let input = Input::valid(case, line);
                let (outcome, found) = self.run(&input, folder)?;
                if outcome.code != Some(0) || !found.is_empty() {
                    let said = String::from_utf8_lossy(&outcome.stderr).trim_end().to_owned();
                    failing.push(format!("{}: {line}: {} {said}", case.name(), found.join(", ")));
                }
            }
        }
        if !failing.is_empty() {
            bail!("{} command lines fail without changes:\n{}", failing.len(), failing.join("\n"));
        }
        Ok(())
    }

    fn one(&self, number: u64, folder: &Path, report: &Mutex<Report>) -> Result<()> {
        let mut random = Random::new(self.seed, number);
        let case = self.case(&mut random);
        let (input, outcome, mut found) = if case.stopped {
            let input = Input::valid(case, random.choose::<String>(&case.lines));
            let (found, outcome) = stopping::stop_and_repeat(&input, &self.binary, folder, &mut random)?;
            (input, outcome, found)
        } else {
            let input = Input::changed(case, &self.flags, self.quick, &mut random);
            let (mut outcome, mut found) = self.run(&input, folder)?;
            if outcome.timed_out && !found.is_empty() {
                // A busy machine must not be a finding.
                (outcome, found) = self.run(&input, folder)?;
            }
            (input, outcome, found)
        };
        found.extend(files::lost_devices());
        report.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(number, &input, &outcome, &found)
    }

    /// A case, by weight.
    fn case(&self, random: &mut Random) -> &Case {
        let mut left = random.below(self.cases.iter().map(|case| case.weight).sum());
        let mut chosen = self.cases.iter();
        chosen
            .find(|case| {
                let found = left < case.weight;
                left = left.saturating_sub(case.weight);
                found
            })
            .expect("the weights add up")
    }

    fn run(&self, input: &Input, folder: &Path) -> Result<(Outcome, Vec<String>)> {
        let writers = input.place(folder)?;
        let run = Run { binary: &self.binary, folder, words: &input.words, stdin: input.stdin.as_deref() };
        let outcome = run.wait(&Limits { time: input.limit(), signal: None });
        for mut writer in writers {
            let _ = writer.kill();
            writer.wait()?;
        }
        let outcome = outcome?;
        let found = check::findings(input, &outcome, folder);
        Ok((outcome, found))
    }
}
