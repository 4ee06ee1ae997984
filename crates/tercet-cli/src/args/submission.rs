//! Flags of `tercet score` that write a submission to the WMT metrics task.

use super::choice;
use clap::Args;
use std::path::PathBuf;
use tercet::corpora::SubmissionFormat;

/// A submission to the metrics task.
#[derive(Args)]
#[command(next_help_heading = "Submission to the WMT metrics task")]
#[group(skip)]
pub struct SubmissionArgs {
    /// Also write METRIC.seg.score.gz and METRIC.sys.score.gz into this folder
    #[arg(long, value_name = "DIR", requires = "lang_pair", requires = "test_set", conflicts_with = "scores")]
    pub submission: Option<PathBuf>,

    /// The language pair of the submission, as in cs-en
    #[arg(long, value_name = "SRC-TGT", requires = "submission")]
    pub lang_pair: Option<String>,

    /// The test set of the submission, as in newstest2017 or DAsys+newstest2017
    #[arg(long, value_name = "NAME", requires = "submission")]
    pub test_set: Option<String>,

    /// Year of the task, which decides the columns
    #[arg(long, value_parser = choice::<SubmissionFormat>(), value_name = "YEAR", default_value = "wmt22",
        requires = "submission")]
    pub year: SubmissionFormat,

    /// The task's name of the reference, for years that need it
    #[arg(long, value_name = "NAME", default_value = "refA", requires = "submission")]
    pub reference_name: String,
}
