//! Names of files for readers elsewhere, who do not know the folders of this machine.

use serde_json::Value;
use std::path::{Path, PathBuf};
use tercet::warning::Warning;

/// The name of a file without its folders.
pub fn short_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The names of systems; those that are files of the command without folders, or with the last ones if they are the
/// same otherwise.
pub fn of_systems(systems: &[String], files: &[PathBuf]) -> Vec<String> {
    let deepest = systems.iter().map(|name| Path::new(name).components().count()).max().unwrap_or(0);
    let is_file = |name: &String| files.iter().any(|file| file.display().to_string() == *name);
    let short = |name: &String, parts: usize| if is_file(name) { last(name, parts) } else { name.clone() };
    let with = |parts: usize| -> Vec<String> { systems.iter().map(|name| short(name, parts)).collect() };
    let is_clear = |names: &Vec<String>| (1..names.len()).all(|i| !names[..i].contains(&names[i]));
    (1..=deepest).map(with).find(is_clear).unwrap_or_else(|| systems.to_vec())
}

/// Warnings with other names of systems.
pub fn in_warnings(warnings: &[Warning], systems: &[String], names: &[String]) -> Vec<Warning> {
    let renamed = |warning: &Warning| {
        let mut fields = serde_json::to_value(warning).ok()?;
        rename(&mut fields, systems, names);
        serde_json::from_value(fields).ok()
    };
    warnings.iter().map(|warning| renamed(warning).unwrap_or_else(|| warning.clone())).collect()
}

fn rename(value: &mut Value, systems: &[String], names: &[String]) {
    match value {
        Value::String(text) => {
            if let Some(place) = systems.iter().position(|system| system == text) {
                text.clone_from(&names[place]);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, systems, names)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, systems, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The last parts of a path.
fn last(path: &str, parts: usize) -> String {
    let all: Vec<_> = Path::new(path).components().collect();
    let last: PathBuf = all[all.len().saturating_sub(parts)..].iter().collect();
    last.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(systems: &[&str], files: &[&str]) -> Vec<String> {
        let systems: Vec<String> = systems.iter().map(|&name| name.to_owned()).collect();
        of_systems(&systems, &files.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn warnings_name_files_without_folders() {
        let systems = ["/home/me/a.txt", "b"].map(str::to_owned);
        let warning = |system: &str| Warning::SameAsReference { system: system.to_owned() };
        let names = ["a.txt", "b"].map(str::to_owned);
        let renamed = in_warnings(&[warning("/home/me/a.txt"), warning("b")], &systems, &names);
        assert_eq!(renamed, [warning("a.txt"), warning("b")]);
    }

    #[test]
    fn folders_are_shown_only_where_they_tell_systems_apart() {
        let files = ["/home/me/a.txt", "/data/b.txt"];
        assert_eq!(shown(&files, &files), ["a.txt", "b.txt"]);
        let files = ["/home/me/one/out.txt", "/home/me/two/out.txt"];
        assert_eq!(shown(&files, &files), ["one/out.txt", "two/out.txt"]);
        assert_eq!(shown(&["team/x", "y"], &files), ["team/x", "y"]);
        assert_eq!(short_name(Path::new("/home/me/ref.txt")), "ref.txt");
    }
}
