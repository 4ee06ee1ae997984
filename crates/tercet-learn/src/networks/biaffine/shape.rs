//! The sizes of a [`BiaffineNetwork`](super::BiaffineNetwork), their limits and their place in a file.

use crate::checkpoint::TensorFile;
use crate::error::{Error, Result};
use crate::networks::limits::{LONGEST_WINDOW, MOST, check_parameters, check_size};

/// All sizes. The default is a network of 2.4 million numbers, but for the
/// counts of what is told apart, which are the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BiaffineShape {
    /// Rows of the table of words; what is not in it has a row of its own, which the caller chooses.
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
    /// H: recurrent units in each direction.
    pub units: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Tags are told after so many layers, and what was told is seen by the layers above.
    pub tag_layer: usize,
    /// Numbers by which a head is found.
    pub arc: usize,
    /// Numbers by which a label is found.
    pub label: usize,
    /// How many tags there are.
    pub tags: usize,
    /// How many fine tags there are; 0 for none.
    pub fine_tags: usize,
    /// How many labels there are.
    pub labels: usize,
}

impl Default for BiaffineShape {
    fn default() -> Self {
        BiaffineShape {
            words: 16_003,
            shapes: 512,
            characters: 192,
            character_width: 24,
            filters: 128,
            window: 3,
            width: 128,
            units: 64,
            layers: 4,
            tag_layer: 2,
            arc: 64,
            label: 64,
            tags: 17,
            fine_tags: 49,
            labels: 51,
        }
    }
}

impl BiaffineShape {
    /// Names and sizes, in the order of the fields.
    fn sizes(&self) -> [(&'static str, usize); 15] {
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
            ("arc", self.arc),
            ("label", self.label),
            ("tags", self.tags),
            ("fine_tags", self.fine_tags),
            ("labels", self.labels),
        ]
    }

    /// The most that a size may be.
    fn limit(&self, name: &str) -> usize {
        match name {
            "characters" => 256,
            "window" => LONGEST_WINDOW,
            "layers" => 100,
            "tag_layer" => self.layers,
            "tags" | "fine_tags" | "labels" => usize::from(u16::MAX),
            _ => MOST,
        }
    }

    /// Refuses sizes that make no network.
    pub fn check(&self) -> Result<()> {
        for (name, size) in self.sizes() {
            if size == 0 && name != "fine_tags" {
                return Err(Error::setting(name, size, "at least 1"));
            }
            check_size(name, size, self.limit(name))?;
        }
        check_parameters(self.parameters())
    }

    /// Numbers to learn.
    pub fn parameters(&self) -> u64 {
        let [
            words,
            shapes,
            characters,
            character_width,
            filters,
            window,
            d,
            units,
            layers,
            _,
            arc,
            label,
            tags,
            fine,
            labels,
        ] = self.sizes().map(|(_, size)| size as u64);
        let dense = |inputs: u64, outputs: u64| (inputs + 1).saturating_mul(outputs);
        let spelling =
            characters * character_width + dense(window * character_width, filters) + dense(filters, d);
        let projection = if self.is_projected() { dense(2 * units, d) } else { 0 };
        let layer = 2 * d + dense(d, 6 * units) + projection;
        let tagger = 2 * d + dense(d, tags) + if fine > 0 { dense(d, fine) } else { 0 } + tags * d;
        let edges = dense(d, 2 * arc + 2 * label) + dense(arc, arc) + dense(label, labels);
        let parts = [(words + shapes + 1) * d, spelling, 4 * d, tagger, edges, layers.saturating_mul(layer)];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// Whether what the units say has to be brought to the width of items.
    pub(super) fn is_projected(&self) -> bool {
        2 * self.units != self.width
    }

    /// Puts the sizes into a file.
    pub(super) fn store(&self, prefix: &str, file: &mut TensorFile) {
        for (name, size) in self.sizes() {
            file.set(&format!("{prefix}{name}"), &size.to_string());
        }
    }

    /// Takes sizes out of a file.
    pub(super) fn stored(prefix: &str, file: &TensorFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        Ok(BiaffineShape {
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
            arc: size("arc")?,
            label: size("label")?,
            tags: size("tags")?,
            fine_tags: size("fine_tags")?,
            labels: size("labels")?,
        })
    }
}
