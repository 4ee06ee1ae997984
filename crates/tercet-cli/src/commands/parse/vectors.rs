//! `tercet parse --format vectors`: SYNTAX25, the 25 numbers at the root of each line's tree. A row is the line, a tab
//! and the numbers, the format of precomputed vectors (`tercet::encode::PrecomputedVectors`); an empty line has zeros.

use crate::args::ParseArgs;
use crate::commands::parse::sentences::announce;
use crate::output::{Misuse, Stream};
use std::fmt::Write;
use tercet::corpora::LineStream;
use tercet::encode::{SentenceEncoder, SyntaxEncoder};
use tercet::progress::Progress;
use tercet::text::{Tokenizer, trim_end};

/// Maximum number of lines in a block.
const LINES: usize = 2048;

/// A block ends after the line that reaches this many bytes.
const BYTES: usize = 1 << 20;

/// Parses the input block by block. Ends early if the output pipe is closed.
pub fn run(args: &ParseArgs, progress: Progress<'_>) -> anyhow::Result<()> {
    check(args)?;
    let encoder = encoder(args)?;
    progress.counting("parsing", "lines")?;
    let mut output = Stream::open(args.output.as_deref())?;
    for path in args.inputs() {
        announce(path, args.work.quiet);
        let mut lines = LineStream::open(path)?;
        while let Some(block) = next_block(&mut lines)? {
            let text = rows(&encoder, &block)?;
            progress.advance(block.len())?;
            if !output.write(&text)? {
                return Ok(());
            }
        }
    }
    output.finish()
}

/// Returns an error if the input is not lines of text.
fn check(args: &ParseArgs) -> Result<(), Misuse> {
    for (flag, is_given) in [("--conllu", args.given.conllu.is_some()), ("--split", args.split)] {
        if is_given {
            return Err(Misuse(format!("{flag} cannot be used with --format vectors: vectors are for lines of text")));
        }
    }
    Ok(())
}

fn encoder(args: &ParseArgs) -> tercet::Result<SyntaxEncoder> {
    let encoder = match &args.model {
        Some(path) => SyntaxEncoder::read(path)?,
        None => SyntaxEncoder::default(),
    };
    Ok(match &args.tok {
        Some(name) => encoder.with_tokenizer(Tokenizer::from_name(name)?),
        None => encoder,
    })
}

/// The next lines, without line endings; empty at the end.
fn next_block(lines: &mut LineStream) -> tercet::Result<Option<Vec<String>>> {
    let (mut block, mut bytes, mut line) = (Vec::new(), 0, String::new());
    while block.len() < LINES && bytes < BYTES && lines.next_line(&mut line)? {
        bytes += line.len();
        let first = lines.line_number() == 1;
        let text = line.strip_prefix('\u{feff}').filter(|_| first).unwrap_or(&line);
        block.push(trim_end(text).to_owned());
    }
    Ok((!block.is_empty()).then_some(block))
}

fn rows(encoder: &SyntaxEncoder, lines: &[String]) -> tercet::Result<String> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut text = String::new();
    for (line, vector) in lines.iter().zip(encoder.encode(&lines)?) {
        text.push_str(line);
        for (place, number) in vector.iter().enumerate() {
            let before = if place == 0 { '\t' } else { ' ' };
            write!(text, "{before}{number}").expect("writing to a string cannot fail");
        }
        text.push('\n');
    }
    Ok(text)
}
