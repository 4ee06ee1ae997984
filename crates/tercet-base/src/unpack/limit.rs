//! How much a compressed file may unpack to.
//!
//! A few kilobytes can unpack to gigabytes. So there is a limit: 256 MiB, or 100 times the packed size if that is more.
//! Text packs to a tenth of its size at best, so only files made for this purpose, or of very long repetitions, reach
//! it.

use std::fmt;
use std::io;
use std::sync::OnceLock;

/// Every compressed file may unpack to this many bytes.
const ALWAYS: u64 = 256 << 20;

/// And to this many times its packed size.
const TIMES: u64 = 100;

/// The limit that the program was started with. It belongs to the process, as a limit of memory does: whatever reads a
/// file keeps to it, and nothing that reads one may choose another.
static GIVEN: OnceLock<u64> = OnceLock::new();

/// Sets the number of bytes that a compressed file may unpack to, for the whole process, instead of the usual limit:
/// 256 MiB, or 100 times its packed size if that is more. The first call decides.
pub fn set_limit(bytes: u64) {
    GIVEN.get_or_init(|| bytes);
}

/// The limit that was set.
pub(super) fn given() -> Option<u64> {
    GIVEN.get().copied()
}

/// The usual limit for so many packed bytes.
pub(super) fn usual(packed: u64) -> u64 {
    packed.saturating_mul(TIMES).max(ALWAYS)
}

/// A compressed file unpacks to more than the limit. It is found in an [`io::Error`], by `get_ref`.
#[derive(Debug, PartialEq, Eq)]
pub struct TooMuchUnpacked {
    what: &'static str,
    limit: u64,
}

/// The error for a file that unpacks to more than its limit.
pub(super) fn too_much(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, TooMuchUnpacked { what: "it unpacks to", limit })
}

/// The error for a file that cannot be unpacked with less than this memory.
pub(super) fn too_much_memory(limit: u64) -> io::Error {
    let what = "to unpack it takes a window of";
    io::Error::new(io::ErrorKind::InvalidData, TooMuchUnpacked { what, limit })
}

impl fmt::Display for TooMuchUnpacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} more than {}, which is the limit for compressed files", self.what, readable(self.limit))
    }
}

impl std::error::Error for TooMuchUnpacked {}

/// A number of bytes in its largest whole unit.
fn readable(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit && bytes.is_multiple_of(*unit)) {
        Some((name, unit)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_in_their_largest_whole_unit() {
        let written = [5, 1 << 10, 3 << 20, 4 << 30, (4 << 30) + 1].map(readable);
        assert_eq!(written, ["5 bytes", "1 KiB", "3 MiB", "4 GiB", "4294967297 bytes"]);
    }

    #[test]
    fn large_files_may_unpack_to_more() {
        assert_eq!([0, 1 << 10, 1 << 30].map(usual), [ALWAYS, ALWAYS, TIMES << 30]);
    }
}
