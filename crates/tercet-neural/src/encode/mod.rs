//! Sentence encoders: line in, vector out.
//!
//! Learned metrics use any [`SentenceEncoder`]. A new encoder is a file in this folder that implements the trait, and
//! an entry in a list of [`Encoders`].
//!
//! | encoder | vector of a line |
//! |---|---|
//! | [`AverageEncoder`] | the average of the vectors of its words |
//! | [`PrecomputedVectors`] | read from a file, for example syntax vectors of the Stanford parser |
//! | `TransformerEncoder` | that of a BERT-family encoder, mean pooling (feature `learned`) |
//! | `InferSentEncoder`, `SkipThoughtEncoder` | that of a recurrent network over word vectors (feature `learned`) |
//! | `SyntaxEncoder` | that of the root of its syntax tree: SYNTAX25 (feature `learned`) |

mod average;
mod build;
mod precomputed;
mod token_matches;
mod transformer;

pub use average::AverageEncoder;
pub use build::{
    AVERAGE, EncoderInfo, Encoders, FILE, MODEL, PRECOMPUTED, TRANSFORMER, build, build_spec, file, find, given,
    relative_to, tok,
};
pub(crate) use build::{PRECISION, TRANSFORMER_FOLDER};
pub use precomputed::PrecomputedVectors;
pub use token_matches::{MatchedTokens, Partners, TokenMatches};
pub use transformer::{Precision, TransformerEncoder, TransformerModel};

use crate::error::Result;
use crate::spec::Spec;
use crate::vectors::Coverage;
use crate::warning::Warning;
use std::sync::Arc;

/// A line without a byte order mark.
pub fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// Lines that are longer than an encoder's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongLines {
    /// How many there are.
    pub count: usize,
    /// The number of tokens that fit into the window.
    pub window: usize,
}

impl LongLines {
    /// The warning about these lines of a set.
    pub fn warning(self, place: String) -> Warning {
        Warning::LongLines { place, lines: self.count, window: self.window }
    }
}

/// The warning that so many segments were scored without their end, by a metric with these encoders.
pub fn cut_warning(metric: &str, segments: usize, encoders: &[Arc<dyn SentenceEncoder>]) -> Warning {
    let window = encoders.iter().filter_map(|encoder| encoder.window()).min().unwrap_or(0);
    Warning::LongSegments { metric: metric.to_owned(), segments, window }
}

/// Whether one of these encoders leaves out the end of one of these lines.
pub fn cuts_a_line(encoders: &[Arc<dyn SentenceEncoder>], lines: &[&str]) -> bool {
    encoders.iter().any(|encoder| encoder.long_lines(lines).is_some())
}

/// Turns lines into vectors.
pub trait SentenceEncoder: Send + Sync {
    /// The encoder's name and every option and file that can change a vector.
    fn signature(&self) -> Spec;

    /// A model trained with this encoder can be used with any encoder of the same kind. Default: the signature; an
    /// encoder that needs another file for new lines leaves the file out.
    fn kind(&self) -> Spec {
        self.signature()
    }

    /// The dimension of the vectors.
    fn dimension(&self) -> usize;

    /// The vector of each line. The same line has the same vector, regardless of the other lines and the number of
    /// threads.
    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// The number of tokens of a line that it reads; `None` if it reads all of them.
    fn window(&self) -> Option<usize> {
        None
    }

    /// The lines among these that are longer than the encoder's window and were encoded without their end, if there are
    /// any.
    fn long_lines(&self, _lines: &[&str]) -> Option<LongLines> {
        None
    }

    /// How many of the words of these lines have a vector; `None` if the encoder has no word vectors.
    fn coverage(&self, _lines: &[&str]) -> Option<Coverage> {
        None
    }
}
