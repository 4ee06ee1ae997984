//! The command as people run it: one file per subcommand.

mod challenge;
mod check;
mod columns;
mod compare;
mod completions;
mod correlate;
mod correlate_notes;
mod correlate_scores;
mod default_metrics;
#[cfg(feature = "learned")]
mod derive_scores;
mod documents;
#[cfg(feature = "learned")]
mod encoder_files;
#[cfg(feature = "siamese")]
mod explain;
mod files;
#[cfg(feature = "learned")]
mod filter;
mod gate;
mod habits;
mod html;
#[cfg(feature = "serve")]
mod http_client;
#[cfg(unix)]
mod interrupt;
mod judged_outputs;
mod languages;
mod large_files;
mod long_lines;
mod meteor;
mod metrics;
#[cfg(feature = "learned")]
mod parity_jobs;
#[cfg(feature = "learned")]
mod parse;
#[cfg(feature = "learned")]
mod parse_trees;
#[cfg(feature = "learned")]
mod parse_vectors;
mod people_agree;
mod rank;
#[cfg(feature = "learned")]
mod reproduce;
#[cfg(feature = "learned")]
mod reproduce_reval;
#[cfg(feature = "learned")]
mod reproduce_ruse;
mod rows;
mod sacrebleu;
mod score;
#[cfg(feature = "serve")]
mod serve;
#[cfg(all(feature = "serve", feature = "siamese", target_os = "linux"))]
mod serve_faults;
mod sgml;
#[cfg(feature = "learned")]
mod siamese_sources;
mod signatures;
mod significance;
mod spans;
mod systems;
mod test_dir;
mod tokenize;
mod tokenizer_models;
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
#[cfg(feature = "siamese")]
mod train_siamese;
#[cfg(feature = "siamese-multilingual")]
mod twelve_languages;
