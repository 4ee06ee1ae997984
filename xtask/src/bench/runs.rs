//! Flags that every benchmark has.

use std::path::PathBuf;

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
