//! Finds the human judgements in the given folders and files.

use crate::output::Misuse;
use std::path::PathBuf;
use tercet::corpora::{JudgementSource, find_judgements};

/// The requested language pairs (default: all), in the order of the paths.
pub fn sources(paths: &[PathBuf], pairs: &[String]) -> anyhow::Result<Vec<JudgementSource>> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(find_judgements(path)?);
    }
    if let Some(missing) = pairs.iter().find(|pair| found.iter().all(|source| source.pair != **pair)) {
        let mut known: Vec<&str> = found.iter().map(|source| source.pair.as_str()).collect();
        known.dedup();
        let known = known.join(", ");
        return Err(Misuse(format!("--pair: no judgements for {missing} (there are: {known})")).into());
    }
    found.retain(|source| pairs.is_empty() || pairs.contains(&source.pair));
    // A file of several pairs lists them in the order of its rows, which must change nothing.
    found.chunk_by_mut(|a, b| a.set == b.set).for_each(|of_set| of_set.sort_by(|a, b| a.pair.cmp(&b.pair)));
    for (i, source) in found.iter().enumerate() {
        if found[..i].iter().any(|earlier| (&earlier.set, &earlier.pair) == (&source.set, &source.pair)) {
            return Err(Misuse(format!("{} {} is given twice", source.set, source.pair)).into());
        }
    }
    Ok(found)
}
