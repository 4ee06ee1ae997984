//! `tercet tokenize`: the tokens of a line, as a metric uses them.

use crate::args::TokenizeArgs;
use crate::output;
use tercet::corpora::{is_sgml, read_lines};
use tercet::metrics::{Spec, language_warnings};
use tercet::text::{Language, Scratch, Tokenizer};

/// Prints the tokens of every line.
pub fn run(args: &TokenizeArgs) -> anyhow::Result<()> {
    if args.list {
        let names = Tokenizer::ALL.iter().map(|(name, _, summary)| format!("{name:<22} {summary}\n"));
        return output::print(&names.collect::<String>());
    }
    args.reading.set();
    let tokenizer = match &args.lang {
        Some(language) => for_language(language),
        None => Tokenizer::from_name(args.tok.as_deref().unwrap_or("13a"))?,
    };
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

/// BLEU's tokenizer for a language, with a warning if words are not what they should be.
fn for_language(language: &Language) -> Tokenizer {
    let tokenizer = Tokenizer::for_language(language);
    let bleu = Spec::new("bleu").with_option("tok", tokenizer.name());
    language.doubt().iter().for_each(output::warn);
    language_warnings(&bleu, language, false).iter().for_each(output::warn);
    tokenizer
}
