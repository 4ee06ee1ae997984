//! Where installers put dictionaries and models. Python is not run: its usual folders are looked at.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Values of environment variables.
type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The variables that say where Python packages are.
pub(super) const VARIABLES: [&str; 5] = ["PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PATH", "HOME"];

/// The values of [`VARIABLES`].
pub(super) type Variables = [Option<OsString>; VARIABLES.len()];

/// Folders of Python packages, in this order: of `PYTHONPATH`; of the program that runs, if it is Python; of the
/// virtual environment that is active; of every `python3` on the `PATH`; of the user; of the system. Of several
/// versions of Python in one place, the newest is first.
pub(super) fn python_packages(environment: Environment<'_>, program: Option<&Path>) -> Vec<PathBuf> {
    let listed = |name: &str| environment(name).map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>());
    let mut folders = listed("PYTHONPATH").unwrap_or_default();
    let program = program.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    let mut prefixes: Vec<PathBuf> = program.map(prefixes_of_python).unwrap_or_default();
    prefixes.extend(["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(environment).map(PathBuf::from));
    prefixes.extend(listed("PATH").unwrap_or_default().iter().flat_map(|folder| prefixes_of_python(folder)));
    prefixes.extend(environment("HOME").map(|home| Path::new(&home).join(".local")));
    prefixes.extend(["/usr/local", "/usr"].map(PathBuf::from));
    folders.extend(prefixes.iter().flat_map(|prefix| packages_below(prefix)));
    folders
}

/// Where the Python in a folder of programs is installed, and the one that it is a link to.
fn prefixes_of_python(programs: &Path) -> Vec<PathBuf> {
    let programs = ["python3", "python.exe"].map(|name| programs.join(name));
    let found = programs.into_iter().filter(|program| program.is_file());
    let both = found.flat_map(|program| [program.canonicalize().ok(), Some(program)]).flatten();
    // On Windows the program is in the folder itself.
    let mut prefixes: Vec<PathBuf> =
        both.flat_map(|program| program.ancestors().skip(1).take(2).map(Path::to_owned).collect::<Vec<_>>()).collect();
    prefixes.reverse();
    prefixes
}

/// The folders of packages of an installation.
fn packages_below(prefix: &Path) -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = ["lib", "lib64"]
        .iter()
        .filter_map(|library| fs::read_dir(prefix.join(library)).ok())
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.strip_prefix("python3")?.trim_start_matches('.').to_owned();
            Some((version.parse().unwrap_or(0), entry.path()))
        })
        .collect();
    versions.sort_by(|(a, first), (b, second)| b.cmp(a).then(first.cmp(second)));
    let libraries = versions.into_iter().map(|(_, library)| library).chain([prefix.join("Lib")]);
    libraries.flat_map(|library| ["site-packages", "dist-packages"].map(|name| library.join(name))).collect()
}

/// sacreBLEU's folder of models.
pub(super) fn sacrebleu_models(environment: Environment<'_>) -> Option<PathBuf> {
    let home = || environment("HOME").or_else(|| environment("USERPROFILE"));
    let folder = environment("SACREBLEU").map(PathBuf::from);
    let folder = folder.or_else(|| home().map(|home| Path::new(&home).join(".sacrebleu")))?;
    Some(folder.join("models"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_looked_for_in_environments_then_on_the_path() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = root.path().join(name);
            fs::create_dir_all(&folder).unwrap();
            folder
        };
        let expected = [
            folder("given"),
            folder("running/lib/python3.13/site-packages"),
            folder("venv/lib/python3.12/site-packages"),
            folder("venv/lib/python3.9/site-packages"),
            folder("other/lib/python3.11/site-packages"),
            folder("home/.local/lib/python3.10/site-packages"),
        ];
        let running = folder("running/bin").join("python3");
        fs::write(&running, "").unwrap();
        fs::write(folder("other/bin").join("python3"), "").unwrap();
        let environment = |name: &str| {
            let value = match name {
                "PYTHONPATH" => "given",
                "VIRTUAL_ENV" => "venv",
                "PATH" => "other/bin",
                "HOME" => "home",
                _ => return None,
            };
            Some(root.path().join(value).into_os_string())
        };
        let found = python_packages(&environment, Some(&running));
        let found: Vec<&PathBuf> = found.iter().filter(|path| path.starts_with(root.path()) && path.is_dir()).collect();
        let mut once: Vec<&PathBuf> = Vec::new();
        found.into_iter().for_each(|path| {
            if !once.contains(&path) {
                once.push(path)
            }
        });
        assert_eq!(once, expected.iter().collect::<Vec<_>>());
        assert_eq!(sacrebleu_models(&environment), Some(root.path().join("home/.sacrebleu/models")));
        let named = |name: &str| (name == "SACREBLEU").then(|| OsString::from("/models-of-sacrebleu"));
        assert_eq!(sacrebleu_models(&named), Some(PathBuf::from("/models-of-sacrebleu/models")));
        assert_eq!(sacrebleu_models(&|_| None), None);
    }
}
