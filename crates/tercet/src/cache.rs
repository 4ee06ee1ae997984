//! The user's cache folder, `$XDG_CACHE_HOME/tercet` or `~/.cache/tercet`: compact forms of big files are kept there, each
//! named by the SHA-256 of its source.
//!
//! A file is written beside its place and then moved there, so that others see all of it or nothing.

use sha2::{Digest, Sha256};
use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// A source of fewer bytes is read each time; that takes a fraction of a second.
pub(crate) const WORTHWHILE: u64 = 4 << 20;

/// SHA-256.
pub(crate) type Sha = [u8; 32];

/// Where cached forms are kept, if the user has such a place.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .or_else(|| named("LOCALAPPDATA"))?;
    Some(caches.join("tercet"))
}

/// The SHA-256 of a file's bytes, and how many there are.
pub(crate) fn sha256(path: &Path) -> io::Result<(Sha, u64)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut length = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finalize().into(), length)),
            Ok(read) => {
                hasher.update(&buffer[..read]);
                length += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Makes a file, and its folder if need be, and moves it to its place when it is whole.
pub(crate) fn write_beside(place: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let beside = place.with_extension(format!("{}-{count}", process::id()));
    let written = File::create(&beside)
        .and_then(|mut file| write(&mut file).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, place));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("deep/form");
        let failed = write_beside(&place, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("broken off"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 0);
        write_beside(&place, |file| file.write_all(b"abc")).unwrap();
        let (sha, length) = sha256(&place).unwrap();
        assert_eq!((hexadecimal(&sha[..4]).as_str(), length), ("ba7816bf", 3));
    }
}
