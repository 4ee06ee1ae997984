//! The properties that the targets check: the same files as in the property tests of `crates/tercet`.

#[path = "../../crates/tercet/tests/invariants/mod.rs"]
pub mod invariants;

use std::path::PathBuf;

/// A file name that only this process uses, for readers that take a path.
pub fn scratch_file() -> PathBuf {
    std::env::temp_dir().join(format!("tercet-fuzz-{}", std::process::id()))
}

/// A folder that only this process uses, for readers that take a path.
pub fn scratch_folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tercet-fuzz-{}-files", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a scratch folder can be made");
    folder
}
