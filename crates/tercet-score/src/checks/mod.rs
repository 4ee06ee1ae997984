//! Warnings about suspicious input; it is scored all the same.

mod languages;
mod order;

pub use languages::{check_metrics, detect_language, fitted_to_another_language, is_too_short_to_detect};

use super::{Corpus, System};
use crate::metrics::{MetricInfo, NamedMetric, Spec, read_sacrebleu_signature};
use crate::spec::Difference;
use crate::text::{Language, is_line_separator, is_whitespace};
use crate::warning::Warning;
use languages::ReferenceLanguage;
use order::check_order;

/// As many lines of a text are looked at where not all are needed.
const SAMPLE: usize = 200;

/// What should be known about texts and metrics, each warning once: [`check`] and [`check_metrics_for`].
pub fn remarks(corpus: &Corpus<'_>, metrics: &[NamedMetric], language: Option<&Language>) -> Vec<Warning> {
    let mut warnings = check(corpus);
    for warning in check_metrics_for(corpus.references(), metrics, language) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// What should be known about metrics and the language of the references: [`check_metrics`], and what the metrics say
/// of themselves, unless it is about METEOR, and that is set to another language.
pub fn check_metrics_for(
    references: &[Vec<&str>],
    metrics: &[NamedMetric],
    language: Option<&Language>,
) -> Vec<Warning> {
    let described: Vec<_> = metrics.iter().map(|named| (named.metric.info(), named.metric.signature())).collect();
    let own = metrics.iter().flat_map(|named| named.metric.warnings());
    check_language(references, &described, own, language)
}

/// The same for metrics with their signatures, and what is said by what they are of.
pub fn check_language(
    references: &[Vec<&str>],
    metrics: &[(&MetricInfo, Spec)],
    own: impl IntoIterator<Item = Warning>,
    language: Option<&Language>,
) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = language.and_then(Language::doubt).into_iter().collect();
    warnings.extend(check_metrics(references, metrics, language));
    let is_other = warnings.iter().any(Warning::is_of_meteor_for_another_language);
    let is_of_meteor =
        |warning: &Warning| matches!(warning, Warning::NoParaphrases { metric, .. } if metric == "meteor");
    warnings.extend(own.into_iter().filter(|warning| !(is_other && is_of_meteor(warning))));
    warnings
}

/// Why scores with the signature `here` are not those of the signature by which their metric was asked for.
pub fn signature_differences(given: &str, here: &str) -> Vec<Warning> {
    let given = match read_sacrebleu_signature(given) {
        Some(read) => read.map(|read| read.spec),
        None => Spec::parse("metric", given),
    };
    let (Ok(given), Ok(here)) = (given, Spec::parse("metric", here)) else { return Vec::new() };
    let warning = |found: Difference| Warning::OtherSignature {
        metric: given.name().to_owned(),
        key: found.key.to_owned(),
        given: found.given,
        here: found.here,
    };
    given.differences(&here).into_iter().map(warning).collect()
}

/// All warnings about a corpus, systems in order.
pub fn check(corpus: &Corpus<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    check_references(corpus, &mut warnings);
    let references = ReferenceLanguage::detect(corpus);
    for system in corpus.systems() {
        check_text(&system.name, system.hypotheses.iter().copied(), &mut warnings);
        check_empty(corpus, system, &mut warnings);
        check_tokenized(&system.name, system.hypotheses.iter().copied(), &mut warnings);
        check_copies(corpus, system, &mut warnings);
        check_order(corpus, system, &mut warnings);
        if let Some(references) = &references {
            references.check(corpus, system, &mut warnings);
        }
    }
    warnings
}

fn check_references(corpus: &Corpus<'_>, warnings: &mut Vec<Warning>) {
    let empty = |references: &Vec<&str>| references.iter().any(|reference| is_blank(reference));
    let segments = corpus.references().iter();
    if let Some((count, first)) = count_and_first(segments.map(empty)) {
        warnings.push(Warning::EmptyReferences { count, first });
    }
    let most = corpus.references().iter().map(Vec::len).max().unwrap_or(0);
    for i in 0..most {
        let place = if most == 1 { "the reference".to_owned() } else { format!("reference {}", i + 1) };
        let lines = corpus.references().iter().map(|references| references.get(i).copied().unwrap_or_default());
        check_text(&place, lines.clone(), warnings);
        check_tokenized(&place, lines, warnings);
    }
}

fn check_text<'a>(place: &str, lines: impl Iterator<Item = &'a str> + Clone, warnings: &mut Vec<Warning>) {
    if lines.clone().next().is_some_and(|line| line.starts_with('\u{feff}')) {
        warnings.push(Warning::ByteOrderMark { place: place.to_owned() });
    }
    // Whoever has \n inside a text, in a row or in a list, has not read it from a line.
    let separator = |line: &str| line.replace("\r\n", " ").chars().find(|c| *c != '\n' && is_line_separator(*c));
    // A byte test first: nearly all lines have none of the bytes that these characters consist of.
    let is_suspicious = |byte: &u8| *byte < b' ' || *byte == 0xc2 || *byte == 0xe2;
    let suspicious = |line: &str| line.as_bytes().iter().fold(false, |found, byte| found | is_suspicious(byte));
    let flags = lines.clone().map(|line| suspicious(line) && separator(line).is_some());
    if let Some((count, first)) = count_and_first(flags) {
        let character = lines.clone().nth(first - 1).and_then(separator).unwrap_or_default();
        warnings.push(Warning::LineSeparators { place: place.to_owned(), count, first, character });
    }
}

fn check_empty(corpus: &Corpus<'_>, system: &System<'_>, warnings: &mut Vec<Warning>) {
    let full = |references: &Vec<&str>| references.iter().any(|reference| !is_blank(reference));
    let lines = system.hypotheses.iter().zip(corpus.references());
    let flags = lines.map(|(hypothesis, references)| is_blank(hypothesis) && full(references));
    let Some((count, first)) = count_and_first(flags) else {
        return;
    };
    let segments = corpus.len();
    let last = segments - system.hypotheses.iter().rev().take_while(|line| is_blank(line)).count();
    let name = system.name.clone();
    // One empty line at the end may be real output; several mean that the system stopped early.
    if segments - last >= 3.max(segments / 100) && last > 0 {
        warnings.push(Warning::Truncated { system: name, last, segments });
    } else {
        warnings.push(Warning::EmptyHypotheses { system: name, count, first });
    }
}

/// sacreBLEU's rule: a hundred lines that end in a space and a full stop.
fn check_tokenized<'a>(place: &str, lines: impl Iterator<Item = &'a str>, warnings: &mut Vec<Warning>) {
    let count = lines.filter(|line| line.ends_with(" .")).count();
    if count >= 100 {
        warnings.push(Warning::Tokenized { place: place.to_owned(), count });
    }
}

fn check_copies(corpus: &Corpus<'_>, system: &System<'_>, warnings: &mut Vec<Warning>) {
    let is_reference = |(hypothesis, references): (&&str, &Vec<&str>)| references.contains(hypothesis);
    if corpus.len() >= 10 && system.hypotheses.iter().zip(corpus.references()).all(is_reference) {
        warnings.push(Warning::SameAsReference { system: system.name.clone() });
    }
    // Short lines may be names or numbers, which stay as they are; whole texts of them do not.
    let long = |line: &str| line.split(' ').nth(3).is_some() || line.chars().filter(|c| *c >= '\u{e00}').count() > 9;
    let copies: Vec<usize> = (0..corpus.len()).filter(|&i| is_copy(corpus, i, system.hypotheses[i])).collect();
    let wrong = |&&i: &&usize| long(system.hypotheses[i]) && !corpus.references()[i].contains(&system.hypotheses[i]);
    let (count, segments) = (copies.len(), corpus.len());
    let Some(first) = copies.first().map(|first| first + 1) else { return };
    if is_worth_a_warning(copies.iter().filter(wrong).count(), segments) || count >= 3.max(segments / 2) {
        warnings.push(Warning::Untranslated { system: system.name.clone(), count, segments, first });
    }
}

/// Whether a line is the source of its segment.
fn is_copy(corpus: &Corpus<'_>, segment: usize, line: &str) -> bool {
    corpus.sources().is_some_and(|sources| sources[segment] == line && !is_blank(line))
}

/// Whether so many lines are more than chance: three, or a tenth of a short text.
fn is_worth_a_warning(count: usize, segments: usize) -> bool {
    count >= 3 || (count > 0 && count * 10 >= segments)
}

fn is_blank(line: &str) -> bool {
    line.chars().all(is_whitespace)
}

fn count_and_first(flags: impl Iterator<Item = bool>) -> Option<(usize, usize)> {
    let mut found = flags.enumerate().filter(|(_, flag)| *flag).map(|(i, _)| i + 1);
    let first = found.next()?;
    Some((found.count() + 1, first))
}

#[cfg(test)]
mod tests;
