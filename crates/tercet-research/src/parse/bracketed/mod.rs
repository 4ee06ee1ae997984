//! Bracketed trees, the format of the Penn Treebank (Marcus, Santorini & Marcinkiewicz, 1993, J93-2004).
//!
//! ```text
//! ( (S
//!     (NP-SBJ-1 (DT The) (NN cat))
//!     (VP (VBD sat) (NP (-NONE- *-1)))
//!     (. .)))
//! (ROOT (NP (NN One) (NN line)))
//! ```
//!
//! A bracket is a phrase, `(label bracket …)`, or a word with its tag, `(tag word)`. A tree may extend over any number
//! of lines. White space is that of ASCII, so that any other space may be part of a word. The label may be missing, as
//! in the outermost bracket of the Treebank.
//!
//! # Choices
//! [`read_trees`] keeps everything as written: function labels, indexes, empty elements, escapes. [`Normalisation`]
//! converts trees to what parsers learn. In a word, brackets are written `-LRB-` and `-RRB-`; [`Normalisation`] also
//! unescapes `-LSB-`, `-LCB-` and so on and the old escapes `\/` and `\*`. A word beside brackets, two words in one
//! bracket and an empty bracket are errors; for a sentence that it could not parse, a parser may write `(())` or `()`,
//! which [`read_parses`] returns as `None`.
//!
//! # Agreement
//! All 13,263 trees of GUM are read; they are the same after writing and reading again, and their unescaped words equal
//! those of GUM's dependency trees.
//!
//! # Example
//! ```
//! use std::path::Path;
//! use tercet_research::parse::bracketed::{Normalisation, read_trees};
//!
//! let trees = read_trees(Path::new("one.ptb"), "( (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (NP (-NONE- *)))))")?;
//! let plain = Normalisation::default().apply(&trees[0]).expect("a tree with words");
//! assert_eq!(plain.to_string(), "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat))))");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod normalisation;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub(super) use normalisation::EMPTY_ELEMENT;
pub use normalisation::Normalisation;
pub(super) use normalisation::ROOT;
pub(super) use normalisation::unescape;
pub use read::{read_parses, read_trees};
