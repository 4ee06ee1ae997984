//! The compact form of a table: a file in the user's cache folder, named by the SHA-256 of the table.
//!
//! ```text
//! 8 bytes   tercetPP
//! 4         version of this form
//! 32        SHA-256 of the table
//! 3 × 8     bytes of vocabulary, phrases, pairs
//!           vocabulary: words, a newline after each
//! 4 each    last words, first children, lists, pairs (see `tree`)
//! 8 each    probabilities of the pairs, in the form for TERp only
//! 8         checksum of all the above
//! ```
//!
//! Numbers are little-endian. A file that is damaged, of another version or of another table is written again; if the
//! folder cannot be written, the table is read each time.

use super::table::{self, Contents};
use super::tree::Tree;
use super::vocabulary::Vocabulary;
use super::{Paraphrases, PhraseTable, terp_table};
use crate::cache::{Cache, Sha, hexadecimal, sha256, write_new};
use crate::error::{Error, Result};
use rustc_hash::FxHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"tercetPP";

/// A form of a table in the cache.
struct Form {
    /// The start of the names of its files.
    name: &'static str,
    version: u32,
    has_probabilities: bool,
    /// Reads the table itself.
    read: fn(&Path) -> Result<Contents>,
}

const METEOR: Form = Form { name: "paraphrases", version: 1, has_probabilities: false, read: table::read };
const TERP: Form = Form { name: "phrases", version: 2, has_probabilities: true, read: terp_table::read };

/// A table, from its compact form in the cache if there is one; otherwise the compact form is written.
pub(super) fn open(path: &Path, cache: &Cache) -> Result<Paraphrases> {
    let (hash, Contents { vocabulary, tree, .. }) = METEOR.open(path, cache)?;
    Ok(Paraphrases { hash, vocabulary, tree })
}

/// The same, with probabilities.
pub(super) fn open_with_probabilities(path: &Path, cache: &Cache) -> Result<PhraseTable> {
    let (hash, contents) = TERP.open(path, cache)?;
    Ok(PhraseTable::new(hash, contents))
}

impl Form {
    /// The hash of a table and its contents.
    fn open(&self, path: &Path, cache: &Cache) -> Result<(String, Contents)> {
        let (sha, length) = sha256(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let name = format!("{}-{}", self.name, hexadecimal(&sha));
        let cached = cache.place(&name, length);
        let hash = hexadecimal(&sha[..4]);
        match cached.as_deref().map(|cached| (cached, self.read_compact(cached, &sha))) {
            Some((_, Ok(contents))) => return Ok((hash, contents)),
            Some((cached, Err(error))) if error.kind() != io::ErrorKind::NotFound => cache.add_damaged(cached),
            _ => {}
        }
        let contents = (self.read)(path)?;
        if let Some(cached) = cached {
            // If this fails, the next run reads the table again.
            let _ = write_new(&cached, |file| self.write(file, &sha, &contents));
        }
        Ok((hash, contents))
    }
}

/// Numbers that are written and read together.
const AT_ONCE: usize = 1 << 14;

impl Form {
    fn write(&self, file: &mut File, sha: &Sha, contents: &Contents) -> io::Result<()> {
        let Contents { vocabulary, tree, probabilities } = contents;
        let mut out = Checked::new(BufWriter::new(file));
        let text = vocabulary.text().as_bytes();
        out.write(&self.header(sha))?;
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
        if self.has_probabilities {
            for probabilities in probabilities.chunks(AT_ONCE) {
                let bytes: Vec<u8> = probabilities.iter().flat_map(|number| number.to_le_bytes()).collect();
                out.write(&bytes)?;
            }
        }
        let checksum = out.hasher.finish();
        out.write(&checksum.to_le_bytes())?;
        out.inner.flush()
    }

    /// The start of a file of this form and table.
    fn header(&self, sha: &Sha) -> Vec<u8> {
        [MAGIC.as_slice(), &self.version.to_le_bytes(), sha].concat()
    }

    fn read_compact(&self, path: &Path, sha: &Sha) -> io::Result<Contents> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut input = Checked::new(file);
        let header = self.header(sha);
        if input.read(header.len())? != header {
            return Err(damaged());
        }
        let [text, phrases, pairs] = [input.number()?, input.number()?, input.number()?];
        if self.expected_size(header.len() as u64, text, phrases, pairs) != Some(size) {
            return Err(damaged());
        }
        let text = String::from_utf8(input.read(text as usize)?).map_err(|_| damaged())?;
        let (words, children) = (input.numbers(phrases)?, input.numbers(phrases + 1)?);
        let (lists, paired) = (input.numbers(phrases + 1)?, input.numbers(pairs)?);
        let probabilities = if self.has_probabilities { input.doubles(pairs)? } else { Vec::new() };
        let checksum = input.hasher.finish();
        if input.number()? != checksum {
            return Err(damaged());
        }
        let (vocabulary, tree) = (Vocabulary::of_text(text), Tree::new(words, children, lists, paired));
        Ok(Contents { vocabulary, tree, probabilities })
    }

    /// The size of a file with so many bytes of vocabulary, phrases and pairs; `None` if it overflows.
    fn expected_size(&self, header: u64, text: u64, phrases: u64, pairs: u64) -> Option<u64> {
        let of_a_pair = if self.has_probabilities { 3 } else { 1 };
        let of_pairs = pairs.checked_mul(of_a_pair)?;
        let numbers = phrases.checked_mul(3)?.checked_add(of_pairs)?.checked_add(2)?;
        numbers.checked_mul(4)?.checked_add(text)?.checked_add(header + 3 * 8 + 8)
    }
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
        self.values(count, u32::from_le_bytes)
    }

    fn doubles(&mut self, count: u64) -> io::Result<Vec<f64>> {
        self.values(count, f64::from_le_bytes)
    }

    fn values<T, const BYTES: usize>(&mut self, count: u64, value: fn([u8; BYTES]) -> T) -> io::Result<Vec<T>> {
        let mut left = count as usize;
        let mut values = Vec::with_capacity(left);
        let mut bytes = vec![0; AT_ONCE * BYTES];
        while left > 0 {
            let now = left.min(AT_ONCE);
            let bytes = &mut bytes[..now * BYTES];
            self.inner.read_exact(bytes)?;
            self.hasher.write(bytes);
            values.extend(bytes.as_chunks::<BYTES>().0.iter().map(|&bytes| value(bytes)));
            left -= now;
        }
        Ok(values)
    }
}
