//! Common parts of benchmarks: flags, a temporary folder, and missed bars.

use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct RunsArgs {
    /// Runs of each program, of which the median counts; the slowest peers run once
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// The virtual environment to use or make, in place of one in the cache directory
    #[arg(long, value_name = "DIR")]
    pub keep_venv: Option<PathBuf>,
    /// Only rows whose name contains this; nothing is recorded
    #[arg(long, value_name = "WORK")]
    pub only: Option<String>,
}

/// Runs a function with a temporary folder, which is removed afterwards.
pub fn in_scratch<T>(act: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let scratch = std::env::temp_dir().join(format!("tercet-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let outcome = act(&scratch);
    fs::remove_dir_all(&scratch)?;
    outcome
}

/// Fails if a row is below its bar; `how` says what that may mean.
pub fn check_bars<'a>(how: &str, missed: impl Iterator<Item = &'a str>) -> Result<()> {
    let missed: Vec<&str> = missed.collect();
    if !missed.is_empty() {
        bail!("{how}: {}", missed.join("; "));
    }
    Ok(())
}

/// The possible failures of a row that is compared with another tool.
pub const SLOW_OR_OTHER: &str = "below the bar, or different results";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_folder_is_gone_even_after_a_failure() {
        let mut folder = PathBuf::new();
        let outcome: Result<()> = in_scratch(|scratch| {
            folder = scratch.to_owned();
            fs::write(scratch.join("file"), "")?;
            bail!("no")
        });
        assert!(outcome.is_err() && !folder.as_os_str().is_empty() && !folder.exists());
    }

    #[test]
    fn missed_bars_are_named() {
        assert!(check_bars("below the bar", std::iter::empty()).is_ok());
        let error = check_bars("below the bar", ["a", "b"].into_iter()).unwrap_err().to_string();
        assert_eq!(error, "below the bar: a; b");
    }
}
