//! The input of scoring: systems, references, optional sources and names of documents, line by line.

use super::alignment::{AlignedSegment, VERSION};
use crate::error::{Error, Result};
use crate::metrics::NamedMetric;
use std::borrow::Cow;

/// The outputs of one or more systems on the same segments.
#[derive(Clone, Debug, Default)]
pub struct Corpus<'a> {
    systems: Vec<System<'a>>,
    references: Vec<Vec<&'a str>>,
    sources: Option<Vec<&'a str>>,
    documents: Option<Vec<&'a str>>,
    alignment: Option<&'a [AlignedSegment]>,
}

/// One system's output.
#[derive(Clone, Debug)]
pub struct System<'a> {
    /// The name in reports.
    pub name: String,
    /// One translation per segment.
    pub hypotheses: Vec<&'a str>,
}

impl<'a> System<'a> {
    /// A system and its translations, from lines in memory of any kind: `Vec<String>`, `[&str]`, lines of a file.
    pub fn new<L: AsRef<str> + 'a>(name: impl Into<String>, lines: impl IntoIterator<Item = &'a L>) -> Self {
        System { name: name.into(), hypotheses: lines.into_iter().map(AsRef::as_ref).collect() }
    }
}

/// The number of references per segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceCount {
    /// All the same number.
    Fixed(usize),
    /// Not all the same.
    Varying,
}

impl std::fmt::Display for ReferenceCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReferenceCount::Fixed(count) => write!(f, "{count}"),
            ReferenceCount::Varying => f.write_str("var"),
        }
    }
}

impl<'a> Corpus<'a> {
    /// Systems and, for each segment, its references: `references[segment][reference]`.
    ///
    /// Every system must have one hypothesis per segment and every segment a reference. References
    /// in the order `[reference][segment]` are detected where the shapes differ.
    pub fn new(systems: Vec<System<'a>>, references: Vec<Vec<&'a str>>) -> Result<Self> {
        if systems.is_empty() {
            return Err(Error::NoSystems);
        }
        for (i, system) in systems.iter().enumerate() {
            let (name, found, expected) = (&system.name, system.hypotheses.len(), references.len());
            if systems[..i].iter().any(|other| other.name == *name) {
                return Err(Error::SameName { name: name.clone() });
            }
            if found != expected {
                let (system, transposed) = (name.clone(), are_transposed(found, &references));
                return Err(Error::SystemLength { system, found, expected, transposed });
            }
        }
        if references.is_empty() {
            return Err(Error::NoSegments);
        }
        if let Some(segment) = references.iter().position(Vec::is_empty) {
            return Err(Error::NoReference { segment: (segment + 1).to_string() });
        }
        Ok(Corpus { systems, references, sources: None, documents: None, alignment: None })
    }

    /// Systems and the source of each segment, without references: for metrics that can do without.
    pub fn without_references(systems: Vec<System<'a>>, sources: Vec<&'a str>) -> Result<Self> {
        // Every segment has a reference until the counts are checked.
        let segments = systems.first().map_or(0, |system| system.hypotheses.len());
        let corpus = Corpus::new(systems, vec![vec![""]; segments])?.with_sources(sources)?;
        Ok(Corpus { references: vec![Vec::new(); segments], ..corpus })
    }

    /// Systems with references, sources, or both; references are left out if there are none.
    pub fn with_either(
        systems: Vec<System<'a>>,
        references: Vec<Vec<&'a str>>,
        sources: Option<Vec<&'a str>>,
    ) -> Result<Self> {
        match sources {
            Some(sources) if references.is_empty() => Corpus::without_references(systems, sources),
            Some(sources) => Corpus::new(systems, references)?.with_sources(sources),
            None => Corpus::new(systems, references),
        }
    }

    /// Whether segments have references.
    pub fn has_references(&self) -> bool {
        self.references.iter().any(|references| !references.is_empty())
    }

    /// Lines that show the target language: the references of each segment, or else the output of the first system.
    pub fn lines_in_target(&self) -> Cow<'_, [Vec<&'a str>]> {
        if self.has_references() {
            return Cow::Borrowed(&self.references);
        }
        let outputs = self.systems.first().map_or(&[][..], |system| &system.hypotheses);
        outputs.iter().map(|line| vec![*line]).collect()
    }

    /// Returns an error if there are no references, and one of these metrics needs them.
    pub fn check_references_for(&self, metrics: &[NamedMetric]) -> Result<()> {
        let needs =
            |named: &&NamedMetric| named.metric.info().without_references.is_none() || !named.metric.reads_source();
        match metrics.iter().find(needs).filter(|_| !self.has_references()) {
            Some(named) => {
                let is_model = named.metric.info().without_references.is_some();
                Err(Error::NeedsReferences { metric: named.name.clone(), is_model })
            }
            None => Ok(()),
        }
    }

    /// Adds the source of every segment.
    pub fn with_sources(mut self, sources: Vec<&'a str>) -> Result<Self> {
        if sources.len() != self.len() {
            return Err(Error::SourceCount { found: sources.len(), segments: self.len() });
        }
        self.sources = Some(sources);
        Ok(self)
    }

    /// Adds the name of the document that each segment belongs to.
    pub fn with_documents(mut self, documents: Vec<&'a str>) -> Result<Self> {
        if documents.len() != self.len() {
            return Err(Error::DocumentCount { found: documents.len(), segments: self.len() });
        }
        self.documents = Some(documents);
        Ok(self)
    }

    /// The same corpus, of segments that outputs were brought into.
    pub(super) fn aligned(self, segments: &'a [AlignedSegment]) -> Self {
        Corpus { alignment: Some(segments), ..self }
    }

    /// The same corpus with its systems in the order of these names.
    pub fn in_order(&self, names: &[String]) -> Self {
        let mut corpus = self.clone();
        corpus.systems.sort_by_key(|system| names.iter().position(|name| *name == system.name));
        corpus
    }

    /// The same corpus with other names of its systems.
    pub fn renamed(&self, names: &[String]) -> Self {
        let mut corpus = self.clone();
        for (system, name) in corpus.systems.iter_mut().zip(names) {
            system.name.clone_from(name);
        }
        corpus
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.references.len()
    }

    /// Always false: a corpus has segments.
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// The systems, in the order given.
    pub fn systems(&self) -> &[System<'a>] {
        &self.systems
    }

    /// The references of each segment.
    pub fn references(&self) -> &[Vec<&'a str>] {
        &self.references
    }

    /// The source of each segment, if known.
    pub fn sources(&self) -> Option<&[&'a str]> {
        self.sources.as_deref()
    }

    /// The name of the document of each segment, if known.
    pub fn documents(&self) -> Option<&[&'a str]> {
        self.documents.as_deref()
    }

    /// What the segments were made of, if outputs had others.
    pub fn alignment(&self) -> Option<&'a [AlignedSegment]> {
        self.alignment
    }

    /// What signatures say of the segments: the number of references, and whether they were aligned.
    pub(super) fn qualifiers(&self) -> Vec<(&'static str, String)> {
        let references = ("refs", self.reference_count().to_string());
        let aligned = self.alignment.map(|_| ("align", VERSION.to_owned()));
        std::iter::once(references).chain(aligned).collect()
    }

    /// The number of references per segment.
    pub fn reference_count(&self) -> ReferenceCount {
        count_references(&self.references)
    }
}

/// Whether references fit this many segments, but in the order `[reference][segment]`. Of one segment nothing can be
/// said: many segments with one reference each look the same.
pub fn are_transposed(segments: usize, references: &[Vec<&str>]) -> bool {
    let one_for_each = || references.iter().all(|lines| lines.len() == segments);
    segments > 1 && segments != references.len() && !references.is_empty() && one_for_each()
}

/// The number of references of each of these segments.
pub(super) fn count_references(references: &[Vec<&str>]) -> ReferenceCount {
    let first = references[0].len();
    if references.iter().all(|references| references.len() == first) {
        ReferenceCount::Fixed(first)
    } else {
        ReferenceCount::Varying
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system<'a>(name: &str, hypotheses: &[&'a str]) -> System<'a> {
        System { name: name.to_owned(), hypotheses: hypotheses.to_vec() }
    }

    #[test]
    fn shapes_must_agree_and_transposed_references_are_recognised() {
        let error = Corpus::new(vec![system("x", &["a", "b", "c"])], vec![vec!["a", "b", "c"]]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "system x has 3 segments but there are references for 1; are they transposed? expected a list of \
             references for each segment"
        );
        let without_hint = [(1, vec![vec!["a"], vec!["b"]]), (2, vec![]), (2, vec![vec!["a"]])];
        for (segments, references) in without_hint {
            let count = references.len();
            let error = Corpus::new(vec![system("x", &vec!["a"; segments])], references).unwrap_err();
            let expected = format!("system x has {segments} segments but there are references for {count}");
            assert_eq!(error.to_string(), expected);
        }
        assert!(Corpus::new(vec![system("x", &["a"]), system("x", &["a"])], vec![vec!["a"]]).is_err());
        assert!(Corpus::new(vec![system("x", &["a"])], vec![vec![]]).is_err());
        assert!(Corpus::new(vec![system("x", &[])], vec![]).is_err());
        assert!(Corpus::new(vec![], vec![vec!["a"]]).is_err());
    }

    #[test]
    fn without_references_every_segment_has_a_source() {
        let corpus = Corpus::without_references(vec![system("x", &["a", "b"])], vec!["c", "d"]).unwrap();
        assert!(!corpus.has_references());
        assert_eq!((corpus.len(), corpus.reference_count()), (2, ReferenceCount::Fixed(0)));
        let chrf = crate::registry().named("chrf", None).unwrap();
        let error = corpus.check_references_for(&[chrf]).unwrap_err().to_string();
        assert!(error.starts_with("chrf needs references"), "{error}");
        let error = Corpus::without_references(vec![system("x", &["a", "b"])], vec!["c"]).unwrap_err();
        assert!(error.to_string().contains("2 segments"), "{error}");
    }

    #[test]
    fn segments_may_differ_in_their_references() {
        let corpus = Corpus::new(vec![system("x", &["a", "b"])], vec![vec!["a"], vec!["b", "c"]]).unwrap();
        assert_eq!(corpus.reference_count(), ReferenceCount::Varying);
    }
}
