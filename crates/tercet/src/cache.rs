//! The user's cache folder, `$XDG_CACHE_HOME/tercet` or `~/.cache/tercet`: compact forms of big files are kept there, each
//! named by the SHA-256 of its source.
//!
//! A file is written beside its place and then moved there, so that others see all of it or nothing.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tercet_learn::files::WholeFile;

pub(crate) use tercet_learn::files::{hexadecimal, sha256};

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

/// Writes a whole file with its folder: see [`files`](tercet_learn::files).
pub(crate) fn write_beside(place: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut whole = WholeFile::create(place)?;
    write(whole.file())?;
    whole.finish()
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
        assert_eq!(fs::read(&place).unwrap(), b"abc");
    }
}
