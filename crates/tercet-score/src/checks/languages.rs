//! The languages of texts: whether hypotheses are in that of their references, and whether metrics fit it.

use super::copies::is_copy;
use super::texts::Texts;
use crate::System;
use crate::metrics::{MetricInfo, Spec, Target};
use crate::text::{Language, Script, TextLanguage, is_whitespace, other_language};
use crate::warning::{LanguageProblem, Warning};
use rayon::prelude::*;
use tercet_base::stop;

/// As many lines of a text are looked at where not all are needed.
const SAMPLE: usize = 200;

/// Fewer letters do not show the script of a line.
const LETTERS: usize = 6;

/// As many show that a single line is in another script: names and quotations have fewer.
const LETTERS_OF_LINE: usize = 20;

/// As many tell a line of Chinese from one of Japanese: headings may be without kana.
const LETTERS_OF_CHINESE_LINE: usize = 60;

/// Some lines of a text, spread over it.
fn sample<'a>(lines: impl ExactSizeIterator<Item = &'a str> + Clone) -> impl Iterator<Item = &'a str> + Clone {
    let step = lines.len().div_ceil(SAMPLE).max(1);
    lines.step_by(step)
}

fn references<'a>(lines: &'a [Vec<&'a str>]) -> impl Iterator<Item = &'a str> + Clone {
    sample(lines.iter().map(|references| references.first().copied().unwrap_or_default()))
}

/// The language that outputs should be in: that of the references, else the one that is asked for, else that of most
/// outputs. Found once for all systems.
pub(crate) struct ExpectedLanguage {
    writing: TextLanguage,
    /// The scripts of some lines of the references; empty if there are none.
    scripts: Vec<Option<Script>>,
}

/// What is in another language.
pub(super) enum InOtherLanguage {
    /// The text, or so many lines of a hundred.
    Text { percent: usize, language: TextLanguage },
    /// These lines, from 0.
    Lines(Vec<(usize, TextLanguage)>),
}

impl ExpectedLanguage {
    pub(super) fn detect(texts: &Texts<'_, '_>, language: Option<&Language>) -> Option<Self> {
        if !texts.references.is_empty() {
            let lines = || references(texts.references);
            let writing = TextLanguage::detect(lines())?;
            return Some(ExpectedLanguage { writing, scripts: lines().map(script).collect() });
        }
        let (lines, systems) = (texts.segments, texts.systems);
        let all = (0..lines * systems.len()).map(|i| systems[i / lines].hypotheses[i % lines]);
        ExpectedLanguage::of_lines(all, language)
    }

    /// The language that is asked for, else that of most lines.
    pub(crate) fn of_lines<'a>(
        lines: impl ExactSizeIterator<Item = &'a str> + Clone,
        asked: Option<&Language>,
    ) -> Option<Self> {
        let asked = asked.and_then(|language| {
            let script = Script::of_language(language.code())?;
            Some(TextLanguage { script, language: Some(language.clone()) })
        });
        let writing = asked.or_else(|| TextLanguage::detect(sample(lines)))?;
        Some(ExpectedLanguage { writing, scripts: Vec::new() })
    }

    /// The name of the language or script.
    pub(crate) fn name(&self) -> String {
        self.writing.name()
    }

    /// The language, if it is known.
    pub(crate) fn language(&self) -> Option<&Language> {
        self.writing.language.as_ref()
    }

    /// Outputs in another script than their references, or in another language of the same script; else single lines.
    pub(super) fn of_system(&self, texts: &Texts<'_, '_>, system: &System<'_>) -> InOtherLanguage {
        let lines = || sample(system.hypotheses.iter().copied());
        let expected = |i: usize| if self.scripts.is_empty() { Some(self.writing.script) } else { self.scripts[i] };
        let differs = |(i, line): (usize, &str)| Some(script(line)? != expected(i)?);
        let scripts: Vec<Option<bool>> = lines().enumerate().map(differs).collect();
        let known = scripts.iter().flatten().count();
        let count = scripts.iter().flatten().filter(|other| **other).count();
        let (percent, found) = if count >= 3 && count * 5 >= known {
            let others = lines().zip(&scripts).filter(|(_, other)| **other == Some(true)).map(|(line, _)| line);
            ((100 * count).div_ceil(known), TextLanguage::detect(others))
        } else {
            (100, TextLanguage::detect(lines()))
        };
        match found.filter(|found| found.differs_from(&self.writing)) {
            Some(language) => InOtherLanguage::Text { percent, language },
            None => InOtherLanguage::Lines(self.lines(texts, system)),
        }
    }

    /// Single lines in another language than their references. Copies of the source are another kind of finding.
    pub(super) fn lines(&self, texts: &Texts<'_, '_>, system: &System<'_>) -> Vec<(usize, TextLanguage)> {
        let other = |i: usize| {
            let writing = self.other_language_of(system.hypotheses[i])?;
            let is_wrong = !is_copy(texts, i, system.hypotheses[i])
                && texts.references_of(i).iter().all(|reference| self.other_language_of(reference).is_none());
            is_wrong.then_some((i, writing))
        };
        (0..texts.segments).into_par_iter().filter_map(stop::carried(other)).collect()
    }

    /// In what a line is written, if that is certainly another language or script than expected.
    pub(crate) fn other_language_of(&self, line: &str) -> Option<TextLanguage> {
        let main = |fewest: usize| Script::main([line].into_iter(), fewest);
        // The letters of an ASCII line are Latin: they need no count.
        if !(line.is_ascii() && self.writing.script == Script::Latin)
            && let Some(script) = main(LETTERS_OF_LINE).filter(|script| *script != self.writing.script)
        {
            let both = [script, self.writing.script];
            let are_close = both.iter().all(|script| matches!(script, Script::Chinese | Script::Japanese));
            let is_clear = !are_close || main(LETTERS_OF_CHINESE_LINE).is_some();
            // Names among words of the expected script are no other language.
            let beyond_ascii: String = line.chars().filter(|c| !c.is_ascii()).collect();
            let has_own = Script::main([&beyond_ascii].into_iter(), LETTERS) == Some(self.writing.script);
            return (is_clear && !has_own).then_some(TextLanguage { script, language: None });
        }
        let language = other_language(line, self.writing.language.as_ref()?)?;
        Some(TextLanguage { script: self.writing.script, language: Some(language) })
    }
}

fn script(line: &str) -> Option<Script> {
    Script::main([line].into_iter(), LETTERS)
}

/// The language of references, or of other lines, if it is clear from their words or letters.
pub fn detect_language(lines: &[Vec<&str>]) -> Option<Language> {
    TextLanguage::detect(references(lines))?.language
}

/// Whether references, or other lines, in Latin letters are too few to tell their language.
pub fn is_too_short_to_detect(lines: &[Vec<&str>]) -> bool {
    detect_language(lines).is_none() && TextLanguage::is_short_and_latin(references(lines))
}

/// What systems translate into: this language, or what is found in the references.
pub fn target(references: &[Vec<&str>], language: Option<&Language>) -> Target {
    if language.is_some() {
        return language.into();
    }
    match TextLanguage::detect(self::references(references)) {
        Some(found) if found.language.is_some() => found.language.as_ref().into(),
        Some(found) if found.script != Script::Latin => Target::Other,
        _ => Target::Unknown,
    }
}

/// The language of the references, which is found in the text if it is not given, if probabilities were fitted to
/// judgements of another one.
pub fn fitted_to_another_language(
    references: &[Vec<&str>],
    (info, signature): (&MetricInfo, &Spec),
    language: Option<&Language>,
) -> Option<String> {
    let found = TextLanguage::detect(self::references(references));
    let name = match language {
        Some(language) => (language.code() != "en").then(|| language.name()),
        None => found
            .filter(|found| found.language.as_ref().is_none_or(|language| language.code() != "en"))
            .and_then(|found| (found.language.is_some() || found.script != Script::Latin).then(|| found.name())),
    }?;
    info.has_fitted_slope(signature).then_some(name)
}

/// Warnings about metrics, with their signatures, that do not fit the language of the references. The language is found
/// in the text, as far as possible, if none is given, or if the text is certainly not in it.
pub fn check_metrics(
    references: &[Vec<&str>],
    metrics: &[(&MetricInfo, Spec)],
    language: Option<&Language>,
) -> Vec<Warning> {
    let lines = || self::references(references);
    let found = TextLanguage::detect(lines());
    let mut warnings = Vec::new();
    if let (Some(target), Some(found)) = (language, &found)
        && found.contradicts(target)
    {
        warnings.push(Warning::NotTheTarget { target: target.into(), found: found.name() });
    }
    let language = language.filter(|given| found.as_ref().is_none_or(|found| !found.has_other_words_than(given)));
    let detected = language.is_none();
    let text_language = language.or(found.as_ref().and_then(|found| found.language.as_ref()));
    for (info, signature) in metrics {
        match (text_language, &found) {
            (Some(language), _) => {
                let found = info.language_warning(signature, language, has_spaces(lines()), detected);
                warnings.extend(found.filter(|warning| !detected || is_mistake(warning)));
            }
            (None, Some(found)) => {
                let used = (info.language.set_to)(signature);
                if let Some(used) = used.filter(|used| found.contradicts(used)) {
                    warnings.push(Warning::MeteorScript { used: used.name(), script: found.name() });
                }
            }
            (None, None) => {}
        }
    }
    warnings
}

/// Whether a warning about a metric holds also for a language that was only found in the text.
fn is_mistake(warning: &Warning) -> bool {
    let Warning::MetricLanguage { problem, solved_by_language, .. } = warning else { return false };
    let is_clear = matches!(problem, LanguageProblem::NoSpaces { .. } | LanguageProblem::EnglishOnly { .. });
    is_clear || *solved_by_language || warning.is_of_meteor_for_another_language()
}

/// Whether words are short: a language that is written without spaces was split into words.
fn has_spaces<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    const MAX_MEAN_LENGTH: usize = 8;
    let (mut words, mut letters) = (0, 0);
    for word in lines.flat_map(|line| line.split(is_whitespace)).filter(|word| !word.is_empty()) {
        words += 1;
        letters += word.chars().count();
    }
    letters <= MAX_MEAN_LENGTH * words
}
