//! Texts in requests: systems, references, and their limits.

use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::limits::{self, at_most};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt::{self, Formatter};
use tercet::scoring::{Corpus, System};
use tercet::text::trim_end;

/// The translations of a system.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemLines {
    pub name: String,
    pub hypotheses: Vec<String>,
}

/// The references of a segment: in JSON a string, or a list of strings.
pub struct References(pub Vec<String>);

impl<'de> Deserialize<'de> for References {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReferencesVisitor)
    }
}

struct ReferencesVisitor;

impl<'de> Visitor<'de> for ReferencesVisitor {
    type Value = References;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a reference, or a list of references")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<References, E> {
        Ok(References(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<References, A::Error> {
        let mut references = Vec::new();
        while let Some(text) = list.next_element()? {
            references.push(text);
        }
        Ok(References(references))
    }
}

/// The texts of a request.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub systems: &'a [SystemLines],
    pub references: &'a [References],
    pub sources: Option<&'a [String]>,
}

impl<'a> Texts<'a> {
    /// Returns an error if they are too many, or too long.
    pub fn check(&self) -> Result<(), ErrorResponse> {
        at_most("segments", self.references.len(), limits::SEGMENTS)?;
        at_most("systems", self.systems.len(), limits::SYSTEMS)?;
        for References(references) in self.references {
            at_most("references of a segment", references.len(), limits::REFERENCES)?;
            check_lines(references)?;
        }
        for system in self.systems {
            at_most("characters of a system's name", system.name.chars().count(), limits::NAME_CHARACTERS)?;
            if system.name.trim().is_empty() {
                return Err(ErrorResponse::unusable("a system has an empty name: give each a name of its own"));
            }
            at_most("segments", system.hypotheses.len(), limits::SEGMENTS)?;
            check_lines(&system.hypotheses)?;
        }
        self.sources.map_or(Ok(()), check_lines)
    }

    /// Returns an error if there is nothing to score.
    pub fn check_segments(&self) -> Result<(), ErrorResponse> {
        match self.references.is_empty() && self.translations() == 0 {
            true => Err(ErrorResponse::unusable("there is no segment to score: references and hypotheses are empty")),
            false => Ok(()),
        }
    }

    /// The number of translations.
    pub fn translations(&self) -> usize {
        self.systems.iter().map(|system| system.hypotheses.len()).sum()
    }

    /// The corpus they make. Trailing white space is removed, as from lines of files.
    pub fn corpus(&self) -> tercet::Result<Corpus<'a>> {
        let system =
            |system: &'a SystemLines| System { name: system.name.clone(), hypotheses: lines(&system.hypotheses) };
        let references = self.references.iter().map(|References(of_segment)| lines(of_segment));
        let corpus = Corpus::new(self.systems.iter().map(system).collect(), references.collect())?;
        match self.sources {
            Some(sources) => corpus.with_sources(lines(sources)),
            None => Ok(corpus),
        }
    }
}

/// The texts as lines of a file would be read.
pub fn lines(texts: &[String]) -> Vec<&str> {
    texts.iter().map(|text| trim_end(text)).collect()
}

/// Returns an error if a line is too long.
pub fn check_lines(lines: &[String]) -> Result<(), ErrorResponse> {
    let longest = lines.iter().map(String::len).max().unwrap_or_default();
    at_most("bytes of a line", longest, limits::LINE_BYTES)
}
