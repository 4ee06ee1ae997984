//! The user's cache folder, `$XDG_CACHE_HOME/tercet` or `~/.cache/tercet`: it holds compact forms of big files, each
//! named by the SHA-256 of its source.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tercet_learn::files::WholeFile;

pub(crate) use tercet_learn::files::{hexadecimal, sha256};

/// Smaller sources, in bytes, are not cached: reading them takes a fraction of a second.
pub(crate) const SMALLEST_CACHED: u64 = 4 << 20;

/// SHA-256.
pub(crate) type Sha = [u8; 32];

/// The cache folder, if the user has one.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .or_else(|| named("LOCALAPPDATA"))?;
    Some(caches.join("tercet"))
}

/// Writes a file and creates its folder. Other processes see the whole file or none.
pub(crate) fn write_whole(place: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
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
    fn a_failed_write_leaves_no_file() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("deep/form");
        let failed = write_whole(&place, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("broken off"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 0);
        write_whole(&place, |file| file.write_all(b"abc")).unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"abc");
    }
}
