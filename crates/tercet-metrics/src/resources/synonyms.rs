//! Sets of synonyms, looked up as METEOR does: two words are synonyms if they, or their base forms, share a set.
//!
//! A word is looked up as it is (case matters; the dictionary is in lower case) and by its base forms:
//!
//! 1. if it is in the list of exceptions ("feet"), all base forms given there, and only those;
//! 2. otherwise the first ending of [`ENDINGS`], WordNet's rules for nouns, then verbs, then adjectives, that leaves a
//!    word of the dictionary; none for words of up to two characters (UTF-16 units) or in -ss.
//!
//! # Choices
//! METEOR's class means to implement WordNet's rule for "spoonsful", but no rule has an ending in "-ful", so it has no
//! effect. Such words have no base form here either. METEOR's relations between sets are not used.
//! # Agreement
//! On METEOR's own files the same sets as METEOR 1.5's `SynonymDictionary` for all words of the dictionary and of the
//! list of exceptions, inflections made from them, and all words of the golden inputs (`tests/golden/wordnet.rs`
//! compares the dictionary inside the binary with these files).

use super::hash::hash_all;
use super::lines::{lines, read, words};
use super::table::Table;
use super::wordnet;
use crate::error::{Error, Result};
use foldhash::HashMap;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

/// Endings and what replaces them in the base form, in the order of use. WordNet has some twice, for two parts of
/// speech; the second has no effect and is left out.
const ENDINGS: [(&str, &str); 18] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
];

/// A dictionary of synonyms.
pub struct Synonyms {
    /// The words of the dictionary and the sets they are in, ascending.
    words: Table,
    /// Irregular forms and the sets of all their base forms, ascending.
    exceptions: Table,
    /// One base form of each irregular form.
    base_forms: HashMap<Box<str>, Box<str>>,
    hash: String,
}

impl Synonyms {
    /// WordNet 3.0, embedded in the binary; unpacked on first use.
    pub fn embedded() -> &'static Synonyms {
        static EMBEDDED: OnceLock<Synonyms> = OnceLock::new();
        EMBEDDED.get_or_init(wordnet::unpack)
    }

    /// Reads METEOR's `english.synsets` and `english.exceptions` in a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let (synsets, exceptions) = (folder.join("english.synsets"), folder.join("english.exceptions"));
        let (synset_text, exception_text) = (read(&synsets)?, read(&exceptions)?);
        let words = read_synsets(&synsets, &synset_text)?;
        let bases = read_exceptions(&exceptions, &exception_text)?;
        let hash = hash_all(&[synset_text.as_bytes(), exception_text.as_bytes()]);
        Ok(Synonyms::new(words, &bases, hash))
    }

    /// A dictionary of words with their sets and of irregular forms with their base forms.
    pub(super) fn new(words: Table, bases: &BTreeMap<&str, Vec<&str>>, hash: String) -> Self {
        let mut exceptions = Table::with_capacity(bases.len());
        let mut sets = Vec::new();
        for (form, bases) in bases {
            sets.clear();
            sets.extend(bases.iter().filter_map(|base| words.get(base)).flatten());
            exceptions.insert(form, sorted(&mut sets).iter().copied());
        }
        let base_forms = bases.iter().filter_map(|(form, bases)| {
            Some(((*form).into(), (*bases.iter().find(|base| *base == form).or_else(|| bases.iter().min())?).into()))
        });
        Synonyms { words, exceptions, base_forms: base_forms.collect(), hash }
    }

    /// Appends the sets of a word and of its base forms by METEOR's rules to `sets`; sorted, without duplicates.
    /// Two words are synonyms if they share a set.
    pub fn sets(&self, word: &str, sets: &mut Vec<u32>) {
        let own = self.own_sets(word).unwrap_or_default();
        let base = self.exceptional_sets(word).or_else(|| self.regular_sets(word)).unwrap_or_default();
        merge(own, base, sets);
    }

    /// The sets of a word itself, without its base forms, sorted.
    pub fn own_sets(&self, word: &str) -> Option<&[u32]> {
        self.words.get(word)
    }

    /// The sets of the base forms of a word in the list of exceptions, sorted.
    pub fn exceptional_sets(&self, form: &str) -> Option<&[u32]> {
        self.exceptions.get(form)
    }

    /// The base form of a word in the list of exceptions: the word itself if it is one of several, or else the first in
    /// the alphabet.
    pub fn base_form(&self, form: &str) -> Option<&str> {
        self.base_forms.get(form).map(|base| &**base)
    }

    /// The words of the dictionary.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.words()
    }

    /// The forms in the list of exceptions.
    pub fn exceptions(&self) -> impl Iterator<Item = &str> {
        self.exceptions.words()
    }

    /// The hash of the dictionary's source.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The sets of the base form that the rules find.
    fn regular_sets(&self, word: &str) -> Option<&[u32]> {
        let may_end = matches!(word.as_bytes().last(), Some(b's' | b'n' | b'd' | b'g' | b'r' | b't'));
        if !may_end || word.ends_with("ss") || word.encode_utf16().nth(2).is_none() {
            return None;
        }
        let mut base = String::with_capacity(word.len() + 1);
        ENDINGS.iter().find_map(|(ending, replacement)| {
            base.clear();
            base.push_str(word.strip_suffix(ending)?);
            base.push_str(replacement);
            self.words.get(&base)
        })
    }
}

/// Appends the union of two ascending lists, ascending.
fn merge(mut a: &[u32], mut b: &[u32], union: &mut Vec<u32>) {
    while let (Some(&first), Some(&second)) = (a.first(), b.first()) {
        union.push(first.min(second));
        a = &a[usize::from(first <= second)..];
        b = &b[usize::from(second <= first)..];
    }
    union.extend_from_slice(a);
    union.extend_from_slice(b);
}

fn sorted(numbers: &mut Vec<u32>) -> &[u32] {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// `english.synsets`: a word, on the next line the numbers of its sets. A later row replaces an earlier one.
fn read_synsets(path: &Path, text: &str) -> Result<Table> {
    let mut table = Table::with_capacity(text.len() / 24);
    let mut sets = Vec::new();
    for (line, word, numbers) in rows(path, text, "a line of set numbers") {
        let (word, numbers) = (word, numbers?);
        sets.clear();
        for number in words(numbers) {
            sets.push(number.parse().map_err(|_| {
                let what = format!("expected numbers of synonym sets for `{word}`, found `{number}`");
                Error::BadLine { path: path.to_owned(), line, what }
            })?);
        }
        table.insert(word, sorted(&mut sets).iter().copied());
    }
    Ok(table)
}

/// `english.exceptions`: a base form, on the next line its irregular forms. A form may have several base forms.
fn read_exceptions<'t>(path: &Path, text: &'t str) -> Result<BTreeMap<&'t str, Vec<&'t str>>> {
    let mut bases: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (_, base, forms) in rows(path, text, "a line of irregular forms") {
        for form in words(forms?) {
            bases.entry(form).or_default().push(base);
        }
    }
    Ok(bases)
}

/// Pairs of lines, with the number of the second; an error if the file ends after the first.
fn rows<'t>(path: &Path, text: &'t str, expected: &str) -> impl Iterator<Item = (usize, &'t str, Result<&'t str>)> {
    let mut lines = lines(text);
    let mut line = 0;
    std::iter::from_fn(move || {
        let first = lines.next()?;
        line += 2;
        let second = lines.next().ok_or_else(|| {
            let what = format!("expected {expected} after `{first}`, found the end of the file");
            Error::BadLine { path: path.to_owned(), line, what }
        });
        Some((line, first, second))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary(synsets: &str, exceptions: &str) -> Result<Synonyms> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("english.synsets"), synsets).unwrap();
        std::fs::write(folder.path().join("english.exceptions"), exceptions).unwrap();
        Synonyms::read(folder.path())
    }

    fn sets(synonyms: &Synonyms, word: &str) -> Vec<u32> {
        let mut sets = Vec::new();
        synonyms.sets(word, &mut sets);
        sets
    }

    #[test]
    fn words_have_their_own_sets_and_those_of_their_base() {
        let synonyms = dictionary("dog\n3 00000001 3\ndogs\n2 3\n", "").unwrap();
        assert_eq!(sets(&synonyms, "dog"), [1, 3]);
        assert_eq!(sets(&synonyms, "dogs"), [1, 2, 3]);
        assert!(sets(&synonyms, "Dog").is_empty());
        assert!(sets(&synonyms, "cat").is_empty());
    }

    #[test]
    fn exceptions_replace_the_rules_by_all_bases() {
        let synonyms = dictionary("axe\n1\naxis\n2\nax\n3\naxes\n4\n", "axis\naxes\naxe\naxes axed\nno\nodds\n");
        let synonyms = synonyms.unwrap();
        assert_eq!(sets(&synonyms, "axes"), [1, 2, 4]);
        assert_eq!(sets(&synonyms, "axed"), [1]);
        assert!(sets(&synonyms, "odds").is_empty());
        assert_eq!(synonyms.exceptional_sets("odds"), Some(&[][..]));
    }

    #[test]
    fn the_first_rule_that_matches_is_used() {
        let synonyms = dictionary("bath\n1\nbathe\n2\nhop\n3\nhope\n4\nman\n5\nposs\n6\npos\n7\n", "").unwrap();
        assert_eq!(sets(&synonyms, "baths"), [1]);
        assert_eq!(sets(&synonyms, "bathes"), [2]);
        assert_eq!(sets(&synonyms, "bathing"), [2]);
        assert_eq!(sets(&synonyms, "hoping"), [4]);
        assert_eq!(sets(&synonyms, "hopest"), [3]);
        assert_eq!(sets(&synonyms, "men"), [5]);
        assert_eq!(sets(&synonyms, "posses"), [6]);
    }

    #[test]
    fn short_words_and_double_s_have_no_base() {
        let synonyms = dictionary("a\n1\npas\n2\nspoon\n3\nspoons\n4\né\n5\n", "").unwrap();
        assert!(sets(&synonyms, "as").is_empty());
        assert!(sets(&synonyms, "és").is_empty());
        assert!(sets(&synonyms, "pass").is_empty());
        assert!(sets(&synonyms, "spoonsful").is_empty());
        assert!(sets(&synonyms, "").is_empty());
    }

    #[test]
    fn sets_are_appended() {
        let synonyms = dictionary("dog\n1\n", "").unwrap();
        let mut sets = vec![9];
        synonyms.sets("dogs", &mut sets);
        assert_eq!(sets, [9, 1]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let refusal = |synsets, exceptions| match dictionary(synsets, exceptions) {
            Ok(_) => panic!("not refused"),
            Err(error) => error.to_string().rsplit('/').next().unwrap().to_owned(),
        };
        assert_eq!(
            refusal("a\n1\nb\n2 x\n", ""),
            "english.synsets:4: expected numbers of synonym sets for `b`, found `x`"
        );
        assert_eq!(
            refusal("a\n1\nb\n", ""),
            "english.synsets:4: expected a line of set numbers after `b`, found the end of the file"
        );
        assert_eq!(
            refusal("", "b"),
            "english.exceptions:2: expected a line of irregular forms after `b`, found the end of the file"
        );
    }

    #[test]
    fn different_dictionaries_have_different_hashes() {
        let hash = |text| dictionary(text, "").unwrap().hash().to_owned();
        assert_eq!(hash("a\n1\n"), hash_all(&[b"a\n1\n"]));
        assert_ne!(hash("a\n1\n"), hash("a\n2\n"));
    }
}
