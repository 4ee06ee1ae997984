//! Rows with named fields: JSON lines, JSON arrays, CSV and TSV, read one after another.
//!
//! [`OpenedFile`] tells by name and first bytes which [`RowFormat`] a file has. [`RowReader`] gives its rows; it holds
//! one at a time. [`FieldNames`] says which fields have translations, references, sources, systems, documents and ids;
//! those that are not named are looked for by the names that are usual. [`Fields`] takes the texts out of a row, and
//! [`TextRows`] gathers those of a file, and [`RowFiles`] those of all files of a job; [`SegmentStream`] gives them in
//! batches. [`RowWriter`] writes the rows with further fields.
//!
//! - JSON lines: an object per line; empty lines are passed over.
//! - JSON: an array of objects, an object with one such array (`{"data": [...]}`), or objects one after another that
//!   take several lines each. A field inside another is named with dots: `translation.en`.
//! - CSV and TSV: see `separated`; the first line names the columns; every record has as many fields; empty lines are
//!   passed over.
//!
//! UTF-8, with or without a byte order mark; compressed or not. Line ends inside a text are part of it.
//!
//! ```
//! use tercet_corpora::rows::{FieldNames, OpenedFile, RowReader, WantedFields};
//! # use std::path::Path;
//!
//! let text = "{\"id\": 1, \"mt\": \"A cat\\nsat.\", \"ref\": \"The cat sat.\"}\n";
//! let mut rows = OpenedFile::from_bytes(Path::new("out.jsonl"), text.as_bytes().to_vec())?.into_rows()?;
//! let path = rows.path().to_owned();
//! let fields = FieldNames::default().find(rows.sample()?, WantedFields::ALL, &path)?;
//! let row = rows.next_row()?.unwrap();
//! let segment = fields.segment(&row)?;
//! assert_eq!((&segment.hypotheses[0][..], &segment.references[0][..]), ("A cat\nsat.", "The cat sat."));
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod field_names;
mod fields;
mod format;
mod json_layout;
mod json_place;
mod json_stream;
mod line_content;
mod object;
mod opened_file;
mod reader;
mod row;
mod row_files;
mod segment_stream;
mod text_lists;
mod texts;
pub(crate) mod usual_names;
mod writer;

pub use field_names::{FieldNames, Need, WantedFields};
pub use fields::{Field, FieldKind, FieldSample, Fields, SegmentRow};
pub use format::RowFormat;
pub use line_content::check_lines;
pub use opened_file::OpenedFile;
pub use reader::RowReader;
pub use row::Row;
pub use row_files::{RowFiles, RowSystem, RowTexts};
pub use segment_stream::{SegmentBatch, SegmentStream, StreamFiles, StreamedText, TextColumn};
pub use tercet_base::{FieldProblem, FieldRole, LineContent, RowError};
pub use text_lists::TextLists;
pub use texts::{JoinedTexts, TextRows};
pub use writer::RowWriter;

pub(crate) use usual_names::is_usual_name;
