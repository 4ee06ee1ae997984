//! The command as people run it: one file per subcommand.

mod metrics;
mod place;
mod score;
mod tokenize;
