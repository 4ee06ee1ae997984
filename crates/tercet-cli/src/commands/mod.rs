//! One file per subcommand.

pub mod compare;
pub mod completions;
pub mod correlate;
mod input;
pub mod judgements;
pub mod meteor;
pub mod metrics;
#[cfg(feature = "learned")]
pub mod parse;
#[cfg(feature = "learned")]
pub mod reproduce;
pub mod sacrebleu;
pub mod score;
pub mod systems;
pub mod tokenize;
#[cfg(feature = "learned")]
pub mod train;

use tercet::metrics::NamedMetric;

/// The metrics, if none are given.
const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// The metrics of these names, or the default ones.
fn named_metrics(names: &[String]) -> tercet::Result<Vec<NamedMetric>> {
    match names {
        [] => DEFAULT_METRICS.iter().map(|name| NamedMetric::build(name)).collect(),
        names => names.iter().map(|name| NamedMetric::build(name)).collect(),
    }
}
