//! The `tercet` command: parse, run, print the error chain, exit.
//!
//! Results go to standard output, all at once when they are complete; everything else goes to standard error. Exit
//! codes: 0 success, 1 failure, 2 misuse, 130 stopped by Ctrl-C.

mod args;
mod commands;
mod habits;
mod output;
mod progress;
#[cfg(test)]
mod tests;
mod work;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;
use std::sync::LazyLock;
use tercet::metrics::Registry;

/// The metrics of this program, and the models it has open.
fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(tercet::registry);
    &REGISTRY
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    // sacreBLEU's flags are not clap's: its command reads them itself.
    if words.get(1).is_some_and(|word| word == "sacrebleu") {
        return commands::sacrebleu::run(&words[2..]);
    }
    let given = commands::score::with_sort_value(std::env::args_os().collect());
    let parsed = Cli::try_parse_from(commands::meteor::with_our_flags(given));
    let cli = match parsed.and_then(|cli| habits::check_hyphens(&words).map_or(Ok(cli), Err)) {
        Ok(cli) => cli,
        Err(error) => return output::print_clap(&habits::explain(error, &words)),
    };
    let done = match &cli.command {
        Command::Score(args) => commands::score::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Rank(args) => commands::rank::run(args),
        Command::Correlate(args) => commands::correlate::run(args),
        Command::Systems(args) => commands::systems::run(args),
        #[cfg(feature = "learned")]
        Command::DeriveScores(args) => commands::derive_scores::run(args),
        #[cfg(feature = "learned")]
        Command::Train(args) => commands::train::run(args),
        #[cfg(feature = "learned")]
        Command::Reproduce(args) => commands::reproduce::run(args),
        #[cfg(feature = "learned")]
        Command::Parse(args) => commands::parse::run(args),
        Command::Tokenize(args) => commands::tokenize::run(args),
        Command::Metrics(args) => commands::metrics::run_metrics(args),
        #[cfg(feature = "learned")]
        Command::Encoders(args) => commands::metrics::run_encoders(args),
        Command::Meteor(args) => commands::meteor::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Sacrebleu { words } => return commands::sacrebleu::run(words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::fail(&error),
    }
}
