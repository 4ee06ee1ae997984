//! What guzman makes of the settings of a job.

use crate::{ReproduceJob, TrainingSize};
use std::path::PathBuf;
use tercet::{Error, Result};

tercet::choices! {
    /// A table of the article, or ours beside them.
    pub enum TableName: "table" {
        Table1 = "1",
        Table2 = "2",
        Table3 = "3",
        Table4 = "4",
        Table5 = "5",
        Table6 = "6",
        Table7 = "7",
        Table8 = "8",
        Table9 = "9",
        /// What is missing to the published level.
        Ablation = "ablation",
        /// Vectors and metrics that the article could not have.
        Beyond = "beyond",
    }
}

/// When training ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Epochs at most.
    pub(super) epochs: usize,
    /// Epochs without a new best on the development pairs.
    pub(super) patience: usize,
}

impl Limits {
    /// The same patience in steps where all judgements are learned from: nine times as many as 10,000 per language.
    pub(super) fn for_all(self) -> Self {
        Limits { patience: (self.patience / 9).max(3), ..self }
    }
}

impl ReproduceJob {
    /// For networks over ready vectors.
    pub(super) fn ready(&self) -> Limits {
        Limits { epochs: self.epochs.unwrap_or(10_000), patience: self.patience.unwrap_or(200) }
    }

    /// For networks that learn their encoder.
    pub(super) fn encoded(&self) -> Limits {
        Limits { epochs: self.encoded_epochs.unwrap_or(15), patience: self.encoded_patience.unwrap_or(3) }
    }

    /// The sizes that are learned from, with what a column's name ends in.
    pub(super) fn sizes(&self) -> [(&'static str, Option<usize>, bool); 2] {
        let asked = self.train.unwrap_or(TrainingSize::Both);
        [("", Some(PER_LANGUAGE), asked != TrainingSize::All), ("/all", None, asked != TrainingSize::TenThousand)]
    }
}

/// Returns an error for tables that cannot be computed; the files that are needed.
pub(crate) fn check(job: &ReproduceJob) -> Result<Vec<PathBuf>> {
    let is_beyond = job.tables::<TableName>()?.contains(&TableName::Beyond);
    match (is_beyond && !job.tables.is_empty(), job.encoders.is_empty()) {
        (true, true) => {
            Err(Error::Needs { what: "the table beyond".to_owned(), needs: "sentence encoders, and none was given" })
        }
        (false, false) if !job.tables.is_empty() => {
            Err(Error::NoEffect { setting: "encoders", needs: "the table beyond" })
        }
        _ => Ok(job.syntax.iter().cloned().collect()),
    }
}

/// About as many judgements as the authors had of each language pair.
pub(super) const PER_LANGUAGE: usize = 10_000;
