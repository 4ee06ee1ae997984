//! `tercet tokenize`: the tokens of a line, as a metric uses them.

use crate::args::TokenizeArgs;
use crate::output;
use tercet::corpora::read_lines;
use tercet::text::Scratch;
use tercet::text::Tokenizer;

/// Prints the tokens of every line.
pub fn run(args: &TokenizeArgs) -> anyhow::Result<()> {
    if args.list {
        let names = Tokenizer::ALL.iter().map(|(name, _, summary)| format!("{name:<22} {summary}\n"));
        return output::print(&names.collect::<String>());
    }
    args.reading.set();
    let tokenizer = Tokenizer::from_name(&args.tok)?;
    let (mut scratch, mut tokens) = (Scratch::default(), String::new());
    let mut result = String::new();
    for file in &args.files {
        for line in read_lines(file)?.iter() {
            tokenizer.tokenize_segment(line, args.lowercase, &mut scratch, &mut tokens);
            result.push_str(&tokens);
            result.push('\n');
        }
    }
    output::print(&result)
}
