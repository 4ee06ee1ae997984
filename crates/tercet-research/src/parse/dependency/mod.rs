//! A dependency parser for English (UD v2), which predicts parts of speech, heads and relations of words.
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
//! Parts of speech are predicted after the second layer and are an input of the layers above. The recurrent units need
//! no matrix product per word, which makes the parser fast on a CPU; the network itself is
//! `tercet_learn::networks::BiaffineNetwork`. `tree_search` finds the best tree with one root.
//!
//! | file | contents |
//! |---|---|
//! | `word_form`, `vocabulary` | the features of a word, and their numbers |
//! | `tree_search` | the best tree for the scores |
//! | `workspace`, `parser` | parsing of many sentences on many threads |
//! | `model`, `embedded` | the model file, and the model inside tercet |
//! | `training` | [`train`] and its [`DependencyRecipe`] |
//!
//! # Choices
//! Parsing never fails: unknown words have characters and a shape, and a tree always exists. A sentence of more than
//! 1,000 words is parsed in pieces that end after punctuation, so that time grows linearly with its length (`parser`).
//! The tree of a sentence does not depend on the other sentences of the call or on the number of threads.

mod model;
mod parser;
#[cfg(test)]
mod tests;
pub(super) mod training;
mod tree_search;
pub(super) mod vocabulary;

pub use parser::{DependencyParser, OtherColumns, Parse};
pub use training::{
    DependencyData, DependencyNetwork, DependencyRecipe, DependencyTraining, NetworkPlan, TextEntry, Texts,
    TreebankEntry, train,
};
