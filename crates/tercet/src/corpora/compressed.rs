//! Bytes of a file or of standard input, decompressed.
//!
//! gzip (several members too) and zstd are told by their first bytes, not by the file's name, so that a pipe works as
//! well as a file. The path `-` is standard input.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Longer than any header.
const LONGEST_LINE: u64 = 1 << 16;

/// The name of a file without the ending that says how it is packed.
pub fn unpacked_name(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// All bytes of a file, decompressed if need be; `-` is standard input.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let at_path = |source| Error::Read { path: path.to_owned(), source };
    let raw = read_raw(path).map_err(at_path)?;
    decompress(raw).map_err(at_path)
}

/// The first bytes of a file, decompressed: enough to see what it is.
pub(super) fn read_start(path: &Path, count: u64) -> Result<Vec<u8>> {
    let at_path = |source| Error::Read { path: path.to_owned(), source };
    let mut magic = [0; 4];
    let mut file = File::open(path).map_err(at_path)?;
    let known = file.by_ref().take(4).read(&mut magic).map_err(at_path)?;
    let whole = magic[..known].chain(file);
    let mut bytes = Vec::new();
    let read = if magic.starts_with(GZIP) {
        flate2::read::MultiGzDecoder::new(whole).take(count).read_to_end(&mut bytes)
    } else if magic == ZSTD {
        ruzstd::decoding::StreamingDecoder::new(whole)
            .map_err(io::Error::other)
            .and_then(|frame| frame.take(count).read_to_end(&mut bytes))
    } else {
        whole.take(count).read_to_end(&mut bytes)
    };
    read.map_err(at_path)?;
    Ok(bytes)
}

/// The first line of a file, or as much of it as there is in the first `LONGEST_LINE` bytes; what is not UTF-8 is
/// replaced.
pub(super) fn first_line(path: &Path) -> Result<String> {
    let bytes = read_start(path, LONGEST_LINE)?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}

fn read_raw(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        let mut file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The bytes themselves, or what they unpack to.
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

/// Frame after frame: what `cat a.zst b.zst` makes.
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
    fn the_first_line_is_seen_through_compression() {
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
    fn the_start_of_a_file_comes_unpacked() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut encoder = flate2::write::GzEncoder::new(file.reopen().unwrap(), flate2::Compression::fast());
        for number in 0..20_000 {
            writeln!(encoder, "{number}").unwrap();
        }
        encoder.finish().unwrap();
        assert_eq!(read_start(file.path(), 6).unwrap(), b"0\n1\n2\n");
    }

    #[test]
    fn a_cut_archive_is_an_error_and_plain_text_is_itself() {
        assert!(decompress(vec![0x1f, 0x8b, 8, 0, 0]).is_err());
        assert!(decompress(vec![0x28, 0xb5, 0x2f, 0xfd, 0x20]).is_err());
        assert_eq!(decompress(b"plain".to_vec()).unwrap(), b"plain");
    }
}
