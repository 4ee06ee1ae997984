//! Notes of compact forms whose vectors were checked: `NAME.checked` beside the form.
//!
//! ```text
//! tercet compact vectors 1
//! <length, modification time and other metadata of the form>
//! <SHA-256 of the lines above>
//! ```

use super::identity::{is_old, stamp, with_checksum};
use crate::cache::write_new;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

fn note(form: &Path) -> PathBuf {
    form.with_extension("checked")
}

fn text(file: &File) -> Option<String> {
    let about = file.metadata().ok()?;
    Some(with_checksum(format!("tercet compact vectors 1\n{}\n", stamp(&about))))
}

/// Whether the vectors of this form were checked in its present state.
pub(super) fn is_noted(form: &Path, file: &File) -> bool {
    fs::read_to_string(note(form)).is_ok_and(|found| Some(found) == text(file))
}

/// Notes that they were checked, unless the form was written just now: it might change again with the same metadata.
/// Without a note the next run checks them again.
pub(super) fn write_note(form: &Path, file: &File) {
    if let Some(text) = text(file).filter(|_| file.metadata().is_ok_and(|about| is_old(&about))) {
        let _ = write_new(&note(form), |file| file.write_all(text.as_bytes()));
    }
}
