//! The vectors of words, in memory or in a mapped file.

use super::cache;
use super::compact::{Mapped, Shape};
use super::format::{Format, Wanted};
use super::identity::Identity;
use super::index::{Index, IndexView};
use super::source::Source;
use crate::cache::{Sha, WORTHWHILE, folder, hexadecimal};
use crate::error::Result;
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::Path;

/// Words and their vectors, all of one dimension.
pub struct WordVectors {
    hash: String,
    format: Format,
    dimension: usize,
    duplicates: usize,
    storage: Storage,
}

enum Storage {
    Owned { index: Index, vectors: Vec<f32> },
    Mapped(Mapped),
}

impl WordVectors {
    /// Opens a file of vectors, in any [`Format`], plain or packed with gzip.
    ///
    /// A file of 4 MiB and more is turned into a compact one in the user's cache folder the first time, and that is mapped
    /// from then on: only what is looked up is read. A smaller one, or one on a machine without a folder that can be
    /// written, is held in memory.
    pub fn open(path: &Path) -> Result<Self> {
        cache::open(path, folder().as_deref(), WORTHWHILE)
    }

    /// The same with another folder in place of the user's, and files of any size.
    pub fn open_with_cache(path: &Path, folder: &Path) -> Result<Self> {
        cache::open(path, Some(folder), 0)
    }

    /// Opens a file of vectors by way of its compact form, made the first time, and keeps the words that are wanted in
    /// memory. For a vocabulary that is known: takes milliseconds, and memory for those words only.
    pub fn open_for(path: &Path, wanted: impl Fn(&str) -> bool + Sync) -> Result<Self> {
        cache::open_for(path, folder().as_deref(), WORTHWHILE, &wanted)
    }

    /// Reads a file from start to end and keeps the words that are wanted, in memory. Makes no compact form and uses none;
    /// only the file's hash is noted in the cache folder.
    pub fn read_for(path: &Path, wanted: impl Fn(&str) -> bool + Sync) -> Result<Self> {
        cache::read(path, &Identity::of(path, folder().as_deref())?, &wanted)
    }

    /// The vectors in the bytes of a file, in the format given or told by content; `path` is for messages.
    pub fn from_bytes(path: &Path, bytes: &[u8], format: Option<Format>) -> Result<Self> {
        Self::read(Source::from_bytes(path, bytes)?, format, &Sha256::digest(bytes).into(), &|_| true)
    }

    pub(super) fn read(
        mut source: Source<'_>,
        format: Option<Format>,
        sha: &Sha,
        wanted: Wanted<'_>,
    ) -> Result<Self> {
        let format = format.unwrap_or_else(|| Format::of(source.start()));
        let (mut index, mut vectors, mut duplicates) = (Index::default(), Vec::new(), 0);
        let dimension = format.read(&mut source, wanted, &mut |word, vector| {
            if index.insert(word)? {
                vectors.extend_from_slice(vector);
            } else {
                duplicates += 1;
            }
            Ok(())
        })?;
        let storage = Storage::Owned { index, vectors };
        Ok(WordVectors { hash: short(sha), format, dimension, duplicates, storage })
    }

    pub(super) fn mapped(sha: &Sha, mapped: Mapped) -> Self {
        let Shape { format, dimension, duplicates, .. } = mapped.shape;
        let storage = Storage::Mapped(mapped);
        WordVectors { hash: short(sha), format, dimension, duplicates, storage }
    }

    pub(super) fn selected(sha: &Sha, mapped: &Mapped, wanted: Wanted<'_>) -> Result<Self> {
        let Shape { format, dimension, duplicates, .. } = mapped.shape;
        let (index, vectors) = mapped.select(wanted)?;
        let storage = Storage::Owned { index, vectors };
        Ok(WordVectors { hash: short(sha), format, dimension, duplicates, storage })
    }

    /// The vector of a word, as it is written. Case counts.
    pub fn get(&self, word: &str) -> Option<&[f32]> {
        let start = self.index().find(word)? * self.dimension;
        self.vectors().get(start..start + self.dimension)
    }

    /// Numbers of a vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.index().ends.len()
    }

    /// Whether there are no words: none was wanted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words, in the order of the file.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let index = self.index();
        (0..self.len()).filter_map(move |row| index.word(row))
    }

    /// Rows of the file passed over because their word had come before; by [`WordVectors::read_for`] only those of wanted
    /// words are noticed.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What the vectors were read from: the first eight hexadecimal digits of the SHA-256 of the file as it lies there.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether they lie in a mapped file, not in this process's own memory.
    pub fn is_mapped(&self) -> bool {
        matches!(self.storage, Storage::Mapped(_))
    }

    fn index(&self) -> IndexView<'_> {
        match &self.storage {
            Storage::Owned { index, .. } => index.view(),
            Storage::Mapped(mapped) => mapped.index(),
        }
    }

    fn vectors(&self) -> &[f32] {
        match &self.storage {
            Storage::Owned { vectors, .. } => vectors,
            Storage::Mapped(mapped) => mapped.vectors(),
        }
    }
}

impl fmt::Debug for WordVectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, dimension) = (self.len(), self.dimension);
        write!(f, "WordVectors({words} × {dimension}, {:?}, {})", self.format, self.hash)
    }
}

fn short(sha: &Sha) -> String {
    hexadecimal(&sha[..4])
}
