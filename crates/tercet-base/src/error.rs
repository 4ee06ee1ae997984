//! What can go wrong in the library: one enum, causes kept.
//!
//! A message says what, where and what to do, in lower case and without a full stop; the command prints the chain.

use crate::choice::UnknownChoice;
use crate::files::WriteError;
use crate::progress::Stopped;
use crate::warning::Warning;
use std::io;
use std::path::{Path, PathBuf};

/// The library's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything the library can refuse, with what a caller needs to mend it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An unknown name: of a metric, an encoder, a tokenizer.
    #[error("unknown {what} `{name}`{} (known: {known})", did_you_mean(.nearest))]
    UnknownName {
        /// What kind of thing it should name: `metric`, `encoder`, `tokenizer`.
        what: &'static str,
        /// What was asked for.
        name: String,
        /// The known name closest to it, if one is close.
        nearest: Option<String>,
        /// All known names.
        known: String,
    },
    /// An option that a metric or an encoder does not have.
    #[error("{what} `{name}` has no option `{option}`{} (known: {known})", did_you_mean(.nearest))]
    UnknownOption {
        /// What kind of thing was asked for.
        what: &'static str,
        /// Its name.
        name: &'static str,
        /// The option that was given.
        option: String,
        /// The known option closest to it, if one is close.
        nearest: Option<String>,
        /// All options.
        known: String,
    },
    /// A value the option does not take.
    #[error("{what} `{name}`: option `{option}` cannot be `{value}`: expected {expected}{}", did_you_mean(.nearest))]
    BadValue {
        /// What kind of thing was asked for.
        what: &'static str,
        /// Its name.
        name: &'static str,
        /// The option.
        option: String,
        /// What was given.
        value: String,
        /// The known value closest to it, if one is close.
        nearest: Option<String>,
        /// What would have been accepted.
        expected: Box<str>,
    },
    /// A text that is not `name:key=value,key=value`, or one that contradicts itself: [`Spec`](crate::spec::Spec).
    #[error("cannot read the {what} `{text}`: {reason} (write name:key=value,key=value)")]
    BadSpec {
        /// What kind of thing was asked for.
        what: &'static str,
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Something named in the documentation of a peer that tercet does not have.
    #[error("{what} is not part of tercet: {why}")]
    NotBuilt {
        /// The thing asked for.
        what: String,
        /// Why, and what to use in its place.
        why: String,
    },
    /// A file that could not be opened or read.
    #[error("cannot read {}", shown(.path))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file that could not be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file that is not UTF-8.
    #[error(
        "{}:{line}: not valid UTF-8 at byte {column} of the line, byte {} of the file \
         (convert it first, for example with iconv -f latin1 -t utf-8)",
        shown(.path), .offset + 1
    )]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The offset of the first bad byte in the decompressed file, from 0.
        offset: usize,
        /// The offset of the first bad byte in its line, from 1.
        column: usize,
    },
    /// A file in another encoding than UTF-8.
    #[error("{} is encoded in {encoding}, not in UTF-8: convert it first (iconv -f {encoding} -t UTF-8 \
        {})", .path.display(), .path.display())]
    OtherEncoding {
        /// The file.
        path: PathBuf,
        /// The name of the encoding.
        encoding: &'static str,
    },
    /// A file in a packed format that is not unpacked, or packed twice.
    #[error("{} holds data packed with {format}: unpack it first", shown(.path))]
    Packed {
        /// The file.
        path: PathBuf,
        /// The name of the format.
        format: &'static str,
    },
    /// Two files that should have one line per segment and do not agree on how many.
    #[error(
        "{} has {} but {} has {expected}: every file must have one line per segment{}",
        shown(.path), lines(*.found), shown(.other), in_brackets(.hint)
    )]
    LineCount {
        /// The file that differs.
        path: PathBuf,
        /// Its number of lines.
        found: usize,
        /// The file it is measured against.
        other: PathBuf,
        /// The number of lines there.
        expected: usize,
        /// A guess at the cause.
        hint: Option<String>,
    },
    /// A line with a wrong number of fields, or a field that cannot be read.
    #[error("{}:{line}: {what}", shown(.path))]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was expected and what was found.
        what: String,
    },
    /// Something asked for that this input cannot give: an unknown baseline, a paired test of one system.
    #[error("{0}")]
    BadRequest(String),
    /// A setting outside of its range.
    #[error("{what}: expected {expected}, found {found}")]
    OutOfRange {
        /// The setting.
        what: &'static str,
        /// What would have been accepted.
        expected: String,
        /// What was given.
        found: String,
    },
    /// Judgements of which no agreement can be computed.
    #[error("there is nothing to correlate in {} at this level{}", .sets.join(", "), reasons(.statistics, .left_out))]
    NothingToCorrelate {
        /// The sets with their language pairs.
        sets: Vec<String>,
        /// The statistics that were asked for.
        statistics: Vec<String>,
        /// What was left out, and why.
        left_out: Vec<Warning>,
    },
    /// A file that a training cannot write.
    #[error("the model cannot be written to {}: {why}", .path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A model that would be overwritten.
    #[error("there is already a file {}", .path.display())]
    ModelExists {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint of an interrupted training, which would be lost.
    #[error("there is a checkpoint {} of a training that was interrupted", .path.display())]
    UnusedCheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// A training without a checkpoint to go on from.
    #[error("there is no checkpoint {}: training ended, or was stopped before the first one", .path.display())]
    NoCheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// All that was given is left out, for the reason of a warning.
    #[error("{0}")]
    AllLeftOut(Box<Warning>),
    /// A setting that would change nothing.
    #[error("{setting} changes nothing without {needs}")]
    NoEffect {
        /// The setting.
        setting: &'static str,
        /// What it would need.
        needs: &'static str,
    },
    /// Too few or too many systems.
    #[error("expected {expected}, found {found}")]
    SystemCount {
        /// What is expected.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// Metrics that cannot tell which words have a partner.
    #[error("{metrics}: cannot tell which words have a partner; of tercet's metrics only siamese can")]
    NotExplained {
        /// The metrics, as tables call them.
        metrics: String,
    },
    /// Learning failed, or a model file could not be used.
    #[error(transparent)]
    Learning(#[from] Learning),
    /// The caller asked the work to stop: [`progress`](crate::progress).
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Input that cannot be scored at all.
    #[error("{0}")]
    Unusable(String),
}

/// What an error is about, for those who react to it: the command's exit codes, Python's exceptions. Kinds are stable;
/// messages and variants may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was asked for does not exist or cannot be done: an unknown metric, a bad option, a wrong recipe, a
    /// checkpoint that belongs to another run.
    Request,
    /// Asked for correctly, but tercet does not have it.
    Unsupported,
    /// A file could not be read or written.
    Io,
    /// The content of a file or a text is damaged, incomplete or does not fit the rest.
    Data,
    /// A model file is damaged, of another kind, or does not fit what it is used with.
    Model,
    /// Training failed: the loss is not finite.
    Training,
    /// The caller asked the work to stop.
    Stopped,
}

impl From<WriteError> for Error {
    fn from(WriteError { path, source }: WriteError) -> Self {
        Error::Write { path, source }
    }
}

impl From<UnknownChoice> for Error {
    fn from(error: UnknownChoice) -> Self {
        Error::unknown_name(error.what, &error.name, error.known.iter().copied())
    }
}

/// An error of a crate that learns or reads models, with what it is about.
#[derive(Debug)]
pub struct Learning {
    /// What it is about.
    pub kind: ErrorKind,
    /// The error.
    pub cause: Box<dyn std::error::Error + Send + Sync>,
}

impl std::fmt::Display for Learning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.cause.fmt(f)
    }
}

impl std::error::Error for Learning {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}

impl Error {
    /// A name that is none of the known ones.
    pub fn unknown_name<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Self {
        Error::UnknownName {
            what,
            name: name.to_owned(),
            nearest: crate::nearest(name, known.clone()).map(str::to_owned),
            known: known.collect::<Vec<_>>().join(", "),
        }
    }

    /// An error about a line of a file, from 1.
    pub fn bad_line(path: &Path, line: usize, what: impl Into<String>) -> Self {
        Error::BadLine { path: path.to_owned(), line, what: what.into() }
    }

    /// A setting outside of its range.
    pub fn out_of_range(what: &'static str, expected: impl ToString, found: impl ToString) -> Self {
        Error::OutOfRange { what, expected: expected.to_string(), found: found.to_string() }
    }

    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::UnknownName { .. }
            | Error::UnknownOption { .. }
            | Error::BadValue { .. }
            | Error::BadSpec { .. }
            | Error::OutOfRange { .. }
            | Error::NothingToCorrelate { .. }
            | Error::NotWritten { .. }
            | Error::ModelExists { .. }
            | Error::UnusedCheckpoint { .. }
            | Error::NoCheckpoint { .. }
            | Error::AllLeftOut(_)
            | Error::NoEffect { .. }
            | Error::SystemCount { .. }
            | Error::NotExplained { .. }
            | Error::BadRequest(_) => ErrorKind::Request,
            Error::NotBuilt { .. } => ErrorKind::Unsupported,
            Error::Read { .. } | Error::Write { .. } => ErrorKind::Io,
            Error::NotUtf8 { .. }
            | Error::OtherEncoding { .. }
            | Error::Packed { .. }
            | Error::LineCount { .. }
            | Error::BadLine { .. }
            | Error::Unusable(_) => ErrorKind::Data,
            Error::Stopped(_) => ErrorKind::Stopped,
            Error::Learning(error) => error.kind,
        }
    }

    /// Fails if the first bytes of a file show that it is packed, or UTF-16 or UTF-32, which may be valid UTF-8 with
    /// zero bytes.
    pub fn check_encoding(path: &Path, bytes: &[u8]) -> Result<()> {
        if let Some(format) = crate::packed_format(bytes) {
            return Err(Error::Packed { path: path.to_owned(), format });
        }
        match crate::other_encoding(bytes) {
            Some(encoding) => Err(Error::OtherEncoding { path: path.to_owned(), encoding }),
            None => Ok(()),
        }
    }

    /// The first byte of a file that is no UTF-8, found by its offset.
    pub fn not_utf8(path: &Path, bytes: &[u8], offset: usize) -> Self {
        if let Err(error) = Error::check_encoding(path, bytes) {
            return error;
        }
        let before = &bytes[..offset];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Error::NotUtf8 {
            path: path.to_owned(),
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            offset,
            column: offset - line_start + 1,
        }
    }
}

/// What was asked for, what it needs, and what was left out.
fn reasons(statistics: &[String], left_out: &[Warning]) -> String {
    let needs = "rankings have tau, scores have coefficients";
    let asked = (!statistics.is_empty()).then(|| format!("{} was asked for: {needs}", statistics.join(", ")));
    let reasons = asked.into_iter().chain(left_out.iter().map(ToString::to_string));
    reasons.map(|reason| format!("; {reason}")).collect()
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}

/// The name of a file in messages.
pub fn shown(path: &Path) -> std::borrow::Cow<'_, str> {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string().into() }
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

fn in_brackets(hint: &Option<String>) -> String {
    hint.as_ref().map(|text| format!(" ({text})")).unwrap_or_default()
}
