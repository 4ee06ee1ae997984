//! The `tercet` command: parse, run, print the error chain, return the exit code. `main.rs` is its program; the Python
//! package runs it too.
//!
//! Results go to standard output, all at once when they are complete; everything else goes to standard error. Exit
//! codes: 0 success, 1 failure, 2 misuse, 3 a gate failed, 130 stopped by Ctrl-C.
//!
//! ```
//! let words = ["tercet", "metrics", "bleu", "--format", "json"];
//! assert_eq!(tercet_cli::run(words.map(Into::into).to_vec()), 0);
//! ```

mod args;
mod commands;
mod habits;
mod output;
mod progress;
#[cfg(test)]
mod tests;
mod work;

pub use commands::sacrebleu::test_sets::files as sacrebleu_files;

use args::{Cli, Command};
use clap::Parser;
use std::ffi::OsString;
#[cfg(any(feature = "siamese-fast", feature = "siamese-multilingual"))]
use tercet::metrics::siamese::Embedded;

/// Adds the models of `siamese` that this build has beside the English one. Before the first metric is built.
pub fn add_models() {
    #[cfg(feature = "siamese-fast")]
    Embedded::Fast.add(tercet_model_siamese::FAST);
    #[cfg(feature = "siamese-multilingual")]
    Embedded::Multilingual.add(tercet_model_siamese::MULTILINGUAL);
}

/// Runs the command with these words, of which the first is the program, and returns its exit code. To be called once
/// in a process: it starts the threads, and Ctrl-C ends the process.
pub fn run(given: Vec<OsString>) -> u8 {
    add_models();
    let registry = tercet::registry();
    let words: Vec<String> = given.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let given = match words.get(1).map(String::as_str) {
        // sacreBLEU's flags are not clap's: its command reads them itself.
        Some("sacrebleu") => return commands::sacrebleu::run(&words[2..], &registry),
        Some("score") => commands::score::with_sort_value(given, &registry),
        Some("meteor") => commands::meteor::with_our_flags(given),
        _ => given,
    };
    let parsed = Cli::try_parse_from(given);
    let cli = match parsed.and_then(|cli| habits::check_hyphens(&words, &registry).map_or(Ok(cli), Err)) {
        Ok(cli) => cli,
        Err(error) => return output::print_clap(&habits::explain(error, &words, &registry)),
    };
    if let Command::Sacrebleu { words } = &cli.command {
        return commands::sacrebleu::run(words, &registry);
    }
    let done = progress::stopped_by_interrupt(|| match &cli.command {
        Command::Score(args) => commands::score::run(args, &registry),
        Command::Compare(args) => commands::compare::run(args, &registry),
        Command::Rank(args) => commands::rank::run(args, &registry),
        Command::Check(args) => commands::check::run(args, &registry),
        Command::Filter(args) => commands::filter::run(args, &registry),
        Command::Correlate(args) => commands::correlate::run(args, &registry),
        Command::Systems(args) => commands::systems::run(args, &registry),
        Command::Campaign(args) => commands::campaign::run(args, &registry),
        Command::Evalset(args) => commands::eval_set::run(args, &registry),
        Command::Raters(args) => commands::raters::run(args, &registry),
        Command::Spans(args) => commands::spans::run(args, &registry),
        Command::Challenge(args) => commands::challenge::run(args, &registry),
        #[cfg(feature = "learned")]
        Command::DeriveScores(args) => commands::derive_scores::run(args, &registry),
        #[cfg(feature = "learned")]
        Command::Train(args) => commands::train::run(args, &words[1..], &registry),
        #[cfg(feature = "learned")]
        Command::Reproduce(args) => commands::reproduce::run(args, &registry),
        #[cfg(feature = "learned")]
        Command::Parse(args) => commands::parse::run(args, &registry),
        Command::Tokenize(args) => commands::tokenize::run(args, &registry),
        Command::Metrics(args) => commands::metrics::run_metrics(args, &registry),
        #[cfg(feature = "learned")]
        Command::Encoders(args) => commands::metrics::run_encoders(args, &registry),
        Command::Meteor(args) => commands::meteor::run(args, &registry),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(args, registry),
        Command::Completions(args) => commands::completions::run(args, &registry),
        Command::Sacrebleu { .. } => unreachable!("it was run above"),
    });
    match done {
        Ok(()) => 0,
        Err(error) => output::fail(&error),
    }
}
