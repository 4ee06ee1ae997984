//! Writes `wordnet30.bin` and `wordnet30_types.bin`; the formats are described in `wordnet.rs` and `senses.rs` in
//! `crates/tercet-metrics/src/resources/`.

use super::database::Database;
use anyhow::Result;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

pub fn pack(database: &Database) -> Result<Vec<u8>> {
    let mut columns = Columns::default();
    columns.words(database.words.iter().map(String::as_str));
    columns.sets(database);
    columns.words(database.exceptions.keys().map(String::as_str));
    columns.exceptions(database);
    deflate(&columns.bytes)
}

/// The types of sets and exceptions, in the order of [`pack`].
pub fn pack_types(database: &Database) -> Result<Vec<u8>> {
    let of_exceptions = database.exceptions.values().flat_map(|bases| bases.values());
    let types = database.sets.values().chain(&database.alone).chain(of_exceptions);
    deflate(&types.copied().collect::<Vec<u8>>())
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[derive(Default)]
struct Columns {
    bytes: Vec<u8>,
}

impl Columns {
    fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn words<'w>(&mut self, words: impl Iterator<Item = &'w str> + Clone) {
        let before = std::iter::once("").chain(words.clone());
        let shared = words.clone().zip(before).map(|(word, before)| shared_start(word, before));
        let shared: Vec<usize> = shared.collect();
        self.number(shared.len());
        shared.iter().for_each(|&shared| self.number(shared));
        words.clone().zip(&shared).for_each(|(word, shared)| self.number(word.len() - shared));
        words.zip(&shared).for_each(|(word, &shared)| self.bytes.extend(&word.as_bytes()[shared..]));
    }

    fn sets(&mut self, database: &Database) {
        let sets = || database.sets.keys();
        self.number(sets().len());
        sets().for_each(|set| self.number(set.len()));
        let mut last = 0;
        for set in sets() {
            self.number(set[0] - last);
            last = set[0];
        }
        for pair in sets().flat_map(|set| set.windows(2)) {
            self.number(pair[1] - pair[0]);
        }
    }

    fn exceptions(&mut self, database: &Database) {
        let exceptions = &database.exceptions;
        exceptions.values().for_each(|bases| self.number(bases.len()));
        let mut last = 0;
        for &base in exceptions.values().flat_map(|bases| bases.keys()) {
            let negative = usize::from(base < last);
            self.number(base.abs_diff(last) << 1 | negative);
            last = base;
        }
    }
}

fn shared_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_share_their_starts() {
        let mut columns = Columns::default();
        columns.words(["car", "carbon", "dog"].into_iter());
        assert_eq!(columns.bytes, b"\x03\0\x03\0\x03\x03\x03carbondog");
    }

    #[test]
    fn large_numbers_take_more_bytes() {
        let mut columns = Columns::default();
        columns.number(300);
        assert_eq!(columns.bytes, [0xac, 0x02]);
    }
}
