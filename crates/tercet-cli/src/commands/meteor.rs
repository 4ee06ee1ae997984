//! `tercet meteor`: METEOR alone. Two files are scored as the jar does ([`scores`]); `--align` and `--statistics` print
//! their alignments and statistics, as the jar's `align.out` and `-ssOut`; `--stdio` implements the protocol of the
//! jar's `-stdio`.
//!
//! With `--stdio`, each line of input is answered at once:
//!
//! ```text
//! SCORE ||| reference 1 ||| … ||| hypothesis    METEOR's 23 statistics of the best reference
//! EVAL ||| statistics ||| …                     the score of each, a line each, and the score of their sum
//! SING ||| statistics                           the score
//! ```
//!
//! # Agreement
//! Byte-identical with the jar of captioning toolkits (`meteor-1.5.jar` of pycocoevalcap and coco-caption), including
//! its answers to malformed lines, how it splits them (Java's lines, `split` and `trim`), and how it prints numbers.
//! The jar of METEOR's own page is older: it has no `SING`, and answers `EVAL` with the first score only. Where the jar
//! fails with an exception, for statistics that are not 23 numbers, this command ends with status 1 and a message.

mod scores;
mod sgml;

use super::input::TextFile;
use crate::args::MeteorArgs;
use crate::output::{self, Misuse};
use anyhow::{Context, bail};
use sgml::SgmlReport;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use tercet::corpora::{Lines, SgmlFile, SgmlKind, interleaved_references};
use tercet::files;
use tercet::metrics::Registry;
use tercet::metrics::meteor::{JavaDouble, LENGTH, Meteor, Statistics};
use tercet::metrics::{Metric, OptionInfo, Tally};
use tercet::scoring::check_language;
use tercet::text::{JavaLines, Language};

/// METEOR's flags, and ours.
const FLAGS: &[(&str, &str)] = &[
    ("-stdio", "--stdio"),
    ("-mira", "--stdio"),
    ("-sgml", "--sgml"),
    ("-norm", "--norm"),
    ("-lower", "--lower"),
    ("-noPunct", "--no-punct"),
    ("-vOut", "--verbose"),
    ("-ssOut", "--statistics"),
    // Not known here: as words of their own they are not taken for `-w riteAlignments`, and get a pointer.
    ("-writeAlignments", "--write-alignments"),
    ("-ch", "--ch"),
    ("-new", "--new"),
];

/// Replaces METEOR's flags by ours in the command line of `tercet meteor`.
pub fn with_our_flags(mut words: Vec<OsString>) -> Vec<OsString> {
    for word in &mut words[2..] {
        if let Some((_, ours)) = FLAGS.iter().find(|(theirs, _)| theirs == word) {
            *word = ours.into();
        }
    }
    words
}

/// Answers the lines of standard input, or prints alignments or statistics of two files.
pub fn run(args: &MeteorArgs, registry: &Registry) -> anyhow::Result<()> {
    args.reading.set();
    let meteor = Meteor::parse_in_context(&options(args, registry)?, registry.context())?;
    output::warn_of_damaged(registry.context());
    if !args.stdio {
        return print_files(&meteor, args);
    }
    if !args.quiet {
        meteor.warnings().iter().for_each(output::warn_of);
    }
    if args.files.iter().any(|file| file != "-") {
        let message = "--stdio answers standard input: write - in place of files (tercet score scores files)";
        return Err(Misuse(message.to_owned()).into());
    }
    let input = files::stdin().context("cannot read standard input")?.lock();
    match answer(&meteor, input, io::stdout().lock()) {
        Err(error) if is_closed_pipe(&error) => Ok(()),
        done => done,
    }
}

/// Scores, alignments or statistics of two files.
fn print_files(meteor: &Meteor, args: &MeteorArgs) -> anyhow::Result<()> {
    let [hypotheses, references] = args.files.as_slice() else {
        let message = "name two files, translations, then references (or --stdio, to answer standard input)";
        return Err(Misuse(message.to_owned()).into());
    };
    match (TextFile::read(hypotheses.as_ref())?, TextFile::read(references.as_ref())?) {
        (TextFile::Sgml(translations), TextFile::Sgml(references)) => {
            warn(meteor, args, &reference_segments(&references)?);
            SgmlReport::new(meteor, args, &translations, &references)?.write(args)
        }
        (TextFile::Lines(hypotheses), TextFile::Lines(references)) if !args.sgml && args.file_prefix.is_none() => {
            print_lines(meteor, args, &hypotheses, &references)
        }
        (TextFile::Lines(_), _) => bail!("{hypotheses} is plain text, but SGML is needed here"),
        (_, TextFile::Lines(_)) => bail!("{references} is plain text, but SGML is needed here"),
    }
}

/// The segments of the first reference of SGML.
fn reference_segments(file: &SgmlFile) -> anyhow::Result<Vec<Vec<&str>>> {
    let texts = file.texts(SgmlKind::Reference)?;
    let documents = texts.into_iter().take(1).flat_map(|text| text.documents());
    Ok(documents.flat_map(|document| document.segments()).map(|(_, segment)| vec![segment]).collect())
}

/// The same for plain text.
fn print_lines(meteor: &Meteor, args: &MeteorArgs, hypotheses: &Lines, lines: &Lines) -> anyhow::Result<()> {
    let references = interleaved_references(lines, args.references)?;
    if references.len() != hypotheses.len() {
        hypotheses.check_length_of(lines)?;
        bail!("{} segments but references for {}", hypotheses.len(), references.len());
    }
    warn(meteor, args, &references);
    let texts: Vec<(&str, &[&str])> = hypotheses.iter().zip(references.iter().map(Vec::as_slice)).collect();
    if args.quiet {
        let (segments, score) = scores::scores(meteor, &texts);
        segments.into_iter().for_each(|score| output::note(JavaDouble(score)));
        return output::print(&format!("{}\n", JavaDouble(score)));
    }
    if args.align || args.statistics {
        return output::print(&alignments(meteor, &texts, args.align));
    }
    output::print(&scores::report(meteor, &settings(args, meteor), &texts))
}

/// Warns of references in another language than METEOR's, and of what it lacks.
fn warn(meteor: &Meteor, args: &MeteorArgs, references: &[Vec<&str>]) {
    if !args.quiet {
        // The setting follows from the flag, so it is the text that shows whether both fit.
        let warnings = check_language(references, &[(meteor.info(), meteor.signature())], meteor.warnings(), None);
        warnings.iter().for_each(output::warn_of);
    }
}

/// Alignments or statistics of every segment.
fn alignments(meteor: &Meteor, texts: &[(&str, &[&str])], align: bool) -> String {
    let mut seen = String::new();
    for (i, (hypothesis, references)) in texts.iter().enumerate() {
        let alignment = meteor.align(hypothesis, references);
        if alignment.unfinished {
            let line = i + 1;
            output::warn(format_args!(
                "segment {line} is so long that the search was cut short; its alignment may be worse than METEOR's"
            ));
        }
        if align {
            seen += &alignment.entry(&(i + 1).to_string()).to_string();
        } else {
            add_line(&mut seen, alignment.statistics);
        }
    }
    seen
}

/// What the jar prints of its settings.
fn settings<'a>(args: &'a MeteorArgs, meteor: &'a Meteor) -> scores::Settings<'a> {
    let custom = args.modules.is_some() || args.parameters.is_some() || args.weights.is_some();
    scores::Settings {
        normalisation: match (args.norm, args.no_punct, args.lower) {
            (true, true, _) => "norm_nopunct",
            (true, false, _) => "norm",
            (false, _, true) => "lc_only",
            (false, _, false) => "no_norm",
        },
        task: (!custom).then(|| meteor.task()),
        verbose: args.verbose,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The metric's options. METEOR's default is to take the text as it is.
fn options(args: &MeteorArgs, registry: &Registry) -> anyhow::Result<String> {
    let flag = |on: bool| if on { "yes" } else { "no" }.to_owned();
    let modules = |text: &String| text.split([' ', '+']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("+");
    let given = [
        ("lang", Some(language(&args.lang, registry)?)),
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
        return Err(Misuse(format!("-p takes four numbers, α β γ δ, not {}", parameters.len())).into());
    }
    let parameters = ["alpha", "beta", "gamma", "delta"].into_iter().zip(parameters);
    let given = given.into_iter().chain(parameters.map(|(key, value)| (key, Some(value.to_owned()))));
    let given = given.filter_map(|(key, value)| Some(format!("{key}={}", value?)));
    Ok(given.collect::<Vec<_>>().join(","))
}

/// METEOR's language: by its own name for it, or that of the target of a pair.
fn language(text: &str, registry: &Registry) -> anyhow::Result<String> {
    let is_own =
        |option: &&OptionInfo| option.key == "lang" && option.values.expected().split(", ").any(|own| own == text);
    let own = registry.find("meteor")?.options.iter().find(is_own);
    if own.is_some() {
        return Ok(text.to_owned());
    }
    let language = Language::target(text).map_err(|error| Misuse(format!("--language: {error}")))?;
    Ok(registry.for_language("meteor", &language)?.option("lang").unwrap_or(text).to_owned())
}

fn answer(meteor: &Meteor, input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
    let mut lines = JavaLines::new(input);
    let mut line = Vec::new();
    while lines.next_into(&mut line).context("cannot read standard input")? {
        let text = String::from_utf8_lossy(&line);
        let mut answer = String::new();
        let done = answer_line(meteor, &text, &mut answer);
        output.write_all(answer.as_bytes())?;
        output.flush()?;
        done.with_context(|| format!("line {} of standard input", lines.number()))?;
    }
    Ok(())
}

/// Adds the answer to a line; before an error, the part of the answer that the jar prints before it fails.
fn answer_line(meteor: &Meteor, line: &str, answer: &mut String) -> anyhow::Result<()> {
    let starts = |word: &str| line.starts_with(word) || line.starts_with(&word.to_lowercase());
    let parts = split(line);
    match parts.as_slice() {
        [_, references @ .., hypothesis] if starts("SCORE") && !references.is_empty() => {
            add_line(answer, meteor.align(hypothesis, references).statistics);
        }
        _ if starts("SCORE") => add_line(answer, "Error: specify hypothesis and at least one reference"),
        [_, parts @ ..] if starts("EVAL") && !parts.is_empty() => evaluate(meteor, parts, answer)?,
        [_, part] if starts("SING") => add_line(answer, JavaDouble(meteor.evaluate(&parse(part)?).score)),
        _ if starts("EVAL") || starts("SING") => add_line(answer, "Error: specify Meteor stats"),
        _ => add_line(answer, "Error: specify SCORE or EVAL or SING"),
    }
    Ok(())
}

/// The score of each, and of their sum.
fn evaluate(meteor: &Meteor, parts: &[&str], answer: &mut String) -> anyhow::Result<()> {
    let mut total = Tally::default();
    for part in parts {
        let statistics = parse(part)?;
        add_line(answer, JavaDouble(meteor.evaluate(&statistics).score));
        total += &statistics.tally();
    }
    add_line(answer, JavaDouble(meteor.evaluate(&Statistics::from_tally(&total)).score));
    Ok(())
}

fn add_line(answer: &mut String, line: impl std::fmt::Display) {
    answer.push_str(&line.to_string());
    answer.push('\n');
}

/// The parts of a line as Java splits them: without empty parts at the end, and trimmed of characters up to U+0020.
fn split(line: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = line.split("|||").collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts.into_iter().map(|part| part.trim_matches(|c| c <= ' ')).collect()
}

/// The statistics at the start of a part; like the jar, ignores what follows them.
fn parse(part: &str) -> anyhow::Result<Statistics> {
    let fields: Vec<&str> = part.split_whitespace().take(LENGTH).collect();
    match Statistics::parse(&fields.join(" ")) {
        Some(statistics) => Ok(statistics),
        None => bail!("expected the {LENGTH} numbers that SCORE answers with, found `{part}`"),
    }
}
