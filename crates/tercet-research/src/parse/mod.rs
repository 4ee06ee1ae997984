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
mod drawing;
pub mod evaluation;
mod input_normalisation;
mod job;
mod recipe_tables;

pub use constituents::{Node, Tree, TreeBuilder};
pub use dependency_tree::DependencyTree;
pub use drawing::draw;
pub use job::{OpenParser, ParseJob, Parsed, Splitter, TreeFormat, drawing};
pub use recipe_tables::VocabularySize;

use std::ops::Range;

/// The pieces of a sentence, each of at most `longest` words, for parsers whose time or memory grows faster than the
/// number of words. A piece ends after the last punctuation mark in its second half, or at its maximal length if there
/// is none.
fn pieces<W: AsRef<str>>(words: &[W], longest: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        let end = end_of_piece(words, from, longest);
        start = Some(end).filter(|end| *end < words.len());
        Some(from..end)
    })
}

fn end_of_piece<W: AsRef<str>>(words: &[W], start: usize, longest: usize) -> usize {
    if words.len() - start <= longest {
        return words.len();
    }
    let second_half = start + longest / 2..start + longest;
    let last = second_half.rev().find(|&at| is_mark(words[at].as_ref()));
    last.map_or(start + longest, |last| last + 1)
}

fn is_mark(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_punctuation() || c == '…')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(words: &[&str]) -> Vec<Range<usize>> {
        pieces(words, 100).collect()
    }

    #[test]
    fn long_sentences_are_split_after_punctuation_or_at_the_maximal_length() {
        let mut words = vec!["a"; 250];
        words[60] = ",";
        words[80] = ".";
        words[190] = "--";
        assert_eq!(cut(&words), [0..81, 81..181, 181..250]);
        assert_eq!(cut(&words[..100]).as_slice(), std::slice::from_ref(&(0..100)));
        assert_eq!(cut(&[]).as_slice(), std::slice::from_ref(&(0..0)));
    }
}
