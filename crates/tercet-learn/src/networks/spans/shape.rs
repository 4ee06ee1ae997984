//! The sizes of a [`SpanNetwork`](super::SpanNetwork), their limits and their place in a file.

use crate::error::Result;
use crate::layers::Dense;
use crate::model_file::ModelFile;
use crate::networks::limits::{MOST, check_parameters, check_positive};
use crate::networks::lists::EncoderShape;

/// All sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanShape {
    /// Those of words, recurrent layers and tags.
    pub encoder: EncoderShape,
    /// Numbers by which the label of a span is found.
    pub hidden: usize,
    /// How many labels there are; the first is that of no label.
    pub labels: usize,
}

impl SpanShape {
    /// Names and sizes, as a file has them.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.encoder.sizes().into_iter().chain([("hidden", self.hidden), ("labels", self.labels)])
    }

    /// Refuses sizes that make no network.
    pub fn check(&self) -> Result<()> {
        self.encoder.check()?;
        check_positive("hidden", self.hidden, MOST)?;
        check_positive("labels", self.labels, usize::from(u16::MAX))?;
        check_parameters(self.parameters())
    }

    /// Number of learned values.
    pub(super) fn parameters(&self) -> u64 {
        let [d, hidden, labels] = [self.encoder.width, self.hidden, self.labels].map(|size| size as u64);
        let top = 2 * d + 2 * Dense::count(2 * d, hidden) + Dense::count(hidden, labels);
        self.encoder.parameters().saturating_add(top)
    }

    /// Takes sizes out of a file.
    pub(super) fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        Ok(SpanShape {
            encoder: EncoderShape::stored(prefix, file)?,
            hidden: size("hidden")?,
            labels: size("labels")?,
        })
    }
}
