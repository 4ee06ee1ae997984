//! Lines in memory, parsed as `tercet parse` parses those of a file.

use super::brackets::bracketed;
use super::drawn;
use super::sentences::Cut;
use crate::args::TreeFormat;
use tercet::parse::conllu::Conllu;
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::progress::Progress;

/// Lines per block.
const LINES: usize = 256;

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
    for (number, lines) in lines.chunks(LINES).enumerate() {
        let named = lines.iter().enumerate().map(|(i, line)| (line, number * LINES + i + 1));
        let sentences = named.flat_map(|(line, name)| cut.line(line, &name.to_string())).collect();
        let mut block = Conllu::new(sentences);
        if format == TreeFormat::Brackets {
            text += &bracketed(ConstituencyParser::english(), &block);
        } else {
            DependencyParser::english().annotate(block.sentences_mut(), OtherColumns::Cleared)?;
            text += &if format == TreeFormat::Tree { drawn(&block)? } else { block.to_string() };
        }
        progress.advance(lines.len())?;
    }
    Ok(text)
}
