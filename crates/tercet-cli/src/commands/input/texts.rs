//! The texts of opened files: lines, SGML and rows, brought into one order of segments.

use super::opened::{OpenedFiles, OpenedText};
use super::references::{Layout, References};
use super::text_file::{TextFile, first_order};
use crate::output::Misuse;
use std::path::{Path, PathBuf};
use tercet::corpora::rows::{FieldNames, Need, Row, RowFiles, RowReader, RowSystem, RowTexts};
use tercet::corpora::{Lines, SegmentOrder, SgmlKind};

/// The texts of all files but those with columns.
#[derive(Default)]
pub struct Texts {
    pub systems: Vec<(String, Lines)>,
    pub references: Vec<References>,
    pub source: Option<Lines>,
    /// The document of each segment, if a file names them.
    pub documents: Vec<String>,
    /// The document of each line of a system, where lines are not segments; empty if no file names them.
    pub documents_of_systems: Vec<Vec<String>>,
    /// The rows of the file of translations, if they are kept.
    pub rows: Option<KeptRows>,
}

/// The rows of a file, to be written with scores.
pub struct KeptRows {
    /// All rows, in the order of the file.
    pub rows: Vec<Row>,
    /// For each system, its field and the row of every segment.
    pub systems: Vec<(String, Vec<usize>)>,
}

/// The texts of a file without rows, with the names that it gives them, or the place of one with rows.
type TextsOfFile = Option<Vec<(Option<String>, Lines)>>;

impl OpenedFiles {
    /// Reads the files; `paths` are those of the translations.
    pub fn read(
        mut self,
        paths: &[PathBuf],
        layout: &Layout,
        reference: Need,
        keeps_rows: bool,
    ) -> anyhow::Result<Texts> {
        self.load()?;
        let own = self.need_beside_translations(reference);
        let order = self.order(layout)?;
        let documents = order.iter().flat_map(SegmentOrder::documents).map(str::to_owned).collect();
        let mut readers = (Vec::new(), Vec::new(), Vec::new());
        let order = order.as_ref();
        let hypotheses = texts_of(self.hypotheses, SgmlKind::Translation, order, &mut readers.0)?;
        let references = texts_of(self.references, SgmlKind::Reference, order, &mut readers.1)?;
        let source = texts_of(self.source, SgmlKind::Source, order, &mut readers.2)?;
        let has_rows = !(readers.0.is_empty() && readers.1.is_empty() && readers.2.is_empty());
        let mut texts = Texts { documents, ..Texts::default() };
        let mut rows = RowTexts::default();
        if has_rows {
            let files = RowFiles {
                references: readers.1,
                source: readers.2.pop(),
                names: self.names,
                reference: own,
                sources: if source.is_empty() { Need::Optional } else { Need::No },
                keeps_rows,
                ..RowFiles::new(readers.0)
            };
            let in_order = references.iter().filter(|_| layout.is_files()).chain(&hypotheses).chain(&source);
            rows = files.read(&counts(in_order))?;
        }
        texts.rows = kept(&mut rows);
        texts.add_references(references, &mut rows);
        texts.add_systems(hypotheses, rows.systems, paths);
        let lines = source.into_iter().flatten().flatten().next().map(|(_, lines)| lines);
        texts.source = lines.or(Some(rows.sources).filter(|sources| !sources.is_empty()));
        if texts.documents.is_empty() {
            texts.documents = rows.documents;
        }
        Ok(texts)
    }

    /// Reads the files; each file of translations has segments of its own.
    pub fn read_unaligned(self, paths: &[PathBuf], layout: &Layout) -> anyhow::Result<Texts> {
        if self.references.is_empty() {
            let what = "--align needs references in files of their own: -r FILE (translations beside their references \
                        are aligned)";
            return Err(Misuse(what.to_owned()).into());
        }
        let names = FieldNames { reference: Vec::new(), source: None, ..self.names.clone() };
        let files = self.hypotheses;
        let mut texts = OpenedFiles { hypotheses: Vec::new(), ..self }.read(&[], layout, Need::No, false)?;
        for (file, path) in files.into_iter().zip(paths) {
            let own = OpenedFiles {
                hypotheses: vec![file],
                references: Vec::new(),
                source: None,
                names: names.clone(),
                warnings: Vec::new(),
                is_large: false,
            };
            let own = own.read(std::slice::from_ref(path), &Layout::Files, Need::No, false)?;
            texts.documents_of_systems.extend(own.systems.iter().map(|_| own.documents.clone()));
            texts.systems.extend(own.systems);
        }
        Ok(texts)
    }

    /// The order of the segments, if a file of SGML names them.
    fn order(&self, layout: &Layout) -> anyhow::Result<Option<SegmentOrder>> {
        let texts = |opened| <[OpenedText]>::iter(opened).filter_map(OpenedText::text);
        if texts(&self.references).any(TextFile::is_sgml) && !layout.is_files() {
            let message = "--references and --interleaved are for plain text: an SGML file names its references";
            return Err(Misuse(message.to_owned()).into());
        }
        let kinds = texts(&self.references).map(|file| (file, SgmlKind::Reference));
        let kinds = kinds.chain(texts(&self.hypotheses).map(|file| (file, SgmlKind::Translation)));
        let source = self.source.iter().filter_map(OpenedText::text).map(|file| (file, SgmlKind::Source));
        Ok(first_order(kinds.chain(source))?)
    }
}

/// The texts of files; readers of rows are added to `readers`.
fn texts_of(
    files: impl IntoIterator<Item = OpenedText>,
    kind: SgmlKind,
    order: Option<&SegmentOrder>,
    readers: &mut Vec<RowReader>,
) -> anyhow::Result<Vec<TextsOfFile>> {
    let mut texts = Vec::new();
    for file in files {
        texts.push(match file {
            OpenedText::Text(file) => Some(file.into_texts(kind, order)?),
            OpenedText::Unread(_) => None,
            OpenedText::Rows(rows) => {
                readers.push(*rows);
                None
            }
        });
    }
    Ok(texts)
}

/// The rows of the only file, if they are kept.
fn kept(texts: &mut RowTexts) -> Option<KeptRows> {
    let ([systems], [rows]) = (texts.systems.as_slice(), texts.rows.as_mut_slice()) else { return None };
    let systems = systems.iter().map(|system| (system.field.clone(), system.rows.clone())).collect();
    Some(KeptRows { rows: std::mem::take(rows), systems })
}

/// The files without rows, with their numbers of segments.
fn counts<'t>(files: impl Iterator<Item = &'t TextsOfFile>) -> Vec<(PathBuf, usize)> {
    let texts = files.flatten().flatten();
    texts.map(|(_, lines)| (lines.path().to_owned(), lines.len())).collect()
}

impl Texts {
    fn add_references(&mut self, files: Vec<TextsOfFile>, rows: &mut RowTexts) {
        let mut lists = std::mem::take(&mut rows.references).into_iter();
        for file in files {
            match file {
                Some(texts) => self.references.extend(texts.into_iter().map(|(_, lines)| References::Lines(lines))),
                None => self.references.extend(lists.next().map(References::Lists)),
            }
        }
        let own = std::mem::take(&mut rows.own_references);
        self.references.extend((!own.is_empty()).then_some(References::Lists(own)));
    }

    fn add_systems(&mut self, files: Vec<TextsOfFile>, rows: Vec<Vec<RowSystem>>, paths: &[PathBuf]) {
        let of_path = |name: Option<String>, path: &Path| name.unwrap_or_else(|| path.display().to_string());
        // Fields of several files may have the same names.
        let names: Vec<String> = rows.iter().flatten().filter_map(|system| system.name.clone()).collect();
        let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let mut rows = rows.into_iter();
        for (path, file) in paths.iter().zip(files) {
            if let Some(texts) = file {
                self.systems.extend(texts.into_iter().map(|(name, lines)| (of_path(name, path), lines)));
                continue;
            }
            for system in rows.next().unwrap_or_default() {
                let name = system.name.map(|name| match is_unique(&name) {
                    true => name,
                    false => format!("{}:{name}", path.display()),
                });
                self.systems.push((of_path(name, path), system.texts));
            }
        }
    }
}
