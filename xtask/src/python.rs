//! The tests of the Python package, in a virtual environment that is kept in the target folder.
//!
//! The native module is built by cargo with the libraries of the other tests, and put beside a copy of the package's
//! sources; `scripts/release.sh` makes the wheel. Where there is no Python, or its packages cannot be installed, the
//! tests are not run, and the last line says so.

use crate::step::{TESTED, cargo_step, fresh, install, root, step, target_folder, works};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The file of the library as cargo names it, and as Python does.
const LIBRARY: (&str, &str) = if cfg!(windows) {
    ("_native.dll", "_native.pyd")
} else if cfg!(target_os = "macos") {
    ("lib_native.dylib", "_native.abi3.so")
} else {
    ("lib_native.so", "_native.abi3.so")
};

/// Runs the tests; returns why they were not run.
pub fn test() -> Result<Option<String>> {
    let target = target_folder()?;
    let python = match environment(&target.join("python"), REQUIREMENTS)? {
        Ok(python) => python,
        Err(why) => return Ok(Some(format!("the tests of the Python package: {why}"))),
    };
    // The command too: the one in the folder may be older, or without features.
    let build = format!("build {TESTED} --lib --bins --tests");
    cargo_step("native module of the Python package, and the command", &build)?;
    let package = target.join("python-package");
    assemble(&target.join("debug"), &package)?;
    let folder = root().join("bindings/python");
    for (name, arguments) in [("style of Python", "-m ruff check ."), ("types of Python", "-m mypy")] {
        step(name, Command::new(&python).args(arguments.split(' ')).current_dir(&folder))?;
    }
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]).current_dir(&folder);
    tests.env("PYTHONPATH", &package).env("PYTHONDONTWRITEBYTECODE", "1");
    tests.env("TERCET_PEERS", target.join("peers"));
    tests.env("TERCET_COMMAND", target.join("debug").join(format!("tercet{}", env::consts::EXE_SUFFIX)));
    step("tests of the Python package", &mut tests)?;
    Ok(None)
}

/// What the tests need, by name and version.
const REQUIREMENTS: &str = "bindings/python/tests/requirements.txt";

/// The Python of the environment in this folder with these packages, made or brought up to date; or why there is none.
pub fn environment(folder: &Path, requirements: &str) -> Result<Result<PathBuf, String>> {
    let is_new_enough = "import sys; sys.exit(sys.version_info < (3, 11))";
    if !works(Command::new("python3").args(["-c", is_new_enough])) {
        return Ok(Err("there is no python3 of version 3.11 or later, which the tests need".to_owned()));
    }
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !works(Command::new(&python).arg("--version"))
        && !works(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))
    {
        return Ok(Err("python3 -m venv fails".to_owned()));
    }
    let list = root().join(requirements);
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "-q", "--disable-pip-version-check", "-r"]).arg(&list);
    let wanted = fs::read_to_string(&list)?;
    let is_installed = install("packages for the tests of the Python package", folder, &wanted, &mut pip)?;
    Ok(is_installed
        .then_some(python)
        .ok_or_else(|| format!("its packages cannot be installed (pip install -r {requirements})")))
}

/// Puts the package's sources and the library that was built in a folder into another one.
pub fn assemble(built: &Path, package: &Path) -> Result<()> {
    fresh(package)?;
    copy(&root().join("bindings/python/python/tercet"), &package.join("tercet"))?;
    let (library, module) = LIBRARY;
    let library = built.join(library);
    fs::copy(&library, package.join("tercet").join(module)).with_context(|| library.display().to_string())?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().context("an entry has a name")?;
        if name == "__pycache__" {
            continue;
        }
        if path.is_dir() { copy(&path, &to.join(name))? } else { fs::copy(&path, to.join(name)).map(drop)? }
    }
    Ok(())
}
