//! Systems, references and sources from Python.

use crate::errors::{OrRaise, REQUEST, exception, of_class};
use crate::references::References;
use crate::texts::Texts;
use pyo3::prelude::*;
use tercet::scoring::{AlignTexts, Aligned, CheckTexts, Corpus, System, UnalignedText, align, are_transposed};

/// The arguments that all functions about systems share, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Input<'py> {
    systems: Vec<(String, Bound<'py, PyAny>)>,
    references: Option<Bound<'py, PyAny>>,
    by_column: bool,
    sources: Option<Bound<'py, PyAny>>,
    documents: Option<Bound<'py, PyAny>>,
    align: Option<Vec<Option<Vec<String>>>>,
}

/// Texts, kept alive.
pub struct SystemTexts<'py> {
    systems: Vec<(String, Texts<'py>)>,
    references: Option<References<'py>>,
    sources: Option<Texts<'py>>,
    documents: Option<Texts<'py>>,
    /// If systems have lines of their own: the document of each line of each, if it is known.
    align: Option<Vec<Option<Vec<String>>>>,
}

impl<'py> Input<'py> {
    /// Reads all texts.
    pub fn read(self) -> PyResult<SystemTexts<'py>> {
        let single = self.systems.len() == 1;
        let read = |(name, lines): (String, Bound<'py, PyAny>)| {
            let lines = Texts::read(&lines, &what(&name, single))?;
            Ok((name, lines))
        };
        Ok(SystemTexts {
            systems: self.systems.into_iter().map(read).collect::<PyResult<_>>()?,
            references: self.references.map(|lines| References::read(&lines, self.by_column)).transpose()?,
            sources: self.sources.map(|sources| Texts::read(&sources, "sources")).transpose()?,
            documents: self.documents.map(|documents| Texts::read(&documents, "documents")).transpose()?,
            align: self.align,
        })
    }
}

fn what(system: &str, single: bool) -> String {
    if single { "hypotheses".to_owned() } else { format!("hypotheses[{system:?}]") }
}

impl<'py> SystemTexts<'py> {
    /// The corpus, which borrows the texts. Trailing white space is left out, as in the lines of files.
    pub fn corpus(&self, py: Python<'py>) -> PyResult<Corpus<'_>> {
        let sources = self.sources.as_ref().map(|sources| sources.trimmed_lines("sources")).transpose()?;
        let corpus = match (&self.references, sources) {
            (Some(references), sources) => {
                let by_segment = references.trimmed_by_segment(py)?;
                let corpus = corpus(py, self.trimmed_systems()?, by_segment, references)?;
                match sources {
                    Some(sources) => corpus.with_sources(sources).or_raise(py)?,
                    None => corpus,
                }
            }
            (None, Some(sources)) => Corpus::without_references(self.trimmed_systems()?, sources).or_raise(py)?,
            (None, None) => return Err(of_class(py, REQUEST, "there are no references")),
        };
        match &self.documents {
            Some(documents) => corpus.with_documents(documents.trimmed_lines("documents")?).or_raise(py),
            None => Ok(corpus),
        }
    }

    /// The texts in common segments, if outputs have segments of their own.
    pub fn aligned(&self, py: Python<'py>) -> PyResult<Option<Aligned>> {
        let Some((references, documents)) = self.references.as_ref().zip(self.align.as_ref()) else { return Ok(None) };
        let systems = self.trimmed_systems()?.into_iter().zip(documents);
        let systems = systems.map(|(system, documents)| UnalignedText {
            name: system.name,
            lines: system.hypotheses,
            documents: documents.clone(),
        });
        let documents = self.documents.as_ref().map(|documents| documents.trimmed_lines("documents")).transpose()?;
        let texts = AlignTexts {
            systems: systems.collect(),
            references: references.trimmed_by_segment(py)?,
            sources: self.sources.as_ref().map(|sources| sources.trimmed_lines("sources")).transpose()?,
            documents: documents.map(|documents| documents.into_iter().map(str::to_owned).collect()),
        };
        py.detach(|| align(&texts)).or_raise(py).map(Some)
    }

    /// The corpus: of the common segments, if there are any.
    pub fn corpus_of<'c>(&'c self, aligned: Option<&'c Aligned>, py: Python<'py>) -> PyResult<Corpus<'c>> {
        match aligned {
            Some(aligned) => aligned.corpus().or_raise(py),
            None => self.corpus(py),
        }
    }

    /// The texts to check, which borrow these: references and sources are optional.
    pub fn check_texts(&self, py: Python<'py>) -> PyResult<CheckTexts<'_>> {
        let references = self.references.as_ref().map(|references| references.trimmed_by_segment(py)).transpose()?;
        let sources = self.sources.as_ref().map(|sources| sources.trimmed_lines("sources")).transpose()?;
        CheckTexts::new(self.trimmed_systems()?, references, sources).or_raise(py)
    }

    fn trimmed_systems(&self) -> PyResult<Vec<System<'_>>> {
        let single = self.systems.len() == 1;
        let mut systems = Vec::with_capacity(self.systems.len());
        for (name, lines) in &self.systems {
            systems.push(System { name: name.clone(), hypotheses: lines.trimmed_lines(&what(name, single))? });
        }
        Ok(systems)
    }
}

/// A corpus of these systems with the references of each segment. An error about transposed references says what takes
/// `references` as they were given.
pub fn corpus<'a>(
    py: Python<'_>,
    systems: Vec<System<'a>>,
    by_segment: Vec<Vec<&'a str>>,
    references: &References<'_>,
) -> PyResult<Corpus<'a>> {
    let wrong = systems.iter().map(|system| system.hypotheses.len()).find(|&count| count != by_segment.len());
    let advice = match (wrong.is_some_and(|count| are_transposed(count, &by_segment)), references) {
        (true, References::Columns(_)) => ": leave tercet.ReferenceColumns out",
        (true, _) => ", or tercet.ReferenceColumns(*references) for a list of segments for each reference",
        (false, _) => "",
    };
    Corpus::new(systems, by_segment).map_err(|error| exception(py, &error, advice))
}
