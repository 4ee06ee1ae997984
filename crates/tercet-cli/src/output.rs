//! Results to standard output or a file, everything else to standard error.

mod row_hints;
mod stream;

pub use stream::Stream;

use crate::progress::above_the_bar;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use tercet::ErrorKind;
use tercet::cache::Cache;
use tercet::context::Context;
use tercet::files;
use tercet::progress::Stopped;
use tercet::text::visible;
use tercet::unpack::TooMuchUnpacked;
use tercet::warning::{LanguageProblem, SkippedBecause, Warning};

/// The exit code after Ctrl-C: 128 plus the number of the signal, as in shells.
pub const STOPPED: u8 = 130;

/// The exit code of a gate that failed.
pub const GATE_FAILED: u8 = 3;

/// A mistake in how the command was called, as opposed to one in the data.
#[derive(Debug)]
pub struct Misuse(pub String);

/// A gate that failed, and why.
#[derive(Debug)]
pub struct GateFailed(pub String);

impl Display for GateFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GateFailed {}

impl Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Writes a result to standard output. A closed pipe is not an error.
pub fn print(result: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(result.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Returns an error, before any work is done, if the result could not be written or would overwrite an input.
pub fn check<'r>(path: Option<&Path>, mut read: impl Iterator<Item = &'r Path>) -> anyhow::Result<()> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else { return Ok(()) };
    if let Some(read) = read.find(|read| files::is_same_file(path, read)) {
        return Err(Misuse(format!("--output would overwrite {}, which is read", read.display())).into());
    }
    Ok(files::check_target(path).map_err(tercet::Error::from)?)
}

/// Whether two paths are one file, which may not exist yet.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let folder = |path: &Path| {
        let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        parent.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(_), Ok(_)) => files::is_same_file(a, b),
        (Err(_), Err(_)) => a == b || (folder(a).is_some() && folder(a) == folder(b) && a.file_name() == b.file_name()),
        _ => false,
    }
}

/// Writes a result to a file, or to standard output if there is no path or it is `-`. A file is written atomically and
/// keeps its permissions; links are followed; pipes and devices are written to directly.
pub fn write(result: &str, path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else { return print(result) };
    write_bytes(result.as_bytes(), path)
}

/// Writes bytes to a file in the same way.
pub fn write_bytes(result: &[u8], path: &Path) -> anyhow::Result<()> {
    Ok(files::write_anywhere(path, result).map_err(tercet::Error::from)?)
}

/// The longest message, in characters; a word of a file that a message repeats may have megabytes.
const MAX_MESSAGE_LENGTH: usize = 4_000;

/// The message without its middle if it is too long.
fn shortened(message: String) -> String {
    let from_end = message.char_indices().rev().nth(MAX_MESSAGE_LENGTH / 2 - 1);
    match (message.char_indices().nth(MAX_MESSAGE_LENGTH / 2), from_end) {
        (Some((end, _)), Some((start, _))) if message.chars().nth(MAX_MESSAGE_LENGTH).is_some() => {
            format!("{}…{}", &message[..end], &message[start..])
        }
        _ => message,
    }
}

/// Prints a message to standard error, shortened if it is very long; control characters of names and texts in it are
/// replaced. Failure to print is ignored.
pub fn note(message: impl Display) {
    let message = shortened(message.to_string());
    // Further lines are indented, so that a line end in a name cannot make it look like another message.
    let lines: Vec<_> = message.lines().map(visible).collect();
    above_the_bar(|| _ = writeln!(io::stderr().lock(), "{}", lines.join("\n  ")));
}

/// Warns of files of the cache that were found damaged.
pub fn warn_of_damaged(context: &Context) {
    for file in context.shared::<Cache>().take_damaged() {
        warn_of(&Warning::DamagedCacheFile { file: file.display().to_string() });
    }
}

/// Prints a warning to standard error, with what to type against it.
pub fn warn_of(warning: &Warning) {
    warn(sentence(warning));
}

/// Prints warnings, unless that is not wanted.
pub fn warn_of_all(warnings: &[Warning], quiet: bool) {
    warnings.iter().filter(|_| !quiet).for_each(warn_of);
}

/// A warning with what to type against it.
pub fn sentence(warning: &Warning) -> String {
    format!("{warning}{}", hint(warning))
}

/// What to type against a warning.
fn hint(warning: &Warning) -> String {
    if let Some(language) = warning.is_solved_by_language() {
        let chosen = match warning {
            Warning::MetricLanguage { problem: LanguageProblem::UsualTokenizer { chosen, .. }, .. } => {
                format!("tok={chosen}")
            }
            _ => "it".to_owned(),
        };
        return format!("; -l {} chooses {chosen}", language.map_or("LANG", |language| &language.code));
    }
    match warning {
        Warning::ByteOrderMark { .. } => " with sed '1s/^\\xEF\\xBB\\xBF//'".to_owned(),
        Warning::SetSkipped { lacks_texts: true, .. } => " (give scores with --scores)".to_owned(),
        Warning::OnlyPairs { .. } => "; --from-pairs recovered or --from-pairs wins takes these".to_owned(),
        Warning::NoScoresDerived { set, .. } if set == "l" => {
            "; --set xl takes those that were ranked 3 times, --set lnf those whose ranks differ".to_owned()
        }
        Warning::ThinThresholds { .. } => {
            " (--threshold N=VARIANCE gives them, --scope at-least finds them with those that were ranked more often)"
                .to_owned()
        }
        Warning::FileNotField { name, .. } => format!(" (./{name} names the file without this warning)"),
        Warning::SystemCalledReference { file } => format!(" (a further reference: -r {file})"),
        Warning::MetricSkipped { because: SkippedBecause::UnknownLanguage, .. } => {
            ": if they are English, add it with -l en (--fast: without this warning)".to_owned()
        }
        Warning::TakesMinutes { .. } => " (--fast takes less time)".to_owned(),
        warning if is_of_several_lines(warning) => " (tercet check lists them)".to_owned(),
        _ => String::new(),
    }
}

/// Whether a warning names the first of several lines.
fn is_of_several_lines(warning: &Warning) -> bool {
    match warning {
        Warning::EmptyHypotheses { count, .. }
        | Warning::EmptyReferences { count, .. }
        | Warning::Untranslated { count, .. }
        | Warning::LinesInOtherLanguage { count, .. }
        | Warning::LineSeparators { count, .. }
        | Warning::SuspiciousLines { count, .. } => *count > 1,
        _ => false,
    }
}

/// Prints a sentence as a warning to standard error.
pub fn warn(message: impl Display) {
    note(format_args!("warning: {message}"));
}

/// Whether the cause of an error is a compressed file that unpacks to more than the limit.
pub fn is_too_much_unpacked(cause: &(dyn std::error::Error + 'static)) -> bool {
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|inner| inner.is::<TooMuchUnpacked>())
}

/// Prints what clap says about a command line, an error or the help, and returns its exit code.
pub fn print_clap(error: &clap::Error) -> u8 {
    let plain = error.render().to_string();
    if plain.lines().all(|line| visible(line) == line) {
        _ = error.print();
    } else {
        let plain = shortened(plain);
        let lines: Vec<_> = plain.lines().map(visible).collect();
        _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// What to do with a metric of another tool.
pub const SCORES_OF_OTHER_TOOLS: &str = "; its segment scores can be used with --scores, as in tercet score --scores \
                                         --paired ar A.scores B.scores, or tercet correlate JUDGEMENTS --scores FILE";

/// An error with its causes and what to type against it.
pub fn error_sentence(error: &anyhow::Error) -> String {
    use tercet::Error::{
        AllLeftOut, MetricOfOtherTool, ModelExists, NoCheckpoint, NoDocuments, NotExplained, Rows, SystemCount,
        UnusedCheckpoint,
    };
    let hint = match error.downcast_ref() {
        Some(AllLeftOut(warning)) => hint(warning),
        Some(MetricOfOtherTool { .. }) => SCORES_OF_OTHER_TOOLS.to_owned(),
        Some(ModelExists { .. }) => ": name another with -o, or give --force".to_owned(),
        Some(UnusedCheckpoint { .. }) => ": go on with --resume, or remove it".to_owned(),
        Some(NoCheckpoint { .. }) => ": train without --resume".to_owned(),
        Some(NoDocuments) => " (--document FIELD for rows, or --document-ids FILE with a name on each line)".to_owned(),
        Some(NotExplained { .. }) => " (use it by -m siamese; -f html marks words by METEOR and TER)".to_owned(),
        Some(SystemCount { found: 0 | 1, .. }) => {
            " (tercet score scores one; tercet rank --nbest ranks the candidates of a list)".to_owned()
        }
        Some(SystemCount { .. }) => " (tercet rank puts more in order)".to_owned(),
        Some(Rows(error)) => row_hints::hint(error),
        _ if error.chain().any(is_too_much_unpacked) => " (a larger limit: --max-unpacked SIZE)".to_owned(),
        _ => String::new(),
    };
    format!("{error:#}{hint}")
}

/// Prints an error and returns its exit code.
pub fn fail(error: &anyhow::Error) -> u8 {
    if let Some(failed) = error.downcast_ref::<GateFailed>() {
        note(failed);
        return GATE_FAILED;
    }
    note(format_args!("error: {}", error_sentence(error)));
    let kind = error.downcast_ref::<tercet::Error>().map(tercet::Error::kind);
    match kind {
        Some(ErrorKind::Request | ErrorKind::Unsupported) => 2,
        Some(ErrorKind::Stopped) => STOPPED,
        _ if error.is::<Stopped>() => STOPPED,
        _ if error.is::<Misuse>() => 2,
        _ => 1,
    }
}
