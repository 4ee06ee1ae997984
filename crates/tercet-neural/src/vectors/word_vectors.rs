//! Word vectors, in memory or in a compact file.

use super::cache;
use super::compact::{CompactFile, Shape};
use super::format::{Format, WordFilter};
use super::identity::Identity;
use super::index::{Index, IndexView};
use super::source::Source;
use crate::cache::{Cache, Sha, hexadecimal};
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
    Compact(CompactFile),
}

impl WordVectors {
    /// Opens a file of vectors, in any [`Format`], plain or compressed with gzip.
    ///
    /// For a file that is large enough, a compact form is written to the cache the first time; from then on only what
    /// is
    /// looked up is read of it. A smaller file is held in memory, and so is any file if the cache folder cannot
    /// be written.
    pub fn open(path: &Path, cache: &Cache) -> Result<Self> {
        cache::open(path, cache)
    }

    /// Opens a file of vectors through its compact form, written the first time, and keeps the wanted words in memory.
    /// For a known vocabulary: takes milliseconds, and memory for those words only.
    pub fn open_for(path: &Path, cache: &Cache, wanted: impl Fn(&str) -> bool + Sync) -> Result<Self> {
        cache::open_for(path, cache, &wanted)
    }

    /// Reads a file from start to end and keeps the wanted words in memory, without a compact form. Only the file's
    /// hash is written to the cache.
    pub fn read_for(path: &Path, cache: &Cache, wanted: impl Fn(&str) -> bool + Sync) -> Result<Self> {
        cache::read(path, &Identity::new(path, cache)?, &wanted)
    }

    /// Reads vectors from the bytes of a file; without a format it is recognised by content. `path` is for messages.
    pub fn from_bytes(path: &Path, bytes: &[u8], format: Option<Format>) -> Result<Self> {
        Self::read(Source::from_bytes(path, bytes)?, format, &Sha256::digest(bytes).into(), &|_| true)
    }

    pub(super) fn read(
        mut source: Source<'_>,
        format: Option<Format>,
        sha: &Sha,
        wanted: WordFilter<'_>,
    ) -> Result<Self> {
        let format = format.unwrap_or_else(|| Format::detect(source.start()));
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

    pub(super) fn compact(sha: &Sha, compact: CompactFile) -> Self {
        let Shape { format, dimension, duplicates, .. } = compact.shape;
        let storage = Storage::Compact(compact);
        WordVectors { hash: short(sha), format, dimension, duplicates, storage }
    }

    pub(super) fn selected(sha: &Sha, compact: &CompactFile, wanted: WordFilter<'_>) -> Result<Self> {
        let Shape { format, dimension, duplicates, .. } = compact.shape;
        let (index, vectors) = compact.select(wanted)?;
        let storage = Storage::Owned { index, vectors };
        Ok(WordVectors { hash: short(sha), format, dimension, duplicates, storage })
    }

    /// The vector of a word. Case matters.
    pub fn get(&self, word: &str) -> Option<&[f32]> {
        let row = self.index().find(word)?;
        match &self.storage {
            Storage::Owned { vectors, .. } => vectors.get(row * self.dimension..(row + 1) * self.dimension),
            Storage::Compact(compact) => compact.vector(row),
        }
    }

    /// Returns an error if a vector could not be read since these were opened, because another program cut the cached
    /// file short: [`WordVectors::get`] has found no vector then.
    pub fn check(&self) -> Result<()> {
        match &self.storage {
            Storage::Owned { .. } => Ok(()),
            Storage::Compact(compact) => compact.check(),
        }
    }

    /// The dimension of the vectors.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.index().ends.len()
    }

    /// Whether there are no words, because none was wanted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words, in the order of the file.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let index = self.index();
        (0..self.len()).filter_map(move |row| index.word(row))
    }

    /// The number of rows that were ignored because their word occurred before; [`WordVectors::read_for`] counts only
    /// those of wanted words.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The first eight hexadecimal digits of the SHA-256 of the file, not decompressed.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether the vectors are in a compact form in the cache, and are read when they are asked for.
    pub fn is_compact(&self) -> bool {
        matches!(self.storage, Storage::Compact(_))
    }

    fn index(&self) -> IndexView<'_> {
        match &self.storage {
            Storage::Owned { index, .. } => index.view(),
            Storage::Compact(compact) => compact.index(),
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
