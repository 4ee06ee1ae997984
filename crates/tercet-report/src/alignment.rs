//! What the segments of aligned outputs were made of: a row for each segment of each system, with the fields of
//! [`AlignedSegment`].

use super::{Format, records};
use crate::scoring::AlignedSegment;

const COLUMNS: [&str; 10] = [
    "system",
    "segment",
    "document",
    "first_reference",
    "last_reference",
    "first_line",
    "last_line",
    "sentences",
    "added",
    "similarity",
];

/// Writes the rows as TSV, CSV, JSON or JSON lines; TSV for other formats.
pub fn write_alignment(segments: &[AlignedSegment], format: Format) -> String {
    records::write(segments, &COLUMNS, format)
}
