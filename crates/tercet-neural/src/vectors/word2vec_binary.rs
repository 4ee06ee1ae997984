//! word2vec's binary (`-binary 1`): `GoogleNews-vectors-negative300.bin`.
//!
//! ```text
//! 3000000 300\n
//! in ····…·        the word, a space, 300 × 4 bytes: IEEE single precision, little-endian
//! ```
//!
//! After a vector there may be a newline: word2vec writes one, the published file has none.
//!
//! # Choices
//! The file must match its header, as in `word2vec_text`. There are no lines, so messages have the offset of the byte,
//! decompressed. word2vec cuts words at 100 bytes, even inside a character; such a word is an error here, as it is in
//! gensim by default.

use super::format::{Keep, WordFilter};
use super::numbers::shown;
use super::source::Source;
use super::word2vec_text::read_header;
use crate::error::{Error, Result};

/// More bytes without a space are not a word.
const MAX_WORD_BYTES: u64 = 1 << 16;

/// Reads a file; returns its dimension.
pub(super) fn read(source: &mut Source<'_>, wanted: WordFilter<'_>, keep: Keep<'_>) -> Result<usize> {
    let (count, dimension) = read_header(source)?;
    let mut row = Row { word: Vec::new(), bytes: vec![0; dimension * 4] };
    let mut vector = Vec::with_capacity(dimension);
    for number in 0..count {
        row.read(source, number, count)?;
        let word = row.word(source)?;
        if wanted(word) {
            numbers(&row.bytes, &mut vector)
                .map_err(|what| bad(source, format!("the vector of `{}`: {what}", shown(word))))?;
            keep(word, &vector)?;
        }
    }
    let mut rest = [0; 2];
    match source.fill(&mut rest)? {
        0 => Ok(dimension),
        1 if rest[0] == b'\n' => Ok(dimension),
        _ => Err(bad(source, format!("more bytes after the {count} words that the header announces"))),
    }
}

/// Buffers of one word and its vector.
struct Row {
    /// With the space after it.
    word: Vec<u8>,
    bytes: Vec<u8>,
}

impl Row {
    fn read(&mut self, source: &mut Source<'_>, number: u64, count: u64) -> Result<()> {
        self.word.clear();
        source.until(b' ', MAX_WORD_BYTES, &mut self.word)?;
        if self.word.first() == Some(&b'\n') {
            self.word.remove(0);
        }
        let is_long = self.word.len() as u64 + 1 >= MAX_WORD_BYTES && self.word.last() != Some(&b' ');
        if is_long {
            return Err(bad(source, format!("no blank in {MAX_WORD_BYTES} bytes where a word should be")));
        }
        if self.word.last() != Some(&b' ') || source.fill(&mut self.bytes)? < self.bytes.len() {
            let what = format!("the file ends within word {} of the {count} that the header announces", number + 1);
            return Err(bad(source, what));
        }
        Ok(())
    }

    fn word(&self, source: &Source<'_>) -> Result<&str> {
        let word = self.word.strip_suffix(b" ").unwrap_or(&self.word);
        match std::str::from_utf8(word) {
            Ok("") => Err(bad(source, "expected a word before its vector, found none".to_owned())),
            Ok(word) => Ok(word),
            Err(_) => {
                let word = String::from_utf8_lossy(word);
                Err(bad(source, format!("the word `{}` is not valid UTF-8", shown(&word))))
            }
        }
    }
}

fn numbers(bytes: &[u8], vector: &mut Vec<f32>) -> Result<(), String> {
    vector.clear();
    vector.extend(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])));
    match vector.iter().position(|number| !number.is_finite()) {
        None => Ok(()),
        Some(place) => Err(format!("number {} is `{}`: every number must be finite", place + 1, vector[place])),
    }
}

fn bad(source: &Source<'_>, what: String) -> Error {
    let what = format!(
        "before byte {}: {what} (is the file cut off, or the dimension in its first line wrong?)",
        source.offset()
    );
    Error::bad_file(source.path(), what)
}
