//! Bytes of a file or of standard input, decompressed.
//!
//! gzip (several members too) and zstd are recognised by their first bytes, not by the file's name, so that a pipe works
//! as well as a file. The path `-` is standard input.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// At most so many bytes of a first line are read.
const LONGEST_LINE: u64 = 1 << 16;

/// The name of a file without the extension of its compression.
pub fn unpacked_name(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// All bytes of a file, decompressed if it is gzip or zstd; `-` is standard input.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let at_path = |source| Error::Read { path: path.to_owned(), source };
    let raw = read_raw(path).map_err(at_path)?;
    decompress(raw).map_err(at_path)
}

/// The first bytes of a file, decompressed, to recognise its format.
pub(super) fn read_start(path: &Path, count: u64) -> Result<Vec<u8>> {
    let at_path = |source| Error::Read { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let read = open(path).and_then(|whole| whole.take(count).read_to_end(&mut bytes));
    read.map_err(at_path)?;
    Ok(bytes)
}

/// The first line of a file, cut to the first `LONGEST_LINE` bytes; what is not UTF-8 is replaced.
pub(super) fn first_line(path: &Path) -> Result<String> {
    let bytes = read_start(path, LONGEST_LINE)?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}

/// A reader that decompresses a file; `-` is standard input.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut raw = open_raw(path)?;
    let mut start = Vec::new();
    raw.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
    let (gzip, zstd) = (start.starts_with(GZIP), start.starts_with(ZSTD));
    let whole = io::Cursor::new(start).chain(raw);
    Ok(if gzip {
        Box::new(Checked { format: "gzip", bytes: flate2::read::MultiGzDecoder::new(whole) })
    } else if zstd {
        let raw = Some(Peeked { first: None, rest: whole });
        Box::new(Checked { format: "zstd", bytes: Frames { raw, frame: None } })
    } else {
        Box::new(whole)
    })
}

fn open_raw(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(Box::new(file))
}

fn read_raw(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_raw(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces the decoder's errors by messages that say what is wrong with the file.
struct Checked<R> {
    format: &'static str,
    bytes: R,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer).map_err(|_| damaged(self.format))
    }
}

/// Decodes zstd frame after frame.
struct Frames<R: Read> {
    /// The remaining input, between frames.
    raw: Option<Peeked<R>>,
    frame: Option<ruzstd::decoding::StreamingDecoder<Peeked<R>, ruzstd::decoding::FrameDecoder>>,
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                self.raw = self.frame.take().map(|frame| frame.into_inner());
            }
            let Some(mut raw) = self.raw.take() else { return Ok(0) };
            if raw.is_at_end()? {
                return Ok(0);
            }
            self.frame = Some(ruzstd::decoding::StreamingDecoder::new(raw).map_err(io::Error::other)?);
        }
    }
}

/// A reader of which one byte may have been read ahead.
struct Peeked<R> {
    first: Option<u8>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    fn is_at_end(&mut self) -> io::Result<bool> {
        let mut first = [0];
        if self.first.is_none() && self.rest.read(&mut first)? == 1 {
            self.first = Some(first[0]);
        }
        Ok(self.first.is_none())
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (self.first, buffer.first_mut()) {
            (Some(byte), Some(place)) => {
                *place = byte;
                self.first = None;
                Ok(1)
            }
            _ => self.rest.read(buffer),
        }
    }
}

/// The bytes, decompressed if they are gzip or zstd.
pub(super) fn decompress(raw: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if raw.starts_with(GZIP) {
        let unpacked = flate2::read::MultiGzDecoder::new(raw.as_slice()).read_to_end(&mut bytes);
        unpacked.map_err(|_| damaged("gzip"))?;
    } else if raw.starts_with(ZSTD) {
        unpack_zstd(&raw, &mut bytes).map_err(|_| damaged("zstd"))?;
    } else {
        bytes = raw;
    }
    Ok(bytes)
}

fn damaged(format: &str) -> io::Error {
    let what = format!("the {format} data is damaged, cut off, or followed by something else");
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Decodes several frames, as `cat a.zst b.zst` makes them.
fn unpack_zstd(mut raw: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    while !raw.is_empty() {
        let mut frame = ruzstd::decoding::StreamingDecoder::new(&mut raw).map_err(io::Error::other)?;
        frame.read_to_end(bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn gzip_members_and_zstd_frames_unpack_one_after_the_other() {
        let mut packed = Vec::new();
        for part in ["one\n", "two\n"] {
            let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
            encoder.write_all(part.as_bytes()).unwrap();
            encoder.finish().unwrap();
        }
        assert_eq!(decompress(packed).unwrap(), b"one\ntwo\n");
        // Two frames of `zstd`, holding "one\n" and "two\n" raw.
        let frame = |text: &[u8; 4]| [ZSTD, &[0x20, 4, 0x21, 0, 0], text].concat();
        assert_eq!(decompress([frame(b"one\n"), frame(b"two\n")].concat()).unwrap(), b"one\ntwo\n");
    }

    #[test]
    fn the_first_line_is_decompressed() {
        let scratch = tempfile::NamedTempFile::new().unwrap();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"a\tb\r\nc\n").unwrap();
        let zstd = [ZSTD, &[0x20, 4, 0x21, 0, 0], b"a\nb\n"].concat();
        for (bytes, line) in [(encoder.finish().unwrap(), "a\tb\r"), (zstd, "a"), (b"x".to_vec(), "x")] {
            std::fs::write(scratch.path(), bytes).unwrap();
            assert_eq!(first_line(scratch.path()).unwrap(), line);
        }
    }

    #[test]
    fn the_start_of_a_file_is_decompressed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut encoder = flate2::write::GzEncoder::new(file.reopen().unwrap(), flate2::Compression::fast());
        for number in 0..20_000 {
            writeln!(encoder, "{number}").unwrap();
        }
        encoder.finish().unwrap();
        assert_eq!(read_start(file.path(), 6).unwrap(), b"0\n1\n2\n");
    }

    #[test]
    fn a_truncated_file_is_an_error_and_plain_text_stays_as_it_is() {
        assert!(decompress(vec![0x1f, 0x8b, 8, 0, 0]).is_err());
        assert!(decompress(vec![0x28, 0xb5, 0x2f, 0xfd, 0x20]).is_err());
        assert_eq!(decompress(b"plain".to_vec()).unwrap(), b"plain");
    }
}
