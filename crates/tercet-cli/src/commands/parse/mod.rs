//! `tercet parse`: parses text in blocks of sentences, so that memory does not grow with the text. Bracketed trees are
//! read one file at a time.
//!
//! If a line is invalid, what was already written to standard output remains; a file of --output is written atomically.

mod evaluation;
mod sentences;
mod trees;
mod vectors;

use crate::args::ParseArgs;
use crate::output::{self, Misuse, Stream};
use crate::progress::with_progress;
use crate::work;
use evaluation::Evaluation;
use sentences::Source;
use tercet::metrics::Registry;
use tercet::parse::{OpenParser, ParseJob, TreeFormat};
use tercet::progress::Progress;

/// Parses the input.
pub fn run(args: &ParseArgs, registry: &Registry) -> anyhow::Result<()> {
    check(args)?;
    work::start(&args.work)?;
    output::check(args.output.as_deref(), args.inputs().iter().chain(&args.model).map(|path| path.as_path()))?;
    with_progress(args.work.quiet, registry, |progress| run_with(args, progress))
}

fn run_with(args: &ParseArgs, progress: Progress<'_>) -> anyhow::Result<()> {
    if !args.given.trees.is_empty() {
        return trees::run(args, progress);
    }
    if args.format() == TreeFormat::Vectors {
        return vectors::run(args, progress);
    }
    let job = ParseJob::default();
    let job = ParseJob {
        format: args.format(),
        tokenizer: args.tok.clone().unwrap_or(job.tokenizer),
        split: args.split,
        model: args.model.clone(),
        keep_lemmas: args.given.keep_lemmas,
    };
    let opened = job.open()?;
    if args.given.raw && !opened.splitter.keeps_letters() {
        let what = "--raw locates our words in the text by their letters, which this tokenizer changes: use --tok \
            ud-en or none";
        return Err(Misuse(what.to_owned()).into());
    }
    progress.counting("parsing", "sentences")?;
    match opened.dependencies().filter(|_| args.given.evaluate) {
        Some(parser) => {
            let raw = args.given.raw;
            let evaluation = Evaluation { parser, splitter: &opened.splitter, raw, progress };
            output::write(&evaluation.run(&args.inputs()[0])?, args.output.as_deref())
        }
        None => write_all(args, &opened, progress),
    }
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
fn write_all(args: &ParseArgs, opened: &OpenParser, progress: Progress<'_>) -> anyhow::Result<()> {
    let mut output = Stream::open(args.output.as_deref())?;
    let mut source = Source::new(args.inputs(), args.given.conllu.is_some(), args.work.quiet);
    while let Some(block) = source.next_block(&opened.splitter)? {
        let sentences = block.sentences().len();
        let text = opened.write(block)?;
        progress.advance(sentences)?;
        if !output.write(&text)? {
            return Ok(());
        }
    }
    output.finish()
}
