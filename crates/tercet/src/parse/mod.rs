//! Sentences in, trees out: the formats trees are kept in, and how parsers are measured.
//!
//! | module | what it has |
//! |---|---|
//! | [`conllu`] | files of dependency trees (UD v2), written back byte for byte |
//! | `constituency` | a parser of phrase structure with vectors of phrases, and how it is trained (feature `learned`) |
//! | `dependency` | a dependency parser, and how it is trained (feature `learned`) |
//! | [`DependencyTree`] | heads and labels of one sentence, checked; [`draw`] shows it |
//! | [`Tree`] | phrases of one sentence; [`bracketed`] reads and writes them as the Penn Treebank does |
//! | [`evaluation`] | UAS and LAS as in CoNLL 2018, labelled brackets as EVALB |
//!
//! Readers of trees take text, and a path to name in messages. Files are opened by what goes with parsers alone: models are
//! read from their files, and training reads what a recipe names.

pub mod bracketed;
pub mod conllu;
#[cfg(feature = "learned")]
pub mod constituency;
mod constituents;
#[cfg(feature = "learned")]
pub mod dependency;
mod dependency_tree;
#[cfg(feature = "learned")]
mod document_split;
mod drawing;
pub mod evaluation;
#[cfg(feature = "learned")]
mod input_normalisation;
#[cfg(feature = "learned")]
mod recipe_tables;
#[cfg(feature = "learned")]
mod sentence_pieces;

pub use constituents::{Node, Tree, TreeBuilder};
pub use dependency_tree::DependencyTree;
pub use drawing::draw;
#[cfg(feature = "learned")]
pub use recipe_tables::VocabularySize;
