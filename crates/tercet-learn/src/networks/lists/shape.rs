//! The sizes of the encoder that networks over lists share, their limits and their names in a file.

use crate::error::Result;
use crate::layers::Dense;
use crate::model_file::ModelFile;
use crate::networks::limits::{MAX_LAYERS, MAX_SIZE, MAX_WINDOW, check_positive};

/// Sizes of the encoder of a network over lists. The default is that of a network of 2.4 million learned values; the
/// numbers of words, shapes, characters and tags have to be set by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncoderShape {
    /// Rows of the table of words, including one for unknown words, which the caller chooses.
    pub words: usize,
    /// Rows of the table of shapes.
    pub shapes: usize,
    /// Rows of the table of characters, at most 256.
    pub characters: usize,
    /// Dimensions of a character's vector.
    pub character_width: usize,
    /// Number of convolution filters over the characters.
    pub filters: usize,
    /// Length of the convolution's window, in characters.
    pub window: usize,
    /// d: dimensions of an item's vector.
    pub width: usize,
    /// H: recurrent units in each direction.
    pub units: usize,
    /// Number of recurrent layers.
    pub layers: usize,
    /// Tags are predicted after this many layers, and their probabilities are input of the layers above.
    pub tag_layer: usize,
    /// Number of tags.
    pub tags: usize,
}

impl Default for EncoderShape {
    fn default() -> Self {
        EncoderShape {
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
            tags: 17,
        }
    }
}

impl EncoderShape {
    /// Names and sizes, in the order of the fields.
    pub(in crate::networks) fn sizes(&self) -> [(&'static str, usize); 11] {
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
            ("tags", self.tags),
        ]
    }

    /// Maximum of a size.
    fn limit(&self, name: &str) -> usize {
        match name {
            "characters" => 256,
            "window" => MAX_WINDOW,
            "layers" => MAX_LAYERS,
            "tag_layer" => self.layers,
            "tags" => usize::from(u16::MAX),
            _ => MAX_SIZE,
        }
    }

    /// Returns an error if a size is 0 or too large; the number of learned values is checked for the whole network.
    pub(in crate::networks) fn check(&self) -> Result<()> {
        self.sizes().into_iter().try_for_each(|(name, size)| check_positive(name, size, self.limit(name)))
    }

    /// Number of learned values, without those of fine tags.
    pub(in crate::networks) fn parameters(&self) -> u64 {
        let [words, shapes, characters, character_width, filters, window, d, units, layers, _, tags] =
            self.sizes().map(|(_, size)| size as u64);
        let spelling =
            characters * character_width + Dense::count(window * character_width, filters) + Dense::count(filters, d);
        let projection = if self.is_projected() { Dense::count(2 * units, d) } else { 0 };
        let layer = 2 * d + Dense::count(d, 6 * units) + projection;
        let tagger = 2 * d + Dense::count(d, tags) + tags * d;
        let parts = [(words + shapes + 1) * d, spelling, 2 * d, tagger, layers.saturating_mul(layer)];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// Whether the output of the units has to be projected to the width of items.
    pub(super) fn is_projected(&self) -> bool {
        2 * self.units != self.width
    }

    /// Reads the sizes from a file; their keys are the names of the fields.
    pub(in crate::networks) fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let size = |name: &str| file.number(&format!("{prefix}{name}"));
        Ok(EncoderShape {
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
            tags: size("tags")?,
        })
    }
}
