//! tercet judges machine translation.
//!
//! 1. **Read**: [`corpora`] turns files into lines, lines into segments: one hypothesis, its references, perhaps its source.
//! 2. **Split**: [`text`] turns a line into tokens, exactly as the tools people cite do.
//!    For learned metrics, [`parse`] gives lines their trees, [`vectors`] words their vectors, and [`encode`] lines.
//! 3. **Measure**: a metric of [`metrics`] turns a segment into a summable [`Tally`](metrics::Tally), and a tally,
//!    or the sum of many, into a score that carries its [`Signature`](metrics::Signature).
//! 4. **Decide**: [`scoring`] runs all metrics over all systems and says how sure the differences are, with the
//!    resampling tests of [`statistics`].
//! 5. **Tell**: [`report`] writes it down as text, JSON, TSV, Markdown or LaTeX.
//!
//! `train` reads recipes of everything that can be trained; `reproduce` computes the tables of papers again.
//!
//! # One segment
//!
//! ```
//! use tercet::metrics::{self, Segment};
//!
//! let bleu = metrics::build("bleu:smooth=exp")?;
//! let references = ["the cat sat on the mat"];
//! let tallies = bleu.tally(&[Segment::new("the cat sat on a mat", &references)])?;
//! assert_eq!(format!("{:.2}", bleu.segment_score(&tallies[0])), "53.73");
//! # Ok::<(), tercet::Error>(())
//! ```
//!
//! # Features
//!
//! `learned` (default): what is fitted to human judgements. Without it: lexical metrics and statistics only.

mod cache;
pub mod corpora;
pub mod encode;
mod error;
#[cfg(feature = "learned")]
pub mod learned;
pub mod meta_evaluation;
pub mod metrics;
pub mod parse;
#[cfg(feature = "learned")]
mod recipe;
pub mod report;
#[cfg(feature = "learned")]
pub mod reproduce;
pub mod resources;
pub mod scoring;
pub mod spec;
pub mod statistics;
pub mod text;
#[cfg(feature = "learned")]
pub mod train;
pub mod vectors;

pub use error::{Error, ErrorKind, Result};
pub use tercet_learn::{files, progress};
