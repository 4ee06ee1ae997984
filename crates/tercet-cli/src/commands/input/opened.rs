//! Opens the files that flags name, and tells those with rows from those with lines.

use super::Files;
use super::references::Layout;
use super::text_file::TextFile;
use crate::args::FieldArgs;
use crate::output::Misuse;
use std::path::{Path, PathBuf};
use tercet::corpora::rows::{FieldNames, FieldRole, OpenedFile, RowReader, check_lines};
use tercet::warning::Warning;

/// Files, and the names of fields of those that have rows.
pub struct OpenedFiles {
    pub hypotheses: Vec<OpenedText>,
    pub references: Vec<OpenedText>,
    pub source: Option<OpenedText>,
    pub names: FieldNames,
    /// Files that are called as a field.
    pub warnings: Vec<Warning>,
}

/// A file that is not read yet, if it has rows.
pub enum OpenedText {
    /// Lines or SGML.
    Text(TextFile),
    /// Rows with named fields.
    Rows(Box<RowReader>),
}

impl OpenedText {
    /// The text, if there are no rows.
    pub fn text(&self) -> Option<&TextFile> {
        match self {
            OpenedText::Text(text) => Some(text),
            OpenedText::Rows(_) => None,
        }
    }

    fn rows(&mut self) -> Option<&mut RowReader> {
        match self {
            OpenedText::Text(_) => None,
            OpenedText::Rows(rows) => Some(rows),
        }
    }
}

impl OpenedFiles {
    /// Opens the files. What `-r` and `-s` name is a field if there is no such file, but rows.
    pub fn open(files: &Files<'_>, layout: &Layout) -> anyhow::Result<Self> {
        let fields = &files.layout.fields;
        check_fields(fields, files)?;
        let paths = if files.has_columns() { &[] } else { files.hypotheses };
        let mut opening = Opening { is_verbatim: fields.lines, is_one_by_one: layout.is_files(), expected: Vec::new() };
        let references = files.reference.iter().map(PathBuf::as_path);
        let (of_files, of_fields) = references.partition::<Vec<&Path>, _>(|path| is_there(path));
        let source_file = files.source.filter(|path| is_there(path));
        let references = opening.open_all(&of_files, FieldRole::Reference)?;
        opening.is_one_by_one = true;
        let source = source_file.map(|path| opening.open(path, FieldRole::Source)).transpose()?;
        opening.expected = fields.hypothesis.iter().chain(&fields.system).collect();
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let hypotheses = opening.open_all(&paths, FieldRole::Hypothesis)?;
        let mut opened =
            OpenedFiles { hypotheses, references, source, names: FieldNames::default(), warnings: Vec::new() };
        if !opened.has_rows() {
            // What is no file cannot be a field: the error is that of the file.
            return match of_fields.into_iter().chain(files.source.filter(|_| source_file.is_none())).next() {
                Some(path) => Err(OpenedFile::open(path).err().map_or_else(|| unread(path), Into::into)),
                None => opened.check_used(fields).map(|()| opened),
            };
        }
        let name = |path: &Path| path.display().to_string();
        let source = files.source.filter(|_| source_file.is_none()).map(name);
        opened.names = fields.names(of_fields.into_iter().map(name).collect(), source);
        opened.warnings = opened.called_as_fields(of_files.into_iter().chain(source_file))?;
        Ok(opened)
    }

    fn has_rows(&self) -> bool {
        let all = self.hypotheses.iter().chain(&self.references).chain(&self.source);
        all.into_iter().any(|file| file.text().is_none())
    }

    /// Whether no file has rows or SGML.
    pub fn is_only_lines(&self) -> bool {
        let mut all = self.hypotheses.iter().chain(&self.references).chain(&self.source);
        all.all(|file| file.text().is_some_and(|text| !text.is_sgml()))
    }

    /// Names of fields mean nothing without rows.
    fn check_used(&self, fields: &FieldArgs) -> anyhow::Result<()> {
        match fields.given() {
            Some(flag) => {
                let what = "names a field of rows, but no file has rows (JSON lines, JSON, CSV or TSV)";
                Err(Misuse(format!("{flag} {what}")).into())
            }
            None => Ok(()),
        }
    }

    /// A warning for each file that is called as a field.
    fn called_as_fields<'p>(&mut self, files: impl Iterator<Item = &'p Path>) -> anyhow::Result<Vec<Warning>> {
        let Some(rows) = self.hypotheses.iter_mut().find_map(OpenedText::rows) else { return Ok(Vec::new()) };
        let mut warnings = Vec::new();
        let file = rows.path().display().to_string();
        for path in files {
            if rows.sample()?.iter().any(|field| Path::new(&field.name) == path) {
                warnings.push(Warning::FileNotField { name: path.display().to_string(), file: file.clone() });
            }
        }
        Ok(warnings)
    }
}

/// How files are opened.
struct Opening<'a> {
    /// Every line is a text, whatever it looks like.
    is_verbatim: bool,
    /// Each line is one text.
    is_one_by_one: bool,
    /// Columns of which a table has one, also if it is not recognised otherwise.
    expected: Vec<&'a String>,
}

impl Opening<'_> {
    fn open_all(&self, paths: &[&Path], role: FieldRole) -> anyhow::Result<Vec<OpenedText>> {
        paths.iter().map(|path| self.open(path, role)).collect()
    }

    fn open(&self, path: &Path, role: FieldRole) -> anyhow::Result<OpenedText> {
        let file = OpenedFile::open(path)?;
        let has_rows = self.is_one_by_one && !self.is_verbatim;
        if has_rows && file.row_format().is_some() {
            return Ok(OpenedText::Rows(Box::new(file.into_rows()?)));
        }
        if let Some(name) = self.expected.first() {
            let rows = file.into_rows()?;
            return match self.expected.iter().any(|&name| rows.columns().unwrap_or_default().contains(name)) {
                true => Ok(OpenedText::Rows(Box::new(rows))),
                false => Err(Misuse(format!(
                    "{} has no rows with named fields: it is not JSON, and its first line does not name a column \
                     {name}",
                    path.display()
                ))
                .into()),
            };
        }
        let lines = file.into_lines()?;
        if self.is_verbatim {
            return Ok(OpenedText::Text(TextFile::Lines(lines)));
        }
        let text = TextFile::from_lines(lines)?;
        if let TextFile::Lines(lines) = &text
            && self.is_one_by_one
        {
            check_lines(lines, role)?;
        }
        Ok(OpenedText::Text(text))
    }
}

/// `--hypothesis FILE` is what other tools want.
fn check_fields(fields: &FieldArgs, files: &Files<'_>) -> Result<(), Misuse> {
    let is_only_stdin = files.hypotheses.iter().all(|path| is_stdin(path));
    let file = fields.hypothesis.iter().chain(&fields.system).find(|name| Path::new(name).is_file());
    match file.filter(|_| is_only_stdin) {
        Some(file) => Err(Misuse(format!(
            "{file} is a file, and --hypothesis and --system name fields of rows: translations are named without a \
             flag, as in: -r REF {file}"
        ))),
        None => Ok(()),
    }
}

fn unread(path: &Path) -> anyhow::Error {
    Misuse(format!("{} cannot be read", path.display())).into()
}

/// Whether a path is that of a file, or standard input.
fn is_there(path: &Path) -> bool {
    is_stdin(path) || path.exists()
}

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
