//! The tools for comparison: sacreBLEU, METEOR, PyTorch, ONNX Runtime, CTranslate2, scikit-learn, UDPipe and the
//! dependencies of mt-metrics-eval, each in its own virtual environment; tercom if its jar is given.

use super::machine::{said_by, version_of};
use super::measure::output;
use crate::step::works;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python package.
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    /// Whether it is installed without its dependencies.
    alone: bool,
}

const fn package(name: &'static str, version: &'static str) -> Package {
    Package { name, version, alone: false }
}

pub const SACREBLEU: Package = package("sacrebleu", "2.6.0");
/// Needed by mt-metrics-eval's statistics; includes numpy.
pub const SCIPY: Package = package("scipy", "1.17.1");
/// Contains METEOR's jar and its English table.
pub const PYCOCOEVALCAP: Package = Package { alone: true, ..package("pycocoevalcap", "1.2") };
/// The default build with unused GPU libraries; give an environment with a smaller build to save disk space.
pub const TORCH: Package = package("torch", "2.15.0");
/// Includes LIBSVM.
pub const SCIKIT_LEARN: Package = package("scikit-learn", "1.9.1");
/// Includes PyTorch.
pub const SENTENCE_TRANSFORMERS: Package = package("sentence-transformers", "6.2.0");
/// Needed to convert a model for ONNX Runtime.
pub const ONNX: Package = package("onnx", "1.23.2");
pub const ONNXRUNTIME: Package = package("onnxruntime", "1.31.1");
pub const CTRANSLATE2: Package = package("ctranslate2", "4.8.4");
/// UDPipe 1, a tagger and parser without a model.
pub const UDPIPE: Package = package("ufal.udpipe", "1.4.0.1");

/// The Python of this environment, or of one in the user's cache, with a package installed if it is missing.
pub fn python_with(package: &Package, environment: Option<&Path>) -> Result<PathBuf> {
    let Package { name, version, alone } = package;
    let environment = match environment {
        Some(given) => given.to_owned(),
        None => cache()?.join(format!("tercet/{name}-{version}")),
    };
    let python = environment.join("bin/python");
    // A local version part such as `+cpu` is ignored.
    let has_it = || version_of(&python, name).split('+').next() == Some(*version);
    if !has_it() {
        println!("── installing {name} {version} into a virtual environment");
        output(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet"]).args(alone.then_some("--no-deps"));
        output(pip.arg(format!("{name}=={version}")))?;
    }
    if !has_it() {
        bail!(
            "{} has no {name} {version} after installing it: remove that folder and try again",
            environment.display()
        );
    }
    Ok(python)
}

/// METEOR's jar: the given one, or that of pycocoevalcap.
pub fn meteor(environment: Option<&Path>) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("TERCET_METEOR_JAR") {
        return Ok(named.into());
    }
    let python = python_with(&PYCOCOEVALCAP, environment)?;
    let packages = said_by(&python, &["-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]);
    Ok(Path::new(&packages).join("pycocoevalcap/meteor/meteor-1.5.jar"))
}

/// tercom's jar, if it is given and Java is installed.
pub fn tercom() -> Option<PathBuf> {
    let jar = PathBuf::from(std::env::var_os("TERCET_TERCOM_JAR")?);
    (has_java() && jar.is_file()).then_some(jar)
}

/// Whether Java is installed.
pub fn has_java() -> bool {
    works(Command::new("java").arg("-version"))
}

fn cache() -> Result<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    named.or_else(home).context("neither XDG_CACHE_HOME nor HOME is set: name a folder with --keep-venv")
}
