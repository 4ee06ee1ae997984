//! What requests ask for: one file per route.

mod compare;
#[cfg(feature = "learned")]
mod parse;
mod rank;
mod report;
mod resampling;
mod score;
mod texts;
mod tokenize;

pub use compare::Compare;
#[cfg(feature = "learned")]
pub use parse::Parse;
pub use rank::Rank;
pub use report::Report;
pub use score::Score;
pub use tokenize::Tokenize;

use super::error_response::ErrorResponse;
use super::limits::{self, at_most};
use super::state::Server;
use crate::registry;
use tercet::metrics::NamedMetric;
use tercet::scoring::DEFAULT_METRICS;
use tercet::text::Language;

/// The target language of a request.
fn language(name: Option<&str>) -> Result<Option<Language>, ErrorResponse> {
    name.map(|name| {
        Language::target(name).map_err(|error| ErrorResponse::unusable(format!("language: {error}")))
    })
    .transpose()
}

/// A metric that may be built.
pub struct FoundMetric {
    /// What it is built from; its files are in the folder of the server.
    pub spec: String,
    /// The name in the answer.
    pub name: String,
}

/// The metrics of these names; an error if there are too many, or files that are not allowed.
fn found_metrics(names: &[String], server: &Server) -> Result<Vec<FoundMetric>, ErrorResponse> {
    at_most("metrics", names.len(), limits::METRICS)?;
    names.iter().map(|name| found_metric(name, server)).collect()
}

fn found_metric(name: &str, server: &Server) -> Result<FoundMetric, ErrorResponse> {
    at_most("characters of a metric's name", name.chars().count(), limits::NAME_CHARACTERS)?;
    server.files.metric(name)
}

/// How many metrics are computed: those that are found, or BLEU, chrF, TER and the learned one.
fn number_of_metrics(found: &[FoundMetric]) -> usize {
    if found.is_empty() { DEFAULT_METRICS.len() + 1 } else { found.len() }
}

fn build(found: &[FoundMetric], language: Option<&Language>) -> tercet::Result<Vec<NamedMetric>> {
    let one = |FoundMetric { spec, name }: &FoundMetric| {
        Ok(NamedMetric { name: name.clone(), ..registry().named(spec, language)? })
    };
    found.iter().map(one).collect()
}
