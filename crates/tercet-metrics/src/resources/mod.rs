//! Linguistic resources that metrics need, embedded in the binary or read from the user's files.
//!
//! Every resource has a hash (the first eight hexadecimal digits of the SHA-256 of its source) that signatures print.
//!
//! The dictionary of synonyms inside the binary is WordNet 3.0, Copyright 2006 by Princeton University, under the
//! licence in `LICENSE-WORDNET`; the lists of function words and abbreviations are our own.

mod function_words;
mod hash;
mod lines;
mod paraphrases;
mod prefixes;
mod senses;
mod stem_table;
mod synonyms;
mod table;
mod wordnet;

pub use senses::Senses;
pub use synonyms::Synonyms;

pub use function_words::FunctionWords;
pub use hash::hash as text_hash;
pub use lines::read as read_text;
pub use paraphrases::{Paraphrases, PhraseTable, Phrases};
pub use prefixes::Prefixes;
pub use stem_table::StemTable;
