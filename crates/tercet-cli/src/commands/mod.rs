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

/// What is computed if nobody asks for a metric.
pub const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];
