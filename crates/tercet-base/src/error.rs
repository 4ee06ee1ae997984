//! What can go wrong in the library: one enum, causes kept.
//!
//! A message says what, where and what to do, in lower case and without a full stop; the command prints the chain.

use crate::choice::UnknownChoice;
use crate::files::WriteError;
use crate::progress::Stopped;
use crate::row_error::RowError;
use crate::warning::{NotRanked, Warning};
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
    /// A file whose content cannot be used.
    #[error("{}: {what}", .path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Nothing is to be scored.
    #[error("there is no system to score")]
    NoSystems,
    /// A text without segments.
    #[error("there is no segment to score")]
    NoSegments,
    /// A segment without references.
    #[error("segment {segment} has no reference")]
    NoReference {
        /// Its name, or its number from 1.
        segment: String,
    },
    /// A number that is none: NaN or infinite. A model that overflows computes such, and scores of others may be such.
    #[error("{what}: found {found}, expected a finite number{}", in_brackets(.hint))]
    NotFinite {
        /// What should have been a number.
        what: String,
        /// What was found.
        found: f64,
        /// What may be the cause.
        hint: Option<String>,
    },
    /// A metric that needs references, and there are only sources.
    #[error("{}", needs_references(.metric, *.is_model))]
    NeedsReferences {
        /// The metric as it was asked for.
        metric: String,
        /// Whether another model of the metric can do without.
        is_model: bool,
    },
    /// Two systems of one name.
    #[error("two systems are called {name}: give each a name of its own")]
    SameName {
        /// The name.
        name: String,
    },
    /// A system with other segments than the references have.
    #[error("system {system} has {found} segments but there are references for \
        {expected}{}", transposed_hint(*.transposed))]
    SystemLength {
        /// The system.
        system: String,
        /// Its number of segments.
        found: usize,
        /// The number of segments that have references.
        expected: usize,
        /// Whether the references seem to be listed by reference, not by segment.
        transposed: bool,
    },
    /// Sources that do not belong to the segments.
    #[error("there are {found} sources for {segments} segments")]
    SourceCount {
        /// The number of sources.
        found: usize,
        /// The number of segments.
        segments: usize,
    },
    /// Scores of documents, where no document has a name.
    #[error("nothing says which document each segment belongs to: name the document of every segment")]
    NoDocuments,
    /// A segment without the name of its document.
    #[error(
        "segment {segment} has no name of its document: give it the name that the segments beside it have, or one \
        of its own"
    )]
    UnnamedDocument {
        /// Its number, from 1.
        segment: usize,
    },
    /// An output whose documents are not those of the references.
    #[error("{}", match is_missing {
        true => format!("{system} has no text of the document {document}"),
        false => format!("{system} has a document {document} that the references do not have"),
    })]
    OtherDocument {
        /// The system.
        system: String,
        /// The document.
        document: String,
        /// Whether the output lacks it.
        is_missing: bool,
    },
    /// Names of documents that do not belong to the segments.
    #[error("there are {found} names of documents for {segments} segments: name the document of every segment")]
    DocumentCount {
        /// The number of names.
        found: usize,
        /// The number of segments.
        segments: usize,
    },
    /// A metric that is named twice.
    #[error("the metric {metric} is asked for twice")]
    SameMetric {
        /// The metric.
        metric: String,
    },
    /// A system without the scores of a metric.
    #[error("{system} has no scores by {metric}")]
    NoScores {
        /// The system.
        system: String,
        /// The metric.
        metric: String,
    },
    /// A system with two lists of scores of a metric.
    #[error("{system} has scores by {metric} twice")]
    ScoresTwice {
        /// The system.
        system: String,
        /// The metric.
        metric: String,
    },
    /// Systems with different numbers of scores.
    #[error(
        "{system} has {found} scores by {metric} but {other} has {expected}: every system needs one score per segment"
    )]
    ScoreCount {
        /// The system.
        system: String,
        /// The metric.
        metric: String,
        /// The number of its scores.
        found: usize,
        /// Another system.
        other: String,
        /// The number of scores of that.
        expected: usize,
    },
    /// A baseline that is not among the systems.
    #[error("the baseline {baseline} is none of the systems: {}", .systems.join(", "))]
    UnknownBaseline {
        /// The baseline.
        baseline: String,
        /// The systems.
        systems: Vec<String>,
    },
    /// A condition of a gate that cannot be read.
    #[error("`{condition}` is not a condition: {}, expected {expected}", place(.condition, *.at))]
    BadCondition {
        /// The condition.
        condition: String,
        /// The number of characters up to which it was read.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A rule of a gate that names a metric or a system that there is none of.
    #[error("{rule}: there is no {what} {name} (there are: {})", .known.join(", "))]
    UnknownInGate {
        /// The rule.
        rule: String,
        /// What it names.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A rule of a gate that holds for no system.
    #[error("{rule}: there is no system besides {baseline} to compare with it")]
    NothingToGate {
        /// The rule.
        rule: String,
        /// The only system.
        baseline: String,
    },
    /// A paired test of fewer than two systems.
    #[error("a paired test needs at least two systems{}", if *.named { ", each with a name" } else { "" })]
    NothingToPair {
        /// Whether every system must have a name, too.
        named: bool,
    },
    /// More systems than can all be tested with each other.
    #[error("all pairs of {systems} systems are too many to test, at most those of {limit}: name a baseline")]
    TooManyPairs {
        /// The number of systems.
        systems: usize,
        /// The most of which all pairs are tested.
        limit: usize,
    },
    /// A resampling without segments or systems.
    #[error("nothing to resample: {missing}")]
    NothingToResample {
        /// What is missing.
        missing: &'static str,
    },
    /// More resamples than memory holds.
    #[error("{samples} resamples are too many (at most {limit} for these systems and metrics; 1000 is usual)")]
    TooManyResamples {
        /// The number of resamples.
        samples: usize,
        /// The most for these systems and metrics.
        limit: usize,
    },
    /// Bytes that are not the sums of tallies that a program of this version wrote.
    #[error("the sums in bytes are damaged or of another version")]
    DamagedSums,
    /// What an interrupted run left, where another run is started.
    #[error("{} cannot be gone on from: {what} (remove it to start again)", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// Sums of parts that do not belong together.
    #[error("sums of {other} cannot be added to sums of {own}")]
    OtherSums {
        /// The signatures of the sums.
        own: String,
        /// Those of the part that is added.
        other: String,
    },
    /// Two settings of which one decides what the other says.
    #[error("{one} and {other} are alternatives: leave out one of them")]
    Alternatives {
        /// One setting.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A text that names no language.
    #[error("`{text}` is not a language: {}", better_language(.instead))]
    UnknownLanguage {
        /// The text.
        text: String,
        /// A code in it that is none, and what to write in its place.
        instead: Option<(String, String)>,
    },
    /// A name that a metric cannot have.
    #[error("a metric cannot be called `{name}`: expected lower-case letters, digits, _, -, . and +")]
    BadMetricName {
        /// The name.
        name: String,
    },
    /// A name that another metric has.
    #[error("there is already a metric called {name}")]
    MetricNameTaken {
        /// The name.
        name: String,
    },
    /// A metric whose scores cannot be turned into probabilities.
    #[error(
        "no slope was fitted for {metric}, which turns its scores into probabilities (give one, as in \
         '{spec}|slope={usual}')"
    )]
    NoSlope {
        /// The metric.
        metric: String,
        /// How it was asked for.
        spec: String,
        /// A usual slope.
        usual: &'static str,
    },
    /// A metric whose scores depend on references that it has not seen.
    #[error("metric `{metric}` {}", unprepared(.ngram))]
    NotPrepared {
        /// The metric.
        metric: &'static str,
        /// An n-gram of a reference that it has not seen; `None` if it has seen none.
        ngram: Option<String>,
    },
    /// A tokenizer whose dictionary or model was not found.
    #[error("the tokenizer `{tokenizer}` needs {needs}, which was not found ({advice})")]
    NoTokenizerModel {
        /// The tokenizer.
        tokenizer: &'static str,
        /// What it needs.
        needs: String,
        /// How to get it.
        advice: String,
    },
    /// A set of judgements whose systems cannot be ranked.
    #[error("{set} {because}")]
    NotRanked {
        /// The set and the language pair.
        set: String,
        /// Why.
        because: NotRanked,
    },
    /// A name that a set of judgements does not have.
    #[error("{place} has no {what} `{name}` (it has: {})", .known.join(", "))]
    NotInSet {
        /// The set and its language pair, perhaps with the level.
        place: String,
        /// What it would name: `reference`, `human scores`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that the set has.
        known: Vec<String>,
    },
    /// A language pair of which there are no judgements.
    #[error("no judgements for {pair} (there are: {})", .known.join(", "))]
    NoJudgementsOf {
        /// The language pair.
        pair: String,
        /// The language pairs that there are.
        known: Vec<String>,
    },
    /// Judgements that are given twice.
    #[error("{set} is given twice ({RENAME_A_SET})")]
    SetTwice {
        /// The set, perhaps with its language pair.
        set: String,
    },
    /// Judgements that are learned from and measured with.
    #[error("{set} is in both training and development data ({RENAME_A_SET})")]
    TrainedAndMeasured {
        /// The set with its language pair.
        set: String,
    },
    /// Two things of one name, where a name must stand for one.
    #[error("there are two {what} called {name}: rename one")]
    NameTwice {
        /// What they are: `metrics`, `encoders`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A file without content.
    #[error("{} is empty: {expected}", shown(.path))]
    EmptyFile {
        /// The file.
        path: PathBuf,
        /// What it should have.
        expected: &'static str,
    },
    /// Something that cannot be done without something else.
    #[error("{what} needs {needs}")]
    Needs {
        /// What was asked for.
        what: String,
        /// What is missing.
        needs: &'static str,
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
    /// A metric that another tool has.
    #[error("no metric of tercet is called `{name}`: {tool} is another tool")]
    MetricOfOtherTool {
        /// What was asked for.
        name: String,
        /// How the tool is called.
        tool: &'static str,
    },
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
    /// Rows whose fields cannot be read, or that do not fit together.
    #[error(transparent)]
    Rows(#[from] RowError),
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

    /// An error about the content of a file.
    pub fn bad_file(path: impl Into<PathBuf>, what: impl ToString) -> Self {
        Error::BadFile { path: path.into(), what: what.to_string() }
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
            | Error::MetricOfOtherTool { .. }
            | Error::NoEffect { .. }
            | Error::SystemCount { .. }
            | Error::NotExplained { .. }
            | Error::NoSystems
            | Error::NeedsReferences { .. }
            | Error::NoDocuments
            | Error::SameName { .. }
            | Error::SameMetric { .. }
            | Error::UnknownBaseline { .. }
            | Error::BadCondition { .. }
            | Error::UnknownInGate { .. }
            | Error::NothingToGate { .. }
            | Error::NothingToPair { .. }
            | Error::TooManyPairs { .. }
            | Error::OtherSums { .. }
            | Error::Alternatives { .. }
            | Error::UnknownLanguage { .. }
            | Error::BadMetricName { .. }
            | Error::MetricNameTaken { .. }
            | Error::NoSlope { .. }
            | Error::NoTokenizerModel { .. }
            | Error::NotInSet { .. }
            | Error::NoJudgementsOf { .. }
            | Error::SetTwice { .. }
            | Error::TrainedAndMeasured { .. }
            | Error::NameTwice { .. }
            | Error::Needs { .. }
            | Error::BadRequest(_) => ErrorKind::Request,
            Error::NotBuilt { .. } => ErrorKind::Unsupported,
            Error::Read { .. } | Error::Write { .. } => ErrorKind::Io,
            Error::NotUtf8 { .. }
            | Error::OtherEncoding { .. }
            | Error::Packed { .. }
            | Error::LineCount { .. }
            | Error::BadLine { .. }
            | Error::BadFile { .. }
            | Error::NoSegments
            | Error::NoReference { .. }
            | Error::NotFinite { .. }
            | Error::SystemLength { .. }
            | Error::SourceCount { .. }
            | Error::OtherDocument { .. }
            | Error::UnnamedDocument { .. }
            | Error::DocumentCount { .. }
            | Error::NoScores { .. }
            | Error::ScoresTwice { .. }
            | Error::ScoreCount { .. }
            | Error::NothingToResample { .. }
            | Error::TooManyResamples { .. }
            | Error::DamagedSums
            | Error::OtherRun { .. }
            | Error::NotPrepared { .. }
            | Error::NotRanked { .. }
            | Error::EmptyFile { .. }
            | Error::Unusable(_) => ErrorKind::Data,
            Error::Stopped(_) => ErrorKind::Stopped,
            Error::Rows(error) => error.kind(),
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

/// What to do if two sets that are not the same are taken for one.
const RENAME_A_SET: &str = "a set is known by the name of its folder or file: if they are two, rename one";

/// What was asked for, what it needs, and what was left out.
fn reasons(statistics: &[String], left_out: &[Warning]) -> String {
    let needs = "rankings have tau, scores have coefficients";
    let asked = (!statistics.is_empty()).then(|| format!("{} was asked for: {needs}", statistics.join(", ")));
    let reasons = asked.into_iter().chain(left_out.iter().map(ToString::to_string));
    reasons.map(|reason| format!("; {reason}")).collect()
}

fn needs_references(metric: &str, is_model: bool) -> String {
    match is_model {
        true => format!("{metric} needs references: its model has learned nothing about sources"),
        false => format!("{metric} needs references: without them, siamese scores translations by their sources"),
    }
}

fn transposed_hint(transposed: bool) -> &'static str {
    match transposed {
        true => "; are they transposed? expected a list of references for each segment",
        false => "",
    }
}

fn better_language(instead: &Option<(String, String)>) -> String {
    match instead {
        Some((code, better)) => format!("instead of {code} write {better}"),
        None => "expected a code of ISO 639 (zh, zho) or a language pair (en-zh)".to_owned(),
    }
}

/// Where a text could not be read: what comes after so many of its characters.
fn place(text: &str, at: usize) -> String {
    let rest: String = text.chars().skip(at).collect();
    match rest.is_empty() {
        true => "at the end".to_owned(),
        false => format!("at character {}, `{rest}`", at + 1),
    }
}

fn unprepared(ngram: &Option<String>) -> String {
    match ngram {
        Some(ngram) => format!(
            "was not prepared with the reference that has `{ngram}`: its weights depend on all references (call \
             `prepare` with those of every segment)"
        ),
        None => "has seen no references: its weights depend on all of them (call `prepare` with those of every \
                 segment first)"
            .to_owned(),
    }
}

pub(crate) fn did_you_mean(nearest: &Option<String>) -> String {
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
