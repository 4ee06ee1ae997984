//! Where the knowledge of language lives that metrics need: what is inside the binary, what is read from the user's files.
//!
//! Every resource knows its hash (the first eight hexadecimal digits of the SHA-256 of what it was made from), so that a
//! signature can say which was used.
//!
//! The dictionary of synonyms inside the binary is WordNet 3.0, Copyright 2006 by Princeton University, under the licence
//! in `LICENSE-WORDNET`; the lists of function words and abbreviations are our own.

mod function_words;
mod hash;
mod lines;
mod paraphrases;
mod prefixes;
mod stem_table;
mod synonyms;
mod table;
mod wordnet;

pub use synonyms::Synonyms;

pub(crate) use function_words::FunctionWords;
pub(crate) use paraphrases::{Paraphrases, Phrases};
pub(crate) use prefixes::Prefixes;
pub(crate) use stem_table::StemTable;
