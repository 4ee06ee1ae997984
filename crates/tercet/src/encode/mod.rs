//! Sentence encoders: line in, vector out.
//!
//! Learned metrics use any [`SentenceEncoder`]. A new encoder is a file in this folder that implements the trait, and an
//! entry in [`ENCODERS`].
//!
//! | encoder | vector of a line |
//! |---|---|
//! | [`AverageEncoder`] | the average of the vectors of its words |
//! | [`PrecomputedVectors`] | read from a file, for example syntax vectors of the Stanford parser |
//! | `SyntaxEncoder` | that of the root of its syntax tree: SYNTAX25 (feature `learned`) |

mod average;
mod build;
mod precomputed;
#[cfg(feature = "learned")]
mod syntax;

pub use average::AverageEncoder;
pub use build::{ENCODERS, EncoderInfo, build, find, relative_to};
pub use precomputed::PrecomputedVectors;
#[cfg(feature = "learned")]
pub use syntax::SyntaxEncoder;

use crate::error::Result;
use crate::spec::Spec;
use crate::vectors::Coverage;

/// A line without a byte order mark.
fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// Turns lines into vectors.
pub trait SentenceEncoder: Send + Sync {
    /// The encoder's name and every option and file that can change a vector.
    fn signature(&self) -> Spec;

    /// A model trained with this encoder can be used with any encoder of the same kind. Default: the signature; an encoder
    /// that needs another file for new lines leaves the file out.
    fn kind(&self) -> Spec {
        self.signature()
    }

    /// The dimension of the vectors.
    fn dimension(&self) -> usize;

    /// The vector of each line. The same line has the same vector, regardless of the other lines and the number of threads.
    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// How many of the words of these lines have a vector; `None` if the encoder has no word vectors.
    fn coverage(&self, _lines: &[&str]) -> Option<Coverage> {
        None
    }
}
