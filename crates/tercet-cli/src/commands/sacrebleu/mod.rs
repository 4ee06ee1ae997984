//! `tercet sacrebleu`: the flags of sacreBLEU 2.6.0, with byte-identical standard output and the same exit codes.
//!
//! Exit codes are sacreBLEU's: 0 success, 1 failure, 2 misuse, 17 for lines whose number of fields differs.
//!
//! # Differences
//! - The version in signatures names tercet.
//! - Test sets (`-t`, `--echo`) are those that sacreBLEU has downloaded: tercet never goes online. `--list` names
//!   these,
//!   with their language pairs. `--download`, `--citation`, `--origlang` and `--subset` are refused.
//! - A paired bootstrap with chrF or TER in JSON works; sacreBLEU fails on its own numbers there.
//! - Numbers that make no sense are refused with exit code 1 where sacreBLEU computes something: a negative β or
//!   smoothing value, orders above 64, infinities, more than 60,000 decimals.
//! - Seed 0 is a seed in paired tests too; sacreBLEU treats it as no seed there. Seeds are below 2⁶³.
//! - Dictionaries and models of tokenizers are not downloaded: `tercet tokenize --list` says which they are. `spm` with
//!   a model that `TERCET_SPM` names is `spm-` and the model's hash in signatures.
//! - Encodings beyond UTF-8, Latin-1 and ASCII are refused.

mod arguments;
mod evaluation;
mod failure;
mod flags;
mod input;
mod number;
mod refusals;
mod settings;
pub mod test_sets;

use crate::output;
use arguments::Request;
use evaluation::Evaluation;
use failure::Failure;
use settings::{Format, Settings};
use std::io::IsTerminal;
use tercet::corpora::Encoding;
use tercet::metrics::{Registry, SACREBLEU_VERSION};
use tercet::report::sacrebleu::{Palette, strip_colours};
use tercet::threads::limited;

/// sacreBLEU resets the terminal's colours at the end.
const RESET: &str = "\x1b[0m";

/// Runs the command with the words after `tercet sacrebleu`.
pub fn run(words: &[String], registry: &Registry) -> u8 {
    let printed = match arguments::read(words) {
        Ok(Request::Help) => Ok(flags::help()),
        Ok(Request::Version) => Ok(format!("sacrebleu {SACREBLEU_VERSION}\n")),
        Ok(Request::Run(arguments)) => scores(&Settings::new(arguments), registry),
        Err(message) => Err(Failure { code: 2, message: format!("{message}\n{}", flags::USAGE.trim_end()) }),
    };
    let done = printed.and_then(|printed| {
        output::print(&printed).map_err(|error| Failure::new(format!("cannot write the result: {error:#}")))
    });
    match done {
        Ok(()) => 0,
        Err(failure) => {
            for line in failure.message.lines() {
                output::note(format_args!("sacreBLEU: {line}"));
            }
            failure.code
        }
    }
}

/// Everything that is printed.
fn scores(settings: &Settings, registry: &Registry) -> Result<String, Failure> {
    refusals::check_online(settings)?;
    if let Some(printed) = test_sets::printed(settings)? {
        return Ok(printed);
    }
    let sets = test_sets::references(settings)?;
    refusals::check_flags(settings)?;
    let encoding = Encoding::from_name(settings.text("--encoding").unwrap_or("utf-8"))?;
    let by_set = sets.unwrap_or_else(|| vec![settings.references().to_vec()]);
    let reference_files = input::read_files(&by_set.concat(), encoding)?;
    let references = match by_set.as_slice() {
        [_] => input::references(&reference_files, settings.integer("--num-refs", 1))?,
        sets => input::joined(&reference_files, sets.iter().map(Vec::len))?,
    };
    let outputs = input::read_outputs(settings, encoding)?;
    if !settings.has("--quiet") {
        input::warn_of_sgml(&reference_files, &outputs);
    }
    let systems = input::systems(&outputs, settings.paired_test().is_some())?;
    refusals::check_systems(settings, &systems, &references)?;
    refusals::warn(settings, &systems);

    let metrics = evaluation::metrics(settings, registry)?;
    if systems.is_empty() {
        return nothing(settings);
    }
    let several = systems.len() > 1;
    if several && !settings.has("--quiet") {
        output::note(format_args!("sacreBLEU: Found {} systems.", systems.len()));
    }
    let printed = threads(settings)?.install(|| {
        let evaluation = Evaluation::new(settings, &metrics, systems, &references)?;
        if settings.has("--sentence-level") {
            evaluation.sentences()
        } else if several {
            evaluation.table()
        } else {
            evaluation.single()
        }
    })?;
    Ok(match settings.palette() {
        Palette::Plain => printed,
        Palette::Coloured if std::io::stdout().is_terminal() => printed + RESET,
        Palette::Coloured => strip_colours(&printed),
    })
}

/// `-i` without a file: an empty list, if the output is a list.
fn nothing(settings: &Settings) -> Result<String, Failure> {
    let listed = settings.format == Format::Json && !settings.has("--sentence-level") && !settings.has("--detail");
    if listed { Ok("[]\n".to_owned()) } else { Err(Failure::new("there is no system to score (name files after -i)")) }
}

/// The threads of `-j`. Default: one; 0: all cores.
fn threads(settings: &Settings) -> Result<rayon::ThreadPool, Failure> {
    let asked = settings.integer("--paired-jobs", 1);
    let count = match usize::try_from(asked) {
        Ok(count) => count,
        Err(_) if settings.paired_test().is_none() => 1,
        Err(_) => {
            return Err(Failure::new(format!("{asked} jobs are too few (set -j to 0 or more)")));
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limited(count)).use_current_thread().build();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")))
}
