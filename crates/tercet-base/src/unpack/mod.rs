//! Bytes of a file or of standard input, decompressed.
//!
//! gzip (several members too) and zstd are recognised by their first bytes, not by the file's name, so that a pipe
//! works as well as a file. The path `-` is standard input. Checksums are verified, and what a file unpacks to is
//! limited: [`set_limit`].

mod limit;
mod zstd;

pub use limit::{TooMuchUnpacked, set_limit};

use crate::error::{Error, Result};
use crate::files;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const GZIP: &[u8] = &[0x1f, 0x8b];

/// The longest of the first bytes by which a compression is recognised.
const MARK: u64 = 4;

/// All bytes of a file, decompressed if it is gzip or zstd; `-` is standard input.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|mut whole| whole.read_to_end(&mut bytes));
    read.map_err(|source| Error::Read { path: path.to_owned(), source })?;
    Ok(bytes)
}

/// A reader that decompresses a file; `-` is standard input.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return unpacked(files::stdin()?);
    }
    unpacked(files::open(path)?)
}

/// A reader that decompresses bytes if they are gzip or zstd.
pub fn unpacked<'a>(raw: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    unpacked_within(raw, limit::given())
}

/// The same with this limit instead of the usual one.
fn unpacked_within<'a>(mut raw: impl Read + Send + 'a, limit: Option<u64>) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut start = Vec::new();
    raw.by_ref().take(MARK).read_to_end(&mut start)?;
    let (gzip, zstd) = (start.starts_with(GZIP), zstd::is_zstd(&start));
    let whole = io::Cursor::new(start).chain(raw);
    if !gzip && !zstd {
        return Ok(Box::new(whole));
    }
    let packed = Arc::new(AtomicU64::new(0));
    let raw = Counted { raw: io::BufReader::with_capacity(1 << 16, whole), count: packed.clone() };
    Ok(if gzip {
        let bytes = flate2::read::MultiGzDecoder::new(raw);
        Box::new(Checked { format: "gzip", bytes, packed, limit, count: 0 })
    } else {
        let bytes = zstd::Frames::new(raw, limit);
        Box::new(Checked { format: "zstd", bytes, packed, limit, count: 0 })
    })
}

/// Counts the bytes that are read.
struct Counted<R> {
    raw: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.raw.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Decompressed bytes up to the limit. The decoder's errors are replaced by messages that say what is wrong with the
/// file.
struct Checked<R> {
    format: &'static str,
    bytes: R,
    /// Packed bytes read so far.
    packed: Arc<AtomicU64>,
    /// The limit, if it is not the usual one.
    limit: Option<u64>,
    /// Unpacked bytes so far.
    count: u64,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer).map_err(|error| self.reason(error))?;
        self.count += read as u64;
        let limit = self.limit.unwrap_or_else(|| limit::usual(self.packed.load(Ordering::Relaxed)));
        if self.count > limit { Err(limit::too_much(limit)) } else { Ok(read) }
    }
}

impl<R> Checked<R> {
    fn reason(&self, error: io::Error) -> io::Error {
        let is_ours = error.get_ref().is_some_and(|inner| inner.is::<TooMuchUnpacked>());
        // An error of the system is about reading, not about the data.
        if is_ours || error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
            return error;
        }
        let what = format!("the {} data is damaged, cut off, or followed by something else", self.format);
        io::Error::new(io::ErrorKind::InvalidData, what)
    }
}

#[cfg(test)]
mod tests;
