//! What can be wrong with rows of named fields.

use crate::error::{ErrorKind, shown};
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// What a field of a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FieldRole {
    /// A translation.
    Hypothesis,
    /// A reference translation, or several.
    Reference,
    /// The source text.
    Source,
    /// The name of a system.
    System,
    /// The name of a document.
    Document,
    /// The name of a segment.
    Id,
}

impl FieldRole {
    /// The name of the setting that names the field.
    pub fn name(self) -> &'static str {
        match self {
            FieldRole::Hypothesis => "hypothesis",
            FieldRole::Reference => "reference",
            FieldRole::Source => "source",
            FieldRole::System => "system",
            FieldRole::Document => "document",
            FieldRole::Id => "id",
        }
    }

    fn contents(self) -> &'static str {
        match self {
            FieldRole::Hypothesis => "translations",
            FieldRole::Reference => "references",
            FieldRole::Source => "sources",
            FieldRole::System => "names of the systems",
            FieldRole::Document => "names of the documents",
            FieldRole::Id => "ids of the segments",
        }
    }
}

impl Display for FieldRole {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a field of a row has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldProblem {
    /// The row does not have the field.
    Missing,
    /// It is null.
    Null,
    /// It is a list with a null in it.
    NullInList,
    /// It is an empty list.
    EmptyList,
    /// It is a list of several texts where one is expected.
    SeveralTexts(usize),
    /// It is something else than text.
    NotText(&'static str),
}

impl Display for FieldProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FieldProblem::Missing => f.write_str("is missing: every row needs it"),
            FieldProblem::Null => f.write_str("is null: every row needs a text (fill it, or leave the row out)"),
            FieldProblem::NullInList => f.write_str("has a null in its list: fill it, or leave it out"),
            FieldProblem::EmptyList => f.write_str("is an empty list: every row needs a text"),
            FieldProblem::SeveralTexts(count) => write!(f, "is a list of {count} texts: expected one text in each row"),
            FieldProblem::NotText(found) => write!(f, "is {found}: expected text"),
        }
    }
}

/// What a file seems to have in place of one text per line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineContent {
    /// JSON.
    Json,
    /// Fields in quotation marks, separated by commas.
    QuotedCsv,
    /// Columns separated by tabs: their number, if it is the same in every line.
    Columns(Option<usize>),
    /// Names of columns in the first line.
    Header,
}

impl Display for LineContent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LineContent::Json => f.write_str("looks like JSON, not like one text per line"),
            LineContent::QuotedCsv => f.write_str("looks like CSV with quotation marks, not like one text per line"),
            LineContent::Columns(Some(count)) => write!(f, "has {count} tab-separated columns, not one text per line"),
            LineContent::Columns(None) => f.write_str("has tab-separated columns, not one text per line"),
            LineContent::Header => f.write_str("has names of columns in its first line, not texts"),
        }
    }
}

/// Rows whose fields cannot be read, or that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// No field has one of the usual names of a role.
    #[error("{}: which field has the {}? there are: {}", shown(.path), .role.contents(), .known.join(", "))]
    NoField {
        /// The file.
        path: PathBuf,
        /// What the field should have.
        role: FieldRole,
        /// The names of all fields.
        known: Vec<String>,
    },
    /// Several fields have usual names of a role.
    #[error("{}: which field has the {}, {}?", shown(.path), .role.contents(), .found.join(" or "))]
    AmbiguousField {
        /// The file.
        path: PathBuf,
        /// What the field should have.
        role: FieldRole,
        /// The fields that may have it.
        found: Vec<String>,
    },
    /// A field that was asked for is not there.
    #[error(
        "{}: there is no field `{name}`{} (there are: {})",
        shown(.path), crate::error::did_you_mean(.nearest), .known.join(", ")
    )]
    UnknownField {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// The known name closest to it, if one is close.
        nearest: Option<String>,
        /// The names of all fields.
        known: Vec<String>,
    },
    /// Two columns of one name.
    #[error("{} has two columns called `{name}`: rename one", shown(.path))]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A field of a row has no text.
    #[error("{}:{line}: the field `{field}` {problem}", shown(.path))]
    BadField {
        /// The file.
        path: PathBuf,
        /// The line in which the row starts, from 1; of Parquet and Arrow, the row.
        line: usize,
        /// The field.
        field: String,
        /// What is wrong with it.
        problem: FieldProblem,
    },
    /// Two rows of one id.
    #[error("{}:{line}: the id `{id}` is there twice, first in line {first}", shown(.path))]
    RepeatedId {
        /// The file.
        path: PathBuf,
        /// The line of the second row.
        line: usize,
        /// The id.
        id: String,
        /// The line of the first row.
        first: usize,
    },
    /// An id that another file has.
    #[error("{} has no row with the id `{id}`, which {} has", in_system(.path, .system), shown(.other))]
    MissingId {
        /// The file that lacks it.
        path: PathBuf,
        /// The system whose row is missing, if a file has several.
        system: Option<String>,
        /// The id.
        id: String,
        /// The file that has it.
        other: PathBuf,
    },
    /// Rows of one id in another order, beside a file without ids.
    #[error(
        "{} has its rows in another order than {}, and {} has no ids by which they could be joined",
        shown(.path), shown(.other), shown(.without_ids)
    )]
    NotJoined {
        /// A file with ids.
        path: PathBuf,
        /// Another file with the same ids in another order.
        other: PathBuf,
        /// A file without ids.
        without_ids: PathBuf,
    },
    /// Files with different numbers of rows.
    #[error(
        "{} has {found} rows but {} has {expected}: every segment needs one",
        in_system(.path, .system), shown(.other)
    )]
    RowCount {
        /// The file that differs.
        path: PathBuf,
        /// The system whose rows are counted, if the file has several.
        system: Option<String>,
        /// The number of its rows.
        found: usize,
        /// The file it is measured against.
        other: PathBuf,
        /// The number of segments there.
        expected: usize,
    },
    /// Two rows of one segment with different references or sources.
    #[error(
        "{}:{line}: the {role} of this row is another than that of the same segment in line {first}{}",
        shown(.path), without_ids(*.by_order)
    )]
    OtherText {
        /// The file.
        path: PathBuf,
        /// The line of the second row.
        line: usize,
        /// What differs.
        role: FieldRole,
        /// The line of the first row.
        first: usize,
        /// Whether rows were joined by their order, for want of ids.
        by_order: bool,
    },
    /// A segment with different references or sources in two files.
    #[error(
        "{}: the {role} of segment {segment} is another than in {}: all systems need the same",
        shown(.path), shown(.other)
    )]
    OtherFile {
        /// The file that differs.
        path: PathBuf,
        /// What differs.
        role: FieldRole,
        /// The segment, from 1.
        segment: usize,
        /// The file before it.
        other: PathBuf,
    },
    /// A row with another id than that of the same segment in another file, where files are read in one pass.
    #[error("{}:{line}: the id `{id}` is not that of the same segment in {}: bring the rows into one order",
        shown(.path), shown(.other))]
    OtherOrder {
        /// The file that differs.
        path: PathBuf,
        /// The line of the row.
        line: usize,
        /// Its id.
        id: String,
        /// The file before it.
        other: PathBuf,
    },
    /// Systems of one file that do not have the same segments, where the file is read in one pass.
    #[error("{}: {system} and {other} do not have the same segments, with the same references", shown(.path))]
    OtherSegments {
        /// The file.
        path: PathBuf,
        /// The system that differs.
        system: String,
        /// The first system.
        other: String,
    },
    /// A file of lines that are no texts.
    #[error("{} {found}", shown(.path))]
    NotLines {
        /// The file.
        path: PathBuf,
        /// What its texts were wanted for.
        role: FieldRole,
        /// What it seems to have.
        found: LineContent,
    },
    /// A new field that rows already have.
    #[error("{} already has a field `{name}`: rename or drop it first", shown(.path))]
    FieldTaken {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A field that the columns of the output do not have.
    #[error("{}:{line}: the field `{field}` is not in the first row, whose fields are the columns (write JSON lines)",
        shown(.path))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The line of the row.
        line: usize,
        /// The field.
        field: String,
    },
}

impl RowError {
    /// Whether files that are read in one pass did not fit together: read as a whole, rows may be joined by ids, and
    /// the error says more.
    pub fn is_of_one_pass(&self) -> bool {
        matches!(self, RowError::OtherOrder { .. } | RowError::OtherSegments { .. } | RowError::RowCount { .. })
    }

    /// What the error is about.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            RowError::NoField { .. }
            | RowError::AmbiguousField { .. }
            | RowError::UnknownField { .. }
            | RowError::RepeatedColumn { .. }
            | RowError::NotLines { .. }
            | RowError::FieldTaken { .. } => ErrorKind::Request,
            _ => ErrorKind::Data,
        }
    }
}

fn in_system(path: &std::path::Path, system: &Option<String>) -> String {
    match system {
        Some(system) => format!("{}: {system}", shown(path)),
        None => shown(path).into_owned(),
    }
}

fn without_ids(by_order: bool) -> &'static str {
    if by_order { " (rows are joined by their order, as there are no ids)" } else { "" }
}
