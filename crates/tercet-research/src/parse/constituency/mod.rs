//! A constituency parser for English, which predicts tags, phrases and a sentence vector of 25 numbers.
//!
//! The design is the compositional vector grammar of Socher, Bauer, Manning & Ng (2013, P13-1045): a probabilistic
//! context-free grammar finds the best trees of a sentence, and a recursive network with its own weights for each pair
//! of categories chooses among them. Its vector at the root is the SYNTAX25 of Guzmán et al. (2015; 2017).
//!
//! ```text
//! score(tree) = w Σ log P(rule) + Σ (log p(tag | sentence) − w log P(tag)) + Σ (log p(label of span) − log p(none))
//!               + Σ v_k · p                                     over nodes, p = tanh(W_k [l; r] + b_k)
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `symbols`, `derivation` | binarisation of trees |
//! | `grammar`, `lexicon` | probabilities of rules and tags |
//! | `chart`, `k_best` | search for the best derivations |
//! | `forms`, `kinds` | the inputs of the networks |
//! | `parser`, `pieces` | parsing, also of long sentences and of those without a derivation |
//! | `model` | the model file |
//! | `training` | [`train`] and its [`ConstituencyRecipe`] |
//!
//! # Choices
//! - The paper's grammar has a lexicon and states split by hand and by EM, F1 86.6 on the WSJ. Trained on 7,400 trees,
//!   a grammar alone reaches 67, so a network that reads the whole sentence (`tercet_learn::networks::SpanNetwork`)
//!   scores tags, and every label of every span (Stern, Andreas & Klein 2017, P17-1076). It also computes the leaves of
//!   the recursive network.
//! - Categories are those of the treebank, GUM, which are similar to the Penn Treebank's, but not the same.
//! - Every sentence has a tree and a vector. A sentence of more than 100 words is parsed in pieces, a few at a time, so
//!   that memory does not grow with its length, except for its tree. A piece that the grammar cannot derive is covered
//!   with as few phrases as possible. All parts are put under one `ROOT`, and their vectors are composed from the left
//!   with the shared weights of rare nodes. A sentence without words has no tree and the zero vector.
//! - Tree and vector of a sentence do not depend on the other sentences of the call or on the number of threads.
//!
//! # Ablation
//! F1 of labelled brackets as EVALB counts, gold words, predicted tags, development part of GUM (all documents):
//!
//! | | F1 |
//! |---|---|
//! | the grammar alone, with a lexicon | 67.1 |
//! | with words in context, for tags and spans | 82.6 |
//! | rescored by the recursive network | 82.9 |
//!
//! F1 on the test part is 82.5. `tercet train` prints the table for any recipe; `models/parsers/constituency-en.md` has
//! details.

mod chart;
mod derivation;
mod grammar;
mod k_best;
mod lexicon;
mod model;
mod parser;
#[cfg(test)]
mod tests;
mod training;

pub use parser::{ConstituencyParser, Phrases, SYNTAX_DIMENSION};
pub use training::{
    ConstituencyData, ConstituencyRecipe, GrammarMemory, RecursiveTraining, SearchSettings, SpanNetworkSizes,
    SpanTraining, TreebankEntry, train,
};
