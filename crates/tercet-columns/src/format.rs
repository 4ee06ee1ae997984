//! The formats, by content and by name.

use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A format of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// Arrow's file format (IPC), also called Feather.
    ArrowFile,
    /// Arrow's streaming format (IPC).
    ArrowStream,
}

impl Format {
    /// The format that a file's name promises.
    pub fn of_name(path: &Path) -> Option<Format> {
        match path.extension().and_then(OsStr::to_str)?.to_lowercase().as_str() {
            "parquet" | "pq" => Some(Format::Parquet),
            "arrow" | "feather" | "ipc" => Some(Format::ArrowFile),
            "arrows" => Some(Format::ArrowStream),
            _ => None,
        }
    }

    /// Whether the path is a file of columns, by its first bytes or its name, or a folder that holds parts of one.
    pub fn is_columns(path: &Path) -> bool {
        if path.is_dir() {
            return parts(path).is_ok_and(|parts| !parts.is_empty());
        }
        Format::of_name(path).is_some()
            || (path.is_file() && first_bytes(path).is_ok_and(|bytes| by_content(&bytes).is_some()))
    }

    /// The format of a file, by its first bytes.
    pub(crate) fn of_file(path: &Path) -> Result<Format> {
        let bytes = first_bytes(path)?;
        let what = match bytes.as_slice() {
            [] => "is empty: a file without rows still describes its columns",
            [b'P', b'A', b'R', b'E', ..] => "is encrypted Parquet, which is not read: decrypt it first",
            [b'F', b'E', b'A', b'1', ..] => "is Feather of version 1, which is not read: save it as version 2",
            _ => match by_content(&bytes) {
                Some(format) => return Ok(format),
                None => "is neither Parquet nor Arrow",
            },
        };
        Err(Error::NotColumns { path: path.to_owned(), what: what.to_owned() })
    }
}

fn first_bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut bytes));
    read.map_err(|source| Error::io(path, source))?;
    Ok(bytes)
}

fn by_content(bytes: &[u8]) -> Option<Format> {
    match bytes {
        [b'P', b'A', b'R', b'1', ..] => Some(Format::Parquet),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some(Format::ArrowFile),
        // The mark of a message, and the length of the first one, which is less than 16 MiB.
        [0xff, 0xff, 0xff, 0xff, _, _, _, 0] => Some(Format::ArrowStream),
        _ => None,
    }
}

/// The files of a table: the file itself, or the parts in a folder by name. Names that begin with `_` or `.` are notes
/// of the program that wrote the folder.
pub(crate) fn parts(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|source| Error::io(path, source))?;
    let mut parts = Vec::new();
    for entry in entries {
        let part = entry.map_err(|source| Error::io(path, source))?.path();
        let name = part.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with(['_', '.']) && Format::of_name(&part).is_some() && part.is_file() {
            parts.push(part);
        }
    }
    parts.sort();
    Ok(parts)
}
