//! The compact form: a file whose words are read when it is opened, and whose vectors when they are asked for.
//!
//! ```text
//! 8 bytes   tercetWV
//! 8         version of this form
//! 32        SHA-256 of the file of vectors
//! 6 × 8     format, dimension, words, duplicate words, bytes of text, slots
//! 8         xxHash64 of the vectors
//! 8         checksum of the above and of the index
//!           zeros up to byte 128
//! 4 each    vectors, one after another
//! 4 each    ends, slots
//!           text                      (see `index`)
//! ```
//!
//! Numbers are in the byte order of the machine, since nothing is decoded; a machine with the other order reads a
//! different version and writes the file again. Vectors come first, so that they can be written while the source is
//! read: only the words are held in memory.
//!
//! # Choices
//! - Vectors are read some kilobytes at a time and kept, so that memory grows with the words in use. The file is not
//!   mapped into memory: a map of a file that another program cuts short ends the process, a failed read is an error.
//! - The index is read and checked when the file is opened (a few milliseconds for 400,000 words). A pass over the
//!   vectors would take half a second for each gigabyte, too long for every start, so they are checked once, and again
//!   when the file has other metadata than then: a note beside it (`verified.rs`) has the metadata of the file that was
//!   checked.

use super::format::{Format, WordFilter};
use super::index::{Index, IndexView};
use super::verified;
use crate::cache::Sha;
use crate::error::{Error, Result};
use rustc_hash::FxHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tercet_base::files::{self, read_exact_at};
use twox_hash::XxHash64;

const MAGIC: &[u8; 8] = b"tercetWV";
const VERSION: u64 = 2;

/// Offset of the hash of the vectors.
const HASH: usize = 96;

/// Offset of the vectors.
const HEADER: usize = 128;

/// The fields of the header after the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub format: Format,
    pub dimension: usize,
    pub words: usize,
    pub duplicates: usize,
    text: usize,
    slots: usize,
}

impl Shape {
    fn numbers(&self) -> [u64; 6] {
        let sizes = [self.dimension, self.words, self.duplicates, self.text, self.slots].map(|size| size as u64);
        [self.format.code(), sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]]
    }

    fn from_numbers(numbers: [u64; 6]) -> Option<Self> {
        let format = *Format::ALL.get(usize::try_from(numbers[0]).ok()?)?;
        let size = |place: usize| usize::try_from(numbers[place]).ok();
        let (dimension, words, duplicates) = (size(1)?, size(2)?, size(3)?);
        Some(Shape { format, dimension, words, duplicates, text: size(4)?, slots: size(5)? })
    }

    /// The number of vectors that are read together.
    fn block_rows(&self) -> usize {
        (BLOCK_BYTES / (4 * self.dimension).max(1)).max(1)
    }

    /// The ranges of vectors, ends, slots and text; `None` if the sizes overflow.
    fn places(&self) -> Option<[Range<usize>; 4]> {
        let vectors = self.words.checked_mul(self.dimension)?.checked_mul(4)?.checked_add(HEADER)?;
        let ends = self.words.checked_mul(4)?.checked_add(vectors)?;
        let slots = self.slots.checked_mul(4)?.checked_add(ends)?;
        Some([HEADER..vectors, vectors..ends, ends..slots, slots..slots.checked_add(self.text)?])
    }
}

/// The first bytes of a file, without the checksum; `vectors` is the hash of the vectors.
fn header(sha: &Sha, shape: &Shape, vectors: u64) -> Vec<u8> {
    let numbers = shape.numbers().map(u64::to_ne_bytes);
    let vectors = vectors.to_ne_bytes();
    [MAGIC.as_slice(), &VERSION.to_ne_bytes(), sha, numbers.as_flattened(), &vectors].concat()
}

/// Whether a file is of this form and of another version, so that it is no wonder that it cannot be opened.
pub(super) fn is_other_version(path: &Path) -> bool {
    let mut start = [0; 16];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.starts_with(MAGIC) && start[8..] != VERSION.to_ne_bytes()
}

fn checksum(header: &[u8], index: IndexView<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(header);
    hasher.write(bytemuck::cast_slice(index.ends));
    hasher.write(bytemuck::cast_slice(index.slots));
    hasher.write(index.text);
    hasher.finish()
}

/// Writes a file of this form.
pub(super) struct Writer {
    file: BufWriter<File>,
    hash: XxHash64,
}

impl Writer {
    /// Starts a file and leaves space for the header.
    pub fn new(file: File) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 18, file);
        file.write_all(&[0; HEADER])?;
        Ok(Writer { file, hash: XxHash64::default() })
    }

    /// Adds the next vector.
    pub fn vector(&mut self, vector: &[f32]) -> io::Result<()> {
        let bytes = bytemuck::cast_slice(vector);
        self.hash.write(bytes);
        self.file.write_all(bytes)
    }

    /// Adds the words of all vectors, then the header.
    pub fn finish(
        mut self,
        sha: &Sha,
        format: Format,
        dimension: usize,
        duplicates: usize,
        index: &Index,
    ) -> io::Result<()> {
        let view = index.view();
        let (text, slots) = (view.text.len(), view.slots.len());
        let shape = Shape { format, dimension, words: index.len(), duplicates, text, slots };
        self.file.write_all(bytemuck::cast_slice(view.ends))?;
        self.file.write_all(bytemuck::cast_slice(view.slots))?;
        self.file.write_all(view.text)?;
        self.file.seek(SeekFrom::Start(0))?;
        let header = header(sha, &shape, self.hash.finish());
        self.file.write_all(&header)?;
        self.file.write_all(&checksum(&header, view).to_ne_bytes())?;
        self.file.flush()
    }
}

/// A file of this form, whose vectors are read when they are first asked for, and then kept.
pub(super) struct CompactFile {
    path: PathBuf,
    file: File,
    pub shape: Shape,
    index: OwnedIndex,
    /// The vectors, some rows at a time.
    blocks: Vec<OnceLock<Box<[f32]>>>,
    /// Why vectors could not be read: somebody cut the file short, or its disk failed.
    failed: OnceLock<io::Error>,
}

/// The words of a file.
struct OwnedIndex {
    ends: Vec<u32>,
    slots: Vec<u32>,
    text: Vec<u8>,
}

/// Bytes of the vectors that are read together.
const BLOCK_BYTES: usize = 4 << 10;

impl CompactFile {
    /// Opens the compact form of a source with this hash; an error if it is damaged or of another source.
    pub fn open(path: &Path, sha: &Sha) -> io::Result<Self> {
        let file = files::open(path)?;
        let damaged = || io::Error::from(io::ErrorKind::InvalidData);
        let mut start = [0; HEADER];
        read_exact_at(&file, 0, &mut start)?;
        let shape = read_shape(&start).ok_or_else(damaged)?;
        let length = file.metadata()?.len();
        let places = shape.places().filter(|places| places[3].end as u64 == length).ok_or_else(damaged)?;
        let vectors = u64::from_ne_bytes(start[HASH..HASH + 8].try_into().map_err(|_| damaged())?);
        let [_, ends, slots, text] = places.clone();
        let index = OwnedIndex {
            ends: read_numbers(&file, ends)?,
            slots: read_numbers(&file, slots)?,
            text: read_bytes(&file, text)?,
        };
        let blocks = vec![OnceLock::new(); shape.words.div_ceil(shape.block_rows())];
        let compact = CompactFile { path: path.to_owned(), file, shape, index, blocks, failed: OnceLock::new() };
        let expected = header(sha, &shape, vectors);
        let found = start.get(expected.len()..expected.len() + 8).ok_or_else(damaged)?;
        if !start.starts_with(&expected) || found != checksum(&expected, compact.index()).to_ne_bytes() {
            return Err(damaged());
        }
        if !verified::is_noted(path, &compact.file) {
            if compact.hash_vectors(places[0].len())? != vectors {
                return Err(damaged());
            }
            verified::write_note(path, &compact.file);
        }
        Ok(compact)
    }

    /// The hash of the vectors.
    fn hash_vectors(&self, bytes: usize) -> io::Result<u64> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(HEADER as u64))?;
        let mut bytes = file.take(bytes as u64);
        let (mut hash, mut buffer) = (XxHash64::default(), vec![0; 1 << 18]);
        loop {
            match bytes.read(&mut buffer)? {
                0 => return Ok(hash.finish()),
                read => hash.write(&buffer[..read]),
            }
        }
    }

    /// The words.
    pub fn index(&self) -> IndexView<'_> {
        let OwnedIndex { ends, slots, text } = &self.index;
        IndexView { text, ends, slots }
    }

    /// The vector of a row; `None` if it cannot be read, which [`CompactFile::check`] then says.
    pub fn vector(&self, row: usize) -> Option<&[f32]> {
        let (dimension, rows) = (self.shape.dimension, self.shape.block_rows());
        let first = row / rows * rows;
        let block = self.blocks.get(row / rows)?.get_or_init(|| {
            let end = self.shape.words.min(first + rows);
            let bytes = HEADER + first * dimension * 4..HEADER + end * dimension * 4;
            read_numbers::<f32>(&self.file, bytes).map(Vec::into_boxed_slice).unwrap_or_else(|error| {
                let _ = self.failed.set(error);
                Box::default()
            })
        });
        block.get((row - first) * dimension..(row - first + 1) * dimension)
    }

    /// Returns an error if a vector could not be read.
    pub fn check(&self) -> Result<()> {
        match self.failed.get() {
            None => Ok(()),
            Some(source) => {
                let source = io::Error::new(source.kind(), source.to_string());
                Err(Error::Read { path: self.path.clone(), source })
            }
        }
    }

    /// The wanted words and their vectors, copied.
    pub fn select(&self, wanted: WordFilter<'_>) -> Result<(Index, Vec<f32>)> {
        let (mut index, mut vectors) = (Index::default(), Vec::new());
        let bytes = self.shape.dimension * 4;
        for row in 0..self.shape.words {
            let Some(word) = self.index().word(row).filter(|word| wanted(word)) else { continue };
            if index.insert(word)? {
                let place = HEADER + row * bytes;
                let read = read_numbers::<f32>(&self.file, place..place + bytes);
                vectors.extend(read.map_err(|source| Error::Read { path: self.path.clone(), source })?);
            }
        }
        Ok((index, vectors))
    }
}

fn read_bytes(file: &File, place: Range<usize>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; place.len()];
    read_exact_at(file, place.start as u64, &mut bytes)?;
    Ok(bytes)
}

/// Numbers of four bytes, in the order of the machine.
fn read_numbers<N: bytemuck::Pod>(file: &File, place: Range<usize>) -> io::Result<Vec<N>> {
    let mut numbers = vec![N::zeroed(); place.len() / size_of::<N>()];
    read_exact_at(file, place.start as u64, bytemuck::cast_slice_mut(&mut numbers))?;
    Ok(numbers)
}

fn read_shape(bytes: &[u8]) -> Option<Shape> {
    let numbers = bytes.get(48..96)?.chunks_exact(8);
    let mut shape = [0; 6];
    for (number, bytes) in shape.iter_mut().zip(numbers) {
        *number = u64::from_ne_bytes(bytes.try_into().ok()?);
    }
    Shape::from_numbers(shape)
}
