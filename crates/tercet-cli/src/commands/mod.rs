//! One file per subcommand.

pub mod completions;
pub mod meteor;
pub mod metrics;
pub mod sacrebleu;
pub mod score;
pub mod tokenize;
