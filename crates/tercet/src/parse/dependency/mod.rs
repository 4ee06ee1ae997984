//! A dependency parser for English (UD v2): words in; parts of speech, heads and relations out.
//!
//! A network reads the whole sentence and scores, for every word, every other word as its head (Dozat & Manning, 2017,
//! arXiv:1611.01734):
//!
//! ```text
//! e_i = LayerNorm(word + shape + characters)                 word_form, vocabulary
//! x   = four bidirectional layers of simple recurrent units over e      (Lei et al., 2018, D18-1477)
//! score(i ← j) = (a_i U + u) · b_j,   a = act(A x), b = act(B x)        the head j of word i
//! label(i, j)  = W act(C x_i + D x_j)
//! ```
//!
//! Parts of speech are read off after the second layer and seen by those above. The recurrent units need no matrix product
//! per word, which is what makes it fast on a CPU; the network itself is `tercet_learn::networks::biaffine`. Heads are made
//! a tree with one root by `tree_search`.
//!
//! | file | question |
//! |---|---|
//! | `word_form`, `vocabulary` | what is seen of a word? |
//! | `tree_search` | which tree do the scores mean? |
//! | `workspace`, `parser` | how do many sentences go through? |
//! | `model`, `embedded` | what is in a file, and in tercet? |
//! | [`training`] | how is it made? |
//!
//! # Choices
//! It takes any words, however they were cut, any number of them, and never fails: unknown words have characters and
//! shape, and a tree always exists. Of more than 1,000 words, a sentence is parsed in pieces, cut after punctuation, so
//! that time grows with its length and not with the square of it (`parser`). A sentence gets the same tree whatever its company and whatever the number of threads.

mod embedded;
mod model;
mod parser;
#[cfg(test)]
mod tests;
pub(super) mod training;
mod tree_search;
pub(super) mod vocabulary;
pub(super) mod word_form;
pub(super) mod workspace;

pub use parser::{DependencyParser, OtherColumns, Parse};
pub use training::{Data, Learning, NetworkSizes, Plan, Recipe, TextEntry, Texts, TreebankEntry, train};
