//! The page of texts that were scored: what must be computed for it, and what its readers should know.

use super::{PageContents, SegmentGrouping, write_page};
use crate::error::Result;
use crate::metrics::{NamedMetric, Registry};
use crate::progress::Progress;
use crate::scoring::{Corpus, Evaluation, SystemComparison, mark_words};
use crate::warning::Warning;

/// Texts that were scored.
#[derive(Clone, Copy)]
pub struct ScoredTexts<'a> {
    /// The subcommand, for the title.
    pub command: &'a str,
    /// Scores; those of segments too.
    pub evaluation: &'a Evaluation,
    /// What they were computed from, its systems in the order of the scores.
    pub corpus: &'a Corpus<'a>,
    /// What they were computed by.
    pub metrics: &'a [NamedMetric],
    /// Which of two systems is better.
    pub comparison: Option<&'a SystemComparison>,
    /// What readers should know.
    pub warnings: &'a [Warning],
    /// Properties of segments.
    pub groupings: &'a [SegmentGrouping],
    /// The files of references and source: what each is, and its name.
    pub origins: &'a [(String, String)],
}

impl<'a> ScoredTexts<'a> {
    /// Scores and their texts; nothing else is known.
    pub fn new(
        command: &'a str,
        evaluation: &'a Evaluation,
        corpus: &'a Corpus<'a>,
        metrics: &'a [NamedMetric],
    ) -> Self {
        ScoredTexts {
            command,
            evaluation,
            corpus,
            metrics,
            comparison: None,
            warnings: &[],
            groupings: &[],
            origins: &[],
        }
    }

    /// Marks words, and writes the page; `registry` has the papers of the metrics.
    pub fn write_page(&self, registry: &Registry, progress: Progress<'_>) -> Result<String> {
        let marks = mark_words(self.corpus, self.metrics, self.evaluation, progress)?;
        Ok(write_page(&PageContents {
            command: self.command,
            evaluation: Some(self.evaluation),
            corpus: Some(self.corpus),
            groupings: self.groupings,
            marks: &marks,
            comparison: self.comparison,
            remarks: self.warnings,
            origins: self.origins,
            agreement: None,
            spans: None,
            challenge: None,
            registry: Some(registry),
        }))
    }
}
