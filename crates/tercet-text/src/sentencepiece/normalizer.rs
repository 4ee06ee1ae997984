//! What SentencePiece does to a line before it looks for pieces: rules of characters, white space, a space at the
//! start.
//!
//! The rules are strings with what takes their place, compiled into the model: 4 bytes with the size of a double array,
//! the double array (darts-clone), and the replacements, each ended by a zero byte. A value of the double array is the
//! offset of a replacement. At every place the longest rule that fits is used.

use super::trie::Trie;
use super::{Settings, character_length};
use std::borrow::Cow;

/// Takes the place of white space.
pub(super) const SPACE: &[u8] = "\u{2581}".as_bytes();

/// The rules of a model.
pub(super) struct Rules<'a> {
    units: Cow<'a, [[u8; 4]]>,
    replacements: Cow<'a, [u8]>,
}

impl<'a> Rules<'a> {
    /// Reads the rules of a model; `None` if they are damaged.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Rules { units: Cow::default(), replacements: Cow::default() });
        }
        let (size, rest) = bytes.split_first_chunk()?;
        let (units, replacements) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        let (units, odd) = units.as_chunks();
        let rules = Rules { units: units.into(), replacements: replacements.into() };
        let is_inside = |value: u32| (value as usize) < replacements.len();
        let values = (0..units.len()).filter_map(|number| rules.unit(number as u32)).filter(|unit| unit >> 31 == 1);
        (odd.is_empty() && values.map(|unit| unit & VALUE).all(is_inside)).then_some(rules)
    }

    /// The same rules with bytes of their own.
    pub fn into_owned(self) -> Rules<'static> {
        let (units, replacements) = (self.units.into_owned(), self.replacements.into_owned());
        Rules { units: units.into(), replacements: replacements.into() }
    }

    /// The length of the longest rule that a text begins with, and its replacement.
    fn longest(&self, text: &[u8]) -> Option<(usize, &[u8])> {
        let (mut node, mut found) = (offset(self.unit(0)?), None);
        for (before, byte) in text.iter().enumerate() {
            node ^= u32::from(*byte);
            let Some(unit) = self.unit(node).filter(|unit| unit & LABEL == u32::from(*byte)) else { break };
            node ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                found = self.unit(node).map(|leaf| (before + 1, leaf & VALUE));
            }
        }
        let (length, value) = found?;
        Some((length, self.replacements.get(value as usize..)?.split(|byte| *byte == 0).next()?))
    }

    fn unit(&self, number: u32) -> Option<u32> {
        self.units.get(number as usize).map(|unit| u32::from_le_bytes(*unit))
    }
}

/// The bits of a unit that have its value, if it is a leaf.
const VALUE: u32 = (1 << 31) - 1;

/// The bits of a unit that have its byte; the first one is set in leaves.
const LABEL: u32 = 1 << 31 | 0xff;

/// The way from a unit to its children.
fn offset(unit: u32) -> u32 {
    unit >> 10 << ((unit & 1 << 9) >> 6)
}

/// Writes the normalized form of a line. Symbols of the user (`kept`) stay as they are.
pub(super) fn normalize(
    line: &str,
    rules: &Rules<'_>,
    kept: Option<&Trie>,
    settings: &Settings,
    normalized: &mut Vec<u8>,
) {
    let mut rest = line.as_bytes();
    if settings.remove_extra_spaces {
        while let (length, b" ") = prefix(rest, rules, kept) {
            rest = &rest[length..];
        }
    }
    if rest.is_empty() {
        return;
    }
    let space: &[u8] = if settings.escape_spaces { SPACE } else { b" " };
    if settings.add_space && !settings.space_after {
        normalized.extend(space);
    }
    let mut after_space = settings.remove_extra_spaces;
    while !rest.is_empty() {
        let (length, mut text) = prefix(rest, rules, kept);
        while after_space && let Some(shorter) = text.strip_prefix(b" ") {
            text = shorter;
        }
        for byte in text {
            if *byte == b' ' { normalized.extend(space) } else { normalized.push(*byte) }
        }
        if !text.is_empty() {
            after_space = settings.remove_extra_spaces && text.ends_with(b" ");
        }
        rest = &rest[length..];
    }
    if settings.remove_extra_spaces {
        while normalized.ends_with(space) {
            normalized.truncate(normalized.len() - space.len());
        }
    }
    if settings.add_space && settings.space_after {
        normalized.extend(space);
    }
}

/// The length of the start of a text that is replaced together, and what takes its place.
fn prefix<'a>(text: &'a [u8], rules: &'a Rules<'_>, kept: Option<&Trie>) -> (usize, &'a [u8]) {
    if let Some(length) = kept.and_then(|kept| kept.longest(text)) {
        return (length, &text[..length]);
    }
    rules.longest(text).unwrap_or_else(|| {
        let length = character_length(text);
        (length, &text[..length])
    })
}
