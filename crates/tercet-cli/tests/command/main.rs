//! The command as people run it: one file per subcommand.

mod meteor;
mod metrics;
mod place;
mod sacrebleu;
mod score;
mod tokenize;
