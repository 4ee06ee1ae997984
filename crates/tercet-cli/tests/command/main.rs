//! The command as people run it: one file per subcommand.

mod metrics;
mod place;
mod sacrebleu;
mod score;
mod tokenize;
