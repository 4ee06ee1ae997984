//! One file per subcommand.

pub mod compare;
pub mod completions;
pub mod correlate;
#[cfg(feature = "learned")]
pub mod derive_scores;
mod input;
pub mod judgements;
pub mod meteor;
mod metric_warnings;
pub mod metrics;
#[cfg(feature = "learned")]
pub mod parse;
#[cfg(feature = "learned")]
pub mod reproduce;
pub mod sacrebleu;
pub mod score;
mod sgml_input;
mod signature;
pub mod systems;
pub mod tokenize;
#[cfg(feature = "learned")]
pub mod train;

use crate::habits;
use tercet::metrics::NamedMetric;
use tercet::text::Language;

/// The metrics, if none are given.
const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// The metrics of these names, or the default ones, for a language.
fn named_metrics(
    names: &[String],
    language: Option<&Language>,
    quiet: bool,
) -> anyhow::Result<Vec<NamedMetric>> {
    match names {
        [] => {
            let metrics = DEFAULT_METRICS.iter().map(|name| NamedMetric::build_for(name, language));
            Ok(metrics.collect::<Result<_, _>>()?)
        }
        names => habits::metrics::build(names, language, quiet),
    }
}
