//! A parser of English phrase structure: words in; tags, phrases and a vector of 25 numbers out.
//!
//! The design is the compositional vector grammar of Socher, Bauer, Manning & Ng (2013, P13-1045): a probabilistic context-free grammar
//! gives the best trees of a sentence, and a recursive network with its own weights for each pair of categories chooses
//! among them. Its vector at the root is the SYNTAX25 of Guzmán et al. (2015; 2017).
//!
//! ```text
//! score(tree) = w Σ log P(rule) + Σ (log p(tag | sentence) − w log P(tag)) + Σ (log p(label of span) − log p(none))
//!               + Σ v_k · p                                     over nodes, p = tanh(W_k [l; r] + b_k)
//! ```
//!
//! | file | question |
//! |---|---|
//! | `symbols`, `derivation` | how does a tree become one of rules of two? |
//! | `grammar`, `lexicon` | what is probable? |
//! | `chart`, `k_best` | which derivations are best? |
//! | `forms`, `kinds` | what do the networks see? |
//! | `parser`, `pieces` | how do sentences go through, long and strange ones too? |
//! | `model` | what is in a file? |
//! | [`training`] | how is it made? |
//!
//! # Choices
//! - The paper's grammar has a lexicon and states split by hand and by EM, 86.6 on the WSJ. From a treebank of 7,400 trees
//!   a grammar gets 67, so the words' context comes in (`tercet_learn::networks::spans`): tags, and a score for every label of
//!   every span (Stern, Andreas & Klein 2017, P17-1076). The leaves of the recursive network are made from the same words in context.
//! - Categories are the treebank's: GUM's, which are near the Penn Treebank's, but not the same.
//! - Every sentence has a tree and a vector. Of more than 100 words, it is parsed in pieces, some of them at a time, so that memory
//!   does not grow with a sentence but for its tree; what the grammar does not cover, it covers
//!   with as few phrases as possible; both are put under one `ROOT`, and vectors are composed from the left with weights of no
//!   kind. A sentence without words has no tree and the zero vector.
//! - A sentence has the same tree and vector whatever its company and the number of threads.
//!
//! # What each part is worth
//! F1 of labelled brackets as EVALB counts, gold words, own tags, GUM's development part (all of its documents):
//!
//! | | F1 |
//! |---|---|
//! | the grammar alone, with a lexicon | 67.1 |
//! | with words in context, for tags and spans | 82.6 |
//! | rescored by the recursive network | 82.9 |
//!
//! and 82.5 on its test part. `tercet train` prints the table for any recipe; `models/parsers/constituency-en.md` has commands and more.

mod chart;
mod derivation;
mod forms;
mod grammar;
mod k_best;
mod kinds;
mod lexicon;
mod model;
mod parser;
mod pieces;
mod symbols;
#[cfg(test)]
mod tests;
mod training;

pub use parser::{ConstituencyParser, Phrases, SYNTAX_DIMENSION};
pub use training::{
    Data, GrammarMemory, Learning, NetworkSizes, Recipe, RecursiveLearning, SearchSettings, TreebankEntry,
    train,
};
