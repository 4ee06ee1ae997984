//! Small tables, and a comparison with a search through all pairs.

use super::*;
use crate::error::Error;
use proptest::prelude::*;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

const SMALL: &str = "0.5\nthe house\nthe building\n0.25\nthe house\na home\n1e-3\nthe\nthat\n0.5\na home\nthe house\n";

/// A table written into a fresh folder and opened without a cache.
fn opened(text: &[u8]) -> Result<Paraphrases> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("paraphrase.gz");
    fs::write(&path, text).unwrap();
    cache::open(&path, &Cache::none())
}

fn packed(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn numbers(table: &Paraphrases, sentence: &str) -> Vec<u32> {
    sentence.split(' ').map(|word| table.word(word).unwrap_or(u32::MAX)).collect()
}

fn prefixes(table: &Paraphrases, sentence: &str) -> Vec<(usize, Vec<u32>)> {
    let mut found = Vec::new();
    table.each_prefix(&numbers(table, sentence), |length, words| found.push((length, words.to_vec())));
    found
}

fn pairs(table: &Paraphrases, one: &str, other: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let phrases = |sentence| table.phrases(&numbers(table, sentence));
    let mut found = Vec::new();
    table.each_pair(&phrases(one), &phrases(other), |one, other| found.push((one, other)));
    found
}

#[test]
fn shorter_phrases_come_first_then_the_order_of_the_table() {
    let table = opened(SMALL.as_bytes()).unwrap();
    let other = |phrase| numbers(&table, phrase);
    let expected = [(1, other("that")), (2, other("the building")), (2, other("a home"))];
    assert_eq!(prefixes(&table, "the house there"), expected);
    assert_eq!(prefixes(&table, "house there"), []);
    assert_eq!(prefixes(&table, "The house"), []);
}

#[test]
fn pairs_are_found_wherever_the_other_phrase_stands() {
    let table = opened(SMALL.as_bytes()).unwrap();
    assert_eq!(
        pairs(&table, "in the house", "that home is a home and a home"),
        [(1..2, 0..1), (1..3, 3..5), (1..3, 6..8)]
    );
    assert_eq!(pairs(&table, "", "the house"), []);
}

#[test]
fn a_pair_that_is_there_twice_is_found_twice() {
    let table = opened(b"1\na\nb\n1\na\nb\n").unwrap();
    assert_eq!(pairs(&table, "a", "b"), [(0..1, 0..1), (0..1, 0..1)]);
}

#[test]
fn gzip_is_recognised_by_its_first_bytes_and_may_have_several_members() {
    let (head, tail) = SMALL.split_at(30);
    let table = opened(&[packed(head), packed(tail)].concat()).unwrap();
    assert_eq!(prefixes(&table, "the house").len(), 3);
}

#[test]
fn lines_and_words_are_split_as_in_java() {
    let table = opened("1\r\n\tthe\x0c house \r\na\u{a0}home\r1\ra\rb".as_bytes()).unwrap();
    assert_eq!(prefixes(&table, "the house"), [(2, numbers(&table, "a\u{a0}home"))]);
    assert_eq!(pairs(&table, "a", "b"), [(0..1, 0..1)]);
}

#[test]
fn the_hash_is_that_of_the_file() {
    let error = opened(b"").err().unwrap().to_string();
    assert!(error.ends_with("paraphrase.gz: no paraphrases in it: the file is empty"), "{error}");
    assert_eq!(opened(SMALL.as_bytes()).unwrap().hash().len(), 8);
}

fn message(text: &[u8]) -> String {
    let error = opened(text).err().expect("the table should be refused");
    let message = error.to_string();
    message[message.find("paraphrase.gz").unwrap()..].to_owned()
}

#[test]
fn the_error_for_a_missing_line_has_its_line() {
    let step = "(a pair is three lines: probability, phrase, phrase)";
    assert_eq!(
        message(b"1\na\nb\nthe\n"),
        "paraphrase.gz:4: expected the probability of a pair of phrases, found `the`"
    );
    assert_eq!(
        message(b"1\na\n"),
        format!("paraphrase.gz:3: expected the second phrase of a pair, found the end of the file {step}")
    );
    assert_eq!(
        message(b"1\n \t\nb\n"),
        format!("paraphrase.gz:2: expected the first phrase of a pair, found an empty line {step}")
    );
}

#[test]
fn the_error_for_a_bad_byte_has_line_and_column() {
    let Err(Error::NotUtf8 { line, offset, column, .. }) = opened(b"1\r\na\r\nb\xff\n") else {
        panic!("the table should be refused");
    };
    assert_eq!((line, offset, column), (3, 7, 2));
}

#[test]
fn a_missing_or_broken_file_is_an_error_with_its_cause() {
    assert!(matches!(Paraphrases::open(Path::new("no-such-table.gz"), &Cache::none()), Err(Error::Read { .. })));
    let whole = packed(SMALL);
    assert!(matches!(opened(&whole[..whole.len() / 2]), Err(Error::Read { .. })));
}

/// A table and a cache in a fresh folder.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("table"), SMALL).unwrap();
        Place { folder }
    }

    fn open(&self) -> Paraphrases {
        cache::open(&self.folder.path().join("table"), &Cache::in_folder(&self.cache())).unwrap()
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("deep/cache")
    }

    fn cached(&self) -> PathBuf {
        let files: Vec<_> = fs::read_dir(self.cache()).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "one cached form and nothing half written: {files:?}");
        files[0].clone()
    }
}

fn same(one: &Paraphrases, other: &Paraphrases) {
    assert_eq!(one.hash(), other.hash());
    for sentence in ["the house", "a home", "that", "house of the home"] {
        assert_eq!(numbers(one, sentence), numbers(other, sentence));
        assert_eq!(prefixes(one, sentence), prefixes(other, sentence));
    }
}

#[test]
fn the_cached_form_gives_the_same_table() {
    let place = Place::new();
    let first = place.open();
    let written = fs::metadata(place.cached()).unwrap().modified().unwrap();
    same(&first, &place.open());
    assert_eq!(fs::metadata(place.cached()).unwrap().modified().unwrap(), written, "it was read, not written again");
}

#[test]
fn a_cached_form_that_is_damaged_anywhere_is_written_again() {
    let place = Place::new();
    let first = place.open();
    let whole = fs::read(place.cached()).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(place.cached(), &damaged).unwrap();
        same(&first, &place.open());
        assert!(fs::read(place.cached()).unwrap() == whole, "byte {at}");
    }
    for length in [0, 7, 50, whole.len() - 1] {
        fs::write(place.cached(), &whole[..length]).unwrap();
        same(&first, &place.open());
        assert!(fs::read(place.cached()).unwrap() == whole, "cut to {length}");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_not_an_error() {
    let place = Place::new();
    fs::write(place.folder.path().join("deep"), "a file where the folder should be").unwrap();
    same(&opened(SMALL.as_bytes()).unwrap(), &place.open());
}

#[test]
fn a_short_table_is_not_cached() {
    let place = Place::new();
    cache::open(
        &place.folder.path().join("table"),
        &Cache::in_folder(&place.cache()).with_min_bytes(SMALL.len() as u64 + 1),
    )
    .unwrap();
    assert!(!place.cache().exists());
}

/// Phrases of one to three of four words.
fn phrase() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..4u8, 1..4)
}

fn text(words: &[u8]) -> String {
    words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

proptest! {
    #[test]
    fn a_table_finds_what_a_search_through_all_pairs_finds(
        entries in prop::collection::vec((phrase(), phrase()), 1..30),
        one in prop::collection::vec(0..5u8, 0..9),
        other in prop::collection::vec(0..5u8, 0..9),
    ) {
        let lines: String = entries.iter().map(|(a, b)| format!("0.1\n{}\n{}\n", text(a), text(b))).collect();
        let table = opened(lines.as_bytes()).unwrap();
        let mut expected = Vec::new();
        let mut expected_prefixes = Vec::new();
        for start in 0..one.len() {
            for length in 1..=one.len() - start {
                for (first, second) in entries.iter().filter(|(first, _)| one[start..start + length] == **first) {
                    if start == 0 {
                        expected_prefixes.push((first.len(), numbers(&table, &text(second))));
                    }
                    let places = (0..other.len()).filter(|&place| other[place..].starts_with(second));
                    expected.extend(places.map(|place| (start..start + length, place..place + second.len())));
                }
            }
        }
        prop_assert_eq!(pairs(&table, &text(&one), &text(&other)), expected);
        prop_assert_eq!(prefixes(&table, &text(&one)), expected_prefixes);
    }
}
