//! The text between `<seg>` and `</seg>` as a line.

use std::borrow::Cow;

/// The longest entity that is decoded, `&#x10ffff;`, without its `&`.
const MAX_ENTITY_LENGTH: usize = 9;

/// Entities decoded, white space made single spaces, `<skipped>` removed.
pub(super) fn segment_text(raw: &str) -> String {
    let raw = raw.replace("<skipped>", "");
    let decoded = decoded(&raw);
    let mut text = String::with_capacity(decoded.len());
    for word in decoded.split(is_space).filter(|word| !word.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// White space of ASCII, with the vertical tab that Perl counts too.
fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// The text with entities of XML and numbers of characters decoded, once.
pub fn decoded(text: &str) -> Cow<'_, str> {
    if text.contains('&') { Cow::Owned(decode(text, |_, _| {})) } else { Cow::Borrowed(text) }
}

/// Where the characters of a decoded text were before: after each decoded entity, its end in the decoded text and in
/// the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecodedPositions(Vec<[usize; 2]>);

impl DecodedPositions {
    /// The positions of the text that [`decoded`] makes of this one.
    pub fn new(text: &str) -> Self {
        let mut ends = Vec::new();
        decode(text, |in_decoded, in_text| ends.push([in_decoded, in_text]));
        DecodedPositions(ends)
    }

    /// The position in the original of a byte of the decoded text.
    pub fn original(&self, position: usize) -> usize {
        let before = self.0.partition_point(|[in_decoded, _]| *in_decoded <= position);
        match before.checked_sub(1).map(|last| self.0[last]) {
            Some([in_decoded, in_text]) => in_text + (position - in_decoded),
            None => position,
        }
    }
}

/// Calls back with the end of each decoded entity, in the decoded text and in the original.
fn decode(text: &str, mut at_end: impl FnMut(usize, usize)) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut parts = text.split('&');
    decoded.push_str(parts.next().unwrap_or_default());
    let mut start = decoded.len();
    for part in parts {
        let entity = part.split_once(';').filter(|(name, _)| name.len() <= MAX_ENTITY_LENGTH);
        match entity.and_then(|(name, rest)| Some((character(name)?, rest))) {
            Some((character, rest)) => {
                decoded.push(character);
                at_end(decoded.len(), start + 1 + part.len() - rest.len());
                decoded.push_str(rest);
            }
            None => {
                decoded.push('&');
                decoded.push_str(part);
            }
        }
        start += 1 + part.len();
    }
    decoded
}

fn character(name: &str) -> Option<char> {
    match name {
        "quot" => Some('"'),
        "apos" => Some('\''),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        _ => numbered(name.strip_prefix('#')?),
    }
}

fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, radix).ok()?).filter(|&character| character != '\0')
}
