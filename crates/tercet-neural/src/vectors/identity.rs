//! The SHA-256 of a file, remembered between runs.
//!
//! Hashing a gigabyte takes about a second, too long for every start. So the cache folder has a note for each path:
//!
//! ```text
//! tercet vectors 2
//! <length, modification time and other metadata of the file>
//! <SHA-256>
//! <path>
//! <SHA-256 of the lines above>
//! ```
//!
//! A note is valid while the metadata is unchanged. None is written for a file modified in the last two seconds: it
//! might change again within one tick of the file system's clock, with the same metadata.

use crate::cache::{Cache, Sha, hexadecimal, sha256, write_new};
use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The first line of a note.
const FIRST: &str = "tercet vectors 2";

const TICK: Duration = Duration::from_secs(2);

/// The hash and metadata of a file at one time.
pub(super) struct Identity {
    pub sha: Sha,
    pub length: u64,
    path: PathBuf,
    stamp: String,
}

impl Identity {
    /// Hashes a file, or takes the hash from the note in the cache if it is still valid; writes a note.
    pub fn new(path: &Path, cache: &Cache) -> Result<Self> {
        let read = |source| Error::Read { path: path.to_owned(), source };
        let about = fs::metadata(path).map_err(read)?;
        let stamp = stamp(&about);
        let old = is_old(&about);
        let whole = fs::canonicalize(path).map_err(read)?;
        let note = cache.folder().map(|folder| folder.join(note_name(&whole)));
        let noted = note.as_deref().and_then(|note| remembered(note, &stamp, &whole, cache));
        let sha = match noted {
            Some(sha) => sha,
            None => {
                let (sha, _) = sha256(path).map_err(read)?;
                if let Some(note) = note.filter(|_| old) {
                    // If this fails, the next run hashes the file again.
                    let text = note_text(&stamp, &sha, &whole);
                    let _ = write_new(&note, |file| file.write_all(text.as_bytes()));
                }
                sha
            }
        };
        Ok(Identity { sha, length: about.len(), path: path.to_owned(), stamp })
    }

    /// Fails if the file has changed since.
    pub fn still_holds(&self) -> Result<()> {
        let about = fs::metadata(&self.path);
        let about = about.map_err(|source| Error::Read { path: self.path.clone(), source })?;
        if stamp(&about) == self.stamp {
            return Ok(());
        }
        let what =
            format!("{} changed while it was read (wait until it is whole, then try again)", self.path.display());
        Err(Error::Unusable(what))
    }
}

/// Whether a file was last modified so long ago that a further change gives it another time.
pub(super) fn is_old(about: &Metadata) -> bool {
    about.modified().is_ok_and(|time| time + TICK < SystemTime::now())
}

/// The metadata that changes with a file's contents.
pub(super) fn stamp(about: &Metadata) -> String {
    let mut stamp = format!("{} {:?}", about.len(), about.modified().ok());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let (changed, part) = (about.ctime(), about.ctime_nsec());
        // Writing to a string cannot fail.
        let _ = write!(stamp, " {} {} {changed} {part}", about.dev(), about.ino());
    }
    stamp
}

fn note_name(path: &Path) -> String {
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    format!("vectors-{}.seen", hexadecimal(&hash[..16]))
}

fn note_text(stamp: &str, sha: &Sha, path: &Path) -> String {
    with_checksum(format!("{FIRST}\n{stamp}\n{}\n{}\n", hexadecimal(sha), path.display()))
}

/// Adds a line with the SHA-256 of the text.
pub(super) fn with_checksum(text: String) -> String {
    let checksum = hexadecimal(&Sha256::digest(&text));
    text + &checksum + "\n"
}

/// Whether the last line is the checksum of those above.
fn is_whole(text: &str) -> bool {
    let above = text.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
    with_checksum(text[..above].to_owned()) == text
}

/// The hash in a note, if it is a note of this file in this state.
fn remembered(note: &Path, stamp: &str, path: &Path, cache: &Cache) -> Option<Sha> {
    let text = fs::read_to_string(note).ok()?;
    if text.starts_with(FIRST) && !is_whole(&text) {
        cache.add_damaged(note);
        return None;
    }
    let digits = text.lines().nth(2).filter(|digits| digits.len() == 64 && digits.is_ascii())?;
    let mut sha = [0; 32];
    for (byte, place) in sha.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&digits[place..place + 2], 16).ok()?;
    }
    (text == note_text(stamp, &sha, path)).then_some(sha)
}
