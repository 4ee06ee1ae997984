//! The words behind the scores of segments.

use super::corpus::Corpus;
use super::evaluation::Evaluation;
use crate::error::Result;
use crate::metrics::{Explain, Explanation, NamedMetric, Segment};
use crate::progress::Progress;
use rayon::prelude::*;
use tercet_base::stop;

/// Translations per batch, as in scoring.
const BATCH: usize = 64;

/// A translation of a corpus and the explanation of its score.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedSegment {
    /// The index of the system.
    pub system: usize,
    /// The index of the segment.
    pub segment: usize,
    /// Its words and those of its reference.
    pub explanation: Explanation,
}

/// Explained segments, and what their words are marked by.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Explained {
    /// Words whose highest similarity is below this have no good partner.
    pub threshold: f64,
    /// The segments, system by system.
    pub segments: Vec<ExplainedSegment>,
}

/// Explains the segments of each system with the worst scores by the first metric that can, or all of them in their
/// order.
pub(super) fn explain_worst(
    corpus: &Corpus<'_>,
    evaluation: &Evaluation,
    metrics: &[NamedMetric],
    top: Option<usize>,
    progress: Progress<'_>,
) -> Result<Option<Explained>> {
    let found = metrics.iter().enumerate().find_map(|(i, named)| Some((i, named.metric.explainer()?)));
    let Some((metric, explainer)) = found else { return Ok(None) };
    let segments = |system: usize| match top {
        Some(top) => evaluation.columns[metric].worst_segments(system, top),
        None => (0..corpus.len()).collect(),
    };
    let translations: Vec<(usize, usize)> = (0..corpus.systems().len())
        .flat_map(|system| segments(system).into_iter().map(move |segment| (system, segment)))
        .collect();
    let segments = explain(corpus, explainer, &translations, progress)?;
    Ok(Some(Explained { threshold: explainer.threshold(), segments }))
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
    let batches = translations.par_chunks(BATCH).map(stop::carried(batch)).collect::<Result<Vec<Vec<_>>>>()?;
    Ok(batches.into_iter().flatten().collect())
}
