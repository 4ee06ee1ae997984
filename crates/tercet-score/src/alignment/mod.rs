//! Outputs whose segments are not those of the references, brought into common segments: what language models that
//! translate whole documents give.
//!
//! 1. An output is cut into sentences: at line ends, and after `.`, `!`, `?` and the like.
//! 2. Sentences and references, both in their order, are matched so that they share the most character n-grams: one or
//!    more sentences with one reference, or one sentence with several references; sentences and references may also
//!    stay alone. See `matching`.
//! 3. References that one sentence of some output covers become one segment, for all systems: tests compare the same
//!    segments.
//!
//! Nothing is left out: a sentence that fits no reference is added to the segment before it (the first of a document to
//! the one after it) and counts against the output there, and a reference without a translation has an empty output.
//! [`AlignedSegment`] says for each what it was made of.
//!
//! Documents are matched one by one where outputs name them, else an output is matched with the whole text. No segment
//! has references of two documents.
//!
//! # Example
//! ```
//! use tercet_score::{AlignTexts, UnalignedText, align};
//!
//! let references = vec![vec!["The cat sat on the mat."], vec!["It rained all day."], vec!["Nobody went out."]];
//! let output = UnalignedText::new("a", &["A cat sat on the mat. It rained all day and nobody went out."]);
//! let aligned = align(&AlignTexts::new(vec![output], references))?;
//! let corpus = aligned.corpus()?;
//! assert_eq!(corpus.systems()[0].hypotheses, ["A cat sat on the mat.", "It rained all day and nobody went out."]);
//! assert_eq!(corpus.references()[1], ["It rained all day. Nobody went out."]);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod anchors;
mod matching;
mod ngrams;
mod sentences;
#[cfg(test)]
mod tests;

use crate::corpus::{Corpus, System};
use crate::error::{Error, Result};
use crate::warning::Warning;
use matching::{Match, matches};
use ngrams::Ngrams;
use rayon::prelude::*;
use sentences::{Sentence, sentences};
use serde::{Deserialize, Serialize};
use tercet_base::stop;

/// The version of what decides about segments; part of signatures.
pub(super) const VERSION: &str = "1";

/// The output of a system, in lines of its own.
#[derive(Clone, Debug)]
pub struct UnalignedText<'a> {
    /// The name in reports.
    pub name: String,
    /// Its lines.
    pub lines: Vec<&'a str>,
    /// The name of the document of each line, if it is known.
    pub documents: Option<Vec<String>>,
}

impl<'a> UnalignedText<'a> {
    /// An output without names of documents.
    pub fn new<L: AsRef<str> + 'a>(name: impl Into<String>, lines: impl IntoIterator<Item = &'a L>) -> Self {
        UnalignedText { name: name.into(), lines: lines.into_iter().map(AsRef::as_ref).collect(), documents: None }
    }
}

/// Outputs, and the segments that they are brought into.
#[derive(Clone, Debug)]
pub struct AlignTexts<'a> {
    /// The outputs.
    pub systems: Vec<UnalignedText<'a>>,
    /// The references of each segment. The first one of each decides.
    pub references: Vec<Vec<&'a str>>,
    /// The source of each segment, if known.
    pub sources: Option<Vec<&'a str>>,
    /// The name of the document of each segment, if known.
    pub documents: Option<Vec<String>>,
}

impl<'a> AlignTexts<'a> {
    /// Outputs and references, without sources and names of documents.
    pub fn new(systems: Vec<UnalignedText<'a>>, references: Vec<Vec<&'a str>>) -> Self {
        AlignTexts { systems, references, sources: None, documents: None }
    }
}

/// What a segment of a system was made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlignedSegment {
    /// The system.
    pub system: String,
    /// The number of the segment, from 1.
    pub segment: usize,
    /// Its document, if documents have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The first of the references that it was made of, from 1.
    pub first_reference: usize,
    /// The last of them.
    pub last_reference: usize,
    /// The first line of the output that it has text of, from 1; none if it is empty.
    pub first_line: Option<usize>,
    /// The last of them.
    pub last_line: Option<usize>,
    /// The number of sentences of the output.
    pub sentences: usize,
    /// How many of them fit no reference, and were added.
    pub added: usize,
    /// The F score of the character n-grams that output and reference share, from 0 to 1.
    pub similarity: f64,
}

/// Outputs in common segments.
#[derive(Clone, Debug)]
pub struct Aligned {
    systems: Vec<(String, Vec<String>)>,
    references: Vec<Vec<String>>,
    sources: Option<Vec<String>>,
    documents: Option<Vec<String>>,
    /// The segments, system by system.
    pub segments: Vec<AlignedSegment>,
}

impl Aligned {
    /// The corpus of the common segments; signatures of its scores say that it was aligned.
    pub fn corpus(&self) -> Result<Corpus<'_>> {
        let systems = self.systems.iter().map(|(name, lines)| System::new(name.clone(), lines)).collect();
        let references = self.references.iter().map(|lines| lines.iter().map(String::as_str).collect());
        let mut corpus = Corpus::new(systems, references.collect())?;
        if let Some(sources) = &self.sources {
            corpus = corpus.with_sources(sources.iter().map(String::as_str).collect())?;
        }
        if let Some(documents) = &self.documents {
            corpus = corpus.with_documents(documents.iter().map(String::as_str).collect())?;
        }
        Ok(corpus.aligned(&self.segments))
    }
}

/// References, or lines, of one document that are matched at once.
struct Part {
    /// The segments of the references.
    segments: Vec<usize>,
    /// The lines of the output.
    lines: Vec<usize>,
}

/// A warning for each system with segments that have no translation, or sentences that fit no reference.
pub(super) fn not_aligned(segments: &[AlignedSegment]) -> Vec<Warning> {
    let of_system = |segments: &[AlignedSegment]| {
        let bad = |one: &&AlignedSegment| one.sentences == 0 || one.added > 0;
        segments.iter().find(bad).map(|first| Warning::NotAligned {
            system: first.system.clone(),
            untranslated: segments.iter().filter(|one| one.sentences == 0).count(),
            added: segments.iter().map(|one| one.added).sum(),
            first: first.segment,
            segments: segments.len(),
        })
    };
    segments.chunk_by(|a, b| a.system == b.system).filter_map(of_system).collect()
}

/// Brings outputs into common segments.
pub fn align(texts: &AlignTexts<'_>) -> Result<Aligned> {
    check(texts)?;
    let first = |references: &Vec<&str>| Ngrams::new(references[0]);
    let references: Vec<Ngrams> = texts.references.par_iter().map(stop::carried(first)).collect();
    let found = texts.systems.iter().map(|system| aligned(texts, system, &references));
    let found: Vec<Vec<Place<'_>>> = found.collect::<Result<_>>()?;
    Ok(in_common_segments(texts, &found))
}

fn check(texts: &AlignTexts<'_>) -> Result<()> {
    let segments = texts.references.len();
    if let Some(segment) = texts.references.iter().position(Vec::is_empty) {
        return Err(Error::NoReference { segment: (segment + 1).to_string() });
    }
    match (&texts.sources, &texts.documents) {
        (Some(sources), _) if sources.len() != segments => Err(Error::SourceCount { found: sources.len(), segments }),
        (_, Some(documents)) if documents.len() != segments => {
            Err(Error::DocumentCount { found: documents.len(), segments })
        }
        _ if segments == 0 => Err(Error::NoSegments),
        _ if texts.systems.is_empty() => Err(Error::NoSystems),
        _ => Ok(()),
    }
}

/// What an output has for some references in a row.
struct Place<'a> {
    /// The references, in the order in which documents are matched.
    references: Vec<usize>,
    sentences: Vec<Sentence<'a>>,
    /// How many of the sentences were added.
    added: usize,
}

/// The places of an output, in the order of the references.
fn aligned<'a>(texts: &AlignTexts<'a>, system: &UnalignedText<'a>, references: &[Ngrams]) -> Result<Vec<Place<'a>>> {
    let parts = parts(texts, system)?;
    let of_part = |part: &Part| {
        let sentences = sentences(&system.lines, &part.lines);
        let own: Vec<Ngrams> = sentences.iter().map(|sentence| Ngrams::new(sentence.text)).collect();
        let of_part: Vec<&Ngrams> = part.segments.iter().map(|&segment| &references[segment]).collect();
        let is_end = |i: usize| match &texts.documents {
            Some(documents) => {
                part.segments.get(i + 1).is_none_or(|&next| documents[next] != documents[part.segments[i]])
            }
            None => false,
        };
        let found = matches(&of_part, &own.iter().collect::<Vec<_>>(), &is_end);
        places(part, sentences, &found)
    };
    Ok(parts.par_iter().map(stop::carried(of_part)).collect::<Vec<_>>().into_iter().flatten().collect())
}

/// The matches with their sentences. Those that fit no reference go to the place before, the first ones to the place
/// after.
fn places<'a>(part: &Part, sentences: Vec<Sentence<'a>>, found: &[Match]) -> Vec<Place<'a>> {
    let mut places: Vec<Place<'a>> = Vec::new();
    let mut waiting: Vec<Sentence<'a>> = Vec::new();
    let mut rest = sentences.into_iter();
    let mut reference = 0;
    for one in found {
        let own: Vec<Sentence<'a>> = rest.by_ref().take(one.sentences).collect();
        match (one.references, places.last_mut()) {
            (0, Some(last)) => {
                last.added += own.len();
                last.sentences.extend(own);
            }
            (0, None) => waiting.extend(own),
            (count, _) => {
                let added = waiting.len();
                let sentences = waiting.drain(..).chain(own).collect();
                let references = part.segments[reference..reference + count].to_vec();
                places.push(Place { references, sentences, added });
                reference += count;
            }
        }
    }
    places
}

/// What is matched at once: each document, or everything if the output names none.
fn parts(texts: &AlignTexts<'_>, system: &UnalignedText<'_>) -> Result<Vec<Part>> {
    let Some(of_lines) = &system.documents else {
        let (segments, lines) = ((0..texts.references.len()).collect(), (0..system.lines.len()).collect());
        return Ok(vec![Part { segments, lines }]);
    };
    let Some(of_segments) = &texts.documents else { return Err(Error::NoDocuments) };
    let mut parts: Vec<(&str, Part)> = Vec::new();
    let mut places: foldhash::HashMap<&str, usize> = foldhash::HashMap::default();
    for (segment, name) in of_segments.iter().enumerate() {
        let place = *places.entry(name).or_insert_with(|| {
            parts.push((name, Part { segments: Vec::new(), lines: Vec::new() }));
            parts.len() - 1
        });
        parts[place].1.segments.push(segment);
    }
    for (line, name) in of_lines.iter().enumerate() {
        match places.get(name.as_str()) {
            Some(&place) => parts[place].1.lines.push(line),
            None => {
                let (system, document) = (system.name.clone(), name.clone());
                return Err(Error::OtherDocument { system, document, is_missing: false });
            }
        }
    }
    match parts.iter().find(|(_, part)| part.lines.is_empty()) {
        Some((name, _)) => {
            let (system, document) = (system.name.clone(), (*name).to_owned());
            Err(Error::OtherDocument { system, document, is_missing: true })
        }
        None => Ok(parts.into_iter().map(|(_, part)| part).collect()),
    }
}

/// Texts side by side, with spaces between them.
fn joined<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// The segments that all systems have in common: they end where the places of all systems end.
fn in_common_segments(texts: &AlignTexts<'_>, found: &[Vec<Place<'_>>]) -> Aligned {
    // Documents whose segments are scattered are put together, in the order of their first segments.
    let order: Vec<usize> = found[0].iter().flat_map(|place| place.references.iter().copied()).collect();
    let groups = common_groups(order.len(), found);
    let group = |range: &(usize, usize)| &order[range.0..range.1];
    let reference = |range: &(usize, usize)| {
        let of_group = group(range);
        let count = of_group.iter().map(|&segment| texts.references[segment].len()).max().unwrap_or(0);
        let own = |segment: usize, number: usize| {
            let references = &texts.references[segment];
            *references.get(number).unwrap_or(&references[0])
        };
        (0..count).map(|number| joined(of_group.iter().map(|&segment| own(segment, number)))).collect()
    };
    let references: Vec<Vec<String>> = groups.iter().map(reference).collect();
    let sources = texts.sources.as_ref();
    let documents = texts.documents.as_ref();
    let documents: Option<Vec<String>> =
        documents.map(|names| groups.iter().map(|range| names[order[range.0]].clone()).collect());
    let mut aligned = Aligned {
        systems: Vec::new(),
        sources: sources.map(|lines| {
            groups.iter().map(|range| joined(group(range).iter().map(|&segment| lines[segment]))).collect()
        }),
        documents,
        segments: Vec::new(),
        references,
    };
    for (system, places) in texts.systems.iter().zip(found) {
        let mut places = places.iter();
        let mut outputs = Vec::with_capacity(groups.len());
        for (number, range) in groups.iter().enumerate() {
            let (mut count, mut sentences, mut added) = (0, Vec::new(), 0);
            while count < range.1 - range.0 {
                let Some(place) = places.next() else { break };
                count += place.references.len();
                sentences.extend(place.sentences.iter().copied());
                added += place.added;
            }
            let output = sentences::text(&sentences, &system.lines);
            let of_group = group(range);
            aligned.segments.push(AlignedSegment {
                system: system.name.clone(),
                segment: number + 1,
                document: aligned.documents.as_ref().map(|documents| documents[number].clone()),
                first_reference: of_group[0] + 1,
                last_reference: of_group[of_group.len() - 1] + 1,
                first_line: sentences.first().map(|sentence| sentence.line + 1),
                last_line: sentences.last().map(|sentence| sentence.line + 1),
                sentences: sentences.len(),
                added,
                similarity: ngrams::f_score(&output, &aligned.references[number][0]),
            });
            outputs.push(output);
        }
        aligned.systems.push((system.name.clone(), outputs));
    }
    aligned
}

/// Ranges of references that end where the places of all systems end.
fn common_groups(references: usize, found: &[Vec<Place<'_>>]) -> Vec<(usize, usize)> {
    let mut systems_ending = vec![0; references + 1];
    for places in found {
        let mut end = 0;
        for place in places {
            end += place.references.len();
            systems_ending[end] += 1;
        }
    }
    let mut start = 0;
    let ends = (1..=references).filter(|&end| systems_ending[end] == found.len());
    ends.map(|end| (std::mem::replace(&mut start, end), end)).collect()
}
