//! Tokenizers.

use crate::arguments;
use crate::errors::OrRaise;
use crate::registry;
use crate::texts::{Texts, encoded_argument, utf8};
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tercet::metrics::TokenizeJob;
use tercet::spec::file_value;
use tercet::text::{Edit, EditRun, Tokenizer, edit_script, nltk_stem};

/// The tokenized line, to the letter as the tool's own.
#[pyfunction]
#[pyo3(signature = (line, tokenizer, model=None))]
fn tokenize_line(py: Python<'_>, line: &Bound<'_, PyAny>, tokenizer: &str, model: Option<PathBuf>) -> PyResult<String> {
    let tokenizer = Tokenizer::open(tokenizer, model.as_deref(), registry().context()).or_raise(py)?;
    let line = encoded_argument(line, "line")?;
    let line = utf8(py, line.as_bytes(), || "line".to_owned())?;
    Ok(py.detach(|| tokenizer.tokenize(line)))
}

/// The tokens of each line as a metric sees them.
#[pyfunction]
#[pyo3(signature = (lines, arguments, model=None))]
fn tokenize(
    py: Python<'_>,
    lines: &Bound<'_, PyAny>,
    arguments: &Bound<'_, PyDict>,
    model: Option<PathBuf>,
) -> PyResult<Vec<Vec<String>>> {
    let job = TokenizeJob { model, ..arguments::read(arguments)? };
    let lines = Texts::read(lines, "lines")?;
    let lines = lines.lines("lines")?;
    run(py, None, |progress| {
        let mut tokenizer = job.open(registry().context(), progress)?;
        let tokens = |line: &&str| {
            progress.advance(1)?;
            Ok(tokenizer.tokens(line))
        };
        lines.iter().map(tokens).collect()
    })
}

/// An edit, and where its symbols are in the first and in the second sequence (from, to).
type EditChunk = (&'static str, usize, usize, usize, usize);

/// The shortest edit script of each pair of sequences, as rapidfuzz has it.
#[pyfunction]
fn edit_scripts(py: Python<'_>, from: Vec<Vec<u32>>, to: Vec<Vec<u32>>) -> PyResult<Vec<Vec<EditChunk>>> {
    let chunks = |(from, to): (&Vec<u32>, &Vec<u32>)| {
        let (mut i, mut j) = (0, 0);
        let chunk = |run: EditRun| {
            let (kind, in_from, in_to) = match run.edit {
                Edit::Keep => ("equal", run.length, run.length),
                Edit::Substitute => ("substitute", run.length, run.length),
                Edit::Delete => ("delete", run.length, 0),
                Edit::Insert => ("insert", 0, run.length),
            };
            let chunk = (kind, i, i + in_from, j, j + in_to);
            (i, j) = (i + in_from, j + in_to);
            chunk
        };
        edit_script(from, to).into_iter().map(chunk).collect()
    };
    run(py, None, |progress| {
        let script = |pair| {
            progress.advance(1)?;
            Ok(chunks(pair))
        };
        from.iter().zip(&to).map(script).collect()
    })
}

/// The stems of words in lower case, as NLTK's `PorterStemmer` has them.
#[pyfunction]
fn nltk_stems(words: Vec<String>) -> Vec<String> {
    words.iter().map(|word| nltk_stem(word)).collect()
}

/// Every tokenizer: name and one line of description.
#[pyfunction]
fn tokenizers() -> Vec<(&'static str, &'static str)> {
    Tokenizer::ALL.iter().map(|(name, _, summary)| (*name, *summary)).chain(Tokenizer::with_models()).collect()
}

/// Whether sacreBLEU would use the dictionary of this tokenizer: its signatures name the dictionary without a hash.
#[pyfunction]
#[pyo3(signature = (tokenizer, model=None))]
fn has_sacrebleus_dictionary(py: Python<'_>, tokenizer: &str, model: Option<PathBuf>) -> PyResult<bool> {
    Ok(match Tokenizer::open(tokenizer, model.as_deref(), registry().context()).or_raise(py)? {
        Tokenizer::WithModel(tokenizer) => tokenizer.is_accepted_by_sacrebleu(),
        _ => true,
    })
}

/// Where the dictionary or model of a tokenizer is that is named or found now; `None` for a tokenizer without one.
#[pyfunction]
fn tokenizer_model(py: Python<'_>, tokenizer: &str) -> PyResult<Option<String>> {
    let Some(found) = Tokenizer::find_model(tokenizer).or_raise(py)? else { return Ok(None) };
    let path = std::path::absolute(&found).unwrap_or(found);
    file_value(&path).map(|path| Some(path.to_owned())).or_raise(py)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tokenize_line, module)?)?;
    module.add_function(wrap_pyfunction!(tokenize, module)?)?;
    module.add_function(wrap_pyfunction!(tokenizers, module)?)?;
    module.add_function(wrap_pyfunction!(edit_scripts, module)?)?;
    module.add_function(wrap_pyfunction!(nltk_stems, module)?)?;
    module.add_function(wrap_pyfunction!(tokenizer_model, module)?)?;
    module.add_function(wrap_pyfunction!(has_sacrebleus_dictionary, module)?)
}
