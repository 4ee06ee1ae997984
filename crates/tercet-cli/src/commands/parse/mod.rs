//! `tercet parse`: parses text in blocks of sentences, so that memory does not grow with the text. Bracketed trees are read
//! one file at a time.
//!
//! If a line is invalid, what was already written to standard output remains; a file of --output is written atomically.

mod brackets;
mod evaluation;
#[cfg(feature = "serve")]
mod lines;
mod sentences;
mod trees;
mod vectors;

#[cfg(feature = "serve")]
pub use lines::parse_lines;

use crate::args::{ParseArgs, TreeFormat};
use crate::output::{self, Misuse, Stream};
use crate::progress::with_progress;
use crate::work;
use evaluation::Evaluation;
use sentences::{Cut, Source};
use tercet::parse::conllu::Conllu;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::draw;
use tercet::progress::Progress;

/// Parses the input.
pub fn run(args: &ParseArgs) -> anyhow::Result<()> {
    check(args)?;
    work::start(&args.work)?;
    output::check(
        args.output.as_deref(),
        args.inputs().iter().chain(&args.model).map(|path| path.as_path()),
    )?;
    with_progress(args.work.quiet, |progress| run_with(args, progress))
}

fn run_with(args: &ParseArgs, progress: Progress<'_>) -> anyhow::Result<()> {
    if !args.given.trees.is_empty() {
        return trees::run(args, progress);
    }
    if args.format() == TreeFormat::Vectors {
        return vectors::run(args, progress);
    }
    let cut = Cut::new(args.tok.as_deref().unwrap_or("ud-en"), args.split)?;
    if args.given.raw && !cut.keeps_letters() {
        let what = "--raw locates our words in the text by their letters, which this tokenizer changes: use --tok ud-en or none";
        return Err(Misuse(what.to_owned()).into());
    }
    if args.format() == TreeFormat::Brackets {
        return brackets::run(args, &cut.keeping_empty_lines(), progress);
    }
    let read = args.model.as_deref().map(DependencyParser::read).transpose()?;
    let parser = read.as_ref().unwrap_or_else(|| DependencyParser::english());
    progress.counting("parsing", "sentences")?;
    if !args.given.evaluate {
        return write_all(args, &cut, parser, progress);
    }
    let evaluation = Evaluation { parser, cut: &cut, raw: args.given.raw, progress };
    output::write(&evaluation.run(&args.inputs()[0])?, args.output.as_deref())
}

/// Returns an error if a flag would have no effect.
fn check(args: &ParseArgs) -> Result<(), Misuse> {
    sentences::check_stdin(args.inputs())?;
    if !args.given.trees.is_empty() {
        return trees::check(args);
    }
    // clap cannot require a flag that conflicts with another flag that has a default.
    if args.given.conllu.is_none() && args.given.evaluate {
        let what = "--evaluate needs the trees of a file: name it with --conllu or --trees";
        return Err(Misuse(what.to_owned()));
    }
    if args.given.conllu.is_none() && args.given.keep_lemmas {
        let what = "--keep-lemmas needs a CoNLL-U file: name it with --conllu";
        return Err(Misuse(what.to_owned()));
    }
    let words_are_given = args.given.conllu.is_some() && !args.given.raw;
    if words_are_given && (args.tok.is_some() || args.split) {
        let flag = if args.split { "--split" } else { "--tok" };
        return Err(Misuse(format!(
            "{flag} is for text, but --conllu keeps the words of its file: remove one of them"
        )));
    }
    Ok(())
}

/// Reads, parses and writes block by block. Ends early if the output pipe is closed.
fn write_all(
    args: &ParseArgs,
    cut: &Cut,
    parser: &DependencyParser,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let others = if args.given.keep_lemmas { OtherColumns::Kept } else { OtherColumns::Cleared };
    let mut output = Stream::open(args.output.as_deref())?;
    let mut source = Source::new(args.inputs(), args.given.conllu.is_some(), args.work.quiet);
    while let Some(mut block) = source.next_block(cut)? {
        parser.annotate(block.sentences_mut(), others)?;
        let text = if args.format() == TreeFormat::Tree { drawn(&block)? } else { block.to_string() };
        progress.advance(block.sentences().len())?;
        if !output.write(&text)? {
            return Ok(());
        }
    }
    output.finish()
}

/// Sentences as text: name and text, then a line per word.
fn drawn(block: &Conllu) -> tercet::Result<String> {
    let mut text = String::new();
    for (index, sentence) in block.sentences().iter().enumerate() {
        let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
        let tags: Vec<&str> = sentence.words().map(|word| word.upos()).collect();
        let name = sentence.sent_id().map_or(String::new(), |name| format!("{name}: "));
        let line = sentence.text().map_or_else(|| sentence.surface(), str::to_owned);
        text += &format!("{name}{line}\n{}\n", draw(&block.tree(index)?, &words, &tags));
    }
    Ok(text)
}
