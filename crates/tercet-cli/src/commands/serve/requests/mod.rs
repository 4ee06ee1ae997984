//! What requests ask for: one file per route.

mod compare;
#[cfg(feature = "learned")]
mod parse;
mod rank;
mod report;
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
use tercet::scoring::{DEFAULT_METRICS, MetricRequest};

/// Replaces the metrics of a request by those that may be built: their files are in the folder of the server. Returns
/// an error if there are too many, or files that are not allowed.
fn find_metrics(metrics: &mut [MetricRequest], server: &Server) -> Result<(), ErrorResponse> {
    at_most("metrics", metrics.len(), limits::METRICS)?;
    for metric in metrics {
        let characters = metric.name.chars().count();
        at_most("characters of a metric's name", characters, limits::NAME_CHARACTERS)?;
        *metric = server.files.metric(&metric.name)?;
    }
    Ok(())
}

/// Returns an error if a job asks for too much, or for what cannot be done.
fn check_job(resamples: Option<usize>, valid: tercet::Result<()>) -> Result<(), ErrorResponse> {
    at_most("resamples", resamples.unwrap_or_default(), limits::RESAMPLES)?;
    valid.map_err(|error| ErrorResponse::unusable(error.to_string()))
}

/// How many metrics are computed: those that are named, or BLEU, chrF, TER and the learned one.
fn number_of_metrics(named: &[MetricRequest]) -> usize {
    if named.is_empty() { DEFAULT_METRICS.len() + 1 } else { named.len() }
}
