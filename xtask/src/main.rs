//! Tasks for developers: `cargo xtask test | golden | bench | browser | load | fuzz | mutants | attack | peers |
//! differ | wordnet | function-words`. One file per subcommand.

#[cfg(unix)]
mod attack;
mod bench;
mod browser;
mod dependencies;
mod function_words;
mod fuzz;
mod golden;
#[cfg(unix)]
mod load;
mod mutants;
mod page;
mod peers;
mod python;
mod random;
mod server;
mod step;
mod test;
mod width;
mod wordnet;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Tasks for developers of tercet")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// All checks of CI: format, lints, tests, documentation, features, fuzz targets
    Test(test::TestArgs),
    /// Equality with the real tools on the golden files; needs them
    Golden(golden::GoldenArgs),
    /// Speed and memory compared with other tools
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Use the HTML reports in a headless browser; needs Chromium
    Browser(browser::BrowserArgs),
    /// Many clients and malformed requests for `tercet serve`
    #[cfg(unix)]
    Load(load::LoadArgs),
    /// Run the fuzz targets; needs cargo-fuzz and a nightly compiler
    Fuzz(fuzz::FuzzArgs),
    /// Changes of single expressions that no test of a crate notices; needs cargo-mutants
    Mutants(mutants::MutantsArgs),
    /// Malformed and extreme inputs for every command and reader
    #[cfg(unix)]
    Attack(attack::AttackArgs),
    /// Run the tests of other packages whose interfaces tercet has against it; needs Python
    Peers(peers::PeersArgs),
    /// Ask another package and tercet the same random questions; needs Python
    Differ(peers::DifferArgs),
    /// Pack WordNet 3.0 into the dictionary of synonyms inside the binary
    Wordnet(wordnet::WordnetArgs),
    /// Derive the list of English function words inside the binary from texts
    FunctionWords(function_words::FunctionWordsArgs),
    /// Run one command and print its time and memory as JSON (the benchmarks call this)
    #[command(hide = true)]
    Measure(bench::measure::MeasureArgs),
}

fn main() -> ExitCode {
    let outcome: Result<()> = match Cli::parse().command {
        Command::Test(args) => test::run(&args),
        Command::Golden(args) => golden::run(&args),
        Command::Bench(bench) => bench::run(&bench),
        Command::Browser(args) => browser::run(&args),
        #[cfg(unix)]
        Command::Load(args) => load::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Mutants(args) => mutants::run(&args),
        #[cfg(unix)]
        Command::Attack(args) => attack::run(&args),
        Command::Peers(args) => peers::peers(&args),
        Command::Differ(args) => peers::differ(&args),
        Command::Wordnet(args) => wordnet::run(&args),
        Command::FunctionWords(args) => function_words::run(&args),
        Command::Measure(args) => bench::measure::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
