//! A table of phrases with their probabilities, for TERp: a phrase of the reference, what the hypothesis may have for
//! it.

use super::cache;
use super::table::Contents;
use super::tree::{ROOT, Tree};
use super::vocabulary::Vocabulary;
use crate::cache::Cache;
use crate::error::Result;
use std::path::Path;

/// A table of paraphrases with probabilities.
pub struct PhraseTable {
    hash: String,
    vocabulary: Vocabulary,
    tree: Tree,
    /// For each phrase the one that is one word shorter.
    parents: Vec<u32>,
    probabilities: Vec<f64>,
}

/// What a table has for a phrase of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paraphrase {
    /// The place of the pair in the table.
    pub pair: u32,
    /// The phrase of the hypothesis, for [`PhraseTable::spell`].
    pub phrase: u32,
    pub probability: f64,
}

impl PhraseTable {
    /// Opens a table in TERp's form (`0.5 <p>reference</p> <p>hypothesis</p>`) or in METEOR's (three lines:
    /// probability, phrase of the reference, phrase of the hypothesis), or its cached form if there is one.
    pub fn open(path: &Path, cache: &Cache) -> Result<Self> {
        cache::open_with_probabilities(path, cache)
    }

    pub(super) fn new(hash: String, contents: Contents) -> Self {
        let Contents { vocabulary, tree, probabilities } = contents;
        let parents = tree.parents();
        PhraseTable { hash, vocabulary, tree, parents, probabilities }
    }

    /// The number of a word, if any phrase has it. Case matters.
    pub fn word(&self, word: &str) -> Option<u32> {
        self.vocabulary.number(word)
    }

    /// How many words the table has.
    pub fn words(&self) -> usize {
        self.vocabulary.len()
    }

    /// The phrases of the table that start a sequence of words (`u32::MAX` for unknown ones), with their lengths.
    pub fn phrases_at(&self, words: &[u32]) -> impl Iterator<Item = (u32, u32)> {
        self.tree.prefixes(words)
    }

    /// What the table has for a phrase, in its own order.
    pub fn paraphrases(&self, phrase: u32) -> impl Iterator<Item = Paraphrase> {
        self.tree.list(phrase).map(|pair| Paraphrase {
            pair: pair as u32,
            phrase: self.tree.pairs[pair],
            probability: self.probabilities[pair],
        })
    }

    /// Whether all words of a phrase pass a test.
    pub fn all_words(&self, mut phrase: u32, passes: impl Fn(u32) -> bool) -> bool {
        while phrase != ROOT {
            if !passes(self.tree.words[phrase as usize]) {
                return false;
            }
            phrase = self.parents[phrase as usize];
        }
        true
    }

    /// Replaces the contents of `spelling` by the words of a phrase.
    pub fn spell(&self, mut phrase: u32, spelling: &mut Vec<u32>) {
        spelling.clear();
        while phrase != ROOT {
            spelling.push(self.tree.words[phrase as usize]);
            phrase = self.parents[phrase as usize];
        }
        spelling.reverse();
    }

    /// The hash of the table's file.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn opened(text: &str) -> Result<PhraseTable> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        fs::write(&path, text).unwrap();
        cache::open_with_probabilities(&path, &Cache::none())
    }

    /// What the table has for the phrases that start a sentence.
    fn found(table: &PhraseTable, sentence: &str) -> Vec<(u32, String, f64)> {
        let words: Vec<u32> = sentence.split(' ').map(|word| table.word(word).unwrap_or(u32::MAX)).collect();
        let mut found = Vec::new();
        let mut spelling = Vec::new();
        for (length, phrase) in table.phrases_at(&words) {
            for paraphrase in table.paraphrases(phrase) {
                table.spell(paraphrase.phrase, &mut spelling);
                let vocabulary: Vec<&str> = table.vocabulary.text().lines().collect();
                let text: Vec<&str> = spelling.iter().map(|&word| vocabulary[word as usize]).collect();
                found.push((length, text.join(" "), paraphrase.probability));
            }
        }
        found
    }

    #[test]
    fn lines_in_the_form_of_terp_are_read_and_others_ignored() {
        let table = opened(
            "note\n0.5 <p>big  car</p>\t<p>large automobile</p>\n0.25 0.75 <p>big</p> <p>large</p> \n\
             0.5 <p>same</p> <p>same</p>\n1 <p></p> <p>x</p>\n2 <p>a</p><p>b</p>\n1e-3 <p>big</p> <p>huge</p>\n",
        )
        .unwrap();
        let expected = [("large", 1, 0.25), ("large", 1, 0.75), ("huge", 1, 0.001), ("large automobile", 2, 0.5)];
        let expected = expected.map(|(text, length, probability)| (length, text.to_owned(), probability));
        assert_eq!(found(&table, "big car there"), expected);
        assert!(found(&table, "same").is_empty() && found(&table, "a").is_empty());
    }

    #[test]
    fn tables_of_meteor_are_recognised() {
        let table = opened("0.5\nthe house\na home\n0.25\nthe\nthat\n").unwrap();
        assert_eq!(found(&table, "the house"), [(1, "that".to_owned(), 0.25), (2, "a home".to_owned(), 0.5)]);
    }

    #[test]
    fn a_file_without_phrases_and_a_bad_number_are_refused() {
        let refusal = |text| opened(text).err().unwrap().to_string();
        assert!(
            refusal("a\nb\n").ends_with("no phrases in it (expected lines `0.5 <p>…</p> <p>…</p>`, or METEOR's form)")
        );
        assert!(refusal("x\n0.5.5 <p>a</p> <p>b</p>\n").ends_with(":2: expected a number, found `0.5.5`"));
    }

    #[test]
    fn the_compact_form_has_the_same_contents() {
        let folder = tempfile::tempdir().unwrap();
        let (path, cached) = (folder.path().join("table"), folder.path().join("cache"));
        fs::write(&path, "0.5 <p>a b</p> <p>c</p>\n0.3 <p>a</p> <p>d e</p>\n").unwrap();
        let open = || cache::open_with_probabilities(&path, &Cache::in_folder(&cached)).unwrap();
        let written = || {
            let files = fs::read_dir(&cached).unwrap().map(|file| file.unwrap().metadata().unwrap());
            files.map(|file| file.modified().unwrap()).collect::<Vec<_>>()
        };
        let first = open();
        let times = written();
        let second = open();
        assert_eq!(times.len(), 1);
        assert_eq!(written(), times, "the file was read, not written again");
        assert_eq!(found(&first, "a b"), found(&second, "a b"));
        assert_eq!(first.hash(), second.hash());
    }
}
