//! The command as people run it: one file per subcommand.

mod compare;
mod completions;
mod correlate;
mod correlate_notes;
#[cfg(feature = "learned")]
mod derive_scores;
mod files;
mod habits;
#[cfg(unix)]
mod interrupt;
mod languages;
mod long_lines;
mod meteor;
mod metrics;
#[cfg(feature = "learned")]
mod parse;
#[cfg(feature = "learned")]
mod parse_trees;
#[cfg(feature = "learned")]
mod parse_vectors;
#[cfg(feature = "learned")]
mod reproduce;
#[cfg(feature = "learned")]
mod reproduce_reval;
#[cfg(feature = "learned")]
mod reproduce_ruse;
mod sacrebleu;
mod score;
mod sgml;
mod signatures;
mod significance;
mod systems;
mod test_dir;
mod tokenize;
#[cfg(feature = "learned")]
mod toy_language;
#[cfg(feature = "learned")]
mod train;
#[cfg(feature = "learned")]
mod train_digits;
#[cfg(feature = "learned")]
mod train_infersent;
#[cfg(feature = "learned")]
mod train_parser;
#[cfg(feature = "learned")]
mod train_recipes;
#[cfg(feature = "learned")]
mod train_reval;
#[cfg(feature = "learned")]
mod train_ruse;
