//! The words behind the scores of segments.

use super::corpus::Corpus;
use crate::error::Result;
use crate::metrics::{Explain, Explanation, Segment};
use crate::progress::Progress;
use rayon::prelude::*;

/// Translations per batch, as in scoring.
const BATCH: usize = 64;

/// A translation of a corpus and the explanation of its score.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedSegment {
    /// The index of the system.
    pub system: usize,
    /// The index of the segment.
    pub segment: usize,
    /// Its words and those of its reference.
    pub explanation: Explanation,
}

/// Explains some translations of a corpus, each given as `(system, segment)`.
pub fn explain(
    corpus: &Corpus<'_>,
    explainer: &dyn Explain,
    translations: &[(usize, usize)],
    progress: Progress<'_>,
) -> Result<Vec<ExplainedSegment>> {
    progress.stage("explaining", translations.len(), "segments")?;
    let batch = |batch: &[(usize, usize)]| {
        let text = |&(system, segment): &(usize, usize)| {
            Segment::new(corpus.systems()[system].hypotheses[segment], &corpus.references()[segment])
        };
        let found = explainer.explain(&batch.iter().map(text).collect::<Vec<_>>())?;
        progress.advance(batch.len())?;
        let explained = batch.iter().zip(found);
        Ok(explained
            .map(|(&(system, segment), explanation)| ExplainedSegment { system, segment, explanation })
            .collect())
    };
    let batches = translations.par_chunks(BATCH).map(batch).collect::<Result<Vec<Vec<_>>>>()?;
    Ok(batches.into_iter().flatten().collect())
}
