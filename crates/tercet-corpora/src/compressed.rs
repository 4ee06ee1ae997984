//! Names and first lines of files that may be compressed, to recognise their format.

use crate::error::{Error, Result};
use crate::unpack;
use std::io::Read;
use std::path::Path;

/// At most so many bytes of a first line are read.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The name of a file without the extension of its compression.
pub fn unpacked_name(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// The first bytes of a file, decompressed. What is read afterwards starts at the beginning again, so pipes are
/// refused.
pub(super) fn read_start(path: &Path, count: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = tercet_base::files::check_regular(path)
        .and_then(|()| unpack::open(path))
        .and_then(|whole| whole.take(count).read_to_end(&mut bytes));
    read.map_err(|source| Error::Read { path: path.to_owned(), source })?;
    Ok(bytes)
}

/// The first line of a file, cut to the first `MAX_LINE_BYTES` bytes; what is not UTF-8 is replaced.
pub(super) fn first_line(path: &Path) -> Result<String> {
    let bytes = read_start(path, MAX_LINE_BYTES)?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_first_line_is_decompressed() {
        let scratch = tempfile::NamedTempFile::new().unwrap();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"a\tb\r\nc\n").unwrap();
        for (bytes, line) in [(encoder.finish().unwrap(), "a\tb\r"), (b"x".to_vec(), "x")] {
            std::fs::write(scratch.path(), bytes).unwrap();
            assert_eq!(first_line(scratch.path()).unwrap(), line);
        }
    }

    #[test]
    fn the_start_of_a_file_is_decompressed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut encoder = flate2::write::GzEncoder::new(file.reopen().unwrap(), flate2::Compression::fast());
        for number in 0..20_000 {
            writeln!(encoder, "{number}").unwrap();
        }
        encoder.finish().unwrap();
        assert_eq!(read_start(file.path(), 6).unwrap(), b"0\n1\n2\n");
    }
}
