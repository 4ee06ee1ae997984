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

/// Runs of sacreBLEU and of METEOR.
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
    files.into_iter().map(trial).chain(meteor_trials(shared)).collect()
}

/// The jar's output for files of public inputs.
fn meteor_trials(shared: &Path) -> Vec<Trial> {
    let inputs = shared.join("golden/inputs");
    let entries = fs::read_dir(shared.join("golden/meteor")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let is_whole = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().any(|line| line.starts_with("# inputs: ") && line.split(' ').count() == 4)
    };
    files.retain(|path| path.to_string_lossy().ends_with(".vout.txt") && is_whole(path));
    files.sort();
    let trial = |path: PathBuf| {
        let name = format!("meteor_cli/{}", path.file_stem().unwrap_or_default().to_string_lossy());
        let (inputs, data) = (inputs.clone(), shared.join("data/meteor/resources"));
        Trial::test(name, move || compare_meteor(&path, &inputs, &data))
    };
    files.into_iter().map(trial).collect()
}

/// Runs METEOR's recorded command. Everything is the same but for last digits: the jar takes powers from Java's own
/// library.
fn compare_meteor(recorded: &Path, inputs: &Path, data: &Path) -> Result<(), Failed> {
    let recorded = fs::read_to_string(recorded)?;
    let after = |start: &str| recorded.lines().find_map(|line| line.strip_prefix(start)).ok_or("a line is missing");
    let folder = folder_with(inputs)?;
    let mut words = vec!["meteor".to_owned(), "--data".to_owned(), data.display().to_string()];
    let flags = after("# command: ")?.split(" HYP REF ").nth(1).ok_or("there are no flags")?;
    // The modules, one word when the jar was called, are recorded without quotation marks.
    for word in flags.split(' ') {
        match words.last_mut() {
            Some(last) if !word.starts_with('-') && last.split(' ').all(|module| MODULES.contains(&module)) => {
                *last += &format!(" {word}");
            }
            _ => words.push(word.to_owned()),
        }
    }
    let files =
        after("# inputs: ")?.split(' ').filter_map(|part| part.split_once('=')).map(|(_, file)| file.to_owned());
    let output =
        Command::new(env!("CARGO_BIN_EXE_tercet")).args(words).args(files).current_dir(folder.path()).output()?;
    let printed = String::from_utf8(output.stdout)?;
    let expected: Vec<&str> = recorded.lines().filter(|line| !line.starts_with('#')).collect();
    if printed.lines().count() != expected.len() {
        return Err(format!("{} lines\n{}", printed.lines().count(), String::from_utf8_lossy(&output.stderr)).into());
    }
    let is_same = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-15,
        _ => false,
    };
    for (found, expected) in printed.lines().zip(expected) {
        let (a, b): (Vec<&str>, Vec<&str>) =
            (found.split([' ', '\t']).collect(), expected.split([' ', '\t']).collect());
        let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || is_same(a, b));
        if !same {
            return Err(format!("`{found}`, expected `{expected}`").into());
        }
    }
    Ok(())
}

const MODULES: [&str; 4] = ["exact", "stem", "synonym", "paraphrase"];

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
