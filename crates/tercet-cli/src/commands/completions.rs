//! `tercet completions`: shell completions.
//!
//! The script of a shell is the one of clap for flags and their fixed values. For metrics with their options, for
//! tokenizers, languages and statistics, bash, zsh and fish ask tercet itself
//! (`tercet completions --values metric TEXT`), because what may follow depends on what is there already. [`values`]
//! has the answers, the files in `completions/` have what is added to the scripts.

mod values;

use crate::args::{Cli, CompletionsArgs};
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use tercet::metrics::Registry;

/// Prints the completions of one shell, or how a word can go on.
pub fn run(args: &CompletionsArgs, registry: &Registry) -> anyhow::Result<()> {
    match (args.shell, args.values.as_slice()) {
        (_, [kind, text]) => output::print(&values::lines(kind, text, registry)),
        (Some(shell), _) => output::print(&script(shell)?),
        (None, _) => Ok(()),
    }
}

fn script(shell: Shell) -> anyhow::Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tercet", &mut script);
    let script = String::from_utf8(script)?;
    Ok(match shell {
        Shell::Bash => script + include_str!("completions/values.bash"),
        Shell::Fish => script + include_str!("completions/values.fish"),
        Shell::Zsh => {
            let (head, rest) = script.split_once("_tercet() {").unwrap_or(("", &script));
            let rest = rest.replace(":METRIC:_default", ":METRIC:_tercet_metric");
            let rest = rest.replace(":TOKENIZER:_default", ":TOKENIZER:_tercet_tokenizer");
            let rest = rest.replace(":STATISTIC:_default", ":STATISTIC:_tercet_statistic");
            let rest = rest.replace(":LANG:_default", ":LANG:_tercet_language");
            format!("{head}{}_tercet() {{{rest}", include_str!("completions/values.zsh"))
        }
        _ => script,
    })
}
