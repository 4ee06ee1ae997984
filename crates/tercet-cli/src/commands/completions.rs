//! `tercet completions`: shell completions.

use crate::args::{Cli, CompletionsArgs};
use crate::output;
use clap::CommandFactory;

/// Prints the completions of one shell.
pub fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tercet", &mut script);
    output::print(&String::from_utf8(script)?)
}
