//! Atomic writing of files, and SHA-256 hashes.
//!
//! A file is written under a temporary name in the same folder, `NAME.PROCESS-COUNT.partial`, synced, and renamed. Readers
//! see the old file or the new one, never a part. An existing file keeps its permissions; a symbolic link is followed. The
//! temporary file is always newly created, so nothing is written through a link of that name. A process that is killed
//! leaves it behind; the next training of the same model removes it.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Ending of the names of temporary files.
const PARTIAL: &str = ".partial";

/// Temporary files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all temporary files of this process, for one that ends at once.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_file(path);
    }
}

/// A file that appears under its name with [`WholeFile::finish`]. If it is dropped before that, nothing is left.
#[derive(Debug)]
pub struct WholeFile {
    file: File,
    /// Empty once the file has been renamed.
    temporary: PathBuf,
    target: PathBuf,
}

impl WholeFile {
    /// Creates the temporary file for the file `target`.
    pub fn create(target: &Path) -> io::Result<Self> {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let target = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        loop {
            let count = CREATED.fetch_add(1, Ordering::Relaxed);
            let mut name: OsString = target.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{}-{count}{PARTIAL}", std::process::id()));
            let temporary = target.with_file_name(name);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(temporary.clone());
                    return Ok(WholeFile { file, temporary, target });
                }
                // Left by a killed process with the same process number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The temporary file, to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Renames the temporary file to its final name. Permissions of an existing file are kept.
    pub fn finish(mut self) -> io::Result<()> {
        if let Ok(known) = fs::metadata(&self.target) {
            self.file.set_permissions(known.permissions())?;
        }
        self.file.sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        self.forget();
        Ok(())
    }

    /// The temporary file is no longer there, or no longer ours.
    fn forget(&mut self) {
        let temporary = std::mem::take(&mut self.temporary);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != temporary);
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.temporary.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.temporary);
            self.forget();
        }
    }
}

/// Writes a file atomically with the function `write`; creates its folder if needed.
pub fn write_with(target: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut whole = WholeFile::create(target)?;
    write(whole.file())?;
    whole.finish()
}

/// Writes a file atomically; its folder must exist.
pub fn write(target: &Path, bytes: &[u8]) -> Result<()> {
    let written = WholeFile::create(target).and_then(|mut whole| {
        whole.file().write_all(bytes)?;
        whole.finish()
    });
    written.map_err(|source| Error::Write { path: target.to_owned(), source })
}

/// Removes temporary files that killed processes left, of this file and of files named `NAME.…`.
pub(crate) fn remove_partial(target: &Path) {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let is_partial = |path: &PathBuf| {
        let found = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = found.strip_prefix(&*name);
        rest.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(PARTIAL))
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()).filter(is_partial) {
        let _ = fs::remove_file(path); // a leftover file does no harm
    }
}

/// The SHA-256 of a file, and its size in bytes.
pub fn sha256(path: &Path) -> io::Result<([u8; 32], u64)> {
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

/// The first eight hexadecimal digits of the SHA-256; signatures identify files by it.
pub fn short_hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..4])
}

/// Bytes in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().unwrap();
        let target = scratch.path().join("deep/form");
        let failed = write_with(&target, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("broken off"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(target.parent().unwrap()).unwrap().count(), 0);
        write_with(&target, |file| file.write_all(b"abc")).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"abc");
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("file");
        let mut whole = WholeFile::create(&target).unwrap();
        whole.file().write_all(b"half").unwrap();
        let [temporary] = &names(folder.path())[..] else { panic!("one file") };
        assert!(temporary.starts_with("file.") && temporary.ends_with(".partial"), "{temporary}");
        drop(whole);
        assert!(names(folder.path()).is_empty());
        write(&target, b"abc").unwrap();
        write(&target, b"abcd").unwrap();
        assert_eq!(
            (names(folder.path()), fs::read(&target).unwrap()),
            (vec!["file".to_owned()], b"abcd".to_vec())
        );
        let error = write(&folder.path().join("no/file"), b"").unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.ends_with("no/file"), "{error}");
    }

    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("model");
        std::mem::forget(WholeFile::create(&target).unwrap());
        std::mem::forget(WholeFile::create(&folder.path().join("model.checkpoint")).unwrap());
        let others = ["model", "model.partial.txt", "models.1.partial"];
        others.iter().for_each(|name| fs::write(folder.path().join(name), "x").unwrap());
        assert_eq!(names(folder.path()).len(), 5);
        remove_partial(&target);
        assert_eq!(names(folder.path()), others);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_permissions_kept_and_temporary_names_never_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [target, link, other] = ["file", "link", "other"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&target, &link).unwrap();
        fs::write(&other, "other").unwrap();
        // Links under the names of the next temporary files, if no other test writes files at the same time.
        let whole = WholeFile::create(&link).unwrap();
        let name = whole.temporary.file_name().unwrap().to_string_lossy().into_owned();
        let count: u32 = name.trim_end_matches(PARTIAL).rsplit('-').next().unwrap().parse().unwrap();
        drop(whole);
        for next in count + 1..count + 50 {
            let name = name.replace(&format!("-{count}."), &format!("-{next}."));
            symlink(&other, folder.path().join(name)).unwrap();
        }
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            (fs::read(&target).unwrap(), fs::read(&other).unwrap()),
            (b"new".to_vec(), b"other".to_vec())
        );
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn digits_are_those_of_sha256() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("file");
        write(&target, b"abc").unwrap();
        let (sha, length) = sha256(&target).unwrap();
        assert_eq!((hexadecimal(&sha[..4]), length), (short_hash(b"abc"), 3));
        assert_eq!(short_hash(b"abc"), "ba7816bf");
    }
}
