//! What is suspicious about texts: each file looks for kinds of one family. [`find`] runs all that are asked for;
//! `CheckJob` lists what they find, and [`warnings`] sums it up before texts are scored.

mod alignment;
mod copies;
mod counted;
mod find;
mod findings;
mod languages;
pub(crate) mod lengths;
mod marks;
mod order;
mod remarks_of_models;
mod repetition;
mod texts;
mod units;
mod values;
mod warnings;
mod whole_texts;
mod wrappers;

pub(crate) use languages::target;
pub use languages::{check_metrics, detect_language, fitted_to_another_language, is_too_short_to_detect};

pub(crate) use counted::Counts;
pub(crate) use find::{Settings, find};
pub(crate) use findings::{Found, Kinds, TextId};
pub(crate) use languages::ExpectedLanguage;
pub(crate) use texts::{Texts, is_blank};

use super::{Corpus, not_aligned};
use crate::metrics::{MetricInfo, NamedMetric, Spec, read_sacrebleu_signature};
use crate::spec::Difference;
use crate::text::Language;
use crate::warning::Warning;

/// What should be known about texts and metrics, each warning once: [`check`] and [`check_metrics_for`].
pub fn remarks(corpus: &Corpus<'_>, metrics: &[NamedMetric], language: Option<&Language>) -> Vec<Warning> {
    let mut warnings = check(corpus);
    for warning in check_metrics_for(&corpus.lines_in_target(), metrics, language) {
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
    let texts = Texts::from(corpus);
    let mut counts = Counts::default();
    counts.add(&texts, find(&texts, &Settings::before_scoring()));
    let mut warnings = counts.warnings();
    warnings.extend(corpus.alignment().into_iter().flat_map(not_aligned));
    warnings
}

#[cfg(test)]
mod tests;
