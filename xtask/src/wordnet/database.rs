//! WordNet's own files, as `wndb(5WN)` describes them.
//!
//! `index.POS` has a word per line, in lower case: word, part of speech, number of sets, number p of pointer kinds, p
//! kinds, number of senses, number of tagged senses, then the offsets of the sets in `data.POS`. The licence above it
//! is indented. `POS.exc` has an irregular form per line and its base forms. A line of `data.adj` starts with offset,
//! number of the lexicographer's file and type of set: `a`, or `s` for a satellite, which has another adjective at its
//! centre.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const PARTS_OF_SPEECH: [&str; 4] = ["noun", "verb", "adj", "adv"];

/// The bit of a satellite set; the other types have the bit of their part of speech.
const SATELLITE: u8 = 1 << PARTS_OF_SPEECH.len();

/// The parts of WordNet needed for synonyms; words are indices into `words`.
pub struct Database {
    /// All words, sorted.
    pub words: Vec<String>,
    /// The sets of two words or more: each sorted, each once, sorted; and the types of the sets with these words, a bit
    /// each.
    pub sets: BTreeMap<Vec<usize>, u8>,
    /// For each word the types of the sets that have no other word.
    pub alone: Vec<u8>,
    /// Irregular forms and their base forms, as far as they are words, with the parts of speech of the lists they are
    /// in.
    pub exceptions: BTreeMap<String, BTreeMap<usize, u8>>,
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
        let satellites = satellites(folder)?;
        let mut members: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
        for (number, sets) in offsets.values().enumerate() {
            sets.iter().for_each(|&set| members.entry(set).or_default().push(number));
        }
        let words: Vec<String> = offsets.into_keys().collect();
        let exceptions = exceptions(folder, &words)?;
        let (mut sets, mut alone) = (BTreeMap::new(), vec![0; words.len()]);
        for ((part, offset), members) in members {
            let satellite = part == "adj" && satellites.contains(&offset);
            let kind = if satellite { SATELLITE } else { bit(part) };
            match members[..] {
                [word] => alone[word] |= kind,
                _ => *sets.entry(members).or_default() |= kind,
            }
        }
        Ok(Database { words, sets, alone, exceptions })
    }
}

/// The bit of a part of speech.
fn bit(part: &str) -> u8 {
    let place = PARTS_OF_SPEECH.iter().position(|other| *other == part);
    1 << place.expect("it is one of the four")
}

/// The offsets of the satellite sets in `data.adj`.
fn satellites(folder: &Path) -> Result<BTreeSet<u32>> {
    let mut offsets = BTreeSet::new();
    each_line(folder, "data.adj", |line| {
        let mut fields = line.split(' ');
        let offset = fields.next().and_then(|offset| offset.parse().ok());
        let offset = offset.context("expected a line of WordNet's data")?;
        if fields.nth(1) == Some("s") {
            offsets.insert(offset);
        }
        Ok(())
    })?;
    Ok(offsets)
}

fn exceptions(folder: &Path, words: &[String]) -> Result<BTreeMap<String, BTreeMap<usize, u8>>> {
    let mut exceptions: BTreeMap<String, BTreeMap<usize, u8>> = BTreeMap::new();
    for part in PARTS_OF_SPEECH {
        each_line(folder, &format!("{part}.exc"), |line| {
            let mut forms = line.split_ascii_whitespace();
            let form = forms.next().context("expected an irregular form and its base forms")?;
            let known = forms.filter_map(|base| words.binary_search_by(|word| word.as_str().cmp(base)).ok());
            let bases = exceptions.entry(form.to_owned()).or_default();
            known.for_each(|base| *bases.entry(base).or_default() |= bit(part));
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
