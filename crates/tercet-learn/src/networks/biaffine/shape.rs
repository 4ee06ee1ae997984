//! The sizes of a [`BiaffineNetwork`](super::BiaffineNetwork), their limits and their place in a file.

use crate::error::Result;
use crate::layers::Dense;
use crate::model_file::ModelFile;
use crate::networks::limits::{MOST, check_parameters, check_positive, check_size};
use crate::networks::lists::EncoderShape;

/// All sizes. The default is a network of 2.4 million numbers, but for the
/// counts of what is told apart, which are the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiaffineShape {
    /// Those of words, recurrent layers and tags.
    pub encoder: EncoderShape,
    /// How many fine tags there are, which are told beside the tags; 0 for none.
    pub fine_tags: usize,
    /// Numbers by which a head is found.
    pub arc: usize,
    /// Numbers by which a label is found.
    pub label: usize,
    /// How many labels there are.
    pub labels: usize,
}

impl Default for BiaffineShape {
    fn default() -> Self {
        BiaffineShape { encoder: EncoderShape::default(), fine_tags: 49, arc: 64, label: 64, labels: 51 }
    }
}

impl BiaffineShape {
    /// Names and sizes of what is not in the encoder.
    fn own_sizes(&self) -> [(&'static str, usize); 4] {
        let Self { fine_tags, arc, label, labels, .. } = *self;
        [("fine_tags", fine_tags), ("arc", arc), ("label", label), ("labels", labels)]
    }

    /// Names and sizes, as a file has them.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.encoder.sizes().into_iter().chain(self.own_sizes())
    }

    /// Refuses sizes that make no network.
    pub fn check(&self) -> Result<()> {
        let most_kinds = usize::from(u16::MAX);
        self.encoder.check()?;
        check_positive("arc", self.arc, MOST)?;
        check_positive("label", self.label, MOST)?;
        check_size("fine_tags", self.fine_tags, most_kinds)?;
        check_positive("labels", self.labels, most_kinds)?;
        check_parameters(self.parameters())
    }

    /// Number of learned values.
    pub fn parameters(&self) -> u64 {
        let [fine, arc, label, labels] = self.own_sizes().map(|(_, size)| size as u64);
        let d = self.encoder.width as u64;
        let fine_tags = if fine > 0 { Dense::count(d, fine) } else { 0 };
        let edges =
            Dense::count(d, 2 * arc + 2 * label) + Dense::count(arc, arc) + Dense::count(label, labels);
        [2 * d, fine_tags, edges].into_iter().fold(self.encoder.parameters(), u64::saturating_add)
    }

    /// Takes sizes out of a file.
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
