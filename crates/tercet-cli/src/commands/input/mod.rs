//! Reads the files that flags name into a corpus.

mod blank_lines;
mod opened;
mod references;
mod streamed;
mod text_file;
mod texts;

use super::file_names;
use crate::args::{DocumentArgs, InputArgs, TextsArgs, WorkArgs};
use crate::output::{self, Misuse, note};
use anyhow::Context;
use opened::{OpenedFiles, is_stdin};
use references::{Layout, References};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tercet::corpora::rows::{Need, RowFormat};
use tercet::corpora::{Lines, Role, TextTable, is_sgml, read_lines};
use tercet::files::{check_regular, is_same_file};
use tercet::scoring::{AlignTexts, Aligned, CheckTexts, Corpus, System, UnalignedText, align};
use tercet::warning::Warning;

pub use streamed::{Streamed, StreamedInput};
pub use text_file::TextFile;
pub use texts::KeptRows;

/// The files that flags name.
pub struct Files<'a> {
    /// Translations, or tables that contain them.
    pub hypotheses: &'a [PathBuf],
    /// Names of the systems, instead of the file names.
    pub names: &'a [String],
    /// References.
    pub reference: &'a [PathBuf],
    /// The source text.
    pub source: Option<&'a Path>,
    /// Whether to print no message when waiting for input from a terminal.
    pub quiet: bool,
    /// The layout of the files.
    pub layout: &'a InputArgs,
    /// What can be done without references.
    pub without_references: Option<&'static str>,
    /// Whether the rows of a file are kept, to be written with scores.
    pub keeps_rows: bool,
    /// What says which segment belongs to which document, and whether outputs are aligned.
    pub documents: Option<&'a DocumentArgs>,
}

impl<'a> Files<'a> {
    /// Those of the flags that commands share.
    pub fn new(
        hypotheses: &'a [PathBuf],
        texts: &'a TextsArgs,
        source: Option<&'a Path>,
        work: &WorkArgs,
        layout: &'a InputArgs,
    ) -> Self {
        let (names, reference, quiet) = (&texts.name, &texts.reference, work.quiet);
        Files {
            hypotheses,
            names,
            reference,
            source,
            quiet,
            layout,
            without_references: None,
            keeps_rows: false,
            documents: None,
        }
    }

    fn document_ids(&self) -> Option<&'a Path> {
        self.documents.and_then(|documents| documents.document_ids.as_deref())
    }

    /// Whether an empty line ends a document.
    fn has_blank_lines(&self) -> bool {
        self.documents.is_some_and(|documents| documents.blank_lines)
    }

    /// Whether translations have lines of their own.
    fn is_aligned(&self) -> bool {
        self.documents.is_some_and(|documents| documents.align)
    }

    /// Whether the translations are columns of tables.
    fn has_columns(&self) -> bool {
        self.layout.tsv || self.layout.columns.is_some()
    }

    /// Whether sources are used in place of references: only if they are asked for.
    fn may_use_source(&self, can_use_source: bool) -> bool {
        can_use_source && (self.source.is_some() || self.has_columns())
    }

    /// All files that are read.
    pub fn all(&self) -> impl Iterator<Item = &'a Path> + use<'a> {
        let paths = self.hypotheses.iter().chain(self.reference).map(PathBuf::as_path);
        paths.chain(self.source).chain(self.document_ids())
    }
}

/// The files that flags name, opened.
pub struct OpenedInput {
    opened: OpenedFiles,
    layout: Layout,
}

/// All texts; their numbers of lines match.
pub struct Input {
    systems: Vec<(String, Lines)>,
    references: Vec<References>,
    layout: Layout,
    source: Option<Lines>,
    /// The document of each segment, if a file names them.
    documents: Vec<String>,
    /// The document of each line of a system, where lines are not segments; empty if no file names them.
    documents_of_systems: Vec<Vec<String>>,
    /// The texts, if outputs had lines of their own.
    aligned: Option<Aligned>,
    /// The rows of the file of translations, if they are kept.
    rows: Option<KeptRows>,
    /// What the files have beside translations, and their names without folders.
    origins: Vec<(String, String)>,
    /// The files of the translations.
    files: Vec<PathBuf>,
    /// What readers of results should know about the files.
    warnings: Vec<Warning>,
}

impl Input {
    /// Reads the files; there must be references.
    pub fn read(files: &Files<'_>) -> anyhow::Result<Self> {
        let input = Self::read_texts_and_columns(files, Self::open(files)?, Need::Required)?;
        if input.references.is_empty() {
            return Err(no_reference(files).into());
        }
        input.named_and_checked(files)
    }

    /// Opens the files, which need not be read as a whole.
    pub fn open(files: &Files<'_>) -> anyhow::Result<OpenedInput> {
        check_sources(files)?;
        if files.hypotheses.iter().any(|path| is_stdin(path)) && std::io::stdin().is_terminal() && !files.quiet {
            note("reading translations from the terminal; end with Ctrl-D");
        }
        let layout = Layout::from_flags(files)?;
        let opened = OpenedFiles::open(files, &layout)?;
        output::warn_of_all(&opened.warnings, files.quiet);
        Ok(OpenedInput { opened, layout })
    }

    /// Opens files again that were read in part; their warnings were given.
    pub fn open_again(files: &Files<'_>) -> anyhow::Result<OpenedInput> {
        let layout = Layout::from_flags(files)?;
        Ok(OpenedInput { opened: OpenedFiles::open(files, &layout)?, layout })
    }

    /// Reads opened files; there must be references, or the source if the metrics can do with it.
    pub fn read_with_source(files: &Files<'_>, opened: OpenedInput, can_use_source: bool) -> anyhow::Result<Self> {
        let can_use_source = files.may_use_source(can_use_source);
        let need = if can_use_source { Need::Preferred } else { Need::Required };
        let input = Self::read_texts_and_columns(files, opened, need)?;
        if input.references.is_empty() && !(can_use_source && input.source.is_some()) {
            return Err(no_reference(files).into());
        }
        input.named_and_checked(files)
    }

    /// Reads systems that need no references.
    pub fn read_systems(files: &Files<'_>) -> anyhow::Result<Self> {
        Self::read_texts_and_columns(files, Self::open(files)?, Need::No)?.named_and_checked(files)
    }

    /// Reads systems, and references if there are any.
    pub fn read_with_any_references(files: &Files<'_>) -> anyhow::Result<Self> {
        Self::read_texts_and_columns(files, Self::open(files)?, Need::Optional)?.named_and_checked(files)
    }

    fn read_texts_and_columns(files: &Files<'_>, opened: OpenedInput, reference: Need) -> anyhow::Result<Self> {
        let OpenedInput { opened, layout } = opened;
        let mut input = Input {
            systems: Vec::new(),
            references: Vec::new(),
            layout,
            source: None,
            documents: Vec::new(),
            documents_of_systems: Vec::new(),
            aligned: None,
            rows: None,
            origins: origins(files),
            files: files.hypotheses.to_vec(),
            warnings: Vec::new(),
        };
        input.read_texts(files, opened, reference)?;
        if files.has_columns() {
            for path in files.hypotheses {
                input.read_columns(files, path)?;
            }
        }
        Ok(input)
    }

    fn named_and_checked(mut self, files: &Files<'_>) -> anyhow::Result<Self> {
        self.rename(files.names)?;
        if files.has_blank_lines() {
            blank_lines::remove(&mut self, files.is_aligned())?;
        }
        self.check_lengths(files.is_aligned())?;
        if let Some(path) = files.document_ids() {
            let ids = read_lines(path)?;
            let of_segments = self.references.first().and_then(References::lines);
            let of_segments = of_segments.or(self.systems.first().map(|(_, lines)| lines));
            of_segments.map_or(Ok(()), |lines| lines.check_length_of(&ids))?;
            self.documents = ids.iter().map(str::to_owned).collect();
        }
        if files.is_aligned() {
            self.aligned = Some(self.align()?);
        }
        Ok(self)
    }

    /// Reads all files but those with columns.
    fn read_texts(&mut self, files: &Files<'_>, mut opened: OpenedFiles, reference: Need) -> anyhow::Result<()> {
        opened.load()?;
        self.warnings.clone_from(&opened.warnings);
        if files.has_blank_lines() && !opened.is_only_lines() {
            let what = "--blank-lines is for files of lines: SGML and rows name their documents";
            return Err(Misuse(what.to_owned()).into());
        }
        let texts = match files.is_aligned() {
            true => opened.read_unaligned(files.hypotheses, &self.layout)?,
            false => opened.read(files.hypotheses, &self.layout, reference, files.keeps_rows)?,
        };
        self.documents_of_systems = texts.documents_of_systems;
        self.rows = texts.rows;
        self.systems = texts.systems;
        self.references = texts.references;
        self.source = texts.source;
        self.documents = texts.documents;
        Ok(())
    }

    fn read_columns(&mut self, files: &Files<'_>, path: &Path) -> anyhow::Result<()> {
        let roles = files.layout.columns.as_deref().map(Role::parse_list).transpose();
        let roles = roles.map_err(|error| Misuse(error.to_string()))?;
        let (mut references, mut source, mut documents) = (Vec::new(), None, Vec::<String>::new());
        let lines = read_lines(path)?;
        if is_sgml(&lines) {
            let message = format!("{} is SGML, which has no columns: leave out --tsv and --columns", path.display());
            return Err(Misuse(message).into());
        }
        let InputArgs { header, fields, .. } = files.layout;
        let table = match fields.lines {
            true => TextTable::verbatim(&lines, *header)?,
            false => TextTable::from_lines(&lines, *header)?,
        };
        if let Some(roles) = roles.as_deref().filter(|_| !fields.lines) {
            table.check_first_line(roles)?;
        }
        for (role, lines) in table.into_columns(roles.as_deref())? {
            match role {
                Role::Source => source = Some(lines),
                Role::Reference => references.push(lines),
                Role::System(name) => self.systems.push((name.unwrap_or_default(), lines)),
                Role::Document => documents = lines.iter().map(str::to_owned).collect(),
                Role::Ignored => {}
            }
        }
        if !documents.is_empty() {
            if files.document_ids().is_some() {
                return Err(
                    Misuse("--document-ids and a column doc both name documents: leave one out".to_owned()).into()
                );
            }
            if !self.documents.is_empty() && self.documents != documents {
                return Err(other_text("documents", path).into());
            }
            self.documents = documents;
        }
        if let Some(source) = source {
            if self.source.as_ref().is_some_and(|other| !other.iter().eq(source.iter())) {
                return Err(other_text("sources", path).into());
            }
            self.source = Some(source);
        }
        let references: Vec<References> = references.into_iter().map(References::Lines).collect();
        if !references.is_empty() && !self.references.is_empty() && !same_texts(&references, &self.references) {
            return Err(other_text("references", path).into());
        }
        if self.references.is_empty() {
            self.references = references;
        }
        Ok(())
    }

    fn rename(&mut self, names: &[String]) -> Result<(), Misuse> {
        if names.iter().any(|name| name.trim().is_empty()) {
            return Err(Misuse("--name is empty: a system needs a name".to_owned()));
        }
        if !names.is_empty() && names.len() != self.systems.len() {
            let (names, systems) = (names.len(), self.systems.len());
            return Err(Misuse(format!("--name is given {names} times for {systems} systems")));
        }
        for ((system, _), name) in self.systems.iter_mut().zip(names) {
            system.clone_from(name);
        }
        let names: Vec<&String> = self.systems.iter().map(|(name, _)| name).collect();
        match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
            None => Ok(()),
            Some((_, name)) => {
                Err(Misuse(format!("two systems are called {name}: give each its own name with --name")))
            }
        }
    }

    fn check_lengths(&self, is_aligned: bool) -> anyhow::Result<()> {
        let texts = self.in_lines(is_aligned);
        let Some((first, others)) = texts.split_first() else { return Ok(()) };
        for lines in others {
            first.check_length_of(lines)?;
        }
        Ok(())
    }

    /// Brings the outputs into common segments.
    fn align(&self) -> anyhow::Result<Aligned> {
        let names = |documents: &Vec<String>| -> Option<Vec<String>> {
            Some(documents.clone()).filter(|documents| !documents.is_empty())
        };
        let none = Vec::new();
        let of_systems = self.documents_of_systems.iter().chain(std::iter::repeat(&none));
        let systems = self.systems.iter().zip(of_systems).map(|((name, lines), documents)| UnalignedText {
            name: name.clone(),
            lines: lines.iter().collect(),
            documents: names(documents),
        });
        let texts = AlignTexts {
            systems: systems.collect(),
            references: self.references()?,
            sources: self.source.as_ref().map(|source| source.iter().collect()),
            documents: names(&self.documents),
        };
        Ok(align(&texts)?)
    }

    /// The texts that have one line per segment, references first.
    fn in_lines(&self, is_aligned: bool) -> Vec<&Lines> {
        let by_line = !matches!(self.layout, Layout::Interleaved(_));
        let references = self.references.iter().filter(|_| by_line).filter_map(References::lines);
        let systems = self.systems.iter().filter(|_| !is_aligned).map(|(_, lines)| lines);
        references.chain(systems).chain(&self.source).collect()
    }

    /// The names and lines of the systems.
    pub fn systems(&self) -> &[(String, Lines)] {
        &self.systems
    }

    /// What segments were made of, if outputs had lines of their own.
    pub fn aligned(&self) -> Option<&Aligned> {
        self.aligned.as_ref()
    }

    /// The rows of the file of translations, if there is only one and they are kept.
    pub fn rows(&self) -> Option<&KeptRows> {
        self.rows.as_ref()
    }

    /// The files of references and source, or the tables that have all texts: what each is, and its name without
    /// folders.
    pub fn origins(&self) -> &[(String, String)] {
        &self.origins
    }

    /// The files of the translations.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What readers of results should know about the files.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether there are references, in files or in a column.
    pub fn has_references(&self) -> bool {
        !self.references.is_empty()
    }

    /// The references of each segment.
    pub fn references(&self) -> anyhow::Result<Vec<Vec<&str>>> {
        self.layout.references(&self.references)
    }

    /// The source of each segment, if there is one.
    pub fn sources(&self) -> Option<Vec<&str>> {
        Some(self.source.as_ref()?.iter().collect())
    }

    /// The texts to check: references and source are optional.
    pub fn check_texts(&self) -> anyhow::Result<CheckTexts<'_>> {
        let references = self.has_references().then(|| self.references()).transpose()?;
        let systems = self.systems.iter();
        let systems = systems.map(|(name, lines)| System { name: name.clone(), hypotheses: lines.iter().collect() });
        let sources = self.source.as_ref().map(|source| source.iter().collect());
        Ok(CheckTexts::new(systems.collect(), references, sources)?)
    }

    /// The corpus these texts make.
    pub fn corpus(&self) -> anyhow::Result<Corpus<'_>> {
        if let Some(aligned) = &self.aligned {
            return Ok(aligned.corpus()?);
        }
        let references = if self.has_references() { self.references()? } else { Vec::new() };
        let systems = self.systems.iter();
        let systems = systems.map(|(name, lines)| System { name: name.clone(), hypotheses: lines.iter().collect() });
        let sources = self.source.as_ref().map(|source| source.iter().collect());
        let corpus = Corpus::with_either(systems.collect(), references, sources)?;
        Ok(match self.documents.as_slice() {
            [] => corpus,
            documents => corpus.with_documents(documents.iter().map(String::as_str).collect())?,
        })
    }
}

fn origins(files: &Files<'_>) -> Vec<(String, String)> {
    let named = |what: &'static str| move |path: &Path| (what.to_owned(), file_names::short_name(path));
    let tables = if files.has_columns() { files.hypotheses } else { &[] };
    let tables = tables.iter().map(PathBuf::as_path).map(named("table"));
    let references = files.reference.iter().map(PathBuf::as_path).map(named("reference"));
    references.chain(files.source.map(named("source"))).chain(tables).collect()
}

/// A warning for each file that is scored as a system although it is called a reference: `-r` takes one file.
pub fn references_among_systems(files: &Files<'_>) -> Vec<Warning> {
    let named = if files.names.is_empty() && !files.has_columns() { files.hypotheses } else { &[] };
    let further = named.iter().filter(|path| !files.reference.contains(path));
    let lines = further.filter(|path| RowFormat::of_name(path).is_none());
    let warning = |path: &PathBuf| Warning::SystemCalledReference { file: path.display().to_string() };
    lines.filter(|path| is_called_reference(path)).map(warning).collect()
}

/// Whether a part of the file's name is `ref`, `refs`, `reference` or `references`, with or without a number or a
/// capital.
fn is_called_reference(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_alphanumeric()).any(|part| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let word = word.strip_suffix(|c: char| c.is_ascii_uppercase()).unwrap_or(word);
        ["ref", "refs", "reference", "references", "Ref", "Reference"].contains(&word)
    })
}

/// Two files without a flag are probably reference and translation.
fn no_reference(files: &Files<'_>) -> Misuse {
    let as_in = match files.hypotheses {
        [first, second] => {
            let (first, second) = (first.display(), second.display());
            format!(", as in -r {first} {second} if {first} is the reference")
        }
        _ => String::new(),
    };
    let hint = files.without_references.unwrap_or("or a column with --columns ref,hyp");
    Misuse(format!("no reference given: name one with -r REF{as_in} ({hint})"))
}

fn same_texts(a: &[References], b: &[References]) -> bool {
    let all = |of: &[References]| of.iter().filter_map(References::lines).cloned().collect::<Vec<_>>();
    let (a, b) = (all(a), all(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.iter().eq(b.iter()))
}

fn other_text(what: &str, path: &Path) -> Misuse {
    Misuse(format!("{} has other {what} than the files before it: all systems need the same", path.display()))
}

/// Returns an error if standard input or a pipe is named twice.
pub fn check_sources(files: &Files<'_>) -> anyhow::Result<()> {
    check_stdin(files)?;
    check_pipes(files)
}

fn check_stdin(files: &Files<'_>) -> Result<(), Misuse> {
    if files.all().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Misuse("standard input (-) can be read only once".to_owned()));
    }
    Ok(())
}

/// Returns an error if a pipe is named twice: its second reader would wait for a writer that may never come.
fn check_pipes(files: &Files<'_>) -> anyhow::Result<()> {
    let mut before: Vec<&Path> = Vec::new();
    for path in files.all().filter(|path| !is_stdin(path)) {
        if !path.is_file() && before.iter().any(|other| is_same_file(path, other)) {
            check_regular(path).with_context(|| format!("cannot read {}", path.display()))?;
        }
        before.push(path);
    }
    Ok(())
}
