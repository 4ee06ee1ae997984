//! The languages of texts: whether hypotheses are in that of their references, and whether metrics fit it.

use super::{SAMPLE, Warning};
use crate::metrics::{LanguageWarning, Spec, has_fitted_slope, language_warnings, meteor_language};
use crate::scoring::{Corpus, System};
use crate::text::{Language, Script, Writing, is_whitespace};

/// Fewer letters do not show the script of a line.
const LETTERS: usize = 6;

/// Some lines of a text, spread over it.
fn sample<'a>(
    lines: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> impl Iterator<Item = &'a str> + Clone {
    let step = lines.len().div_ceil(SAMPLE).max(1);
    lines.step_by(step)
}

fn references<'a>(lines: &'a [Vec<&'a str>]) -> impl Iterator<Item = &'a str> + Clone {
    sample(lines.iter().map(|references| references.first().copied().unwrap_or_default()))
}

/// Hypotheses in another script than their references, or in another language of the same script.
pub(super) fn check_language(corpus: &Corpus<'_>, system: &System<'_>, warnings: &mut Vec<Warning>) {
    let Some(reference) = Writing::detect(references(corpus.references())) else { return };
    let lines = || sample(system.hypotheses.iter().copied()).zip(references(corpus.references()));
    let scripts = |(hypothesis, reference): (&str, &str)| {
        let script = |line: &str| Script::main([line].into_iter(), LETTERS);
        script(hypothesis).zip(script(reference)).map(|(hypothesis, reference)| hypothesis != reference)
    };
    let other: Vec<bool> = lines().map(scripts).map(|other| other == Some(true)).collect();
    let known = lines().filter_map(scripts).count();
    let count = other.iter().filter(|other| **other).count();
    let push = |percent: usize, found: &Writing, warnings: &mut Vec<Warning>| {
        let (system, language) = (system.name.clone(), found.name());
        warnings.push(Warning::OtherLanguage { system, percent, language, reference: reference.name() });
    };
    if count >= 3 && count * 5 >= known {
        let differing = lines().zip(&other).filter(|(_, other)| **other).map(|((line, _), _)| line);
        if let Some(found) = Writing::detect(differing).filter(|found| found.script != reference.script) {
            push((100 * count).div_ceil(known), &found, warnings);
        }
    } else if let Some(found) = Writing::detect(sample(system.hypotheses.iter().copied()))
        && found.differs_from(&reference)
    {
        push(100, &found, warnings);
    }
}

/// A sentence that says what probabilities were fitted to, if that is another language than that of the references, which is
/// found in the text if it is not given.
pub fn fitted_to_another_language(
    references: &[Vec<&str>],
    signature: &Spec,
    language: Option<&Language>,
) -> Option<String> {
    let found = Writing::detect(self::references(references));
    let name = match language {
        Some(language) => (language.code() != "en").then(|| language.name()),
        None => found
            .filter(|found| found.language.as_ref().is_none_or(|language| language.code() != "en"))
            .and_then(|found| {
                (found.language.is_some() || found.script != Script::Latin).then(|| found.name())
            }),
    }?;
    has_fitted_slope(signature).then(|| {
        format!(
            "The probabilities were fitted to judgements of translations into English (news, WMT12–16); for {name} they are \
             only a rough guide."
        )
    })
}

/// Warnings about metrics, by their signatures, that do not fit the language of the references. The language is found in the text, as far as
/// possible, if none is given.
pub fn check_metrics(
    references: &[Vec<&str>],
    signatures: &[Spec],
    language: Option<&Language>,
) -> Vec<Warning> {
    let lines = || self::references(references);
    let found = Writing::detect(lines());
    let mut warnings = Vec::new();
    if let (Some(target), Some(found)) = (language, &found)
        && found.contradicts(target)
    {
        warnings.push(Warning::NotTheTarget { target: target.clone(), found: found.name() });
    }
    let detected = language.is_none();
    let text_language = language.or(found.as_ref().and_then(|found| found.language.as_ref()));
    for signature in signatures {
        match (text_language, &found) {
            (Some(language), _) => {
                let has_spaces = has_spaces(lines());
                let all = language_warnings(signature, language, has_spaces).into_iter();
                let is_mistake = |warning: &LanguageWarning| {
                    warning.is_solved_by_language() || matches!(warning, LanguageWarning::NoSpaces { .. })
                };
                let told = all.filter(|warning| !detected || is_mistake(warning));
                warnings.extend(told.map(|warning| Warning::Metric { warning, detected }));
            }
            (None, Some(found)) => {
                let used = signature.option("lang").filter(|_| signature.name() == "meteor");
                let used = used.and_then(meteor_language);
                if let Some(used) = used.filter(|used| found.contradicts(used)) {
                    warnings.push(Warning::MeteorScript { used: used.name(), script: found.name() });
                }
            }
            (None, None) => {}
        }
    }
    warnings
}

/// Whether words are short: a language that is written without spaces was split into words.
fn has_spaces<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    const LONGEST: usize = 8;
    let (mut words, mut letters) = (0, 0);
    for word in lines.flat_map(|line| line.split(is_whitespace)).filter(|word| !word.is_empty()) {
        words += 1;
        letters += word.chars().count();
    }
    letters <= LONGEST * words
}
