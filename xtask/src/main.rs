//! What developers run: `cargo xtask test | golden | bench | fuzz | wordnet | function-words`. One file per subcommand.

mod bench;
mod function_words;
mod fuzz;
mod golden;
mod step;
mod test;
mod wordnet;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "What developers of tercet run")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything CI checks: format, lints, tests, documentation, features, fuzz targets
    Test(test::TestArgs),
    /// Equality with the real tools on the golden files; needs them
    Golden(golden::GoldenArgs),
    /// Speed and memory beside the tools people use today
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Every fuzz target for a while; needs cargo-fuzz and a nightly compiler
    Fuzz(fuzz::FuzzArgs),
    /// Pack WordNet 3.0 into the dictionary of synonyms inside the binary
    Wordnet(wordnet::WordnetArgs),
    /// Derive the list of English function words inside the binary from texts
    FunctionWords(function_words::FunctionWordsArgs),
    /// Run one command and print what it used, as JSON (the benchmarks call this)
    #[command(hide = true)]
    Measure(bench::measure::MeasureArgs),
}

fn main() -> ExitCode {
    let outcome: Result<()> = match Cli::parse().command {
        Command::Test(args) => test::run(&args),
        Command::Golden(args) => golden::run(&args),
        Command::Bench(bench::Bench::Lexical(args)) => bench::lexical::run(&args),
        Command::Bench(bench::Bench::Meteor(args)) => bench::meteor::run(&args),
        Command::Bench(bench::Bench::Meta(args)) => bench::meta::run(&args),
        Command::Bench(bench::Bench::Pairwise(args)) => bench::pairwise::run(&args),
        Command::Bench(bench::Bench::Parse(args)) => bench::parse::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
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
