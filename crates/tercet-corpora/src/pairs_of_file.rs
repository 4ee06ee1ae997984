//! A file with the judgements of several language pairs: one source for each.
//!
//! The pair is in every row, so the file is read once to list the pairs and again for each pair that is needed. What
//! was read of a file with one pair is kept for the first who wants it.

use std::path::Path;

use crate::error::{Error, Result};

use super::folder::set_name;
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::language_pair;
use super::plain_text::{Lines, read_lines};
use std::sync::{Arc, Mutex};

/// Reads all pairs in a file.
pub(super) type Parse = Arc<dyn Fn(&Lines) -> Result<Vec<Judgements>> + Send + Sync>;

/// The sources of a file, named after it.
pub(super) fn sources(path: &Path, parse: Parse) -> Result<Vec<JudgementSource>> {
    let found = parse(&read_lines(path)?)?;
    if found.is_empty() {
        return Err(Error::Unusable(format!("{} has a header but no judgements", path.display())));
    }
    let is_only = found.len() == 1;
    let source = |judgements: Judgements| {
        let (path, pair, parse) = (path.to_owned(), judgements.pair.clone(), Arc::clone(&parse));
        let set = set_of_file(&path);
        let kept = Mutex::new(is_only.then_some(judgements));
        JudgementSource::new(set, pair.clone(), move || {
            let kept = kept.lock().ok().and_then(|mut kept| kept.take());
            kept.map_or_else(|| pick(parse(&read_lines(&path)?)?, &pair, &path), Ok)
        })
    };
    Ok(found.into_iter().map(source).collect())
}

/// The set of a file: its name, or that of its folder if the file is named after a language pair.
fn set_of_file(path: &Path) -> String {
    let name = set_name(path);
    let stem = name.split('.').next().unwrap_or_default();
    match path.canonicalize().ok().as_deref().and_then(Path::parent).filter(|_| language_pair::named(stem).is_some()) {
        Some(folder) => set_name(folder),
        None => name,
    }
}

/// The judgements of one pair out of several.
pub(super) fn pick(all: Vec<Judgements>, pair: &str, path: &Path) -> Result<Judgements> {
    all.into_iter()
        .find(|judgements| judgements.pair == pair)
        .ok_or_else(|| Error::Unusable(format!("{} has no longer any judgements of {pair}", path.display())))
}
