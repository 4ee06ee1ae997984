//! Runs one command of a list: prints it, times it, and stops the list if it fails.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The packages that the tests compile: all. Programs for further steps are built with the same choice and `--tests`,
/// because cargo then uses the libraries of the tests again.
pub const TESTED: &str = "--workspace";

/// The root of the checkout.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask is in the checkout").to_owned()
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs cargo with these arguments as one step of a list.
pub fn cargo_step(name: &str, arguments: &str) -> Result<()> {
    let mut command = cargo();
    command.args(arguments.split_whitespace());
    step(name, &mut command)
}

/// The folder of cargo's results.
pub fn target_folder() -> Result<PathBuf> {
    let metadata = cargo().args(["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout).context("cargo metadata")?;
    Ok(metadata["target_directory"].as_str().context("cargo metadata names no target directory")?.into())
}

/// The `tercet` that is given, or else a release build of this checkout.
pub fn tercet(given: Option<&Path>) -> Result<PathBuf> {
    match given {
        Some(given) => given.canonicalize().with_context(|| given.display().to_string()),
        None => release_build("-p tercet-cli", "tercet"),
    }
}

/// Builds with these arguments and returns the path of the program.
pub fn release_build(packages: &str, program: &str) -> Result<PathBuf> {
    let [built] = release_builds(packages, [program])?;
    Ok(built)
}

/// The same for several programs. One call of cargo shares its libraries; two calls with different packages may enable
/// different features and compile tercet twice.
pub fn release_builds<const N: usize>(packages: &str, programs: [&str; N]) -> Result<[PathBuf; N]> {
    cargo_step("release build", &format!("build --release {packages}"))?;
    let folder = target_folder()?.join("release");
    Ok(programs.map(|program| folder.join(program)))
}

/// Makes the folder anew, empty.
pub fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Runs a command that installs packages into a folder, unless these are there already; whether they are there now.
pub fn install(what: &str, folder: &Path, wanted: &str, command: &mut Command) -> Result<bool> {
    let noted = folder.join("installed.txt");
    if fs::read_to_string(&noted).is_ok_and(|installed| installed == wanted) {
        return Ok(true);
    }
    println!("── {what}: {}", shown(command));
    let is_installed = works(command);
    if is_installed {
        fs::write(noted, wanted)?;
    }
    Ok(is_installed)
}

/// Runs a command as one step: prints its name, and afterwards its time and CPU time, or its failure.
pub fn step(name: &str, command: &mut Command) -> Result<()> {
    let shown = shown(command);
    println!("── {name}: {shown}");
    let (start, cpu_before) = (Instant::now(), cpu_seconds());
    let status = command.status().with_context(|| format!("cannot run {shown}"))?;
    let seconds = start.elapsed().as_secs_f64();
    let cpu = cpu_seconds().zip(cpu_before).map(|(after, before)| format!(" ({:.1} s of CPU time)", after - before));
    if !status.success() {
        bail!("{name} failed after {seconds:.1} s ({status}); run it alone with: {shown}");
    }
    println!("── {name}: passed in {seconds:.1} s{}\n", cpu.unwrap_or_default());
    Ok(())
}

/// The CPU time of all children that have ended, where the system tells it.
pub fn cpu_seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let used = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
        Some(seconds(used.user_time()) + seconds(used.system_time()))
    }
    #[cfg(not(unix))]
    None
}

/// Whether a command can be run and succeeds; its output is discarded.
pub fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(key, value)| Some(format!("{}='{}'", key.to_string_lossy(), value?.to_string_lossy())))
        .collect();
    words.push(program.to_string_lossy().into_owned());
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words.join(" ")
}
