//! Opens the files that flags name, and tells those with rows from those with lines.

use super::Files;
use super::references::Layout;
use super::text_file::TextFile;
use crate::args::FieldArgs;
use crate::output::Misuse;
use std::path::{Path, PathBuf};
use tercet::corpora::rows::{
    FieldNames, FieldRole, Need, OpenedFile, RowReader, StreamFiles, StreamedText, check_lines,
};
use tercet::corpora::{Lines, is_sgml};
use tercet::warning::Warning;

/// Files, and the names of fields of those that have rows.
pub struct OpenedFiles {
    pub hypotheses: Vec<OpenedText>,
    pub references: Vec<OpenedText>,
    pub source: Option<OpenedText>,
    pub names: FieldNames,
    /// Files that are called as a field.
    pub warnings: Vec<Warning>,
    /// Whether a file of translations is large.
    pub is_large: bool,
}

/// A file that is not read yet, unless it has lines and [`OpenedFiles::load`] read them.
pub enum OpenedText {
    /// Lines or SGML.
    Text(TextFile),
    /// The same, not read yet.
    Unread(Box<Unread>),
    /// Rows with named fields.
    Rows(Box<RowReader>),
}

/// A file of lines or SGML.
pub struct Unread {
    file: OpenedFile,
    role: FieldRole,
    /// Every line is a text, whatever it looks like.
    is_verbatim: bool,
    /// Each line is one text.
    is_one_by_one: bool,
}

impl Unread {
    fn check(&self, lines: &Lines) -> tercet::Result<()> {
        match self.is_one_by_one && !self.is_verbatim {
            true => check_lines(lines, self.role),
            false => Ok(()),
        }
    }

    fn read(self) -> tercet::Result<TextFile> {
        let Unread { file, role, is_verbatim, is_one_by_one } = self;
        let lines = file.into_lines()?;
        if is_verbatim {
            return Ok(TextFile::Lines(lines));
        }
        let text = TextFile::from_lines(lines)?;
        if let TextFile::Lines(lines) = &text
            && is_one_by_one
        {
            check_lines(lines, role)?;
        }
        Ok(text)
    }
}

impl OpenedText {
    /// The text, if there are no rows; files of lines were read.
    pub fn text(&self) -> Option<&TextFile> {
        match self {
            OpenedText::Text(text) => Some(text),
            OpenedText::Unread(_) | OpenedText::Rows(_) => None,
        }
    }

    fn rows(&mut self) -> Option<&mut RowReader> {
        match self {
            OpenedText::Text(_) | OpenedText::Unread(_) => None,
            OpenedText::Rows(rows) => Some(rows),
        }
    }

    fn has_rows(&self) -> bool {
        matches!(self, OpenedText::Rows(_))
    }

    /// Whether it has lines and no SGML, or rows: something that is read line by line. Lines that are no texts are an
    /// error.
    fn is_streamed(&self) -> tercet::Result<bool> {
        let OpenedText::Unread(unread) = self else { return Ok(self.has_rows()) };
        let lines = unread.file.first_lines()?;
        unread.check(&lines)?;
        Ok(unread.is_verbatim || !is_sgml(&lines))
    }

    fn into_streamed(self) -> Option<StreamedText> {
        match self {
            OpenedText::Text(_) => None,
            OpenedText::Unread(unread) => Some(StreamedText::Lines(unread.file.into_line_stream())),
            OpenedText::Rows(rows) => Some(StreamedText::Rows(rows)),
        }
    }
}

/// More bytes of translations than these are not kept in memory where that is not needed.
const LARGE: u64 = 8 << 20;

impl OpenedFiles {
    /// Opens the files. What `-r` and `-s` name is a field if there is no such file, but rows.
    pub fn open(files: &Files<'_>, layout: &Layout) -> anyhow::Result<Self> {
        let fields = &files.layout.fields;
        check_fields(fields, files)?;
        let paths = if files.has_columns() { &[] } else { files.hypotheses };
        let (is_verbatim, is_one_by_one) = (fields.lines, layout.is_files());
        let mut opening = Opening { is_verbatim, is_one_by_one, expected: Vec::new(), is_large: false };
        let references = files.reference.iter().map(PathBuf::as_path);
        let (of_files, of_fields) = references.partition::<Vec<&Path>, _>(|path| is_there(path));
        let source_file = files.source.filter(|path| is_there(path));
        let references = opening.open_all(&of_files, FieldRole::Reference)?;
        opening.is_one_by_one = true;
        let source = source_file.map(|path| opening.open(path, FieldRole::Source)).transpose()?;
        opening.expected = fields.hypothesis.iter().chain(&fields.system).collect();
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let hypotheses = opening.open_all(&paths, FieldRole::Hypothesis)?;
        let (names, warnings, is_large) = (FieldNames::default(), Vec::new(), opening.is_large);
        let mut opened = OpenedFiles { hypotheses, references, source, names, warnings, is_large };
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

    fn all(&self) -> impl Iterator<Item = &OpenedText> {
        self.hypotheses.iter().chain(&self.references).chain(&self.source)
    }

    fn has_rows(&self) -> bool {
        self.all().any(OpenedText::has_rows)
    }

    /// Whether the only file of translations has rows.
    pub fn is_one_of_rows(&self) -> bool {
        matches!(self.hypotheses.as_slice(), [OpenedText::Rows(_)])
    }

    /// Whether all files can be read together in one pass, and those that cannot be read again, `is_piped`, without
    /// finding out on the way that they cannot.
    pub fn are_streamed(&self, is_piped: bool) -> tercet::Result<bool> {
        if is_piped && self.has_rows() && self.all().count() > 1 {
            return Ok(false);
        }
        let mut are_all = true;
        for file in self.all() {
            are_all &= file.is_streamed()?;
        }
        Ok(are_all)
    }

    /// The files, to be read in one pass.
    pub fn into_stream_files(self, reference: Need, keeps_rows: bool) -> StreamFiles {
        let reference = self.need_beside_translations(reference);
        let streamed = |files: Vec<OpenedText>| files.into_iter().filter_map(OpenedText::into_streamed).collect();
        StreamFiles {
            hypotheses: streamed(self.hypotheses),
            references: streamed(self.references),
            source: self.source.and_then(OpenedText::into_streamed),
            names: self.names,
            reference,
            keeps_rows,
        }
    }

    /// Whether references are needed beside the translations.
    pub fn need_beside_translations(&self, reference: Need) -> Need {
        let has_files = !self.references.is_empty();
        let has_rows = self.references.iter().any(OpenedText::has_rows);
        let only_rows = self.hypotheses.iter().all(OpenedText::has_rows);
        match reference {
            _ if !self.names.reference.is_empty() && !has_rows => Need::Required,
            Need::Required if !has_files && only_rows => Need::Required,
            _ if has_files || reference == Need::No => Need::No,
            Need::Preferred => Need::Preferred,
            _ => Need::Optional,
        }
    }

    /// Reads the files of lines.
    pub fn load(&mut self) -> tercet::Result<()> {
        for file in self.references.iter_mut().chain(&mut self.source).chain(&mut self.hypotheses) {
            if let OpenedText::Unread(_) = file
                && let OpenedText::Unread(unread) =
                    std::mem::replace(file, OpenedText::Text(TextFile::Lines(Lines::default())))
            {
                *file = OpenedText::Text(unread.read()?);
            }
        }
        Ok(())
    }

    /// Whether no file has rows or SGML; files of lines were read.
    pub fn is_only_lines(&self) -> bool {
        self.all().all(|file| file.text().is_some_and(|text| !text.is_sgml()))
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
    /// Whether a file of translations is large.
    is_large: bool,
}

impl Opening<'_> {
    fn open_all(&mut self, paths: &[&Path], role: FieldRole) -> anyhow::Result<Vec<OpenedText>> {
        paths.iter().map(|path| self.open(path, role)).collect()
    }

    fn open(&mut self, path: &Path, role: FieldRole) -> anyhow::Result<OpenedText> {
        let mut file = OpenedFile::open(path)?;
        self.is_large |= role == FieldRole::Hypothesis && !self.is_large && file.has_more_than(LARGE)?;
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
        let (is_verbatim, is_one_by_one) = (self.is_verbatim, self.is_one_by_one);
        Ok(OpenedText::Unread(Box::new(Unread { file, role, is_verbatim, is_one_by_one })))
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
