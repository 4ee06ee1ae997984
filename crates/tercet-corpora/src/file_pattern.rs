//! Files by a pattern: `wmt1?-rr/references/*`.
//!
//! `*` matches any characters of a name, also none, `?` matches one; neither matches a `/`, nor a dot at the start of a
//! name. A path without either is that file. Files are sorted by name, component by component, so that the order is the
//! same on every system; folders are ignored.

use crate::error::{Error, Result};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files that match a pattern; it is an error if there are none.
pub fn find_files(pattern: &Path) -> Result<Vec<PathBuf>> {
    if !is_pattern(&pattern.to_string_lossy()) {
        return Ok(vec![pattern.to_owned()]);
    }
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        found = match part {
            Component::Normal(name) if is_pattern(&name.to_string_lossy()) => {
                let inside = found.iter().map(|folder| matching(folder, &name.to_string_lossy()));
                inside.collect::<Result<Vec<_>>>()?.concat()
            }
            other => found.into_iter().map(|path| path.join(other)).filter(|path| path.exists()).collect(),
        };
    }
    found.retain(|path| path.is_file());
    if found.is_empty() {
        return Err(Error::Unusable(format!("there is no file {}", pattern.display())));
    }
    Ok(found)
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The entries of a folder that match, sorted; none if it is not a folder.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !place.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |source| Error::Read { path: place.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(place).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let text = name.to_string_lossy();
        if (pattern.starts_with('.') || !text.starts_with('.')) && fits(pattern, &text) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}

/// Whether a name matches a pattern: each `*` first matches nothing, then one character more whenever the rest does not
/// match. Backtracking to the last `*` is enough.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                p = at + 1;
                n = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_match_as_in_shells() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*.tsv", "a.tsv", true),
            ("a*b*c", "aXbbYc", true),
            ("a*b*c", "aXbbYcd", false),
            ("wmt1?-rr", "wmt12-rr", true),
            ("wmt1?-rr", "wmt1-rr", false),
            ("**x", "x", true),
            ("é?", "éé", true),
            ("a", "b", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn files_are_sorted_and_folders_ignored() {
        let scratch = tempfile::tempdir().unwrap();
        for name in ["wmt13/refs/b", "wmt12/refs/a", "wmt12/refs/.hidden", "wmt12/refs/deep/x", "other/refs/c"] {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let names = |pattern: &str| {
            let found = find_files(&scratch.path().join(pattern)).unwrap();
            let inside = |path: &PathBuf| path.strip_prefix(scratch.path()).unwrap().to_str().unwrap().to_owned();
            found.iter().map(inside).collect::<Vec<_>>()
        };
        assert_eq!(names("wmt1?/refs/*"), ["wmt12/refs/a", "wmt13/refs/b"]);
        assert_eq!(names("*/refs/a"), ["wmt12/refs/a"]);
        assert_eq!(names("nowhere"), ["nowhere"]);
        let error = find_files(&scratch.path().join("wmt9?/refs/*")).unwrap_err().to_string();
        assert!(error.starts_with("there is no file ") && error.ends_with("wmt9?/refs/*"), "{error}");
    }
}
