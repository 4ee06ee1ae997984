//! `tercet parse`: text in, trees out, a block of sentences at a time, so that memory does not grow with the text.
//!
//! What was written to standard output before a bad line was found stays there; a file named by --output appears whole or
//! not at all.

mod brackets;
mod evaluation;
mod sentences;

use crate::args::{ParseArgs, TreeFormat};
use crate::output::{self, Misuse, Stream};
use crate::work::{counter, start_threads};
use evaluation::Evaluation;
use sentences::{Cut, Source};
use tercet::parse::conllu::Conllu;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::draw;

/// Parses what is named.
pub fn run(args: &ParseArgs) -> anyhow::Result<()> {
    check(args)?;
    start_threads(args.work.threads)?;
    let inputs: &[_] = args.trees.conllu.as_ref().map_or(&args.files, std::slice::from_ref);
    output::check(args.output.as_deref(), inputs.iter().chain(&args.model).map(|path| path.as_path()))?;
    let cut = Cut::new(args.tok.as_deref().unwrap_or("ud-en"), args.split)?;
    if args.format == TreeFormat::Brackets {
        return brackets::run(args, inputs, &cut.keeping_empty_lines());
    }
    let read = args.model.as_deref().map(DependencyParser::read).transpose()?;
    let parser = read.as_ref().unwrap_or_else(|| DependencyParser::english());
    let bar = counter("sentences", args.work.quiet);
    let done = if args.trees.evaluate {
        Evaluation { parser, cut: &cut, raw: args.trees.raw, bar: &bar }.run(&inputs[0])
    } else {
        write_all(args, inputs, &cut, parser, &|count| bar.inc(count as u64)).map(|()| None)
    };
    bar.finish_and_clear();
    match done? {
        Some(table) => output::write(&table, args.output.as_deref()),
        None => Ok(()),
    }
}

/// Flags that would do nothing are refused.
fn check(args: &ParseArgs) -> Result<(), Misuse> {
    // clap does not ask for a flag that another one, given by default, excludes.
    if args.trees.conllu.is_none() && (args.trees.evaluate || args.trees.keep_lemmas) {
        let flag = if args.trees.evaluate { "--evaluate" } else { "--keep-lemmas" };
        return Err(Misuse(format!("{flag} is about the trees of a file: name it with --conllu")));
    }
    let words_are_given = args.trees.conllu.is_some() && !args.trees.raw;
    if words_are_given && (args.tok.is_some() || args.split) {
        let flag = if args.split { "--split" } else { "--tok" };
        return Err(Misuse(format!(
            "{flag} cuts text, but --conllu keeps the words of its file (leave one of them out)"
        )));
    }
    sentences::check_stdin(&args.files)
}

/// Reads, parses and writes block by block. A reader of the output that has seen enough ends the work.
fn write_all(
    args: &ParseArgs,
    inputs: &[std::path::PathBuf],
    cut: &Cut,
    parser: &DependencyParser,
    progress: &dyn Fn(usize),
) -> anyhow::Result<()> {
    let others = if args.trees.keep_lemmas { OtherColumns::Kept } else { OtherColumns::Cleared };
    let mut output = Stream::open(args.output.as_deref())?;
    let mut source = Source::new(inputs, args.trees.conllu.is_some(), args.work.quiet);
    while let Some(mut block) = source.next_block(cut)? {
        parser.annotate(block.sentences_mut(), others)?;
        let text = if args.format == TreeFormat::Tree { drawn(&block)? } else { block.to_string() };
        progress(block.sentences().len());
        if !output.write(&text)? {
            return Ok(());
        }
    }
    output.finish()
}

/// Sentences as people read them: name and text, and a line per word.
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
