//! The sizes of a [`SpanNetwork`](super::SpanNetwork), their limits and their place in a file.

use crate::checkpoint::TensorFile;
use crate::error::{Error, Result};
use crate::networks::biaffine::BiaffineShape;
use crate::networks::limits::{MOST, check_parameters, check_size};

/// All sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanShape {
    /// Rows of the table of words.
    pub words: usize,
    /// Rows of the table of shapes.
    pub shapes: usize,
    /// Rows of the table of characters, at most 256.
    pub characters: usize,
    /// Numbers per character.
    pub character_width: usize,
    /// Filters over the characters.
    pub filters: usize,
    /// Characters that a filter sees at once.
    pub window: usize,
    /// d: numbers per item.
    pub width: usize,
    /// Recurrent units in each direction.
    pub units: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Tags are told after so many layers.
    pub tag_layer: usize,
    /// Numbers by which the label of a span is found.
    pub hidden: usize,
    /// How many tags there are.
    pub tags: usize,
    /// How many labels there are; the first is that of no label.
    pub labels: usize,
}

impl SpanShape {
    /// Names and sizes, in the order of the fields.
    fn sizes(&self) -> [(&'static str, usize); 13] {
        [
            ("words", self.words),
            ("shapes", self.shapes),
            ("characters", self.characters),
            ("character_width", self.character_width),
            ("filters", self.filters),
            ("window", self.window),
            ("width", self.width),
            ("units", self.units),
            ("layers", self.layers),
            ("tag_layer", self.tag_layer),
            ("hidden", self.hidden),
            ("tags", self.tags),
            ("labels", self.labels),
        ]
    }

    /// Refuses sizes that make no network.
    pub fn check(&self) -> Result<()> {
        if self.hidden == 0 || self.labels == 0 {
            return Err(Error::setting(
                "hidden, labels",
                format!("{}, {}", self.hidden, self.labels),
                "at least 1",
            ));
        }
        check_size("hidden", self.hidden, MOST)?;
        check_size("labels", self.labels, usize::from(u16::MAX))?;
        self.encoder().check()?;
        check_parameters(self.parameters())
    }

    /// Numbers to learn.
    pub(super) fn parameters(&self) -> u64 {
        let [width, hidden, labels] = [self.width, self.hidden, self.labels].map(|size| size as u64);
        let arcs = 4 * (width + 1) + 4;
        self.encoder().parameters() - arcs + (4 * width + 2) * hidden + (hidden + 1) * labels
    }

    /// The sizes of what it shares with the network of heads and labels; it has no arcs.
    pub(super) fn encoder(&self) -> BiaffineShape {
        BiaffineShape {
            words: self.words,
            shapes: self.shapes,
            characters: self.characters,
            character_width: self.character_width,
            filters: self.filters,
            window: self.window,
            width: self.width,
            units: self.units,
            layers: self.layers,
            tag_layer: self.tag_layer,
            arc: 1,
            label: 1,
            tags: self.tags,
            fine_tags: 0,
            labels: 1,
        }
    }

    /// Puts the sizes into a file.
    pub fn store(&self, prefix: &str, file: &mut TensorFile) {
        for (name, size) in self.sizes() {
            file.set(&format!("{prefix}{name}"), &size.to_string());
        }
    }

    /// Takes sizes out of a file.
    pub fn stored(prefix: &str, file: &TensorFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        Ok(SpanShape {
            words: size("words")?,
            shapes: size("shapes")?,
            characters: size("characters")?,
            character_width: size("character_width")?,
            filters: size("filters")?,
            window: size("window")?,
            width: size("width")?,
            units: size("units")?,
            layers: size("layers")?,
            tag_layer: size("tag_layer")?,
            hidden: size("hidden")?,
            tags: size("tags")?,
            labels: size("labels")?,
        })
    }
}
