//! A file with the judgements of several language pairs: one source for each.
//!
//! The pair is in every row, so the file is read once to list the pairs and again for each pair that is needed.

use std::path::Path;

use crate::error::{Error, Result};

use super::folder::set_name;
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::plain_text::{Lines, read_lines};

/// Reads all pairs in a file.
pub(super) type Parse = fn(&Lines) -> Result<Vec<Judgements>>;

/// The sources of a file, named after it.
pub(super) fn sources(path: &Path, parse: Parse) -> Result<Vec<JudgementSource>> {
    let found = parse(&read_lines(path)?)?;
    if found.is_empty() {
        return Err(Error::Unusable(format!("{} has a header but no judgements", path.display())));
    }
    let source = |judgements: Judgements| {
        let (path, pair) = (path.to_owned(), judgements.pair);
        JudgementSource::new(set_name(&path), pair.clone(), move || pick(parse(&read_lines(&path)?)?, &pair, &path))
    };
    Ok(found.into_iter().map(source).collect())
}

/// The judgements of one pair out of several.
pub(super) fn pick(all: Vec<Judgements>, pair: &str, path: &Path) -> Result<Judgements> {
    all.into_iter()
        .find(|judgements| judgements.pair == pair)
        .ok_or_else(|| Error::Unusable(format!("{} has no longer any judgements of {pair}", path.display())))
}
