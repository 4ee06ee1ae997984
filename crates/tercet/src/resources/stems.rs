//! METEOR's table of stems, for the language it has no rules for: Arabic in Buckwalter's transliteration.

use super::hash::hash;
use super::lines;
use crate::error::{Error, Result};
use flate2::read::MultiGzDecoder;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Stems by word.
pub struct StemTable {
    stems: FxHashMap<String, String>,
    hash: String,
}

impl StemTable {
    /// Reads a gzipped table: word, count and stem on each line. A later line replaces an earlier one of the same word.
    pub fn read(path: &Path) -> Result<Self> {
        let unreadable = |source| Error::Read { path: path.to_owned(), source };
        let mut text = String::new();
        let file = File::open(path).map_err(unreadable)?;
        MultiGzDecoder::new(file).read_to_string(&mut text).map_err(unreadable)?;
        let mut stems = FxHashMap::default();
        for (number, line) in lines::lines(&text).enumerate() {
            let fields: Vec<&str> = lines::words(line).collect();
            let [word, _, stem, ..] = fields[..] else {
                let what = format!("expected a word, a count and a stem, found `{line}`");
                return Err(Error::BadLine { path: path.to_owned(), line: number + 1, what });
            };
            stems.insert(word.to_owned(), stem.to_owned());
        }
        Ok(StemTable { stems, hash: hash(text.as_bytes()) })
    }

    /// The stem of a word of the table.
    pub fn get(&self, word: &str) -> Option<&str> {
        self.stems.get(word).map(String::as_str)
    }

    /// What the table was made from.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn table(text: &str) -> Result<StemTable> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stems.gz");
        let mut file = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
        file.write_all(text.as_bytes()).unwrap();
        file.finish().unwrap();
        StemTable::read(&path)
    }

    #[test]
    fn words_have_the_last_stem_listed() {
        let table = table("wktAb 3 ktAb\nAlktAb 2 x\nAlktAb 5 ktAb\n").unwrap();
        assert_eq!(
            ["wktAb", "AlktAb", "ktAb"].map(|word| table.get(word)),
            [Some("ktAb"), Some("ktAb"), None]
        );
    }

    #[test]
    fn a_line_without_a_stem_is_refused_by_number() {
        let error = table("a 1 b\nc 2\n").err().unwrap();
        assert!(error.to_string().contains(":2: expected a word, a count and a stem"), "{error}");
    }
}
