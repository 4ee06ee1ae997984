//! Parquet and Arrow files of any size: rows in batches, texts of named columns, and the same rows with further
//! columns.
//!
//! [`TableReader`] reads a file, or a folder of parts as clusters write it, batch by batch. [`TextColumn`] and
//! [`ListColumn`] find the texts of a batch by the name of a column. [`TableWriter`] writes the rows with columns of
//! numbers beside their own. Memory is needed for a batch, not for the file. Nothing here knows what the texts mean.
//!
//! ```
//! use tercet_columns::{Format, TableReader, TableWriter, TextColumn};
//! # let folder = tempfile::tempdir().unwrap();
//! # let (input, output) = (folder.path().join("in.arrow"), folder.path().join("out.parquet"));
//! # let file = std::fs::File::create(&input).unwrap();
//! # tercet_columns::write_texts(file, Format::ArrowFile, &[("text", vec![Some("one"), Some("three")])])?;
//!
//! let mut reader = TableReader::open(&input)?;
//! let column = TextColumn::find(&reader, "text")?;
//! let file = std::fs::File::create(&output).unwrap();
//! let mut writer = TableWriter::new(file, Format::Parquet, &reader, &["length".to_owned()])?;
//! while let Some(batch) = reader.next_batch()? {
//!     let lengths = column.texts(&batch)?.iter().map(|text| text.len() as f64).collect();
//!     writer.write(&batch, vec![lengths])?;
//! }
//! writer.finish(&[])?;
//! # Ok::<(), tercet_columns::Error>(())
//! ```

mod error;
mod format;
mod lengths;
mod reader;
mod text_column;
mod writer;

pub use error::{Error, Result};
pub use format::Format;
pub use reader::{Batch, TableReader, is_guarded};
pub use text_column::{ListColumn, TextColumn};
pub use writer::{NamedTexts, TableWriter, write_texts};
