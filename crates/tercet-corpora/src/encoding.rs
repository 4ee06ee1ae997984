//! Encodings other than UTF-8 that need no table.

use crate::error::{Error, Result};
use std::path::Path;

/// An encoding of text files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; a byte order mark is a character like any other.
    Utf8,
    /// UTF-8 after a byte order mark, which is removed.
    Utf8WithMark,
    /// ISO 8859-1: every byte is the code point of its character.
    Latin1,
    /// Bytes below 128.
    Ascii,
}

impl Encoding {
    /// The encoding of this name, in any spelling that Python accepts.
    pub fn from_name(name: &str) -> Result<Self> {
        let plain: String = name.to_lowercase().chars().map(|c| if matches!(c, '_' | ' ') { '-' } else { c }).collect();
        match plain.as_str() {
            "utf-8" | "utf8" | "u8" | "utf" | "cp65001" => Ok(Encoding::Utf8),
            "utf-8-sig" | "utf8-sig" => Ok(Encoding::Utf8WithMark),
            "latin-1" | "latin1" | "latin" | "l1" | "iso-8859-1" | "iso8859-1" | "8859" | "cp819" => {
                Ok(Encoding::Latin1)
            }
            "ascii" | "us-ascii" | "646" => Ok(Encoding::Ascii),
            _ => Err(Error::NotBuilt {
                what: format!("the encoding `{name}`"),
                why: "tercet reads utf-8, utf-8-sig, latin-1 and ascii; convert the file first, for example with iconv"
                    .to_owned(),
            }),
        }
    }

    /// Converts to UTF-8. Bytes in UTF-8 are returned unchecked.
    pub fn to_utf8(self, path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>> {
        match self {
            Encoding::Utf8 => Ok(bytes),
            Encoding::Utf8WithMark => Ok(bytes.strip_prefix(b"\xef\xbb\xbf").map_or(bytes.clone(), <[u8]>::to_vec)),
            Encoding::Latin1 => Ok(bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()),
            Encoding::Ascii => match bytes.iter().position(|byte| !byte.is_ascii()) {
                None => Ok(bytes),
                Some(offset) => Err(Error::bad_line(
                    path,
                    memchr::memchr_iter(b'\n', &bytes[..offset]).count() + 1,
                    format!("not ASCII at byte {offset} of the file (name its encoding)"),
                )),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_utf8() {
        let read = |name: &str, bytes: &[u8]| {
            let encoding = Encoding::from_name(name).unwrap();
            encoding.to_utf8(Path::new("x"), bytes.to_vec())
        };
        assert_eq!(read("ISO-8859-1", b"caf\xe9").unwrap(), "café".as_bytes());
        assert_eq!(read("utf_8_sig", b"\xef\xbb\xbfa").unwrap(), b"a");
        assert_eq!(read("UTF8", b"\xef\xbb\xbfa").unwrap(), b"\xef\xbb\xbfa");
        assert_eq!(read("ascii", b"a").unwrap(), b"a");
        assert_eq!(
            read("ascii", b"a\nb\xe9").unwrap_err().to_string(),
            "x:2: not ASCII at byte 3 of the file (name its encoding)"
        );
        assert!(Encoding::from_name("shift-jis").is_err());
    }
}
