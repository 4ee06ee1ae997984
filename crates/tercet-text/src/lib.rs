//! Text in, tokens out: one file per tokenizer, and the text functions that metrics share.
//!
//! A tokenizer turns a line into a line whose tokens are separated by white space, to the letter as the tool it is
//! named after (`ud-en` is ours, named after the treebank it follows). White space is Python's ([`split`],
//! [`trim_end`]), because most of these tools are written in Python; that of mteval and Moses is Perl's
//! ([`Tokenizer::tokens`]).
//!
//! ```
//! use tercet_text::Tokenizer;
//!
//! assert_eq!(Tokenizer::from_name("13a")?.tokenize("It rained, again."), "It rained , again .");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod abbreviations;
mod character;
mod common_subsequence;
mod distance_band;
mod edit_operations;
mod intl;
mod java_hash;
mod java_lines;
mod language;
mod language_codes;
mod language_detection;
mod levenshtein;
mod mecab;
pub mod meteor_norm;
mod moses;
mod mteval;
mod ngram_matcher;
pub mod ngrams;
mod passes;
mod preparation;
mod punctuation;
mod rouge;
mod script;
mod sentencepiece;
mod stem;
mod symbol_rows;
mod tercom;
mod terp_norm;
mod tokenizer;
mod ud_english;
mod v13a;
mod visible;
mod whitespace;
mod with_model;
mod word_places;
mod zh;

pub use java_lines::JavaLines;
pub use language::Language;
pub use mecab::Mecab;
pub use moses::{MosesLanguage, MosesOptions};
pub use sentencepiece::SentencePiece;
pub use stem::{Stemmer, porter_stem};
pub use tercom::TercomOptions;
pub use terp_norm::TerpNorm;
pub use tokenizer::{Scratch, Tokenizer};
pub use ud_english::{UdWord, ud_english, ud_english_sentences};
pub use visible::{shortened, visible};
pub use whitespace::{is_whitespace, split, trim_end};
pub use with_model::{ModelTokenizer, OpenTokenizers};

pub use abbreviations::{Abbreviations, Prefix};
pub use common_subsequence::common_subsequence;
pub use edit_operations::{Edit, EditOperations, EditRun, edit_operations, edit_script};
pub use java_hash::java_hash;
pub use language::{LANGUAGES, language_code};
pub use language_detection::{TextLanguage, other_language};
pub use levenshtein::{DistanceColumn, levenshtein};
pub use ngram_matcher::NgramMatcher;
pub use preparation::Preparation;
pub use script::Script;
pub use stem::{nltk_stem, rouge_stem};
pub use terp_norm::number as terp_number;
pub use whitespace::{is_line_separator, split_at_spaces};
pub use word_places::word_places;

pub(crate) use tercet_base::{context, error};
