//! `tercet parse --trees`: parses the words of bracketed trees into phrases; writes our trees, or evaluates them.
//!
//! Words are written exactly as in the file, so that EVALB finds the same words in both. Empty elements are not words.

use super::sentences::announce;
use crate::args::ParseArgs;
use crate::output::{self, Misuse, Stream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet::corpora::read_bytes;
use tercet::parse::bracketed::{Normalisation, read_parses};
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::evaluation::{BracketRules, BracketTotals, evaluate_brackets};
use tercet::parse::{Tree, TreeFormat};
use tercet::progress::Progress;

/// Number of sentences per block.
const SENTENCES: usize = 2048;

/// The tree of a sentence without words, as for EVALB.
const NO_TREE: &str = "(())";

/// Returns an error if a flag has no effect with --trees.
pub fn check(args: &ParseArgs) -> Result<(), Misuse> {
    let is_conllu = args.format == Some(TreeFormat::Conllu);
    for (flag, is_given, why) in [
        ("--tok", args.tok.is_some(), "it is for text, but --trees keeps the words of its files"),
        ("--split", args.split, "it is for text, but the trees of a file are its sentences"),
        ("--keep-lemmas", args.given.keep_lemmas, "it is for CoNLL-U: brackets have no lemmas"),
        ("--format vectors", args.format == Some(TreeFormat::Vectors), "vectors are for lines of text"),
        ("--format conllu", is_conllu, "it has no phrases: use `brackets`, or `tree` for indented phrases"),
    ] {
        if is_given {
            return Err(Misuse(format!("{flag} cannot be used with --trees: {why}")));
        }
    }
    Ok(())
}

/// Parses the words of the files.
pub fn run(args: &ParseArgs, progress: Progress<'_>) -> anyhow::Result<()> {
    let parser = match &args.model {
        Some(path) => Arc::new(ConstituencyParser::read(path)?),
        None => ConstituencyParser::english().clone(),
    };
    progress.counting("parsing", "sentences")?;
    if !args.given.evaluate {
        return write_all(args, &parser, progress);
    }
    output::write(&evaluate(args, &parser, progress)?, args.output.as_deref())
}

/// Writes one of our trees for every given tree. Ends early if the output pipe is closed.
fn write_all(args: &ParseArgs, parser: &ConstituencyParser, progress: Progress<'_>) -> anyhow::Result<()> {
    let indented = args.format() == TreeFormat::Tree;
    let written = |tree: Option<Tree>| match tree {
        Some(tree) if indented => tree.indented() + "\n\n",
        Some(tree) => format!("{tree}\n"),
        None => format!("{NO_TREE}\n"),
    };
    let mut output = Stream::open(args.output.as_deref())?;
    for path in &args.given.trees {
        announce(path, args.work.quiet);
        for given in read(path)?.chunks(SENTENCES) {
            let text: String = parse(parser, given).into_iter().map(written).collect();
            progress.advance(given.len())?;
            if !output.write(&text)? {
                return Ok(());
            }
        }
    }
    output.finish()
}

/// The trees of a file; `None` for `(())`, which is what this command writes for a sentence without words.
fn read(path: &Path) -> tercet::Result<Vec<Option<Tree>>> {
    read_parses(path, read_bytes(path)?)
}

/// Our trees over the words of the given trees; `None` for a tree without words.
fn parse(parser: &ConstituencyParser, given: &[Option<Tree>]) -> Vec<Option<Tree>> {
    let as_written = Normalisation { keep_escapes: true, ..Normalisation::default() };
    let written: Vec<Option<Tree>> = given.iter().map(|tree| as_written.apply(tree.as_ref()?)).collect();
    let words: Vec<Vec<&str>> = written.iter().map(|tree| tree.iter().flat_map(Tree::words).collect()).collect();
    parser.parse(&words).into_iter().map(|parse| parse.tree).collect()
}

/// The table for all files together.
fn evaluate(args: &ParseArgs, parser: &ConstituencyParser, progress: Progress<'_>) -> anyhow::Result<String> {
    let rules = [false, true].map(|gold_tags_decide| BracketRules { gold_tags_decide, ..BracketRules::default() });
    let mut totals = [BracketTotals::default(); 2];
    for path in &args.given.trees {
        announce(path, args.work.quiet);
        // As EVALB does, sentences without words are not counted.
        let trees: Vec<Option<Tree>> = read(path)?.into_iter().filter(Option::is_some).collect();
        for given in trees.chunks(SENTENCES) {
            let ours = parse(parser, given);
            let gold: Vec<Tree> = given.iter().flatten().cloned().collect();
            for (total, rules) in totals.iter_mut().zip(&rules) {
                *total += evaluate_brackets(&gold, &ours, rules)?.all;
            }
            progress.advance(gold.len())?;
        }
    }
    let name = names(&args.given.trees);
    if totals[0].sentences == 0 {
        anyhow::bail!("{name}: no trees, so there is nothing to evaluate");
    }
    Ok(format!("{name}  {} trees  {}\n{}", totals[0].sentences, parser.signature(), table(&totals)))
}

fn names(files: &[PathBuf]) -> String {
    match files {
        [first, others @ ..] if !others.is_empty() => {
            format!("{} and {} more", first.display(), others.len())
        }
        _ => files.iter().map(|path| path.display().to_string()).collect(),
    }
}

/// Two columns: as EVALB counts, and with gold tags deciding which words are punctuation.
fn table(totals: &[BracketTotals; 2]) -> String {
    let row = |name: &str, cells: [String; 2]| format!("{name:<18}{:>10}{:>12}\n", cells[0], cells[1]);
    let count = |of: fn(&BracketTotals) -> usize| totals.each_ref().map(|total| of(total).to_string());
    let percent = |of: fn(&BracketTotals) -> f64| totals.each_ref().map(|total| format!("{:.2}", 100.0 * of(total)));
    [
        row("", ["EVALB", "gold tags"].map(str::to_owned)),
        row("errors", count(|total| total.errors)),
        row("skipped", count(|total| total.skipped)),
        row("precision", percent(|total| total.brackets.precision())),
        row("recall", percent(|total| total.brackets.recall())),
        row("F1", percent(|total| total.brackets.f1())),
        row("complete match", percent(BracketTotals::complete_match)),
        row("tagging accuracy", percent(BracketTotals::tagging_accuracy)),
    ]
    .concat()
}
