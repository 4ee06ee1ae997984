//! The sets that a recipe names: which of them are meant, and what is wrong with them.

use super::judged::name_of;
use crate::corpora::{JudgementSource, Judgements, find_judgements};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::warning::Warning;
use std::path::Path;

/// Reads the sets of a folder or file that [`find_sets`] finds. Warns of references that were made from the outputs.
pub(crate) fn read_sets(path: &Path, pairs: &[String], progress: Progress<'_>) -> Result<Vec<Judgements>> {
    progress.uncounted(&format!("reading {}", path.display()))?;
    let sets: Vec<Judgements> = find_sets(path, pairs)?.iter().map(|source| source.read()).collect::<Result<_>>()?;
    for set in sets.iter().filter(|set| set.post_edits) {
        progress.warn(&Warning::PostEdits { set: name_of(&set.set, &set.pair) })?;
    }
    Ok(sets)
}

/// The sets of a folder or file that have one of these language pairs; without any, those into English and those that
/// name none.
fn find_sets(path: &Path, pairs: &[String]) -> Result<Vec<JudgementSource>> {
    let mut sources = find_judgements(path)?;
    let named = sources.iter().map(|source| source.pair.as_str()).filter(|pair| !pair.is_empty());
    let known: Vec<&str> = named.collect();
    let refuse = |reason: String| Err(Error::Unusable(format!("{}: {reason}", path.display())));
    let there_are = || format!("; there are {}", known.join(", "));
    if let Some(missing) = pairs.iter().find(|pair| !known.contains(&pair.as_str())) {
        return match known.is_empty() {
            true => refuse("it does not say its language pair: leave out `pairs`".to_owned()),
            false => refuse(format!("there are no judgements for {missing}{}", there_are())),
        };
    }
    let is_meant = |pair: &str| match pairs.is_empty() {
        true => pair.is_empty() || pair.ends_with("-en"),
        false => pairs.iter().any(|meant| meant == pair),
    };
    if !sources.iter().any(|source| is_meant(&source.pair)) {
        let what = "nothing here is into English, and no language pairs are chosen";
        return refuse(format!("{what}{}", there_are()));
    }
    sources.retain(|source| is_meant(&source.pair));
    Ok(sources)
}

/// What to do if two sets that are not the same are taken for one.
const OTHER_NAME: &str = "a set is known by the name of its folder or file: if they are two, rename one";

/// The error that a set is given twice.
pub(crate) fn given_twice(name: &str) -> Error {
    Error::Unusable(format!("{name} is given twice ({OTHER_NAME})"))
}

/// The error that a set is learned from and measured with.
pub(crate) fn in_both(name: &str) -> Error {
    Error::Unusable(format!("{name} is in both training and development data ({OTHER_NAME})"))
}
