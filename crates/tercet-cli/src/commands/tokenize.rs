//! `tercet tokenize`: the tokens of a line, as a metric uses them.

use crate::args::TokenizeArgs;
use crate::output;
use tercet::corpora::{is_sgml, read_lines};
use tercet::metrics::{Spec, language_warning};
use tercet::text::{Language, Scratch, Tokenizer};

/// Prints the tokens of every line.
pub fn run(args: &TokenizeArgs) -> anyhow::Result<()> {
    if args.list {
        let names =
            Tokenizer::ALL.iter().map(|(name, _, summary)| (*name, *summary)).chain(Tokenizer::with_models());
        let lines = names.map(|(name, summary)| format!("{name:<22} {summary}\n"));
        return output::print(&lines.collect::<String>());
    }
    args.reading.set();
    let name = match &args.lang {
        Some(language) => for_language(language),
        None => args.tok.as_deref().unwrap_or("13a"),
    };
    let tokenizer = Tokenizer::open(name, args.tok_model.as_deref())?;
    let (mut scratch, mut tokens) = (Scratch::default(), String::new());
    let mut result = String::new();
    for file in &args.files {
        let lines = read_lines(file)?;
        if is_sgml(&lines) {
            output::warn(format_args!("{} is SGML or XML: its tags are tokenized as text", file.display()));
        }
        for line in lines.iter() {
            tokenizer.tokenize_segment(line, args.lowercase, &mut scratch, &mut tokens);
            result.push_str(&tokens);
            result.push('\n');
        }
    }
    output::print(&result)
}

/// The name of BLEU's tokenizer for a language, with a warning if words are not what they should be.
fn for_language(language: &Language) -> &'static str {
    let tokenizer = Tokenizer::for_language(language);
    let bleu = Spec::new("bleu").with_option("tok", tokenizer);
    let warning = language_warning(&bleu, language, false, false);
    language.doubt().iter().chain(&warning).for_each(output::warn_of);
    tokenizer
}
