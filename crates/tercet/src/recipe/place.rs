//! Where a model goes.

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// `[model]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Place {
    /// The file, beside the recipe; each kind of recipe has a name for it if nothing is said.
    pub file: Option<PathBuf>,
}

impl Place {
    /// The file, or this one if nothing is said.
    pub(crate) fn or(&self, name: &str) -> PathBuf {
        self.file.as_deref().unwrap_or(Path::new(name)).to_owned()
    }
}
