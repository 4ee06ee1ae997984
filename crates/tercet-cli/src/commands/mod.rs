//! One file per subcommand.

pub mod check;
pub mod compare;
pub mod completions;
pub mod correlate;
#[cfg(feature = "learned")]
pub mod derive_scores;
mod file_names;
mod input;
pub mod meteor;
pub mod metrics;
mod page;
#[cfg(feature = "learned")]
pub mod parse;
pub mod rank;
#[cfg(feature = "learned")]
pub mod reproduce;
pub mod sacrebleu;
pub mod score;
#[cfg(feature = "serve")]
pub mod serve;
pub mod systems;
pub mod tokenize;
#[cfg(feature = "learned")]
pub mod train;
