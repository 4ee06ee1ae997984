//! Recognises packed files and text that is not UTF-8 by their first bytes, for error messages.

/// The number of bytes that are looked at.
const LOOKED_AT: usize = 4096;
/// With fewer bytes, a zero byte says nothing.
const MIN_BYTES: usize = 8;

/// Formats of packed files by their first bytes.
const PACKED: &[(&[u8], &str)] = &[
    (b"\x1f\x8b\x08", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
];

/// The name of the format of a packed file, by its first bytes.
pub fn packed_format(bytes: &[u8]) -> Option<&'static str> {
    let (start, name) = PACKED.iter().find(|(start, _)| bytes.starts_with(start))?;
    let after = &bytes[start.len()..];
    (*name != "bzip2" || is_bzip2(after)).then_some(name)
}

/// Whether a block size and the mark of a block, or of the end, follow the letters `BZh`, with which a text may start
/// too.
fn is_bzip2(after: &[u8]) -> bool {
    matches!(after, [b'1'..=b'9', block @ ..] if block.starts_with(b"1AY&SY") || block.starts_with(b"\x17rE8P\x90"))
}

/// Whether it is UTF-8 in which a few zero bytes stand. The bytes of UTF-16 may be valid UTF-8 too, but half of them
/// are zero or, where letters are not Latin, many are other control characters.
fn is_utf8_with_zeros(bytes: &[u8]) -> bool {
    let valid = std::str::from_utf8(bytes).err().is_none_or(|error| error.error_len().is_none());
    let count = |is: fn(&u8) -> bool| bytes.iter().filter(|byte| is(byte)).count();
    let controls = count(|byte| byte.is_ascii_control() && !matches!(byte, 0 | b'\t' | b'\n' | b'\r'));
    valid && count(|byte| *byte == 0) * 3 < bytes.len() && controls * 20 < bytes.len()
}

/// The name of the encoding, as `iconv` takes it, of text in UTF-16 or UTF-32, with or without a byte order mark;
/// `None` for everything else.
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
    // Without a mark: the upper bytes of ASCII characters are zero, and spaces and line ends are ASCII in every
    // language.
    let (first, second) = (zeros(0, 2), zeros(1, 2));
    match () {
        () if seen.len() < MIN_BYTES || is_utf8_with_zeros(seen) => None,
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
        for text in ["We missed the last bus.\n", "Мы опоздали на поезд.\nИ на автобус.\n"] {
            assert_eq!(other_encoding(&utf16(text, u16::to_le_bytes)), Some("UTF-16LE"), "{text}");
            assert_eq!(other_encoding(&utf16(text, u16::to_be_bytes)), Some("UTF-16BE"), "{text}");
            assert_eq!(other_encoding(&utf16(&format!("\u{feff}{text}"), u16::to_le_bytes)), Some("UTF-16"));
            assert_eq!(other_encoding(&utf16(&format!("\u{feff}{text}"), u16::to_be_bytes)), Some("UTF-16"));
            let utf32: Vec<u8> = text.chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
            assert_eq!(other_encoding(&utf32), Some("UTF-32LE"), "{text}");
        }
    }

    #[test]
    fn text_with_a_zero_byte_in_every_line_is_utf8() {
        for line in ["ab\0\n", "abc\0de\n", "a\0 b c\n", "caf\u{e9}\0\n"] {
            assert_eq!(other_encoding(line.repeat(50).as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn packed_files_are_recognised() {
        for (bytes, format) in [
            (&b"\x1f\x8b\x08\0\0\0\0\0"[..], Some("gzip")),
            (b"\x28\xb5\x2f\xfd\x04", Some("zstd")),
            (b"BZh91AY&SY\x90\xb2", Some("bzip2")),
            (b"BZh9\x17rE8P\x90\0\0\0\0", Some("bzip2")),
            (b"\xfd7zXZ\0\0", Some("xz")),
            (b"PK\x03\x04\x14\0", Some("zip")),
            (b"BZh is a name.\nSo is PK.\n", None),
            ("BZhZ é\0".as_bytes(), None),
            (b"plain\n", None),
        ] {
            assert_eq!(packed_format(bytes), format, "{bytes:?}");
        }
    }

    #[test]
    fn other_texts_are_not_taken_for_it() {
        for bytes in [&b"plain\n"[..], b"", b"\0", b"a\0b", b"caf\xe9\n", "é\u{0}".as_bytes(), b"a b c d e f\0\0\0\0"]
        {
            assert_eq!(other_encoding(bytes), None, "{bytes:?}");
        }
    }
}
