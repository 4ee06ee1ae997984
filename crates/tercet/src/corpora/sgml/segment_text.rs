//! The text between `<seg>` and `</seg>` as a line.

use std::borrow::Cow;

/// The longest entity that is decoded, `&#x10ffff;`, without its `&`.
const LONGEST_ENTITY: usize = 9;

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
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    if text.contains('&') { Cow::Owned(decode(text)) } else { Cow::Borrowed(text) }
}

fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut parts = text.split('&');
    decoded.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let entity = part.split_once(';').filter(|(name, _)| name.len() <= LONGEST_ENTITY);
        match entity.and_then(|(name, rest)| Some((character(name)?, rest))) {
            Some((character, rest)) => {
                decoded.push(character);
                decoded.push_str(rest);
            }
            None => {
                decoded.push('&');
                decoded.push_str(part);
            }
        }
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
