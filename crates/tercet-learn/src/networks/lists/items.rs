//! Inputs of networks over lists: forms, and lists of forms.
//!
//! An item of a list is an occurrence of a *form*: a word as it is written, with its features. Each form is stored once
//! ([`Forms`]); lists contain the numbers of forms ([`Lists`]). The artificial root before every list is added by the
//! network.

use super::encoder::Inputs;
use crate::error::{Error, Result};
use crate::layers::Dense;
use crate::networks::limits::{MAX_LAYERS, MAX_SIZE, MAX_WINDOW, check_positive};
use crate::networks::stored::stored_shape;
use std::ops::Range;

tercet_base::defaults! {
    /// Distinct forms: the word, the shape and the characters of each.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Forms {
        words: Vec<u32> = Vec::new(),
        shapes: Vec<u32> = Vec::new(),
        characters: Vec<u8> = Vec::new(),
        starts: Vec<usize> = vec![0],
    }
}

impl Forms {
    /// Adds a form, and returns its number.
    pub fn push(&mut self, word: u32, shape: u32, characters: &[u8]) -> u32 {
        self.words.push(word);
        self.shapes.push(shape);
        self.characters.extend_from_slice(characters);
        self.starts.push(self.characters.len());
        self.len() as u32 - 1
    }

    /// Number of forms.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no forms.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The word of a form.
    pub fn word(&self, form: u32) -> u32 {
        self.words[form as usize]
    }

    /// The shape of a form.
    pub fn shape(&self, form: u32) -> u32 {
        self.shapes[form as usize]
    }

    /// The characters of a form.
    pub fn characters(&self, form: u32) -> &[u8] {
        let at = form as usize;
        &self.characters[self.starts[at]..self.starts[at + 1]]
    }

    /// Removes all forms; allocated memory is kept.
    pub fn clear(&mut self) {
        self.words.clear();
        self.shapes.clear();
        self.characters.clear();
        self.starts.truncate(1);
    }

    /// Returns an error if a number is out of range for the network.
    pub(in crate::networks) fn check(&self, shape: &EncoderShape) -> Result<()> {
        (0..self.len() as u32).try_for_each(|form| self.check_form(form, shape))
    }

    /// The same for one form.
    pub(super) fn check_form(&self, form: u32, shape: &EncoderShape) -> Result<()> {
        below(form, "words", self.word(form), shape.words)?;
        below(form, "shapes", self.shape(form), shape.shapes)?;
        let largest = self.characters(form).iter().max();
        largest.map_or(Ok(()), |&c| below(form, "characters", u32::from(c), shape.characters))
    }
}

fn below(form: u32, what: &str, found: u32, count: usize) -> Result<()> {
    if (found as usize) < count {
        return Ok(());
    }
    Err(Error::shape(format!("form {form}"), format!("{what} below {count}"), found))
}

tercet_base::defaults! {
    /// Lists of words or of forms, which are given by their numbers, concatenated.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Lists {
        items: Vec<u32> = Vec::new(),
        starts: Vec<usize> = vec![0],
    }
}

impl Lists {
    /// Lists from slices.
    pub fn from_lists<L: AsRef<[u32]>>(lists: &[L]) -> Self {
        let mut all = Lists::default();
        lists.iter().for_each(|list| all.push(list.as_ref().iter().copied()));
        all
    }

    /// Adds a list; it may be empty.
    pub fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len());
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of all lists.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// The items of a list.
    ///
    /// # Panics
    /// If there is no such list.
    #[inline]
    pub fn list(&self, list: usize) -> &[u32] {
        &self.items[self.range(list)]
    }

    /// The range of a list in [`items`](Self::items).
    pub fn range(&self, list: usize) -> Range<usize> {
        self.starts[list]..self.starts[list + 1]
    }

    /// The range of several lists in [`items`](Self::items).
    pub(in crate::networks) fn range_of(&self, lists: Range<usize>) -> Range<usize> {
        self.starts[lists.start]..self.starts[lists.end]
    }

    /// The list of an item and the position of the item in it, both counted from 0.
    pub(super) fn place(&self, item: usize) -> (usize, usize) {
        let list = self.starts.partition_point(|&start| start <= item) - 1;
        (list, item - self.starts[list])
    }

    /// The lists of one shard: those that begin in its share of the items.
    pub(super) fn shard(&self, number: usize, shards: usize) -> Range<usize> {
        let first = |shard: usize| {
            let bound = self.items.len() * shard / shards;
            self.starts[..self.len()].partition_point(|&start| start < bound)
        };
        first(number)..if number + 1 == shards { self.len() } else { first(number + 1) }
    }

    /// Removes all lists; allocated memory is kept.
    pub fn clear(&mut self) {
        self.items.clear();
        self.starts.truncate(1);
    }

    /// Returns an error if an item, `what`, is not below this limit.
    pub(in crate::networks) fn check(&self, what: &str, limit: usize) -> Result<()> {
        let Some(at) = self.items.iter().position(|item| *item as usize >= limit) else { return Ok(()) };
        let (list, found) = (self.place(at).0, format!("{what} {}", self.items[at]));
        Err(Error::shape(format!("{what} list {list}"), format!("{what}s below {limit}"), found))
    }
}

/// Lists and their targets; the type of the targets depends on the network.
#[derive(Debug)]
pub struct ListBatch<'a, Targets> {
    /// The forms that occur in the lists.
    pub forms: &'a Forms,
    /// The lists.
    pub lists: &'a Lists,
    /// The word of every item, if it may differ from that of its form (known words are sometimes replaced by the
    /// unknown word, so that its vector is learned). Empty: the words of the forms.
    pub words: &'a [u32],
    /// The training targets.
    pub targets: &'a Targets,
}

impl<'a, Targets> ListBatch<'a, Targets> {
    /// The inputs of the encoder.
    pub(in crate::networks) fn inputs(&self) -> Inputs<'a> {
        (self.forms, self.lists, self.words)
    }

    /// Returns an error if sizes do not match or numbers are out of range; targets are checked by the network.
    pub(in crate::networks) fn check_inputs(&self, shape: &EncoderShape) -> Result<()> {
        self.lists.check("form", self.forms.len())?;
        self.lists.items().iter().try_for_each(|form| self.forms.check_form(*form, shape))?;
        let items = self.lists.items().len();
        if !self.words.is_empty() && self.words.len() != items {
            return Err(Error::shape("words", format!("{items}, one per item, or none"), self.words.len()));
        }
        let Some(item) = self.words.iter().position(|word| *word as usize >= shape.words) else {
            return Ok(());
        };
        let (example, place) = self.lists.place(item);
        let reason = format!("item {place} has the word {} of {}", self.words[item], shape.words);
        Err(Error::BadExample { example, reason })
    }
}

tercet_base::defaults! {
    /// Sizes of the encoder of a network over lists. The default is that of a network of 2.4 million learned values;
    /// the numbers of words, shapes, characters and tags have to be set by the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct EncoderShape {
        /// Rows of the table of words, including one for unknown words, which the caller chooses.
        pub words: usize = 16_003,
        /// Rows of the table of shapes.
        pub shapes: usize = 512,
        /// Rows of the table of characters, at most 256.
        pub characters: usize = 192,
        /// Dimensions of a character's vector.
        pub character_width: usize = 24,
        /// Number of convolution filters over the characters.
        pub filters: usize = 128,
        /// Length of the convolution's window, in characters.
        pub window: usize = 3,
        /// d: dimensions of an item's vector.
        pub width: usize = 128,
        /// H: recurrent units in each direction.
        pub units: usize = 64,
        /// Number of recurrent layers.
        pub layers: usize = 4,
        /// Tags are predicted after this many layers, and their probabilities are input of the layers above.
        pub tag_layer: usize = 2,
        /// Number of tags.
        pub tags: usize = 17,
    }
}

impl EncoderShape {
    /// Returns an error if a size is 0 or too large; the number of learned values is checked for the whole network.
    pub(in crate::networks) fn check(&self) -> Result<()> {
        let sizes = [
            ("words", self.words, MAX_SIZE),
            ("shapes", self.shapes, MAX_SIZE),
            ("characters", self.characters, 256),
            ("character_width", self.character_width, MAX_SIZE),
            ("filters", self.filters, MAX_SIZE),
            ("window", self.window, MAX_WINDOW),
            ("width", self.width, MAX_SIZE),
            ("units", self.units, MAX_SIZE),
            ("layers", self.layers, MAX_LAYERS),
            ("tag_layer", self.tag_layer, self.layers),
            ("tags", self.tags, usize::from(u16::MAX)),
        ];
        sizes.into_iter().try_for_each(|(name, size, most)| check_positive(name, size, most))
    }

    /// Number of learned values, without those of fine tags.
    pub(in crate::networks) fn parameters(&self) -> u64 {
        let [words, shapes, d, units, layers, tags] =
            [self.words, self.shapes, self.width, self.units, self.layers, self.tags].map(|size| size as u64);
        let [characters, character_width, filters, window] =
            [self.characters, self.character_width, self.filters, self.window].map(|size| size as u64);
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
}

stored_shape!(EncoderShape {
    words,
    shapes,
    characters,
    character_width,
    filters,
    window,
    width,
    units,
    layers,
    tag_layer,
    tags
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_in_the_list_that_has_it_whatever_empty_ones_stand_before() {
        let mut lists = Lists::default();
        [2, 0, 0, 1].into_iter().for_each(|length| lists.push(vec![0; length]));
        assert_eq!([0, 1, 2].map(|item| lists.place(item)), [(0, 0), (0, 1), (3, 0)]);
    }

    #[test]
    fn shards_have_every_list_once_and_about_as_many_items() {
        let mut lists = Lists::default();
        (0..90).for_each(|list| lists.push(vec![0; list % 7]));
        let shards: Vec<Range<usize>> = (0..8).map(|number| lists.shard(number, 8)).collect();
        assert!(shards.iter().cloned().flatten().eq(0..90));
        let items = |shard: &Range<usize>| lists.range(shard.end - 1).end - lists.range(shard.start).start;
        assert!(shards.iter().all(|shard| items(shard).abs_diff(lists.items().len() / 8) <= 7), "{shards:?}");
        assert!((0..3).flat_map(|number| Lists::default().shard(number, 3)).next().is_none());
    }
}
