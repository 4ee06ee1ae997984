//! The texts that are checked, and one line of them with what it is compared with.

use super::values::SegmentValues;
use crate::text::is_whitespace;
use crate::{Corpus, System};
use std::cell::OnceCell;

/// Systems with what they are compared with.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'c, 'a> {
    pub systems: &'c [System<'a>],
    /// The references of each segment; empty if there are none.
    pub references: &'c [Vec<&'a str>],
    pub sources: Option<&'c [&'a str]>,
    pub segments: usize,
}

impl<'c, 'a> From<&'c Corpus<'a>> for Texts<'c, 'a> {
    fn from(corpus: &'c Corpus<'a>) -> Self {
        Texts {
            systems: corpus.systems(),
            references: if corpus.has_references() { corpus.references() } else { &[] },
            sources: corpus.sources(),
            segments: corpus.len(),
        }
    }
}

impl<'c, 'a> Texts<'c, 'a> {
    /// The references of a segment; none if there are no references.
    pub fn references_of(&self, segment: usize) -> &'c [&'a str] {
        self.references.get(segment).map_or(&[], Vec::as_slice)
    }

    pub fn source(&self, segment: usize) -> Option<&'a str> {
        Some(self.sources?[segment])
    }

    /// The largest number of references of a segment.
    pub fn reference_count(&self) -> usize {
        self.references.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// One of the references of each segment, empty where there is none.
    pub fn reference_lines(&self, number: usize) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'c, 'a> {
        self.references.iter().map(move |references| references.get(number).copied().unwrap_or_default())
    }

    pub(super) fn segment(&self, segment: usize) -> Segment<'c, 'a> {
        let (references, source) = (self.references_of(segment), self.source(segment));
        Segment { references, source, values: OnceCell::new() }
    }
}

/// What the outputs of a segment are compared with.
pub(super) struct Segment<'c, 'a> {
    pub references: &'c [&'a str],
    pub source: Option<&'a str>,
    values: OnceCell<SegmentValues>,
}

impl<'a> Segment<'_, 'a> {
    /// A segment of which only the source is known, if at all.
    pub fn with_source(source: Option<&'a str>) -> Self {
        Segment { references: &[], source, values: OnceCell::new() }
    }

    /// References and source.
    pub fn others(&self) -> impl Iterator<Item = &'a str> {
        self.references.iter().copied().chain(self.source)
    }

    /// Whether references and source have nothing of the kind: it was added.
    pub fn lacks(&self, is_there: impl Fn(&str) -> bool) -> bool {
        !self.others().any(is_there)
    }

    /// The numbers and the like of references and source, found once for all systems.
    pub fn values(&self) -> &SegmentValues {
        self.values.get_or_init(|| SegmentValues::new(self.references, self.source))
    }
}

pub(crate) fn is_blank(line: &str) -> bool {
    line.chars().all(is_whitespace)
}

/// Whether a line is long enough that it is hardly by chance equal to another: four words, or ten characters of a
/// script that may have no spaces.
pub(crate) fn is_long(line: &str) -> bool {
    line.split(' ').nth(3).is_some() || line.chars().filter(|c| *c >= '\u{e00}').count() > 9
}
