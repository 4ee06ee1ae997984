//! One file per subcommand.

mod alignment;
pub mod campaign;
pub mod challenge;
pub mod check;
pub mod compare;
pub mod completions;
pub mod correlate;
#[cfg(feature = "learned")]
pub mod derive_scores;
pub mod eval_set;
mod file_names;
pub mod filter;
mod gate;
mod input;
pub mod meteor;
pub mod metrics;
mod page;
#[cfg(feature = "learned")]
pub mod parse;
pub mod rank;
pub mod raters;
#[cfg(feature = "learned")]
pub mod reproduce;
pub mod sacrebleu;
pub mod score;
#[cfg(feature = "serve")]
pub mod serve;
pub mod spans;
pub mod systems;
pub mod tokenize;
#[cfg(feature = "learned")]
pub mod train;
