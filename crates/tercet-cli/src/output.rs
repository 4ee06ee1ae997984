//! The two doors: results to standard output, everything else to standard error.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// A mistake in how the command was called, as opposed to one in the data.
#[derive(Debug)]
pub struct Misuse(pub String);

impl Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Writes a whole result to standard output. A reader that has seen enough (a closed pipe) is no failure.
pub fn print(result: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(result.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a whole result to a file, or to standard output if none is named. The file appears complete or not at all.
pub fn write(result: &str, path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return print(result) };
    let unfinished = path.with_file_name(format!(
        ".{}.unfinished-{}",
        path.file_name().unwrap_or_default().to_string_lossy(),
        std::process::id()
    ));
    let written = fs::write(&unfinished, result).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&unfinished);
        anyhow::Error::new(error).context(format!("cannot write {}", path.display()))
    })
}

/// Says something that is not a result.
#[expect(clippy::print_stderr, reason = "the door to standard error")]
pub fn note(message: impl Display) {
    eprintln!("{message}");
}

/// Says something odd about the input.
pub fn warn(message: impl Display) {
    note(format_args!("warning: {message}"));
}

/// Prints an error with its causes and gives the exit code it calls for.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    note(format_args!("error: {error:#}"));
    let misused = error.is::<Misuse>() || error.downcast_ref::<tercet::Error>().is_some_and(is_misuse);
    ExitCode::from(if misused { 2 } else { 1 })
}

fn is_misuse(error: &tercet::Error) -> bool {
    use tercet::Error::{BadMetric, BadValue, NotBuilt, UnknownMetric, UnknownOption, UnknownTokenizer};
    matches!(
        error,
        UnknownMetric { .. }
            | UnknownOption { .. }
            | UnknownTokenizer { .. }
            | BadValue { .. }
            | BadMetric { .. }
            | NotBuilt { .. }
    )
}
