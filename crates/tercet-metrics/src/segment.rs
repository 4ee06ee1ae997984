//! The input of a metric: one hypothesis, its references, optionally its source.

/// One translation to score.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The translation.
    pub hypothesis: &'a str,
    /// One or more human translations; segments may differ in how many they have.
    pub references: &'a [&'a str],
    /// The source text, for metrics that use it.
    pub source: Option<&'a str>,
}

impl<'a> Segment<'a> {
    /// A segment without its source.
    pub fn new(hypothesis: &'a str, references: &'a [&'a str]) -> Self {
        Segment { hypothesis, references, source: None }
    }

    /// The segment with its source.
    pub fn with_source(self, source: &'a str) -> Self {
        Segment { source: Some(source), ..self }
    }
}

/// Splits a batch into runs of segments that share their references, so that a metric processes these once for all
/// systems. Shared references are the same slice in memory, as in the batches of `tercet-score`; equal
/// references elsewhere in memory only cost time.
pub fn by_references<'s, 'a>(batch: &'s [Segment<'a>]) -> impl Iterator<Item = &'s [Segment<'a>]> {
    batch.chunk_by(|a, b| std::ptr::eq(a.references, b.references))
}
