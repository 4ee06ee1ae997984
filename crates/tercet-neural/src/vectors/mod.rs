//! Files of word vectors, and averages of word vectors.
//!
//! [`WordVectors`] has the vector of each word of a file. One source file per format, which its header describes:
//!
//! | module | format | recognised by |
//! |---|---|---|
//! | `glove` | GloVe's text | no header, spaces |
//! | `composes` | COMPOSES' text | no header, tabs |
//! | `word2vec_text` | word2vec's text; fastText's `.vec` too | a first line `count dimension`, then decimals |
//! | `word2vec_binary` | word2vec's binary | the same first line, bytes after it |
//!
//! Plain or compressed with gzip; compression and format are recognised by content, not by name ([`Format::detect`]).
//!
//! # Three ways to open a file
//! [`WordVectors::open`] writes a compact form of the file to the user's cache folder the first time, and opens that
//! from then on: no vector is read until it is looked up. [`WordVectors::open_for`] does the same and copies
//! the wanted words. [`WordVectors::read_for`] writes no other file: it reads from start to end and keeps the wanted
//! words. Memory grows with the words in use, not with the file.
//!
//! Measured on 400,000 words × 300 (`cargo run --release -p tercet --example vectors FILE make`, then `open` and so
//! on), on two cores under other load:
//!
//! | | text, 1.04 GB | binary, 0.48 GB | own memory |
//! |---|---|---|---|
//! | `open`, the first time | 5–7 s, 5 s of CPU | 1.3–1.8 s | 4 MB, peak 15 MB |
//! | `open`, from then on | 0.6 ms | 0.6 ms | 11 MB, more as words are looked up |
//! | `open_for` 8,458 words, from then on | 30–40 ms | 20 ms | 10 MB, peak 21 MB |
//! | `read_for` 8,458 words | 1.3–2.5 s, 1 s of CPU | 0.15 s | 11 MB, peak 14 MB |
//!
//! # Choices
//! - A word that occurs twice has its first vector, as in gensim; [`WordVectors::duplicates`] counts the others.
//! - A number becomes the nearest `f32`. NaN and infinite numbers are errors, as are rows of another length and words
//!   that are not UTF-8.
//! - [`WordVectors::read_for`] counts the numbers of rows that are not wanted, but does not parse them.
//! - Words such as `<unk>` and `</s>` are words like any other; [`AveragePolicy`] decides about unknown words.

mod average;
mod cache;
mod compact;
mod composes;
mod format;
mod glove;
mod identity;
mod index;
mod numbers;
mod rows;
mod source;
mod verified;
mod word2vec_binary;
mod word2vec_text;
mod word_vectors;

#[cfg(test)]
mod tests;

pub use average::{Average, AveragePolicy, Coverage, LookupCase, UnknownWords, average};
pub use format::Format;
pub use word_vectors::WordVectors;

pub use average::lookup;
pub use numbers::parse_all;
pub use source::{Source, utf8};
