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
//! # Two ways to open a file
//! [`WordVectors::open`] turns the file into a compact one in the user's cache folder, once, and from then on maps that
//! into memory: nothing is read until it is looked up. [`WordVectors::read_for`] reads the file from start to end, keeps
//! the words that are wanted, and makes no other file. Either way memory grows with the words in use, not with the file.
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

pub use average::{Average, AveragePolicy, Coverage, LookupCase, UnknownWords, average, lookup};
pub use format::Format;
pub use word_vectors::WordVectors;

pub(crate) use numbers::parse_all;
pub(crate) use source::{Source, utf8};
