//! A file that is opened once: its first bytes tell what it is, then it is read in that way. Pipes and standard input
//! work as files do.

use super::format::RowFormat;
use super::reader::RowReader;
use crate::error::{Error, Result};
use crate::line_stream::LineStream;
use crate::plain_text::Lines;
use crate::unpack;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// Bytes by which a file is recognised.
const START: u64 = 1 << 16;

/// The longest line of a text that is read line by line, in MiB.
const MAX_LINE_MIB: u64 = 1024;

/// An opened file, decompressed.
pub struct OpenedFile {
    path: PathBuf,
    start: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

impl OpenedFile {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self> {
        let at_path = |source| Error::Read { path: path.to_owned(), source };
        OpenedFile::new(path, unpack::open(path).map_err(at_path)?)
    }

    /// Reads from bytes, compressed or not.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self> {
        let at_path = |source| Error::Read { path: path.to_owned(), source };
        OpenedFile::new(path, unpack::unpacked(Cursor::new(bytes)).map_err(at_path)?)
    }

    fn new(path: &Path, mut rest: Box<dyn Read + Send>) -> Result<Self> {
        let mut start = Vec::new();
        let read = rest.by_ref().take(START).read_to_end(&mut start);
        read.map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Ok(OpenedFile { path: path.to_owned(), start, rest })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first bytes, at most 64 KiB.
    pub fn start(&self) -> &[u8] {
        &self.start[..self.start.len().min(START as usize)]
    }

    /// Whether there are more bytes than so many, which stay in memory until they are read.
    pub fn has_more_than(&mut self, bytes: u64) -> Result<bool> {
        let missing = (bytes + 1).saturating_sub(self.start.len() as u64);
        let read = self.rest.by_ref().take(missing).read_to_end(&mut self.start);
        read.map_err(|source| Error::Read { path: self.path.clone(), source })?;
        Ok(self.start.len() as u64 > bytes)
    }

    /// The whole lines among the first bytes; all lines if the file is short.
    pub fn first_lines(&self) -> Result<Lines> {
        let start = self.start();
        let end = memchr::memrchr(b'\n', start).filter(|_| !self.is_short()).map_or(start.len(), |end| end + 1);
        Lines::from_bytes(&self.path, start[..end].to_vec())
    }

    /// Whether the first bytes are all there are.
    pub fn is_short(&self) -> bool {
        (self.start.len() as u64) < START
    }

    /// The format of its rows, if it has rows.
    pub fn row_format(&self) -> Option<RowFormat> {
        RowFormat::recognise(&self.path, &self.start, self.is_short())
    }

    /// The format of its rows if rows are expected: a table if it is not JSON, with the separator of its first line.
    pub fn expected_row_format(&self) -> RowFormat {
        self.row_format().unwrap_or_else(|| {
            let line = self.start.split(|&byte| byte == b'\n').next().unwrap_or_default();
            if line.contains(&b'\t') { RowFormat::Tsv } else { RowFormat::Csv }
        })
    }

    /// Its rows.
    pub fn into_rows(self) -> Result<RowReader> {
        let format = self.expected_row_format();
        self.into_rows_of(format)
    }

    /// Its rows in this format.
    pub fn into_rows_of(self, format: RowFormat) -> Result<RowReader> {
        RowReader::new(self, format)
    }

    /// Its lines.
    pub fn into_lines(mut self) -> Result<Lines> {
        let read = self.rest.read_to_end(&mut self.start);
        read.map_err(|source| Error::Read { path: self.path.clone(), source })?;
        Lines::from_bytes(&self.path, self.start)
    }

    /// Its lines, one after another.
    pub fn into_line_stream(self) -> LineStream {
        let bytes = Box::new(Cursor::new(self.start).chain(self.rest));
        LineStream::from_bytes(&self.path, bytes, MAX_LINE_MIB, "expected one text per line")
    }

    /// The bytes from the first on, without a byte order mark.
    pub(crate) fn into_bytes(mut self) -> Box<dyn Read + Send> {
        if self.start.starts_with(b"\xef\xbb\xbf") {
            self.start.drain(..3);
        }
        Box::new(Cursor::new(self.start).chain(self.rest))
    }
}
