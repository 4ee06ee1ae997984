//! Stems from a table, which METEOR uses for Arabic instead of rules (`stem/arabic-buckwalter-reduced.gz`).
//!
//! A line is a word, a count and its most frequent stem; counts and further stems after it are not used. A word that
//! is not in the table is its own stem.
//!
//! # Choices
//! METEOR identifies words by Java's 32-bit hash only, so all words with the same hash, in the table or not, have the
//! stem of the last such line. This is kept.
//! # Agreement
//! Equal to METEOR 1.5's jar on all 590,042 words of its table.

use super::hash::hash;
use super::lines;
use crate::error::{Error, Result};
use crate::text::java_hash;
use foldhash::HashMap;
use std::ops::Range;
use std::path::Path;

/// Words and their stems.
pub struct StemTable {
    text: String,
    stems: HashMap<i32, Range<u32>>,
    hash: String,
}

impl StemTable {
    /// Reads a table as METEOR ships it.
    pub fn read(path: &Path) -> Result<Self> {
        StemTable::new(lines::read(path)?, path)
    }

    /// Appends the stem of a word to `stem`. Case matters, as in METEOR.
    pub fn stem(&self, word: &str, stem: &mut String) {
        match self.stems.get(&java_hash(word)) {
            Some(range) => stem.push_str(&self.text[range.start as usize..range.end as usize]),
            None => stem.push_str(word),
        }
    }

    /// The hash of the table's file.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Keeps only the stems of the text.
    fn new(text: String, path: &Path) -> Result<Self> {
        let mut kept = String::new();
        let mut stems = HashMap::default();
        for (number, line) in lines::lines(&text).enumerate() {
            let mut fields = lines::words(line);
            let entry = (fields.next(), fields.next().map(str::parse::<i32>), fields.next());
            let (Some(word), Some(Ok(_)), Some(stem)) = entry else {
                let what = "expected a word, a count and a stem (is this METEOR's table of stems?)".to_owned();
                return Err(Error::BadLine { path: path.to_owned(), line: number + 1, what });
            };
            let start = kept.len() as u32;
            kept.push_str(stem);
            stems.insert(java_hash(word), start..kept.len() as u32);
        }
        Ok(StemTable { text: kept, stems, hash: hash(text.as_bytes()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn table(text: &str) -> Result<StemTable> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stems.gz");
        let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        file.write_all(text.as_bytes()).unwrap();
        std::fs::write(&path, file.finish().unwrap()).unwrap();
        StemTable::read(&path)
    }

    fn stem(table: &StemTable, word: &str) -> String {
        let mut stem = String::new();
        table.stem(word, &mut stem);
        stem
    }

    #[test]
    fn the_first_stem_counts_and_unknown_words_stay() {
        let table = table("ktbhm 3 ktAb 1 ktb\nwAlbyt 12 byt\n").unwrap();
        assert_eq!(["ktbhm", "wAlbyt", "Wxyz", ""].map(|word| stem(&table, word)), ["ktAb", "byt", "Wxyz", ""]);
        assert_eq!(table.hash().len(), 8);
    }

    #[test]
    fn words_with_the_same_java_hash_share_the_later_stem() {
        assert_eq!(java_hash("Aa"), java_hash("BB"));
        let table = table("Aa 1 first\nBB 1 second\n").unwrap();
        assert_eq!(["Aa", "BB"].map(|word| stem(&table, word)), ["second", "second"]);
    }

    #[test]
    fn the_error_for_a_line_without_a_stem_has_its_line() {
        let message = |text| table(text).err().unwrap().to_string();
        assert!(message("a 1 b\nc 2\n").contains(":2: expected a word, a count and a stem"));
        assert!(message("a many b\n").contains(":1: expected"));
        let missing = StemTable::read(Path::new("no-such-table.gz"));
        assert!(matches!(missing, Err(Error::Read { .. })));
    }
}
