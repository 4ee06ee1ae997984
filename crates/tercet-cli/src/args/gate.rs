//! Flags of a gate: when `score`, `compare` or `rank` end with exit code 3.

use clap::Args;
use std::path::PathBuf;

/// Conditions that a build must meet. Those that need a test are in the group `resampled`.
#[derive(Args)]
#[command(next_help_heading = "Gate")]
#[group(skip)]
pub struct GateArgs {
    /// End with exit code 3 where this holds, as in 'bleu < 35', 'chrf(new) < chrf(old) p<0.05' or
    /// 'ter > ter(old) + 1'; a metric without a system means every system; can be repeated
    #[arg(long, value_name = "CONDITION", group = "resampled")]
    pub fail_if: Vec<String>,

    /// End with exit code 3 unless a paired bootstrap shows, for every metric, that all others are no worse than this
    /// system
    #[arg(long, value_name = "SYSTEM", group = "resampled")]
    pub no_worse_than: Option<String>,

    /// With --no-worse-than: the largest loss that is accepted [default: 1; 0.01 for metrics with scores from 0 to 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub margin: Option<f64>,

    /// Warnings fail the gate: end with exit code 3 if there are any
    #[arg(long)]
    pub strict: bool,

    /// Read the gate from a file of TOML with the keys fail_if, no_worse_than, margin and strict; flags add conditions
    /// and replace the others
    #[arg(long, value_name = "FILE", group = "resampled")]
    pub gate: Option<PathBuf>,

    /// Also write the checks of the gate as JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Also append scores and gate as Markdown to the file that $GITHUB_STEP_SUMMARY names
    #[arg(long)]
    pub step_summary: bool,
}
