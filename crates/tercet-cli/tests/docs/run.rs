//! Runs the commands of a page in a temporary folder.

use crate::blocks::{Command, shows};
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};

/// Commands that build or test tercet itself, or fetch it: known, but not run here.
const NOT_RUN: [&str; 5] = [
    "cargo install --path crates/tercet-cli",
    "cargo xtask test",
    "cargo xtask golden",
    "cargo xtask bench lexical",
    "cargo run --release -p tercet --example official_trueskill -- data 5",
];

/// What users write instead of `tercet` before they install it.
const UNINSTALLED: &str = "cargo run --release -- ";

/// A temporary folder with `examples/` in it and `tercet` on the path.
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub fn new(root: &Path) -> Result<Folder, Failed> {
        let folder = tempfile::tempdir()?;
        copy(&root.join("examples"), &folder.path().join("work/examples"))?;
        fs::create_dir(folder.path().join("bin"))?;
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tercet"), folder.path().join("bin/tercet"))?;
        Ok(Folder { folder })
    }

    /// Makes a public data set available under the name that the page uses.
    pub fn link(&self, name: &str, target: &Path) -> Result<(), Failed> {
        let path = self.folder.path().join("work").join(name);
        fs::create_dir_all(path.parent().unwrap())?;
        std::os::unix::fs::symlink(target, path)?;
        Ok(())
    }

    /// Runs a command of a page and compares what it prints with what the page shows.
    pub fn run(&self, command: &Command) -> Result<(), Failed> {
        if NOT_RUN.contains(&command.text.as_str()) {
            return Ok(());
        }
        let (succeeded, printed) = self.output(&command.text)?;
        let fails = |line: &String| line.starts_with("error: ") || line.starts_with("the gate failed in ");
        let must_fail = command.shown.iter().any(fails);
        if succeeded == must_fail {
            let expected = if must_fail { "fail" } else { "succeed" };
            return Err(format!("{}: must {expected}: {}\n{printed}", command.place, command.text).into());
        }
        if !command.shown.is_empty() && !shows(&command.shown, &printed.lines().collect::<Vec<_>>()) {
            let place = &command.place;
            return Err(format!("{place}: `{}` prints something else than shown:\n{printed}", command.text).into());
        }
        Ok(())
    }

    /// Checks that the flags of a command exist and take the values given, without running it.
    pub fn check_flags(&self, command: &Command) -> Result<(), Failed> {
        let (succeeded, printed) = self.output(&format!("{} --help", command.text))?;
        if succeeded { Ok(()) } else { Err(format!("{}: {printed}", command.place).into()) }
    }

    /// Whether the command succeeds, and what it prints on both streams.
    fn output(&self, text: &str) -> Result<(bool, String), Failed> {
        let text = match text.strip_prefix(UNINSTALLED) {
            Some(arguments) => format!("tercet {arguments}"),
            None if text.starts_with("cargo ") => {
                return Err(format!("`{text}` is not among the commands that this test knows").into());
            }
            None => text.to_owned(),
        };
        let path = self.folder.path();
        let printed = path.join("printed");
        let file = fs::File::create(&printed)?;
        let search = format!("{}:{}", path.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let status = Process::new("sh")
            .args(["-c", &text])
            .current_dir(path.join("work"))
            .env("PATH", search)
            .env("XDG_CACHE_HOME", path.join("cache"))
            .env_remove("SACREBLEU_FORMAT")
            .env_remove("SACREBLEU_SEED")
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .status()?;
        Ok((status.success(), String::from_utf8_lossy(&fs::read(&printed)?).into_owned()))
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
