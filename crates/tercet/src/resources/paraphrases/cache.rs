//! The compact form of a table: a file in the user's cache folder, named by the SHA-256 of the table.
//!
//! ```text
//! 8 bytes   tercetPP
//! 4         version of this form
//! 32        SHA-256 of the table
//! 3 × 8     bytes of vocabulary, phrases, pairs
//!           vocabulary: words, a newline after each
//! 4 each    last words, first children, lists, pairs (see `tree`)
//! 8         checksum of all the above
//! ```
//!
//! Numbers are little-endian. A file that is damaged, of another version or of another table is written again; if the
//! folder cannot be written, the table is read each time.

use super::Paraphrases;
use super::table;
use super::tree::Tree;
use super::vocabulary::Vocabulary;
use crate::cache::{Sha, add_damaged, hexadecimal, sha256, write_with};
use crate::error::{Error, Result};
use rustc_hash::FxHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"tercetPP";
const VERSION: u32 = 1;

/// A table, from its compact form in a folder if there is one; otherwise the compact form is written if the table has at
/// least `smallest` bytes.
pub(super) fn open(path: &Path, folder: Option<&Path>, smallest: u64) -> Result<Paraphrases> {
    let (sha, length) = sha256(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let cached = folder.filter(|_| length >= smallest).map(|folder| folder.join(name(&sha)));
    let hash = hexadecimal(&sha[..4]);
    match cached.as_deref().map(|cached| (cached, read(cached, &sha))) {
        Some((_, Ok((vocabulary, tree)))) => return Ok(Paraphrases { hash, vocabulary, tree }),
        Some((cached, Err(error))) if error.kind() != io::ErrorKind::NotFound => add_damaged(cached),
        _ => {}
    }
    let (vocabulary, tree) = table::read(path)?;
    if let Some(cached) = cached {
        // If this fails, the next run reads the table again.
        let _ = write_with(&cached, |file| write(file, &sha, &vocabulary, &tree));
    }
    Ok(Paraphrases { hash, vocabulary, tree })
}

fn name(sha: &Sha) -> String {
    format!("paraphrases-{}", hexadecimal(sha))
}

/// Numbers that are written and read together.
const AT_ONCE: usize = 1 << 14;

fn write(file: &mut File, sha: &Sha, vocabulary: &Vocabulary, tree: &Tree) -> io::Result<()> {
    let mut out = Checked::new(BufWriter::new(file));
    let text = vocabulary.text().as_bytes();
    out.write(&header(sha))?;
    for length in [text.len(), tree.words.len(), tree.pairs.len()] {
        out.write(&(length as u64).to_le_bytes())?;
    }
    out.write(text)?;
    for numbers in [&tree.words, &tree.children, &tree.lists, &tree.pairs] {
        for numbers in numbers.chunks(AT_ONCE) {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            out.write(&bytes)?;
        }
    }
    let checksum = out.hasher.finish();
    out.write(&checksum.to_le_bytes())?;
    out.inner.flush()
}

/// The start of a file of this form and table.
fn header(sha: &Sha) -> Vec<u8> {
    [MAGIC.as_slice(), &VERSION.to_le_bytes(), sha].concat()
}

fn read(path: &Path, sha: &Sha) -> io::Result<(Vocabulary, Tree)> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut input = Checked::new(file);
    if input.read(header(sha).len())? != header(sha) {
        return Err(damaged());
    }
    let [text, phrases, pairs] = [input.number()?, input.number()?, input.number()?];
    if expected_size(header(sha).len() as u64, text, phrases, pairs) != Some(size) {
        return Err(damaged());
    }
    let text = String::from_utf8(input.read(text as usize)?).map_err(|_| damaged())?;
    let (words, children) = (input.numbers(phrases)?, input.numbers(phrases + 1)?);
    let (lists, pairs) = (input.numbers(phrases + 1)?, input.numbers(pairs)?);
    let checksum = input.hasher.finish();
    if input.number()? != checksum {
        return Err(damaged());
    }
    Ok((Vocabulary::of_text(text), Tree::new(words, children, lists, pairs)))
}

/// The size of a file with so many bytes of vocabulary, phrases and pairs; `None` if it overflows.
fn expected_size(header: u64, text: u64, phrases: u64, pairs: u64) -> Option<u64> {
    let numbers = phrases.checked_mul(3)?.checked_add(pairs)?.checked_add(2)?;
    numbers.checked_mul(4)?.checked_add(text)?.checked_add(header + 3 * 8 + 8)
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

/// A file and the checksum of what was written to it or read from it.
struct Checked<F> {
    inner: F,
    hasher: FxHasher,
}

impl<F> Checked<F> {
    fn new(inner: F) -> Self {
        Checked { inner, hasher: FxHasher::default() }
    }
}

impl<F: Write> Checked<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.write(bytes);
        self.inner.write_all(bytes)
    }
}

impl<F: Read> Checked<F> {
    fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.inner.read_exact(&mut bytes)?;
        self.hasher.write(&bytes);
        Ok(bytes)
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.inner.read_exact(&mut bytes)?;
        self.hasher.write(&bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn numbers(&mut self, count: u64) -> io::Result<Vec<u32>> {
        let mut left = count as usize;
        let mut numbers = Vec::with_capacity(left);
        let mut bytes = vec![0; AT_ONCE * 4];
        while left > 0 {
            let now = left.min(AT_ONCE);
            let bytes = &mut bytes[..now * 4];
            self.inner.read_exact(bytes)?;
            self.hasher.write(bytes);
            let four = bytes.chunks_exact(4);
            numbers.extend(four.map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])));
            left -= now;
        }
        Ok(numbers)
    }
}
