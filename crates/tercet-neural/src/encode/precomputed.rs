//! Sentence vectors computed by another program: the syntax vectors (SYNTAX25) of the Stanford parser, or of any other
//! encoder.
//!
//! ```text
//! The cat sat on the mat .→0.1032 -0.2211 …
//! ```
//!
//! One row per line: the line without trailing white space, a tab (→), the numbers with spaces between them. The line
//! may contain tabs, since the last tab of a row is the separator. Every row has as many numbers as the first. UTF-8,
//! plain or compressed.
//!
//! # Choices
//! - A line that has two vectors is an error unless they are equal: an encoder gives a line one vector, so the file
//!   does not belong to the text.
//! - A byte order mark at the start of a line is not part of the line.
//! - A line without a vector is an error. Only the empty line, if the file has no row for it, is zero, as in averages.

use super::{SentenceEncoder, without_mark};
use crate::error::{Error, Result};
use crate::spec::Spec;
use crate::text::{shortened, trim_end};
use crate::vectors::{Source, parse_all, utf8};
use foldhash::HashMap;
use std::path::{Path, PathBuf};
use tercet_base::files::{self, short_hash};

/// The vectors of known lines.
#[derive(Clone, Debug)]
pub struct PrecomputedVectors {
    path: PathBuf,
    hash: String,
    dimension: usize,
    rows: HashMap<Box<str>, Vec<f32>>,
}

impl PrecomputedVectors {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = files::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Self::from_bytes(path, &bytes)
    }

    /// Reads vectors from the bytes of a file; `path` is for messages.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self> {
        let mut source = Source::from_bytes(path, bytes)?;
        let hash = short_hash(bytes);
        let mut made = PrecomputedVectors { path: path.to_owned(), hash, dimension: 0, rows: HashMap::default() };
        let (mut line, mut offset) = (Vec::new(), 0);
        while source.line(&mut line)? {
            let number = source.line_number();
            let row = utf8(path, &line, number, offset)?;
            made.add(row).map_err(|what| Error::BadLine { path: path.to_owned(), line: number, what })?;
            line.clear();
            offset = source.offset();
        }
        if made.rows.is_empty() {
            let what = "no vectors in it: the file is empty".to_owned();
            return Err(Error::bad_file(path, what));
        }
        Ok(made)
    }

    /// Number of lines that have a vector.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Always false: a file without vectors is an error.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The vector of a line.
    pub fn get(&self, line: &str) -> Option<&[f32]> {
        self.rows.get(trim_end(without_mark(line))).map(Vec::as_slice)
    }

    fn add(&mut self, row: &str) -> Result<(), String> {
        let (line, numbers) = row.rsplit_once('\t').ok_or("expected a key, a tab and a vector, found no tab")?;
        let mut vector = Vec::with_capacity(self.dimension);
        parse_all(numbers.trim_end_matches('\r'), &mut vector)?;
        if self.rows.is_empty() {
            self.dimension = vector.len();
        }
        if vector.is_empty() || vector.len() != self.dimension {
            let expected = self.dimension.max(1);
            return Err(format!(
                "expected a vector of {expected} numbers, as on the first line, found {}",
                vector.len()
            ));
        }
        let vector_before = self.rows.entry(trim_end(without_mark(line)).into()).or_insert_with(|| vector.clone());
        if *vector_before != vector {
            return Err("another vector than before for the same line of text".to_owned());
        }
        Ok(())
    }
}

impl SentenceEncoder for PrecomputedVectors {
    fn signature(&self) -> Spec {
        Spec::new("precomputed").with_option("vectors", &self.hash).with_option("dim", self.dimension)
    }

    /// Vectors of new lines are in another file; whether the same program made it cannot be checked.
    fn kind(&self) -> Spec {
        Spec::new("precomputed").with_option("dim", self.dimension)
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>> {
        let each = lines.iter().map(|line| match self.get(line) {
            Some(vector) => Ok(vector.to_vec()),
            None if trim_end(without_mark(line)).is_empty() => Ok(vec![0.0; self.dimension]),
            None => {
                let (path, line) = (self.path.display(), shortened(line, 60));
                Err(Error::Unusable(format!(
                    "{path} has no vector for the line `{line}` (make vectors of this text too, letter by letter)"
                )))
            }
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Result<PrecomputedVectors> {
        PrecomputedVectors::from_bytes(Path::new("syntax.tsv"), text.as_bytes())
    }

    #[test]
    fn lines_have_the_vectors_of_the_file() {
        let vectors = made("the cat\t1 2\r\na\tb \t3 4\nthe cat\t1 2.0\n").unwrap();
        assert_eq!((vectors.dimension(), vectors.len(), vectors.is_empty()), (2, 2, false));
        assert_eq!(vectors.encode(&["a\tb", "\u{feff}the cat ", ""]).unwrap(), [[3.0, 4.0], [1.0, 2.0], [0.0, 0.0]]);
        assert!(vectors.signature().to_string().starts_with("precomputed:vectors="));
        assert_eq!(vectors.coverage(&["a"]), None);
    }

    #[test]
    fn the_first_missing_line_is_named() {
        let error = made("a\t1\n").unwrap().encode(&["a", "b c", "d"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "syntax.tsv has no vector for the line `b c` (make vectors of this text too, letter by letter)"
        );
    }

    #[test]
    fn errors_name_file_and_line() {
        for (text, message) in [
            ("a 1 2\n", "syntax.tsv:1: expected a key, a tab and a vector, found no tab"),
            ("a\t1 2\nb\t1\n", "syntax.tsv:2: expected a vector of 2 numbers, as on the first line, found 1"),
            ("a\t\n", "syntax.tsv:1: expected a vector of 1 numbers, as on the first line, found 0"),
            ("a\t1\nb\tnan\n", "syntax.tsv:2: number 1 is `nan`: every number must be finite"),
            ("a\t1\nb\tx\n", "syntax.tsv:2: number 1 is `x`, which is not a number"),
            ("a\t1\na \t2\n", "syntax.tsv:2: another vector than before for the same line of text"),
            ("", "syntax.tsv: no vectors in it: the file is empty"),
        ] {
            assert_eq!(made(text).unwrap_err().to_string(), message);
        }
        let error = PrecomputedVectors::from_bytes(Path::new("x"), b"a\t1\nb\xff\t1\n").unwrap_err();
        assert!(matches!(error, Error::NotUtf8 { line: 2, offset: 5, column: 2, .. }), "{error}");
    }

    #[test]
    fn a_compressed_file_is_decompressed_and_a_missing_one_is_an_error() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("syntax.gz");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"1\t0.5\n2\t0.25\n").unwrap();
        std::fs::write(&path, packed.finish().unwrap()).unwrap();
        assert_eq!(PrecomputedVectors::read(&path).unwrap().get("2").unwrap(), [0.25]);
        assert!(matches!(PrecomputedVectors::read(&folder.path().join("none")), Err(Error::Read { .. })));
    }
}
