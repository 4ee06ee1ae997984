//! Lines in memory, parsed as `tercet parse` parses those of a file.

use super::brackets::bracketed;
use super::drawn;
use super::sentences::Cut;
use crate::args::TreeFormat;
use tercet::parse::conllu::Conllu;
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::progress::Progress;

/// The most lines and about the most bytes of a block: after each there is a chance to stop.
const LINES: usize = 256;
const BYTES: usize = 32 << 10;

/// What the command writes for these lines; vectors are not written.
pub fn parse_lines(
    lines: &[String],
    format: TreeFormat,
    tokenizer: &str,
    split: bool,
    progress: Progress<'_>,
) -> anyhow::Result<String> {
    let cut = Cut::new(tokenizer, split)?;
    let cut = if format == TreeFormat::Brackets { cut.keeping_empty_lines() } else { cut };
    progress.stage("parsing", lines.len(), "lines")?;
    let mut text = String::new();
    let mut rest = lines;
    while !rest.is_empty() {
        let before = lines.len() - rest.len();
        let (taken, others) = rest.split_at(block_length(rest));
        rest = others;
        let named = taken.iter().zip(before + 1..);
        let sentences = named.flat_map(|(line, name)| cut.line(line, &name.to_string())).collect();
        let mut block = Conllu::new(sentences);
        if format == TreeFormat::Brackets {
            text += &bracketed(ConstituencyParser::english(), &block);
        } else {
            DependencyParser::english().annotate(block.sentences_mut(), OtherColumns::Cleared)?;
            text += &if format == TreeFormat::Tree { drawn(&block)? } else { block.to_string() };
        }
        progress.advance(taken.len())?;
    }
    Ok(text)
}

/// The number of lines of the first block, at least one.
fn block_length(lines: &[String]) -> usize {
    let mut bytes = 0;
    let fits = |line: &&String| {
        bytes += line.len();
        bytes <= BYTES
    };
    lines.iter().take(LINES).take_while(fits).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_few_bytes_or_one_line() {
        let lines = |length: usize, count: usize| vec!["x".repeat(length); count];
        assert_eq!(block_length(&lines(1, 1000)), LINES);
        assert_eq!(block_length(&lines(1, 3)), 3);
        assert_eq!(block_length(&lines(BYTES / 4, 9)), 4);
        assert_eq!(block_length(&lines(BYTES + 1, 9)), 1);
    }
}
