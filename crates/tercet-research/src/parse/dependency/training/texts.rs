//! Samples sentences without trees, for the teacher to label.
//!
//! A line of a text, or a field of a tab-separated table with a header, is a sentence. Lines are tokenized and drawn at
//! random, by the seed, until there are as many as wanted; those too short or too long, duplicates and sentences of the
//! treebanks are skipped.

use crate::corpora::{find_files, read_lines};
use crate::error::{Error, Result};
use crate::recipe::settings;
use crate::text::{Scratch, Tokenizer};
use foldhash::HashSet;
use std::path::{Path, PathBuf};
use tercet_math::random::Random;

settings! {
    /// Text files in a recipe: a path, or a table.
    pub struct TextEntry or files {
        /// The path of the files; `*` and `?` are wildcards.
        files: PathBuf;
        /// The columns to read from tab-separated files with a header. Default: whole lines of text.
        columns: Vec<String> = Vec::new();
        /// How many sentences to draw at random. Default: all.
        sentences: Option<usize> = None;
    }
}

/// Draws sentences from texts.
pub struct TextSampler<'a> {
    /// Splits lines into words.
    pub tokenizer: Tokenizer,
    /// The allowed number of words.
    pub lengths: std::ops::RangeInclusive<usize>,
    /// The seed of the random draws.
    pub seed: u64,
    /// The folder of relative paths.
    pub folder: &'a Path,
    seen: HashSet<String>,
    scratch: Scratch,
    tokenized: String,
}

impl<'a> TextSampler<'a> {
    /// A sampler that skips the sentences in `seen`, whose words are separated by spaces.
    pub fn new(tokenizer: Tokenizer, folder: &'a Path, seed: u64, seen: HashSet<String>) -> Self {
        let (scratch, tokenized) = (Scratch::default(), String::new());
        TextSampler { tokenizer, lengths: 1..=usize::MAX, seed, folder, seen, scratch, tokenized }
    }

    /// Sentences of all entries, at most `most`.
    pub fn sample(&mut self, entries: &[TextEntry], most: Option<usize>) -> Result<Vec<String>> {
        let mut sentences = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            sentences.extend(self.of_entry(entry, index as u64)?);
        }
        let most = most.unwrap_or(sentences.len());
        if sentences.len() > most {
            Random::stream(self.seed, "texts in all", 0).shuffle(&mut sentences);
            sentences.truncate(most);
        }
        Ok(sentences)
    }

    fn of_entry(&mut self, entry: &TextEntry, index: u64) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for path in find_files(&self.folder.join(&entry.files))? {
            read_sentences(&path, &entry.columns, &mut lines)?;
        }
        Random::stream(self.seed, "texts", index).shuffle(&mut lines);
        let most = entry.sentences.unwrap_or(usize::MAX);
        let sentences: Vec<String> = lines.iter().filter_map(|line| self.words_of(line)).take(most).collect();
        match entry.sentences.filter(|&most| sentences.len() < most) {
            Some(most) => {
                let (files, found) = (entry.files.display(), sentences.len());
                let reason = "of the right length that are in no treebank and no other text";
                Err(Error::Unusable(format!("{files}: {found} sentences {reason}, fewer than {most}")))
            }
            None => Ok(sentences),
        }
    }

    /// The words of a line, separated by spaces; `None` if the line is to be skipped.
    fn words_of(&mut self, line: &str) -> Option<String> {
        // Many translations start with a byte order mark.
        self.tokenizer.tokenize_into(line.trim_start_matches('\u{feff}'), &mut self.scratch, &mut self.tokenized);
        let words: Vec<&str> = self.tokenizer.tokens(&self.tokenized).collect();
        if !self.lengths.contains(&words.len()) {
            return None;
        }
        let sentence = words.join(" ");
        self.seen.insert(sentence.clone()).then_some(sentence)
    }
}

/// The lines of a file, or the fields of some of its columns.
fn read_sentences(path: &Path, columns: &[String], sentences: &mut Vec<String>) -> Result<()> {
    let lines = read_lines(path)?;
    if columns.is_empty() {
        sentences.extend(lines.iter().map(str::to_owned));
        return Ok(());
    }
    let bad = |line: usize, what: String| Error::BadLine { path: path.to_owned(), line, what };
    let mut rows = lines.iter_untrimmed();
    let header: Vec<&str> = rows.next().unwrap_or_default().trim_end().split('\t').collect();
    let mut places = Vec::new();
    for column in columns {
        let place = header.iter().position(|name| name == column);
        let known = header.join(", ");
        places.push(place.ok_or_else(|| bad(1, format!("there is no column `{column}` (columns: {known})")))?);
    }
    for (row, line) in rows.enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() != header.len() {
            let (expected, found) = (header.len(), fields.len());
            return Err(bad(row + 2, format!("expected {expected} tab-separated fields, found {found}")));
        }
        sentences.extend(places.iter().map(|&place| fields[place].trim().to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler<'a>(folder: &'a Path, seen: &[&str]) -> TextSampler<'a> {
        let seen = seen.iter().map(|text| (*text).to_owned()).collect();
        let mut sampler = TextSampler::new(Tokenizer::None, folder, 1, seen);
        sampler.lengths = 2..=3;
        sampler
    }

    #[test]
    fn sentences_are_drawn_once_and_not_from_treebanks() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("a.txt"), "one two\n\u{feff}one  two\nin treebank\nshort\na b c d\nx y z\n")
            .unwrap();
        std::fs::write(scratch.path().join("t.tsv"), "id\tmt\tpe\n1\tg h\ti j\n2\tone two\tk l\n").unwrap();
        let lines = TextEntry::from(PathBuf::from("*.txt"));
        let mut sampler = sampler(scratch.path(), &["in treebank"]);
        let mut found = sampler.sample(std::slice::from_ref(&lines), None).unwrap();
        found.sort();
        assert_eq!(found, ["one two", "x y z"]);
        let columns = |names: &[&str], sentences| {
            let columns = names.iter().map(|name| (*name).to_owned()).collect();
            TextEntry { files: "t.tsv".into(), columns, sentences }
        };
        let mut found = sampler.sample(&[columns(&["pe", "mt"], None)], None).unwrap();
        found.sort();
        assert_eq!(found, ["g h", "i j", "k l"]);
        let error = sampler.sample(&[columns(&["pe"], Some(9))], None).unwrap_err().to_string();
        assert!(error.contains("0 sentences of the right length") && error.contains("fewer than 9"), "{error}");
        let error = sampler.sample(&[columns(&["ref"], None)], None).unwrap_err().to_string();
        assert!(error.ends_with("t.tsv:1: there is no column `ref` (columns: id, mt, pe)"), "{error}");
    }

    #[test]
    fn the_seed_decides_which_are_drawn() {
        let scratch = tempfile::tempdir().unwrap();
        let lines: String = (0..50).map(|number| format!("line {number}\n")).collect();
        std::fs::write(scratch.path().join("a"), lines).unwrap();
        let entry = [TextEntry::from(PathBuf::from("a"))];
        let draw = |seed| {
            let mut sampler = sampler(scratch.path(), &[]);
            sampler.seed = seed;
            sampler.sample(&entry, Some(10)).unwrap()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(draw(1).len(), 10);
    }
}
