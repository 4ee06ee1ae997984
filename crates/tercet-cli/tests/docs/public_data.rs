//! Where the public data sets of the pages are in the folder that `TERCET_SHARED` names.

use std::path::PathBuf;

/// Names as in `docs/data.md`, where they are folders in `data/`, and paths in the shared folder.
const SETS: [(&str, &str); 9] = [
    ("wmt12-rr", "data/wmt12-rr"),
    ("wmt15-rr", "data/wmt15-rr"),
    ("wmt16-rr", "data/wmt16-rr"),
    ("da-wmt16", "data/da-wmt16"),
    ("mqm", "data/mqm"),
    ("mlqe-pe", "data/mlqe-pe"),
    ("meteor-1.5", "data/meteor"),
    ("ud-ewt", "data/ud-ewt"),
    ("gum", "data/gum"),
];

/// The folder of a set; `None` if it is not there.
///
/// # Panics
/// Panics if the name is unknown, so that a mistyped name does not count as missing data.
pub fn find(name: &str) -> Option<PathBuf> {
    let (_, path) = SETS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no set `{name}`"));
    let folder = PathBuf::from(std::env::var_os("TERCET_SHARED")?).join(path);
    folder.is_dir().then_some(folder)
}
