//! Parsers of English.

use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::borrow::Cow;
use std::path::PathBuf;
use tercet::parse::conllu::{Conllu, Sentence};
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::draw;
use tercet::progress::Progress;
use tercet::text::{UdWord, split, ud_english};

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

/// A line as a sentence: with words of Universal Dependencies, or split at white space.
fn sentence(line: &str, number: usize, tokenized: bool) -> Sentence {
    let mut words = Vec::new();
    if tokenized {
        let place = |word: &str| {
            let start = word.as_ptr() as usize - line.as_ptr() as usize;
            UdWord { start, end: start + word.len(), continues: false }
        };
        words.extend(split(line).map(place));
    } else {
        ud_english(line, &mut words);
    }
    Sentence::from_text(&number.to_string(), line, &words)
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
    run(py, progress, |progress| {
        let read = model.as_deref().map(DependencyParser::read).transpose()?;
        let parser = read.as_ref().unwrap_or_else(|| DependencyParser::english());
        parse_blocks(&lines, BLOCKS[0], progress, |block, number| {
            let sentences = block.iter().enumerate().map(|(i, line)| sentence(line, number + i, tokenized));
            let mut block = Conllu::new(sentences.collect());
            parser.annotate(block.sentences_mut(), OtherColumns::Cleared)?;
            let sentences = block.sentences().iter().enumerate();
            sentences.map(|(i, sentence)| of_sentence(&block, i, sentence)).collect()
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
    let parsed = lines.par_chunks(block).enumerate().map(|(i, lines)| {
        progress.check()?;
        let parsed = parse(lines, i * block + 1)?;
        progress.advance(lines.len())?;
        Ok(parsed)
    });
    let parsed: Vec<Vec<T>> = parsed.collect::<tercet::Result<_>>()?;
    Ok(parsed.into_iter().flatten().collect())
}

fn of_sentence(block: &Conllu, index: usize, sentence: &Sentence) -> tercet::Result<Parsed> {
    let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
    let tags: Vec<&str> = sentence.words().map(|word| word.upos()).collect();
    let drawing = if words.is_empty() { String::new() } else { draw(&block.tree(index)?, &words, &tags) };
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Ok(Parsed {
        upos: owned(&tags),
        xpos: sentence.words().map(|word| word.xpos().to_owned()).collect(),
        heads: sentence.words().map(|word| word.head().unwrap_or(0)).collect(),
        relations: sentence.words().map(|word| word.deprel().to_owned()).collect(),
        conllu: Conllu::new(vec![sentence.clone()]).to_string(),
        words: owned(&words),
        drawing,
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
    run(py, progress, |progress| {
        let parser = match &model {
            Some(path) => Cow::Owned(ConstituencyParser::read(path)?),
            None => Cow::Borrowed(ConstituencyParser::english()),
        };
        parse_blocks(&lines, BLOCKS[1], progress, |block, _| {
            let sentences: Vec<Sentence> = block.iter().map(|line| sentence(line, 1, tokenized)).collect();
            let words: Vec<Vec<&str>> =
                sentences.iter().map(|sentence| sentence.words().map(|word| word.form()).collect()).collect();
            let written = |tree: Option<_>| {
                tree.map_or("(())".to_owned(), |tree: tercet::parse::Tree| tree.to_string())
            };
            Ok(parser.parse(&words).into_iter().map(|phrases| written(phrases.tree)).collect())
        })
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(load_parser, module)?)?;
    module.add_function(wrap_pyfunction!(parse_dependencies, module)?)?;
    module.add_function(wrap_pyfunction!(parse_phrases, module)?)
}
