//! The sizes of a [`SpanNetwork`](super::SpanNetwork), their limits and their names in a file.

use crate::error::Result;
use crate::layers::Dense;
use crate::model_file::ModelFile;
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive};
use crate::networks::lists::EncoderShape;

/// Sizes of a [`SpanNetwork`](super::SpanNetwork).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanShape {
    /// Sizes of the encoder: words, recurrent layers, tags.
    pub encoder: EncoderShape,
    /// Hidden units from which the label of a span is predicted.
    pub hidden: usize,
    /// Number of labels; label 0 means no label.
    pub labels: usize,
}

impl SpanShape {
    /// Names and sizes, as in a file.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.encoder.sizes().into_iter().chain([("hidden", self.hidden), ("labels", self.labels)])
    }

    /// Returns an error if a size is 0 or too large.
    pub fn check(&self) -> Result<()> {
        self.encoder.check()?;
        check_positive("hidden", self.hidden, MAX_SIZE)?;
        check_positive("labels", self.labels, usize::from(u16::MAX))?;
        check_parameters(self.parameters())
    }

    /// Number of learned values.
    pub(super) fn parameters(&self) -> u64 {
        let [d, hidden, labels] = [self.encoder.width, self.hidden, self.labels].map(|size| size as u64);
        let top = 2 * d + 2 * Dense::count(2 * d, hidden) + Dense::count(hidden, labels);
        self.encoder.parameters().saturating_add(top)
    }

    /// Reads the sizes from a file.
    pub(super) fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        Ok(SpanShape { encoder: EncoderShape::stored(prefix, file)?, hidden: size("hidden")?, labels: size("labels")? })
    }
}
