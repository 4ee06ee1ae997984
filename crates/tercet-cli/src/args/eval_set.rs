//! Flags of `tercet evalset`.

use super::WorkArgs;
use super::correlate::judgement_field;
use clap::Args;
use std::path::PathBuf;

/// `tercet evalset`.
#[derive(Args)]
pub struct EvalSetArgs {
    /// Folders or files of human judgements with texts
    #[arg(value_name = "JUDGEMENTS", required = true)]
    pub judgements: Vec<PathBuf>,

    /// Folder to write into, which is new or empty
    #[arg(short, long, value_name = "FOLDER", required = true)]
    pub output: PathBuf,

    /// Only this language pair, as in cs-en; can be repeated
    #[arg(short, long, value_name = "PAIR")]
    pub pair: Vec<String>,

    /// Field of judgements in rows that have other than the usual names, such as score=FIELD; can be repeated
    #[arg(long, value_name = "NAME=FIELD", value_parser = judgement_field)]
    pub field: Vec<(String, String)>,

    #[command(flatten)]
    pub work: WorkArgs,
}
