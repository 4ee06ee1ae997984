//! Files of the cache that were changed or cut off, and were therefore computed again.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Paths of damaged files, collected from all threads.
#[derive(Debug, Default)]
pub(super) struct DamagedFiles(Mutex<Vec<PathBuf>>);

impl DamagedFiles {
    /// Adds a file.
    pub(super) fn add(&self, path: &Path) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !files.iter().any(|known| known == path) {
            files.push(path.to_owned());
        }
    }

    /// All files, sorted.
    pub(super) fn sorted(&self) -> Vec<PathBuf> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        files.sort();
        files
    }
}
