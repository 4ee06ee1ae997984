//! The user's cache folder, `$XDG_CACHE_HOME/tercet` or `~/.cache/tercet`: it holds compact forms of big files, each
//! named by the SHA-256 of its source. A file that was changed or cut off is written again, and its path is kept for
//! [`Cache::take_damaged`].

use crate::progress::{Progress, Stopped};
use crate::warning::Warning;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub use crate::files::{hexadecimal, sha256, write_new};

/// Smaller sources, in bytes, are not cached: reading them takes a fraction of a second.
const MIN_BYTES: u64 = 4 << 20;

/// SHA-256.
pub type Sha = [u8; 32];

/// A folder for compact forms of big files. The default is the user's; a program's [`Context`](crate::context::Context)
/// shares one.
#[derive(Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
    min_bytes: u64,
    damaged: Mutex<Vec<PathBuf>>,
}

impl Default for Cache {
    fn default() -> Self {
        Cache { folder: folder(), min_bytes: MIN_BYTES, damaged: Mutex::default() }
    }
}

impl Cache {
    /// Another folder than the user's, for files of any size.
    pub fn in_folder(folder: &Path) -> Self {
        Cache { folder: Some(folder.to_owned()), min_bytes: 0, damaged: Mutex::default() }
    }

    /// The same for files of at least so many bytes.
    #[must_use]
    pub fn with_min_bytes(self, min_bytes: u64) -> Self {
        Cache { min_bytes, ..self }
    }

    /// Nothing is cached.
    pub fn none() -> Self {
        Cache { folder: None, min_bytes: 0, damaged: Mutex::default() }
    }

    /// The folder, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where a file of this name is cached, if its source of so many bytes is worth it.
    pub fn place(&self, name: &str, bytes: u64) -> Option<PathBuf> {
        self.folder.as_ref().filter(|_| bytes >= self.min_bytes).map(|folder| folder.join(name))
    }

    /// Adds a file that was damaged and is not used.
    pub fn add_damaged(&self, path: &Path) {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    }

    /// Warns of the files that were found damaged.
    pub fn warn_of_damaged(&self, progress: Progress<'_>) -> Result<(), Stopped> {
        self.take_damaged()
            .iter()
            .try_for_each(|file| progress.warn(&Warning::DamagedCacheFile { file: file.display().to_string() }))
    }

    /// The files that were found damaged since the last call. They were not used, but written again.
    pub fn take_damaged(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.damaged.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The user's cache folder for tercet, if the environment names one.
pub fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .or_else(|| named("LOCALAPPDATA"))?;
    Some(caches.join("tercet"))
}
