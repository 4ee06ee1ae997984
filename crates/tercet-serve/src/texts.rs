//! Texts in requests: systems, references, candidates, lines, and their limits.

use crate::error_response::ErrorResponse;
use crate::limits::{self, at_most};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt::{self, Formatter};
use std::path::Path;
use tercet::Error;
use tercet::corpora::Lines;
use tercet::corpora::rows::{FieldNames, Need, OpenedFile, RowFiles, RowFormat, RowSystem};
use tercet::scoring::{AlignTexts, Aligned, CheckTexts, Corpus, System, UnalignedText, align};
use tercet::text::trim_end;

/// The translations of a system.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemLines {
    pub name: String,
    pub hypotheses: Vec<String>,
    /// With `align`: the name of the document of each line.
    #[serde(default)]
    pub documents: Option<Vec<String>>,
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

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<References, E> {
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

/// The texts of a request; each endpoint takes some of them.
#[derive(Default)]
pub struct Texts {
    pub systems: Vec<SystemLines>,
    pub references: Vec<References>,
    pub sources: Option<Vec<String>>,
    /// The name of the document of each segment.
    pub documents: Option<Vec<String>>,
    /// Whether systems have lines of their own, which are matched with the references.
    pub align: bool,
    pub candidates: Option<Vec<Vec<String>>>,
    pub lines: Vec<String>,
    /// Rows that have all texts, and the names of their fields.
    pub rows: Option<Box<RawValue>>,
    /// Whether the texts were rows.
    pub has_rows: bool,
    pub fields: FieldNames,
}

/// The name of rows in messages, and of their system if they name none.
const ROWS: &str = "rows";

impl Texts {
    /// Reads the value of a field; false if there are no texts of this name.
    pub fn read_field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        match name {
            "systems" => self.systems = map.next_value()?,
            "references" => self.references = map.next_value()?,
            "sources" => self.sources = map.next_value()?,
            "documents" => self.documents = map.next_value()?,
            "align" => self.align = map.next_value()?,
            "candidates" => self.candidates = map.next_value()?,
            "lines" => self.lines = map.next_value()?,
            "rows" => self.rows = map.next_value()?,
            "fields" => self.fields = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Turns rows, if there are any, into systems, references and sources.
    pub fn take_rows(&mut self, reference: Need) -> tercet::Result<()> {
        let Some(rows) = self.rows.take() else { return Ok(()) };
        let names = std::mem::take(&mut self.fields);
        // Sources are used in place of references only if they are asked for.
        let reference = match reference {
            Need::Preferred if names.source.is_none() => Need::Required,
            other => other,
        };
        let bytes = Box::<str>::from(rows).into_boxed_bytes().into_vec();
        if bytes.first() != Some(&b'[') {
            return Err(Error::BadRequest("rows: expected a list of objects".to_owned()));
        }
        self.has_rows = true;
        let reader = OpenedFile::from_bytes(Path::new(ROWS), bytes)?.into_rows_of(RowFormat::Json)?;
        let mut texts = RowFiles { names, reference, ..RowFiles::new(vec![reader]) }.read(&[])?;
        let systems = std::mem::take(&mut texts.systems).into_iter().flatten();
        let system = |system: RowSystem| {
            let name = system.name.unwrap_or_else(|| ROWS.to_owned());
            SystemLines { name, hypotheses: strings(&system.texts), documents: None }
        };
        self.systems = systems.map(system).collect();
        self.sources = (!texts.sources.is_empty()).then(|| strings(&texts.sources));
        self.documents = Some(std::mem::take(&mut texts.documents)).filter(|documents| !documents.is_empty());
        self.references = texts.into_references().into_iter().map(References).collect();
        Ok(())
    }

    /// Returns an error if there are neither references nor sources.
    pub fn check_references(&self) -> Result<(), ErrorResponse> {
        if !self.references.is_empty() || self.sources.is_some() || self.translations() == 0 {
            return Ok(());
        }
        Err(ErrorResponse::unusable("there are no references: `references`, or `sources` for siamese"))
    }

    /// Returns an error if they are too many, or too long.
    pub fn check(&self) -> Result<(), ErrorResponse> {
        at_most("segments", self.references.len(), limits::SEGMENTS)?;
        at_most("systems", self.systems.len(), limits::SYSTEMS)?;
        for References(references) in &self.references {
            at_most("references of a segment", references.len(), limits::REFERENCES)?;
            check_lines(references)?;
        }
        for system in &self.systems {
            at_most("characters of a system's name", system.name.chars().count(), limits::NAME_CHARACTERS)?;
            if system.name.trim().is_empty() {
                return Err(ErrorResponse::unusable("a system has an empty name: give each a name of its own"));
            }
            at_most("segments", system.hypotheses.len(), limits::SEGMENTS)?;
            check_lines(&system.hypotheses)?;
            if let Some(documents) = &system.documents {
                check_lines(documents)?;
                if !self.align {
                    return Err(Error::NoEffect { setting: "documents of a system", needs: "align" }.into());
                }
                if documents.len() != system.hypotheses.len() {
                    let (found, segments) = (documents.len(), system.hypotheses.len());
                    return Err(Error::DocumentCount { found, segments }.into());
                }
            }
        }
        self.sources.as_deref().map_or(Ok(()), check_lines)?;
        self.documents.as_deref().map_or(Ok(()), check_lines)?;
        at_most("lines", self.lines.len(), limits::SEGMENTS)?;
        check_lines(&self.lines)
    }

    /// Returns an error if there is nothing to score.
    pub fn check_segments(&self) -> Result<(), ErrorResponse> {
        match self.references.is_empty() && self.translations() == 0 {
            true => Err(ErrorResponse::unusable("there is no segment to score: references and hypotheses are empty")),
            false => Ok(()),
        }
    }

    /// Returns an error for names of documents that change nothing.
    pub fn check_documents(&self, are_needed: bool) -> Result<(), ErrorResponse> {
        match self.documents.is_some() && !self.has_rows && !are_needed && !self.align {
            true => {
                let needs = "the level document, resample_by document, or align";
                Err(Error::NoEffect { setting: "documents", needs }.into())
            }
            false => Ok(()),
        }
    }

    /// The number of translations.
    pub fn translations(&self) -> usize {
        self.systems.iter().map(|system| system.hypotheses.len()).sum()
    }

    /// The number of bytes of translations and references.
    pub fn bytes(&self) -> usize {
        let systems = self.systems.iter().flat_map(|system| &system.hypotheses);
        systems.chain(self.references.iter().flat_map(|References(lines)| lines)).map(String::len).sum()
    }

    /// The number of bytes of the lines.
    pub fn line_bytes(&self) -> usize {
        self.lines.iter().map(String::len).sum()
    }

    /// The corpus they make. Trailing white space is removed, as from lines of files.
    pub fn corpus(&self) -> tercet::Result<Corpus<'_>> {
        let systems = self.systems.iter();
        let systems = systems.map(|one| System { name: one.name.clone(), hypotheses: trimmed(&one.hypotheses) });
        let sources = self.sources.as_deref().map(trimmed);
        let corpus = Corpus::with_either(systems.collect(), self.trimmed_references(), sources)?;
        match &self.documents {
            Some(documents) => corpus.with_documents(trimmed(documents)),
            None => Ok(corpus),
        }
    }

    /// The texts in common segments, if systems have lines of their own.
    pub fn aligned(&self) -> tercet::Result<Option<Aligned>> {
        if !self.align {
            return Ok(None);
        }
        let systems = self.systems.iter().map(|one| UnalignedText {
            name: one.name.clone(),
            lines: trimmed(&one.hypotheses),
            documents: one.documents.clone(),
        });
        let texts = AlignTexts {
            systems: systems.collect(),
            references: self.trimmed_references(),
            sources: self.sources.as_deref().map(trimmed),
            documents: self.documents.clone(),
        };
        align(&texts).map(Some)
    }

    /// The corpus: of the common segments, if there are any.
    pub fn corpus_of<'c>(&'c self, aligned: Option<&'c Aligned>) -> tercet::Result<Corpus<'c>> {
        match aligned {
            Some(aligned) => aligned.corpus(),
            None => self.corpus(),
        }
    }

    /// The texts to check: references and sources are optional.
    pub fn check_texts(&self) -> tercet::Result<CheckTexts<'_>> {
        let systems = self.systems.iter();
        let systems = systems.map(|one| System { name: one.name.clone(), hypotheses: trimmed(&one.hypotheses) });
        let references = (!self.references.is_empty()).then(|| self.trimmed_references());
        CheckTexts::new(systems.collect(), references, self.sources.as_deref().map(trimmed))
    }

    /// The references of each segment.
    pub fn trimmed_references(&self) -> Vec<Vec<&str>> {
        self.references.iter().map(|References(of_segment)| trimmed(of_segment)).collect()
    }
}

fn strings(lines: &Lines) -> Vec<String> {
    lines.iter().map(str::to_owned).collect()
}

/// The texts as lines of a file would be read.
pub fn trimmed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(|text| trim_end(text)).collect()
}

/// Returns an error if a line is too long.
pub fn check_lines(lines: &[String]) -> Result<(), ErrorResponse> {
    let longest = lines.iter().map(String::len).max().unwrap_or_default();
    at_most("bytes of a line", longest, limits::LINE_BYTES)
}
