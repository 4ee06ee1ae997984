//! What a metric is given: one hypothesis, its references, perhaps its source.

/// One translation to judge.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The translation.
    pub hypothesis: &'a str,
    /// One or more human translations; segments may differ in how many they have.
    pub references: &'a [&'a str],
    /// What was translated, for metrics that read it.
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

/// Cuts a batch into runs of segments that share their references, so that a metric analyses these once for all
/// systems. Sharing means the same slice in memory, which is how [`scoring`](crate::scoring) lays batches out;
/// equal references elsewhere in memory cost time, never a different score.
pub fn by_references<'s, 'a>(batch: &'s [Segment<'a>]) -> impl Iterator<Item = &'s [Segment<'a>]> {
    batch.chunk_by(|a, b| std::ptr::eq(a.references, b.references))
}
