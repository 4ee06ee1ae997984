//! Line in, sentence vector out.
//!
//! [`SentenceEncoder`] is what a learned metric asks for; it does not know which one it has. A further encoder is a file
//! here that implements the trait, and a name in `build`.
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
pub use build::{ENCODERS, build, file_of, with_file};
pub use precomputed::PrecomputedVectors;
#[cfg(feature = "learned")]
pub use syntax::SyntaxEncoder;

use crate::error::Result;
use crate::vectors::Coverage;

/// A line without a byte order mark, which belongs to its file.
fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// Makes vectors of lines.
pub trait SentenceEncoder: Send + Sync {
    /// What the vectors are: the encoder's name and every option and file that can change a digit, `name:key=value,…`.
    fn signature(&self) -> String;

    /// What a model that was trained with it asks of another: the signature, unless vectors of other lines are bound to come from
    /// another file.
    fn kind(&self) -> String {
        self.signature()
    }

    /// Numbers of a vector.
    fn dimension(&self) -> usize;

    /// The vector of each line. The same line has the same vector, whatever its company and the number of threads.
    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// How many of the words of these lines the encoder knows; `None` if it knows no words.
    fn coverage(&self, _lines: &[&str]) -> Option<Coverage> {
        None
    }
}
