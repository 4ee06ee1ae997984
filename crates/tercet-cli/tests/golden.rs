//! Equality with the commands people cite, byte for byte, on real inputs.
//!
//! The recorded runs lie outside the repository, under `golden/` of the folder that `TERCET_SHARED` names (default:
//! `shared` beside the checkout). Each is one test. Without the folder there is one test, ignored, that says so.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version in signatures is the only difference to sacreBLEU.
const VERSIONS: [&str; 2] = [concat!("2.6.0-tercet-", env!("CARGO_PKG_VERSION")), "2.6.0"];

fn main() {
    let arguments = Arguments::from_args();
    let trials = match shared() {
        Some(shared) => trials(&shared),
        None => {
            vec![Trial::test("golden: skipped, TERCET_SHARED not found", || Ok(())).with_ignored_flag(true)]
        }
    };
    libtest_mimic::run(&arguments, trials).exit();
}

/// The folder with `golden/`, if it exists.
fn shared() -> Option<PathBuf> {
    let beside_the_checkout = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("TERCET_SHARED").map_or_else(beside_the_checkout, PathBuf::from);
    let shared = fs::canonicalize(shared).ok()?;
    shared.join("golden").is_dir().then_some(shared)
}

fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("golden/sacrebleu_cli");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let trial = |path: PathBuf| {
        let name = format!("sacrebleu_cli/{}", path.file_stem().unwrap_or_default().to_string_lossy());
        let inputs = shared.join("golden/inputs");
        Trial::test(name, move || compare(&path, &inputs))
    };
    files.into_iter().map(trial).collect()
}

/// Runs the recorded command and compares its output and exit code.
fn compare(recorded: &Path, inputs: &Path) -> Result<(), Failed> {
    let recorded: serde_json::Value = serde_json::from_slice(&fs::read(recorded)?)?;
    let command = recorded["command"].as_str().ok_or("there is no command")?;
    let words = command.split(' ').skip_while(|word| *word != "sacrebleu");
    let output = Command::new(env!("CARGO_BIN_EXE_tercet"))
        .args(words)
        .current_dir(folder_with(inputs)?.path())
        .env_remove("SACREBLEU_FORMAT")
        .env_remove("SACREBLEU_SEED")
        .output()?;
    let expected = &recorded["outputs"];
    let printed = String::from_utf8(output.stdout)?.replace(VERSIONS[0], VERSIONS[1]);
    if output.status.code().map(i64::from) != expected["rc"].as_i64() {
        return Err(format!("{command}: {}\n{printed}", output.status).into());
    }
    if Some(printed.as_str()) != expected["stdout"].as_str() {
        return Err(format!("{command}:\n{printed}\nexpected:\n{}", expected["stdout"]).into());
    }
    Ok(())
}

/// A folder in which the recorded paths, `inputs/public/…`, are links to the inputs.
fn folder_with(inputs: &Path) -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("inputs"))?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(inputs, folder.path().join("inputs/public"))?;
    #[cfg(windows)]
    std::os::windows::fs::symlink_dir(inputs, folder.path().join("inputs/public"))?;
    Ok(folder)
}
