//! Word in, vector out: files of word vectors, and averages of them.
//!
//! [`WordVectors`] knows the vector of each word of a file. One file here per format, the format in its header:
//!
//! | file | format | told by |
//! |---|---|---|
//! | `glove` | GloVe's text | no header, blanks |
//! | `composes` | COMPOSES' text | no header, tabs |
//! | `word2vec_text` | word2vec's text; fastText's `.vec` too | a first line `count dimension`, numbers in letters after it |
//! | `word2vec_binary` | word2vec's binary | the same first line, bytes after it |
//!
//! Plain or packed with gzip; both the packing and the format are told by content, not by name ([`Format::of`]).
//!
//! # Three ways to open a file
//! [`WordVectors::open`] turns the file into a compact one in the user's cache folder, once, and from then on maps that
//! into memory: nothing is read until it is looked up. [`WordVectors::open_for`] takes the same way and copies the words that
//! are wanted. [`WordVectors::read_for`] makes no other file: it reads from start to end and keeps the words that are
//! wanted. With the last two, memory grows with the words in use, not with the file; with the first, what is mapped is
//! the system's own cache of the file, which it takes back when it needs to.
//!
//! Measured on 400,000 words × 300 (`cargo run --release -p tercet --example vectors FILE make`, then `open` and so on), two
//! cores that others used too:
//!
//! | | text, 1.04 GB | binary, 0.48 GB | own memory |
//! |---|---|---|---|
//! | `open`, the first time | 5–7 s, 5 s of CPU | 1.3–1.8 s | 4 MB, peak 15 MB |
//! | `open`, from then on | 0.6 ms | 0.6 ms | 0.1 MB, 11 MB mapped; more as words are looked up |
//! | `open_for` 8,458 words, from then on | 30–40 ms | 20 ms | 10 MB, peak 21 MB |
//! | `read_for` 8,458 words | 1.3–2.5 s, 1 s of CPU | 0.15 s | 11 MB, peak 14 MB |
//!
//! # Choices
//! - A word that comes twice has its first vector, as in gensim; how many were passed over is
//!   [`WordVectors::duplicates`].
//! - A number becomes the `f32` nearest to it. NaN and the infinite are errors, as are rows of another length and words
//!   that are not UTF-8.
//! - Of a row that [`WordVectors::read_for`] does not want the numbers are counted but not read.
//! - Words such as `<unk>` and `</s>` are words like any other: what is not known is the caller's to decide
//!   ([`AveragePolicy`]).

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
mod word2vec_binary;
mod word2vec_text;
mod word_vectors;

#[cfg(test)]
mod tests;

pub use average::{Average, AveragePolicy, Coverage, LookupCase, UnknownWords, average};
pub use format::Format;
pub use word_vectors::WordVectors;

pub(crate) use average::lookup;
pub(crate) use numbers::parse_all;
pub(crate) use source::{Source, utf8};
