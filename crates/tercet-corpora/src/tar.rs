//! Tar archives: the regular files inside. Entries of other types (folders, links) are ignored.

use crate::error::{Error, Result};
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a header; contents are filled up to a multiple of it.
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
    let files = tar::Archive::new(bytes).entries().and_then(|entries| {
        let files = entries.map(|entry| file(entry?));
        files.filter_map(Result::transpose).collect::<io::Result<_>>()
    });
    let damaged = |error| Error::bad_file(path, format!("not a whole tar archive: {error} (fetch it again)"));
    files.map_err(damaged)
}

/// A regular file; `None` for another entry.
fn file(mut entry: tar::Entry<'_, &[u8]>) -> io::Result<Option<TarFile>> {
    if !entry.header().entry_type().is_file() {
        return Ok(None);
    }
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes)?;
    if bytes.len() as u64 != entry.size() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("it ends within `{name}`")));
    }
    Ok(Some(TarFile { name, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one entry.
    fn entry(name: &str, kind: tar::EntryType, content: &[u8]) -> Vec<u8> {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        let mut archive = tar::Builder::new(Vec::new());
        archive.append_data(&mut header, name, content).unwrap();
        let mut bytes = archive.into_inner().unwrap();
        bytes.truncate(bytes.len() - 2 * BLOCK);
        bytes
    }

    #[test]
    fn regular_files_are_read_and_other_entries_ignored() {
        let long = "d/".repeat(200) + "b";
        let archive = [
            entry("d", tar::EntryType::Directory, b""),
            entry("d/a.tsv", tar::EntryType::Regular, b"one\n"),
            entry(&long, tar::EntryType::Regular, &[b'x'; 513]),
        ];
        let archive = [archive.concat(), vec![0; 2 * BLOCK]].concat();
        assert!(is_tar(&archive));
        let files = read_tar(Path::new("x.tar"), &archive).unwrap();
        assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["d/a.tsv", &long]);
        assert_eq!((files[0].bytes.as_slice(), files[1].bytes.len()), (b"one\n".as_slice(), 513));
    }

    #[test]
    fn archives_that_are_damaged_or_cut_are_refused() {
        let archive = entry("a", tar::EntryType::Regular, &[b'x'; 600]);
        let read = |bytes: &[u8]| read_tar(Path::new("x.tar"), bytes).unwrap_err().to_string();
        assert_eq!(read(&archive[..900]), "x.tar: not a whole tar archive: it ends within `a` (fetch it again)");
        let mut flipped = archive.clone();
        flipped[3] ^= 1;
        for bytes in [&[archive, vec![1; 40]].concat(), &flipped] {
            let error = read(bytes);
            assert!(error.starts_with("x.tar: not a whole tar archive: "), "{error}");
        }
    }
}
