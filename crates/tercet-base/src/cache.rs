//! The user's cache folder, `$XDG_CACHE_HOME/tercet` or `~/.cache/tercet`: it holds compact forms of big files, each
//! named by the SHA-256 of its source. A file that was changed or cut off is written again, and its path is collected
//! for [`take_damaged`].

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub use crate::files::{hexadecimal, sha256, write_with};

/// Smaller sources, in bytes, are not cached: reading them takes a fraction of a second.
pub const MIN_CACHED_BYTES: u64 = 4 << 20;

/// SHA-256.
pub type Sha = [u8; 32];

/// The user's cache folder for tercet, if the environment names one.
pub fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .or_else(|| named("LOCALAPPDATA"))?;
    Some(caches.join("tercet"))
}

/// Damaged files that were found since the last call of [`take_damaged`].
static DAMAGED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Adds a file that was damaged and is not used.
pub fn add_damaged(path: &Path) {
    DAMAGED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// The files in the cache folder that were found damaged since the last call. They were not used, but written again.
pub fn take_damaged() -> Vec<PathBuf> {
    std::mem::take(&mut *DAMAGED.lock().unwrap_or_else(PoisonError::into_inner))
}
