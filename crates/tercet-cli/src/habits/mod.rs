//! Pointers for people who know other tools: what to type here for a flag or a name of sacreBLEU, COMET, METEOR or
//! mteval.
//!
//! [`flags`] has the flags, [`metrics`] the names of metrics. Nothing here changes what a command does: a pointer is
//! given where the command would have ended with an error anyway.

pub mod flags;
pub mod metrics;

use crate::args::Cli;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{CommandFactory, Parser};
use std::path::Path;
use tercet::metrics::Registry;

/// Commands of other tools and first guesses, with what they are called here.
const COMMANDS: &[(&[&str], &str)] = &[
    (
        &["evaluate", "eval", "comet-score", "comet", "bleurt", "multi-bleu", "mteval", "ter", "sacre-bleu"],
        "`tercet score -r REF HYP` scores translations",
    ),
    (
        &["comet-compare", "significance", "paired", "test", "diff"],
        "`tercet compare -r REF A B` says which of two translations is better; `tercet score --paired bs -r REF A B \
         C` tests several",
    ),
    (&["correlation", "meta", "mtme", "meta-evaluate"], "`tercet correlate JUDGEMENTS` measures agreement with people"),
    (&["rank", "ranking", "trueskill"], "`tercet systems JUDGEMENTS` ranks systems by human judgements"),
    (&["tokenizers"], "`tercet tokenize --list` lists the tokenizers"),
    (&["list", "ls"], "`tercet metrics` lists the metrics, `tercet tokenize --list` the tokenizers"),
];

/// Adds what to type here to an error of the command line, if it comes from a habit that is known.
pub fn explain(error: Error, words: &[String], registry: &Registry) -> Error {
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => command_tip(words, registry),
        ErrorKind::UnknownArgument if !is_command(words) => Some(first_flag_tip(words)),
        ErrorKind::UnknownArgument
        | ErrorKind::InvalidValue
        | ErrorKind::ValueValidation
        | ErrorKind::TooManyValues
        | ErrorKind::WrongNumberOfValues
        | ErrorKind::ArgumentConflict
        | ErrorKind::MissingRequiredArgument => flags::tip(words, |words| Cli::try_parse_from(words).is_ok()),
        _ => None,
    };
    match (tip, flags::long_with_one_hyphen(words)) {
        (Some(tip), Some(word)) => with_tip(unknown(word), &tip),
        (Some(tip), None) => with_tip(error, &tip),
        (None, _) => error,
    }
}

/// The error of a command line that could be read, but only by taking a flag of another tool apart: `-sl` as `-s l`.
pub fn check_hyphens(words: &[String], registry: &Registry) -> Option<Error> {
    flags::long_with_one_hyphen(words).map(|word| explain(unknown(word), words, registry))
}

fn unknown(word: &str) -> Error {
    let mut error = Error::new(ErrorKind::UnknownArgument).with_cmd(&Cli::command());
    error.insert(ContextKind::InvalidArg, ContextValue::String(word.to_owned()));
    error
}

/// The error with our tip in place of guesses by similar letters.
fn with_tip(mut error: Error, tip: &str) -> Error {
    for guess in
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue, ContextKind::Usage]
    {
        error.remove(guess);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip.to_owned())]));
    error
}

/// Whether the first word is a command, and not a flag.
fn is_command(words: &[String]) -> bool {
    words.get(1).is_some_and(|word| !word.starts_with('-'))
}

/// For `tercet ref.txt hyp.txt`, `tercet bleu`, `tercet evaluate`.
fn command_tip(words: &[String], registry: &Registry) -> Option<String> {
    let word = words.get(1)?;
    if let Some((_, tip)) = COMMANDS.iter().find(|(theirs, _)| theirs.contains(&word.to_lowercase().as_str())) {
        return Some((*tip).to_owned());
    }
    if Path::new(word).is_file() {
        return Some("a command comes first; to score translations: tercet score -r REF HYP".to_owned());
    }
    registry.find(word).ok()?;
    Some(format!("it is a metric: tercet score -m {word} -r REF HYP (its options: tercet metrics {word})"))
}

/// For `tercet --metrics`, `tercet -r ref hyp`.
fn first_flag_tip(words: &[String]) -> String {
    match words.get(1).map(|word| word.trim_start_matches('-')) {
        Some("metrics" | "list" | "list-metrics") => "`tercet metrics` lists the metrics".to_owned(),
        Some("tokenizers" | "tok" | "tokenize") => "`tercet tokenize --list` lists the tokenizers".to_owned(),
        _ => "a command comes first, as in: tercet score -r REF HYP".to_owned(),
    }
}
