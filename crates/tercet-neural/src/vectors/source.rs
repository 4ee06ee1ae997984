//! Reads a file of vectors, compressed or not, and keeps count of line and offset.

use crate::error::{Error, Result};
use crate::unpack;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Bytes used to recognise the format.
const START: u64 = 1 << 16;

/// A longer line, in bytes, is not a text of vectors.
const MAX_LINE_BYTES: u64 = 1 << 24;

/// A file that is read from start to end.
pub struct Source<'a> {
    path: PathBuf,
    input: Box<dyn BufRead + 'a>,
    start: Vec<u8>,
    line: usize,
    offset: u64,
}

impl<'a> Source<'a> {
    /// Opens a file, compressed or not.
    pub fn open(path: &Path) -> Result<Self> {
        Self::new(path, unpack::open(path))
    }

    /// Reads from the bytes of a file, compressed or not.
    pub fn from_bytes(path: &Path, bytes: &'a [u8]) -> Result<Self> {
        Self::new(path, unpack::unpacked(bytes))
    }

    fn new(path: &Path, unpacked: io::Result<Box<dyn Read + Send + 'a>>) -> Result<Self> {
        let read = |source| Error::Read { path: path.to_owned(), source };
        let mut input = BufReader::with_capacity(1 << 18, unpacked.map_err(read)?);
        let mut start = Vec::new();
        input.by_ref().take(START).read_to_end(&mut start).map_err(read)?;
        let input = Box::new(io::Cursor::new(start.clone()).chain(input));
        Ok(Source { path: path.to_owned(), input, start, line: 0, offset: 0 })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first 64 KiB of the file, whatever has been read.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The number of the line that was read last, from 1.
    pub fn line_number(&self) -> usize {
        self.line
    }

    /// The number of bytes read, decompressed.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Appends the next line without its `\n`; `false` at the end of the file.
    pub fn line(&mut self, buffer: &mut Vec<u8>) -> Result<bool> {
        let from = buffer.len();
        let read = self.input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', buffer);
        let read = read.map_err(|source| Error::Read { path: self.path.clone(), source })? as u64;
        self.line += usize::from(read > 0);
        if buffer.len() > from && buffer.last() == Some(&b'\n') {
            buffer.pop();
        } else if read == MAX_LINE_BYTES {
            let what = format!("more than {MAX_LINE_BYTES} bytes without an end of line: this is no text of vectors");
            return Err(Error::BadLine { path: self.path.clone(), line: self.line, what });
        }
        self.offset += read;
        Ok(read > 0)
    }

    /// Appends everything up to and including a byte, at most `limit` bytes.
    pub fn until(&mut self, byte: u8, limit: u64, buffer: &mut Vec<u8>) -> Result<()> {
        let read = self.input.by_ref().take(limit).read_until(byte, buffer);
        self.offset += read.map_err(|source| Error::Read { path: self.path.clone(), source })? as u64;
        Ok(())
    }

    /// Fills a buffer as far as the file goes; returns the number of bytes.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(Error::Read { path: self.path.clone(), source }),
            }
        }
        self.offset += filled as u64;
        Ok(filled)
    }
}

/// A line of a file as text; number and offset are for the error.
pub fn utf8<'a>(path: &Path, line: &'a [u8], number: usize, offset: u64) -> Result<&'a str> {
    std::str::from_utf8(line).map_err(|error| Error::NotUtf8 {
        path: path.to_owned(),
        line: number,
        offset: offset as usize + error.valid_up_to(),
        column: error.valid_up_to() + 1,
    })
}
