//! Line in, sentence vector out.
//!
//! [`SentenceEncoder`] is what a learned metric asks for; it does not know which one it has. A further encoder is a file
//! here that implements the trait, and an entry in [`ENCODERS`].
//!
//! | encoder | vector of a line |
//! |---|---|
//! | [`AverageEncoder`] | the average of the vectors of its words |
//! | [`PrecomputedVectors`] | what a file says: syntax vectors of the Stanford parser, for one |
//! | `SyntaxEncoder` | that of the root of its syntax tree: SYNTAX25 (feature `learned`) |

mod average;
mod build;
mod precomputed;
#[cfg(feature = "learned")]
mod syntax;

pub use average::AverageEncoder;
#[cfg(feature = "learned")]
pub(crate) use build::beside;
pub use build::{ENCODERS, EncoderInfo, build, find};
pub use precomputed::PrecomputedVectors;
#[cfg(feature = "learned")]
pub use syntax::SyntaxEncoder;

use crate::error::Result;
use crate::spec::Spec;
use crate::vectors::Coverage;

/// A line without a byte order mark, which belongs to its file.
fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// Makes vectors of lines.
pub trait SentenceEncoder: Send + Sync {
    /// What the vectors are: the encoder's name and every option and file that can change a digit.
    fn signature(&self) -> Spec;

    /// What must be equal when a model that was trained with this encoder is used with another: the signature, unless
    /// vectors of new lines have to come from another file.
    fn kind(&self) -> Spec {
        self.signature()
    }

    /// Numbers of a vector.
    fn dimension(&self) -> usize;

    /// The vector of each line. The same line has the same vector, regardless of the other lines and the number of threads.
    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// How many of the words of these lines the encoder knows; `None` if it knows no words.
    fn coverage(&self, _lines: &[&str]) -> Option<Coverage> {
        None
    }
}
