//! `char.bin`: the categories of characters.
//!
//! ```text
//! 4         number of categories
//! 32 each   their names, padded with zeros
//! 4 each    for every character below U+FFFF: 18 bits for the categories it is of, 8 for the first of them, 4 for
//!           the longest unknown word, 1 if characters of one kind are an unknown word together, 1 if unknown words
//!           are tried even where the dictionary has one
//! ```
//!
//! Characters above U+FFFF are those of U+0000; U+FFFF, which is beyond the table, is of no category.

use super::bytes::u32_at;

const CHARACTERS: usize = 0xffff;

/// What is known of a character.
#[derive(Clone, Copy, Default)]
pub(super) struct Character(u32);

impl Character {
    /// Whether two characters have a category in common.
    pub fn is_like(self, other: Character) -> bool {
        self.0 & other.0 & 0x3ffff != 0
    }

    /// The category that decides about unknown words.
    pub fn category(self) -> usize {
        (self.0 >> 18 & 0xff) as usize
    }

    /// The longest unknown word of fixed length, in characters.
    pub fn length(self) -> usize {
        (self.0 >> 26 & 0xf) as usize
    }

    /// Whether a run of similar characters is an unknown word.
    pub fn groups(self) -> bool {
        self.0 >> 30 & 1 == 1
    }

    /// Whether unknown words are tried even where the dictionary has words.
    pub fn always(self) -> bool {
        self.0 >> 31 == 1
    }
}

/// The table inside a file.
pub(super) struct Characters<'a> {
    names: &'a [[u8; 32]],
    table: &'a [[u8; 4]],
}

impl<'a> Characters<'a> {
    /// Reads a file; the error says what is wrong with it.
    pub fn new(file: &'a [u8]) -> Result<Self, &'static str> {
        let wrong = "its size is wrong";
        let (count, rest) = file.split_at_checked(4).ok_or(wrong)?;
        let names = (u32_at(count, 0) as usize).checked_mul(32).ok_or(wrong)?;
        let (names, table) = rest.split_at_checked(names).ok_or(wrong)?;
        let ((names, _), (table, rest)) = (names.as_chunks(), table.as_chunks());
        if table.len() != CHARACTERS || !rest.is_empty() {
            return Err(wrong);
        }
        let characters = Characters { names, table };
        if (0..CHARACTERS).any(|number| characters.numbered(number).category() >= names.len()) {
            return Err("a character has a category that does not exist");
        }
        Ok(characters)
    }

    /// The names of the categories.
    pub fn names(&self) -> impl Iterator<Item = &'a [u8]> {
        self.names.iter().map(|name| name.split(|byte| *byte == 0).next().unwrap_or_default())
    }

    /// What is known of a character.
    pub fn get(&self, character: char) -> Character {
        self.numbered(u16::try_from(u32::from(character)).unwrap_or(0).into())
    }

    fn numbered(&self, number: usize) -> Character {
        self.table.get(number).map_or(Character::default(), |bytes| Character(u32_at(bytes, 0)))
    }
}
