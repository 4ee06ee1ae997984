//! Files by a pattern: `wmt1?-rr/references/*`.
//!
//! `*` stands for any characters of a name, also none, `?` for one; neither goes beyond a `/`, and neither finds a name
//! that starts with a dot unless the pattern does. A path without either is that file, whatever it is. Files come sorted by
//! name, part by part, so that the order is the same everywhere; folders are passed over.

use crate::error::{Error, Result};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files a pattern stands for; none is an error.
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

/// What is in a folder and has such a name, sorted; nothing if it is no folder.
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

/// Whether a name has the form of a pattern: each `*` first takes nothing, and one character more whenever the rest does
/// not fit. Only the last `*` ever has to change its mind.
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
    fn stars_and_question_marks_fit_what_shells_say() {
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
    fn files_come_sorted_and_folders_are_passed_over() {
        let scratch = tempfile::tempdir().unwrap();
        for name in
            ["wmt13/refs/b", "wmt12/refs/a", "wmt12/refs/.hidden", "wmt12/refs/deep/x", "other/refs/c"]
        {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let names = |pattern: &str| {
            let found = find_files(&scratch.path().join(pattern)).unwrap();
            let inside =
                |path: &PathBuf| path.strip_prefix(scratch.path()).unwrap().to_str().unwrap().to_owned();
            found.iter().map(inside).collect::<Vec<_>>()
        };
        assert_eq!(names("wmt1?/refs/*"), ["wmt12/refs/a", "wmt13/refs/b"]);
        assert_eq!(names("*/refs/a"), ["wmt12/refs/a"]);
        assert_eq!(names("nowhere"), ["nowhere"]);
        let error = find_files(&scratch.path().join("wmt9?/refs/*")).unwrap_err().to_string();
        assert!(error.starts_with("there is no file ") && error.ends_with("wmt9?/refs/*"), "{error}");
    }
}
