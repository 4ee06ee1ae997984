//! The sizes of a [`BiaffineNetwork`](super::BiaffineNetwork), their limits and their names in a file.

use crate::error::Result;
use crate::layers::Dense;
use crate::model_file::ModelFile;
use crate::networks::limits::{MAX_SIZE, check_parameters, check_positive, check_size};
use crate::networks::lists::EncoderShape;

/// Sizes of a [`BiaffineNetwork`](super::BiaffineNetwork). The default has 2.4 million learned values; the numbers of
/// words, shapes, characters, tags and labels have to be set by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiaffineShape {
    /// Sizes of the encoder: words, recurrent layers, tags.
    pub encoder: EncoderShape,
    /// Number of fine tags, predicted in addition to the tags; may be 0.
    pub fine_tags: usize,
    /// Width of the vectors from which heads are scored.
    pub arc: usize,
    /// Width of the vectors from which labels are scored.
    pub label: usize,
    /// Number of labels.
    pub labels: usize,
}

impl Default for BiaffineShape {
    fn default() -> Self {
        BiaffineShape { encoder: EncoderShape::default(), fine_tags: 49, arc: 64, label: 64, labels: 51 }
    }
}

impl BiaffineShape {
    /// Names and sizes, without those of the encoder.
    fn own_sizes(&self) -> [(&'static str, usize); 4] {
        let Self { fine_tags, arc, label, labels, .. } = *self;
        [("fine_tags", fine_tags), ("arc", arc), ("label", label), ("labels", labels)]
    }

    /// Names and sizes, as in a file.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.encoder.sizes().into_iter().chain(self.own_sizes())
    }

    /// Returns an error if a size is 0 or too large.
    pub fn check(&self) -> Result<()> {
        let most_kinds = usize::from(u16::MAX);
        self.encoder.check()?;
        check_positive("arc", self.arc, MAX_SIZE)?;
        check_positive("label", self.label, MAX_SIZE)?;
        check_size("fine_tags", self.fine_tags, most_kinds)?;
        check_positive("labels", self.labels, most_kinds)?;
        check_parameters(self.parameters())
    }

    /// Number of learned values.
    pub fn parameters(&self) -> u64 {
        let [fine, arc, label, labels] = self.own_sizes().map(|(_, size)| size as u64);
        let d = self.encoder.width as u64;
        let fine_tags = if fine > 0 { Dense::count(d, fine) } else { 0 };
        let edges = Dense::count(d, 2 * arc + 2 * label) + Dense::count(arc, arc) + Dense::count(label, labels);
        [2 * d, fine_tags, edges].into_iter().fold(self.encoder.parameters(), u64::saturating_add)
    }

    /// Reads the sizes from a file.
    pub(super) fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        Ok(BiaffineShape {
            encoder: EncoderShape::stored(prefix, file)?,
            fine_tags: size("fine_tags")?,
            arc: size("arc")?,
            label: size("label")?,
            labels: size("labels")?,
        })
    }
}
