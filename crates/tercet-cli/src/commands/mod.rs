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
mod sgml_input;
pub mod systems;
pub mod tokenize;
#[cfg(feature = "learned")]
pub mod train;

use crate::habits;
use tercet::metrics::NamedMetric;

/// The metrics, if none are given.
const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// The metrics of these names, or the default ones.
fn named_metrics(names: &[String], quiet: bool) -> anyhow::Result<Vec<NamedMetric>> {
    match names {
        [] => Ok(DEFAULT_METRICS.iter().map(|name| NamedMetric::build(name)).collect::<Result<_, _>>()?),
        names => habits::metrics::build(names, quiet),
    }
}
