//! The tools we are measured against: sacreBLEU in a virtual environment of its own, tercom if its jar is at hand.

use super::machine::said_by;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const SACREBLEU: &str = "2.6.0";

/// The Python that has sacreBLEU: of this environment, or of one in the user's cache. Made where it is missing.
pub fn python_with_sacrebleu(environment: Option<&Path>) -> Result<PathBuf> {
    let environment = match environment {
        Some(given) => given.to_owned(),
        None => cache()?.join(format!("tercet/sacrebleu-{SACREBLEU}")),
    };
    let python = environment.join("bin/python");
    if version(&python) != SACREBLEU {
        println!("── installing sacreBLEU {SACREBLEU} into a virtual environment");
        must(Command::new("python3").args(["-m", "venv"]).arg(&environment), "python3 -m venv")?;
        let package = format!("sacrebleu=={SACREBLEU}");
        must(Command::new(&python).args(["-m", "pip", "install", "--quiet", &package]), "pip install")?;
    }
    if version(&python) != SACREBLEU {
        bail!(
            "{} has no sacreBLEU {SACREBLEU} after installing it: remove that folder and try again",
            environment.display()
        );
    }
    Ok(python)
}

fn version(python: &Path) -> String {
    said_by(python, &["-c", "import importlib.metadata as m; print(m.version('sacrebleu'))"])
}

/// tercom's jar, if it is named and Java is there.
pub fn tercom() -> Option<PathBuf> {
    let jar = PathBuf::from(std::env::var_os("TERCET_TERCOM_JAR")?);
    let java = Command::new("java").arg("-version").output().is_ok_and(|output| output.status.success());
    (java && jar.is_file()).then_some(jar)
}

fn cache() -> Result<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    named.or_else(home).context("neither XDG_CACHE_HOME nor HOME is set: name a folder with --keep-venv")
}

fn must(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {what}"))?;
    if !status.success() {
        bail!("{what} failed ({status})");
    }
    Ok(())
}
