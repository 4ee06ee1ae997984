//! `tercet tokenize`: the tokens of a line, as a metric uses them.

use crate::args::TokenizeArgs;
use crate::output;
use crate::progress::with_progress;
use tercet::corpora::{is_sgml, read_lines};
use tercet::metrics::{Registry, TokenizeJob};
use tercet::text::Tokenizer;

/// Prints the tokens of every line.
pub fn run(args: &TokenizeArgs, registry: &Registry) -> anyhow::Result<()> {
    if args.list {
        let names = Tokenizer::ALL.iter().map(|(name, _, summary)| (*name, *summary)).chain(Tokenizer::with_models());
        let lines = names.map(|(name, summary)| format!("{name:<22} {summary}\n"));
        return output::print(&lines.collect::<String>());
    }
    args.reading.set();
    let job = TokenizeJob {
        tokenizer: args.tok.clone(),
        model: args.tok_model.clone(),
        language: args.lang.clone(),
        lowercase: args.lowercase,
    };
    let mut tokenizer = with_progress(false, registry, |progress| job.open(registry.context(), progress))?;
    let mut result = String::new();
    for file in &args.files {
        let lines = read_lines(file)?;
        if is_sgml(&lines) {
            output::warn(format_args!("{} is SGML or XML: its tags are tokenized as text", file.display()));
        }
        for line in lines.iter() {
            result.push_str(tokenizer.line(line));
            result.push('\n');
        }
    }
    output::print(&result)
}
