//! `tercet parse --format brackets`: phrase structure, a tree per line; `(())` for a line without words.

use super::sentences::{Cut, Source};
use crate::args::ParseArgs;
use crate::output::{Misuse, Stream};
use std::borrow::Cow;
use tercet::parse::conllu::Conllu;
use tercet::parse::constituency::ConstituencyParser;
use tercet::progress::Progress;

/// The parser of --model, or the built-in one.
pub fn parser(args: &ParseArgs) -> tercet::Result<Cow<'static, ConstituencyParser>> {
    Ok(match &args.model {
        Some(path) => Cow::Owned(ConstituencyParser::read(path)?),
        None => Cow::Borrowed(ConstituencyParser::english()),
    })
}

/// Parses the input block by block.
pub fn run(args: &ParseArgs, cut: &Cut, progress: Progress<'_>) -> anyhow::Result<()> {
    if args.given.keep_lemmas {
        return Err(Misuse("--keep-lemmas is for CoNLL-U: brackets have no lemmas".to_owned()).into());
    }
    let parser = parser(args)?;
    progress.counting("parsing", "sentences")?;
    let mut output = Stream::open(args.output.as_deref())?;
    let mut source = Source::new(args.inputs(), args.given.conllu.is_some(), args.work.quiet);
    while let Some(block) = source.next_block(cut)? {
        let text = bracketed(&parser, &block);
        progress.advance(block.sentences().len())?;
        if !output.write(&text)? {
            return Ok(());
        }
    }
    output.finish()
}

/// The trees of sentences, one per line.
pub fn bracketed(parser: &ConstituencyParser, block: &Conllu) -> String {
    let words = block.sentences().iter().map(|sentence| sentence.words().map(|word| word.form()).collect());
    let trees = parser.parse(&words.collect::<Vec<Vec<&str>>>()).into_iter().map(|phrases| phrases.tree);
    trees.map(|tree| tree.map_or("(())\n".to_owned(), |tree| format!("{tree}\n"))).collect()
}
