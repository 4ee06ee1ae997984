//! Parsers of English, file formats for trees, and the evaluation of parsers.
//!
//! | module | what it has |
//! |---|---|
//! | [`conllu`] | files of dependency trees (UD v2), written back byte for byte |
//! | `constituency` | a constituency parser with phrase vectors, and its training (feature `learned`) |
//! | `dependency` | a dependency parser, and its training (feature `learned`) |
//! | [`DependencyTree`] | heads and labels of one sentence, checked; [`draw`] draws it as text |
//! | [`Tree`] | the constituency tree of one sentence; [`bracketed`] reads and writes the Penn Treebank's format |
//! | [`evaluation`] | UAS and LAS as in CoNLL 2018, labelled brackets as EVALB |
//!
//! Readers of trees take text, and a path that is only used in error messages. Files are opened in two places: a parser
//! reads its model file, and training reads the files that its recipe names.

pub mod bracketed;
pub mod conllu;
pub mod constituency;
mod constituents;
pub mod dependency;
mod dependency_tree;
mod document_split;
mod drawing;
pub mod evaluation;
mod input_normalisation;
mod job;
mod recipe_tables;
mod sentence_pieces;

pub use constituents::{Node, Tree, TreeBuilder};
pub use dependency_tree::DependencyTree;
pub use drawing::draw;
pub use job::{OpenParser, ParseJob, Parsed, Splitter, TreeFormat, drawing};
pub use recipe_tables::VocabularySize;
