//! WordNet's own files, as `wndb(5WN)` describes them.
//!
//! `index.POS` has a word per line, in lower case: word, part of speech, number of sets, number p of pointer kinds, p
//! kinds, number of senses, number of tagged senses, then the offsets of the sets in `data.POS`. The licence above it is
//! indented. `POS.exc` has an irregular form per line and its base forms.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const PARTS_OF_SPEECH: [&str; 4] = ["noun", "verb", "adj", "adv"];

/// The parts of WordNet needed for synonyms; words are indices into `words`.
pub struct Database {
    /// All words, sorted.
    pub words: Vec<String>,
    /// The sets of two words or more: each sorted, each once, sorted.
    pub sets: BTreeSet<Vec<usize>>,
    /// Irregular forms and their base forms, as far as they are words.
    pub exceptions: BTreeMap<String, BTreeSet<usize>>,
}

impl Database {
    pub fn read(folder: &Path) -> Result<Self> {
        let mut offsets: BTreeMap<String, Vec<(&str, u32)>> = BTreeMap::new();
        for part in PARTS_OF_SPEECH {
            each_line(folder, &format!("index.{part}"), |line| {
                let (word, sets) = index_line(line).context("expected a line of a WordNet index")?;
                offsets.entry(word.to_owned()).or_default().extend(sets.into_iter().map(|set| (part, set)));
                Ok(())
            })?;
        }
        let mut members: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
        for (number, sets) in offsets.values().enumerate() {
            sets.iter().for_each(|&set| members.entry(set).or_default().push(number));
        }
        let words: Vec<String> = offsets.into_keys().collect();
        let exceptions = exceptions(folder, &words)?;
        let sets = members.into_values().filter(|words| words.len() > 1).collect();
        Ok(Database { words, sets, exceptions })
    }
}

fn exceptions(folder: &Path, words: &[String]) -> Result<BTreeMap<String, BTreeSet<usize>>> {
    let mut exceptions: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for part in PARTS_OF_SPEECH {
        each_line(folder, &format!("{part}.exc"), |line| {
            let mut forms = line.split_ascii_whitespace();
            let form = forms.next().context("expected an irregular form and its base forms")?;
            let known = forms.filter_map(|base| words.binary_search_by(|word| word.as_str().cmp(base)).ok());
            exceptions.entry(form.to_owned()).or_default().extend(known);
            Ok(())
        })?;
    }
    Ok(exceptions)
}

/// The word and the offsets of its sets.
fn index_line(line: &str) -> Option<(&str, Vec<u32>)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let sets: usize = fields.get(2)?.parse().ok()?;
    let pointers: usize = fields.get(3)?.parse().ok()?;
    let offsets = fields.get(6 + pointers..)?;
    let offsets: Option<Vec<u32>> = offsets.iter().map(|offset| offset.parse().ok()).collect();
    offsets.filter(|offsets| offsets.len() == sets && sets > 0).map(|offsets| (fields[0], offsets))
}

/// Every line that is not part of the licence.
fn each_line(folder: &Path, name: &str, mut line: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let entries = text.lines().enumerate().filter(|(_, text)| !text.starts_with("  "));
    for (number, text) in entries {
        line(text).with_context(|| format!("{}:{}", path.display(), number + 1))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_lines_give_words_and_offsets() {
        let line = "car n 2 3 @ ~ %p 2 1 02958343 02959942  ";
        assert_eq!(index_line(line), Some(("car", vec![2_958_343, 2_959_942])));
        assert_eq!(index_line("car n 3 3 @ ~ %p 2 1 02958343 02959942  "), None);
        assert_eq!(index_line("car n"), None);
    }
}
