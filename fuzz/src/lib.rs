//! The promises the targets hold the library to: the same file the property tests of `crates/tercet` include.

#[path = "../../crates/tercet/tests/invariants/mod.rs"]
pub mod invariants;

use std::path::PathBuf;

/// A file of this process alone, for readers that take a path.
pub fn scratch_file() -> PathBuf {
    std::env::temp_dir().join(format!("tercet-fuzz-{}", std::process::id()))
}
