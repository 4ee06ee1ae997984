//! Parsers of English.

use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::path::PathBuf;
use tercet::parse::conllu::{Conllu, Row};
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::dependency::DependencyParser;
use tercet::parse::{ParseJob, TreeFormat, drawing};
use tercet::progress::Progress;
use tercet::stop;

/// The parse of one line.
#[derive(IntoPyObject)]
struct Parsed {
    words: Vec<String>,
    upos: Vec<String>,
    xpos: Vec<String>,
    /// 0 for the root, else the head's number from 1.
    heads: Vec<usize>,
    relations: Vec<String>,
    conllu: String,
    drawing: String,
}

/// Sentences that a thread parses before it asks whether to go on: of dependencies and of phrases, which take longer.
const BLOCKS: [usize; 2] = [64, 16];

/// The job of these arguments; `tokenized` lines are split at white space.
fn job(format: TreeFormat, tokenized: bool, model: Option<PathBuf>) -> ParseJob {
    let job = ParseJob { format, model, ..ParseJob::default() };
    if tokenized { ParseJob { tokenizer: "none".to_owned(), ..job } } else { job }
}

/// Reads the embedded parser of dependencies, or that of phrases, if that was not done yet.
#[pyfunction]
fn load_parser(py: Python<'_>, phrases: bool) -> PyResult<()> {
    run(py, None, |_| {
        match phrases {
            true => drop(ConstituencyParser::english()),
            false => drop(DependencyParser::english()),
        }
        Ok(())
    })
}

/// Dependency trees.
#[pyfunction]
#[pyo3(signature = (lines, tokenized, model, progress=None))]
fn parse_dependencies(
    py: Python<'_>,
    lines: &Bound<'_, PyAny>,
    tokenized: bool,
    model: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Parsed>> {
    let lines = Texts::read(lines, "text")?;
    let lines = lines.lines("text")?;
    let job = job(TreeFormat::Conllu, tokenized, model);
    run(py, progress, |progress| {
        let opened = job.open()?;
        parse_blocks(&lines, BLOCKS[0], progress, |block, number| {
            let named = block.iter().zip(number..);
            let sentences = named.map(|(line, name)| opened.splitter.sentence(line, &name.to_string()));
            let mut block = Conllu::new(sentences.collect());
            opened.annotate(&mut block)?;
            (0..block.sentences().len()).map(|index| of_sentence(&block, index)).collect()
        })
    })
}

/// The results of a function of blocks of lines and the number of their first, from 1.
fn parse_blocks<T: Send>(
    lines: &[&str],
    block: usize,
    progress: Progress<'_>,
    parse: impl Fn(&[&str], usize) -> tercet::Result<Vec<T>> + Sync,
) -> tercet::Result<Vec<T>> {
    progress.stage("parsing", lines.len(), "sentences")?;
    let parsed = lines.par_chunks(block).enumerate().map(stop::carried(|(i, lines): (usize, &[&str])| {
        progress.check()?;
        let parsed = parse(lines, i * block + 1)?;
        progress.advance(lines.len())?;
        Ok(parsed)
    }));
    let parsed: Vec<Vec<T>> = parsed.collect::<tercet::Result<_>>()?;
    Ok(parsed.into_iter().flatten().collect())
}

fn of_sentence(block: &Conllu, index: usize) -> tercet::Result<Parsed> {
    let sentence = &block.sentences()[index];
    let of_words = |column: fn(&Row) -> &str| sentence.words().map(|word| column(word).to_owned()).collect::<Vec<_>>();
    Ok(Parsed {
        words: of_words(|word| word.form()),
        upos: of_words(|word| word.upos()),
        xpos: of_words(|word| word.xpos()),
        heads: sentence.words().map(|word| word.head().unwrap_or(0)).collect(),
        relations: of_words(|word| word.deprel()),
        conllu: Conllu::new(vec![sentence.clone()]).to_string(),
        drawing: drawing(block, index)?,
    })
}

/// Phrase structure, as a bracketed tree for each line; `(())` for one without words.
#[pyfunction]
#[pyo3(signature = (lines, tokenized, model, progress=None))]
fn parse_phrases(
    py: Python<'_>,
    lines: &Bound<'_, PyAny>,
    tokenized: bool,
    model: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<String>> {
    let lines = Texts::read(lines, "text")?;
    let lines = lines.lines("text")?;
    let job = job(TreeFormat::Brackets, tokenized, model);
    run(py, progress, |progress| {
        let opened = job.open()?;
        parse_blocks(&lines, BLOCKS[1], progress, |block, first| {
            Ok(opened.write(opened.splitter.lines(block, first))?.lines().map(str::to_owned).collect())
        })
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(load_parser, module)?)?;
    module.add_function(wrap_pyfunction!(parse_dependencies, module)?)?;
    module.add_function(wrap_pyfunction!(parse_phrases, module)?)
}
