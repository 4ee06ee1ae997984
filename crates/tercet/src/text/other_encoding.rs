//! Recognises text that is not UTF-8 by its first bytes, for error messages.

/// The number of bytes that are looked at.
const LOOKED_AT: usize = 4096;
/// With fewer bytes, a zero byte says nothing.
const SHORTEST: usize = 8;

/// The name of the encoding, as `iconv` takes it, of text in UTF-16 or UTF-32, with or without a byte order mark; `None`
/// for everything else.
pub fn other_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Some("UTF-16"),
        _ => {}
    }
    let seen = &bytes[..bytes.len().min(LOOKED_AT)];
    memchr::memchr(0, seen)?;
    let zeros = |remainder: usize, of: usize| {
        let zeros = seen.iter().skip(remainder).step_by(of).filter(|byte| **byte == 0).count();
        zeros as f64 / (seen.len() / of).max(1) as f64
    };
    // Without a mark: the upper bytes of ASCII characters are zero, and spaces and line ends are ASCII in every language.
    let (first, second) = (zeros(0, 2), zeros(1, 2));
    match () {
        () if seen.len() < SHORTEST => None,
        () if zeros(2, 4) > 0.9 && zeros(3, 4) > 0.9 => Some("UTF-32LE"),
        () if zeros(0, 4) > 0.9 && zeros(1, 4) > 0.9 => Some("UTF-32BE"),
        () if second > 0.1 && first < second / 10.0 => Some("UTF-16LE"),
        () if first > 0.1 && second < first / 10.0 => Some("UTF-16BE"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn utf16_and_utf32_are_recognised() {
        for text in ["We missed the last bus.\n", "Мы опоздали на поезд.\nИ на автобус.\n"]
        {
            assert_eq!(other_encoding(&utf16(text, u16::to_le_bytes)), Some("UTF-16LE"), "{text}");
            assert_eq!(other_encoding(&utf16(text, u16::to_be_bytes)), Some("UTF-16BE"), "{text}");
            assert_eq!(other_encoding(&utf16(&format!("\u{feff}{text}"), u16::to_le_bytes)), Some("UTF-16"));
            assert_eq!(other_encoding(&utf16(&format!("\u{feff}{text}"), u16::to_be_bytes)), Some("UTF-16"));
            let utf32: Vec<u8> = text.chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
            assert_eq!(other_encoding(&utf32), Some("UTF-32LE"), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_taken_for_it() {
        for bytes in
            [&b"plain\n"[..], b"", b"\0", b"a\0b", b"caf\xe9\n", "é\u{0}".as_bytes(), b"a b c d e f\0\0\0\0"]
        {
            assert_eq!(other_encoding(bytes), None, "{bytes:?}");
        }
    }
}
