//! Tar archives: the regular files inside.
//!
//! Blocks of 512 bytes. A header block has the name (bytes 0–99, after the prefix in 345–499 and a `/`), the size in
//! octal (124–135), a checksum in octal (148–155: the sum of the header's bytes, its own eight taken as spaces), the
//! type (156: `0` or NUL is a regular file) and the mark `ustar` (257–261). The content follows, filled up to a whole
//! block. A block of zeros, or the end of the bytes, ends the archive.
//!
//! POSIX ustar and what GNU tar writes by default are read. Entries of other types (folders, links, extended headers)
//! are ignored, so a name longer than 255 bytes is cut. Sizes beyond eight gigabytes (GNU's binary form) are refused.

use crate::error::{Error, Result};
use std::path::Path;

const BLOCK: usize = 512;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TarFile {
    /// Its path in the archive.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Whether these bytes begin like a tar archive.
pub fn is_tar(bytes: &[u8]) -> bool {
    bytes.len() >= BLOCK && &bytes[257..262] == b"ustar"
}

/// The regular files of an archive that was read from `path`.
pub fn read_tar(path: &Path, bytes: &[u8]) -> Result<Vec<TarFile>> {
    let mut files = Vec::new();
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + BLOCK) {
        if header.iter().all(|&byte| byte == 0) {
            return Ok(files);
        }
        let bad = |what: &str| damaged(path, at, what);
        if &header[257..262] != b"ustar" || octal(&header[148..156]) != Some(checksum(header)) {
            return Err(bad("expected the header of a file"));
        }
        let size = octal(&header[124..136]).and_then(|size| usize::try_from(size).ok());
        let size = size.ok_or_else(|| bad("expected the size of a file in octal"))?;
        let content = at + BLOCK..(at + BLOCK).saturating_add(size);
        let content = bytes.get(content).ok_or_else(|| bad("the archive ends within a file"))?;
        if matches!(header[156], b'0' | 0) {
            files.push(TarFile { name: name(header), bytes: content.to_vec() });
        }
        at += BLOCK + size.div_ceil(BLOCK) * BLOCK;
    }
    if at < bytes.len() {
        return Err(damaged(path, at, "the archive ends within a header"));
    }
    Ok(files)
}

fn damaged(path: &Path, at: usize, what: &str) -> Error {
    Error::Unusable(format!("{}: {what} at byte {at} of the tar archive (fetch it again)", path.display()))
}

/// The bytes up to the first NUL, the prefix first.
fn name(header: &[u8]) -> String {
    let text = |field: &[u8]| {
        let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
        String::from_utf8_lossy(&field[..end]).into_owned()
    };
    match (text(&header[345..500]), text(&header[..100])) {
        (prefix, name) if prefix.is_empty() => name,
        (prefix, name) => format!("{prefix}/{name}"),
    }
}

fn checksum(header: &[u8]) -> u64 {
    let byte = |(i, &byte): (usize, &u8)| if (148..156).contains(&i) { u64::from(b' ') } else { byte.into() };
    header.iter().enumerate().map(byte).sum()
}

/// A number in octal, spaces and NULs around it.
fn octal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?.trim_matches([' ', '\0']);
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| u64::from_str_radix(text, 8).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one entry, as `tar --format=ustar` lays it out.
    fn entry(name: &str, prefix: &str, kind: u8, content: &[u8]) -> Vec<u8> {
        let mut header = vec![0; BLOCK];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = kind;
        header[257..263].copy_from_slice(b"ustar\0");
        header[345..345 + prefix.len()].copy_from_slice(prefix.as_bytes());
        let sum = format!("{:06o}\0 ", checksum(&header));
        header[148..156].copy_from_slice(sum.as_bytes());
        let padding = vec![0; content.len().next_multiple_of(BLOCK) - content.len()];
        [header, content.to_vec(), padding].concat()
    }

    #[test]
    fn regular_files_are_read_and_other_entries_ignored() {
        let archive =
            [entry("d", "", b'5', b""), entry("a.tsv", "d", b'0', b"one\n"), entry("b", "", 0, &[b'x'; 513])];
        let archive = [archive.concat(), vec![0; 2 * BLOCK]].concat();
        assert!(is_tar(&archive));
        let files = read_tar(Path::new("x.tar"), &archive).unwrap();
        assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["d/a.tsv", "b"]);
        assert_eq!((files[0].bytes.as_slice(), files[1].bytes.len()), (b"one\n".as_slice(), 513));
    }

    #[test]
    fn errors_name_the_byte_of_the_archive() {
        let archive = entry("a", "", b'0', &[b'x'; 600]);
        let read = |bytes: &[u8]| read_tar(Path::new("x.tar"), bytes).unwrap_err().to_string();
        assert_eq!(
            read(&archive[..900]),
            "x.tar: the archive ends within a file at byte 0 of the tar archive (fetch it again)"
        );
        assert!(read(&[archive.clone(), vec![1; 40]].concat()).contains("within a header at byte 1536"));
        let mut flipped = archive;
        flipped[3] ^= 1;
        assert!(read(&flipped).contains("expected the header of a file at byte 0"));
    }
}
