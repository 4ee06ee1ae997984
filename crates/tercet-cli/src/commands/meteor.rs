//! `tercet meteor`: METEOR by itself. `--align` and `--statistics` print what it makes of two files, as the jar's `align.out`
//! and `-ssOut`; `--stdio` speaks the protocol by which programs drive the jar.
//!
//! A line in, the answer out at once:
//!
//! ```text
//! SCORE ||| reference 1 ||| … ||| hypothesis    METEOR's 23 statistics of the best reference
//! EVAL ||| statistics ||| …                     the score of each, a line each, and the score of their sum
//! SING ||| statistics                           the score
//! ```
//!
//! # Agreement
//! Byte for byte with the jar that captioning toolkits carry (`meteor-1.5.jar` of pycocoevalcap and coco-caption): what it
//! says to garbled lines, how it cuts them (Java's lines, `split` and `trim`), how it prints numbers. The jar of METEOR's
//! own page is older: it has no `SING`, and answers `EVAL` with the first score alone. Where the jar dies of an
//! exception, at statistics that are not 23 numbers, this ends too, with status 1 and a message.

use crate::args::MeteorArgs;
use crate::output::{self, Misuse};
use anyhow::{Context, bail};
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use tercet::corpora::{interleaved_references, read_lines};
use tercet::metrics::Tally;
use tercet::metrics::meteor::{JavaDouble, LENGTH, Meteor, Module, Statistics};
use tercet::text::JavaLines;

/// METEOR's spelling of flags, and ours.
const FLAGS: &[(&str, &str)] = &[
    ("-stdio", "--stdio"),
    ("-mira", "--stdio"),
    ("-norm", "--norm"),
    ("-lower", "--lower"),
    ("-noPunct", "--no-punct"),
];

/// The words of a command line with METEOR's flags in our spelling, if it is for METEOR.
pub fn with_our_flags(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "meteor") {
        for word in &mut words[2..] {
            if let Some((_, ours)) = FLAGS.iter().find(|(theirs, _)| theirs == word) {
                *word = ours.into();
            }
        }
    }
    words
}

/// Answers lines until there are no more, or prints what is made of two files.
pub fn run(args: &MeteorArgs) -> anyhow::Result<()> {
    let meteor = Meteor::parse(&options(args)?)?;
    if !args.stdio {
        return output::print(&look(&meteor, args)?);
    }
    if args.files.iter().any(|file| file != "-") {
        let message = "--stdio answers standard input: write - in place of files (tercet score scores files)";
        return Err(Misuse(message.to_owned()).into());
    }
    let wanted_all = args.modules.is_none() && !meteor.modules().contains(&Module::Paraphrase);
    if wanted_all && matches!(args.lang.as_str(), "en" | "cz" | "de" | "es" | "fr" | "ru") {
        output::warn(
            "no paraphrase table, so no paraphrases: the jar has one beside it (give it with -a FILE, or say -m without it)",
        );
    }
    match answer(&meteor, io::stdin().lock(), io::stdout().lock()) {
        Err(error) if is_closed_pipe(&error) => Ok(()),
        done => done,
    }
}

/// Alignments or statistics of every segment.
fn look(meteor: &Meteor, args: &MeteorArgs) -> anyhow::Result<String> {
    let [hypotheses, references] = args.files.as_slice() else {
        return Err(Misuse("name two files: translations, then references".to_owned()).into());
    };
    let (hypotheses, lines) = (read_lines(hypotheses.as_ref())?, read_lines(references.as_ref())?);
    let references = interleaved_references(&lines, args.references)?;
    if references.len() != hypotheses.len() {
        hypotheses.check_length_of(&lines)?;
        bail!("{} segments but references for {}", hypotheses.len(), references.len());
    }
    let mut seen = String::new();
    for (i, (hypothesis, references)) in hypotheses.iter().zip(&references).enumerate() {
        let alignment = meteor.align(hypothesis, references);
        if args.align {
            seen += &alignment.entry(&(i + 1).to_string()).to_string();
        } else {
            say(&mut seen, alignment.statistics);
        }
    }
    Ok(seen)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The metric's options. METEOR's default is to take the text as it is.
fn options(args: &MeteorArgs) -> Result<String, Misuse> {
    let flag = |on: bool| if on { "yes" } else { "no" }.to_owned();
    let modules =
        |text: &String| text.split([' ', '+']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("+");
    let given = [
        ("lang", Some(args.lang.clone())),
        ("norm", Some(flag(args.norm))),
        ("lower", Some(flag(args.lower || args.norm))),
        ("no_punct", Some(flag(args.no_punct))),
        ("task", args.task.clone()),
        ("modules", args.modules.as_ref().map(modules)),
        ("beam", args.beam.map(|beam| beam.to_string())),
        ("data", args.data.clone()),
        ("paraphrase", args.paraphrase.clone()),
        ("function_words", args.function_words.clone()),
        ("weights", args.weights.as_ref().map(|text| text.split_whitespace().collect::<Vec<_>>().join(":"))),
    ];
    let parameters: Vec<&str> = args.parameters.iter().flat_map(|text| text.split_whitespace()).collect();
    if args.parameters.is_some() && parameters.len() != 4 {
        return Err(Misuse(format!("-p takes four numbers, α β γ δ, not {}", parameters.len())));
    }
    let parameters = ["alpha", "beta", "gamma", "delta"].into_iter().zip(parameters);
    let given = given.into_iter().chain(parameters.map(|(key, value)| (key, Some(value.to_owned()))));
    let given = given.filter_map(|(key, value)| Some(format!("{key}={}", value?)));
    Ok(given.collect::<Vec<_>>().join(","))
}

fn answer(meteor: &Meteor, input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
    let mut lines = JavaLines::new(input);
    let mut line = Vec::new();
    while lines.next_into(&mut line).context("cannot read standard input")? {
        let text = String::from_utf8_lossy(&line);
        let mut said = String::new();
        let done = answer_line(meteor, &text, &mut said);
        output.write_all(said.as_bytes())?;
        output.flush()?;
        done.with_context(|| format!("line {} of standard input", lines.number()))?;
    }
    Ok(())
}

/// Adds the answer to a line; up to the first mistake, where the jar would have stopped.
fn answer_line(meteor: &Meteor, line: &str, said: &mut String) -> anyhow::Result<()> {
    let starts = |word: &str| line.starts_with(word) || line.starts_with(&word.to_lowercase());
    let parts = split(line);
    match parts.as_slice() {
        [_, references @ .., hypothesis] if starts("SCORE") && !references.is_empty() => {
            say(said, meteor.align(hypothesis, references).statistics);
        }
        _ if starts("SCORE") => say(said, "Error: specify hypothesis and at least one reference"),
        [_, parts @ ..] if starts("EVAL") && !parts.is_empty() => evaluate(meteor, parts, said)?,
        [_, part] if starts("SING") => say(said, JavaDouble(meteor.evaluate(&parse(part)?).score)),
        _ if starts("EVAL") || starts("SING") => say(said, "Error: specify Meteor stats"),
        _ => say(said, "Error: specify SCORE or EVAL or SING"),
    }
    Ok(())
}

/// The score of each, and of all together.
fn evaluate(meteor: &Meteor, parts: &[&str], said: &mut String) -> anyhow::Result<()> {
    let mut total = Tally::default();
    for part in parts {
        let statistics = parse(part)?;
        say(said, JavaDouble(meteor.evaluate(&statistics).score));
        total += &statistics.tally();
    }
    say(said, JavaDouble(meteor.evaluate(&Statistics::from_tally(&total)).score));
    Ok(())
}

fn say(said: &mut String, line: impl std::fmt::Display) {
    said.push_str(&line.to_string());
    said.push('\n');
}

/// The parts of a line as Java cuts them: empty ones at the end are none, and what is up to U+0020 at the ends goes.
fn split(line: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = line.split("|||").collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts.into_iter().map(|part| part.trim_matches(|c| c <= ' ')).collect()
}

/// The statistics at the start of a part; the jar does not look at what follows them.
fn parse(part: &str) -> anyhow::Result<Statistics> {
    let fields: Vec<&str> = part.split_whitespace().take(LENGTH).collect();
    match Statistics::parse(&fields.join(" ")) {
        Some(statistics) => Ok(statistics),
        None => bail!("expected the {LENGTH} numbers that SCORE answers with, found `{part}`"),
    }
}
