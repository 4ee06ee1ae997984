//! Reads tables batch by batch.

use crate::error::{Error, Result};
use crate::format::{Format, parts};
use crate::lengths;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::cell::Cell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most rows of a batch: enough for all threads, few enough to be held in memory several times.
const ROWS: usize = 8192;

/// Rows of a table.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(crate) rows: RecordBatch,
    /// The file.
    pub(crate) path: PathBuf,
    /// The number of its rows before this batch.
    pub(crate) before: u64,
}

impl Batch {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.num_rows()
    }

    /// The numbers of a column of 64-bit floats; `None` if there is no such column, or it has gaps.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        let column = self.rows.column_by_name(name)?.as_primitive_opt::<Float64Type>()?;
        (column.null_count() == 0).then(|| column.values().as_ref())
    }

    /// Only the rows that stay: `stays[row]`.
    pub fn filtered(&self, stays: &[bool]) -> Result<Batch> {
        let stays = BooleanArray::from(stays.to_vec());
        let rows = arrow_select::filter::filter_record_batch(&self.rows, &stays)?;
        Ok(Batch { rows, ..self.clone() })
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A table that is read batch by batch: a file, or the parts in a folder one after the other.
pub struct TableReader {
    /// The parts that were not opened yet.
    parts: VecDeque<PathBuf>,
    /// The part that is read.
    path: PathBuf,
    first_part: PathBuf,
    source: Source,
    schema: SchemaRef,
    /// The names of the columns that are read, if not all are.
    kept: Option<Vec<String>>,
    /// The number of rows of all parts, if their descriptions say it.
    rows: Option<u64>,
    /// Rows of this part before the next batch.
    before: u64,
    /// The rest of a batch that was too large.
    rest: Option<RecordBatch>,
}

enum Source {
    Parquet(ParquetRecordBatchReader),
    File(Box<FileReader<BufReader<File>>>),
    Stream(Box<StreamReader<BufReader<File>>>),
}

impl TableReader {
    /// Opens a file, whose first bytes tell its format, or a folder of files whose names end in `.parquet`, `.arrow`,
    /// ….
    pub fn open(path: &Path) -> Result<Self> {
        let mut parts: VecDeque<PathBuf> = parts(path)?.into();
        let mut rows = Some(0);
        for part in &parts {
            rows = row_count(part)?.zip(rows).map(|(count, rows): (u64, u64)| rows.saturating_add(count));
        }
        let Some(first) = parts.pop_front() else {
            let what = "holds no files of columns (.parquet, .arrow)".to_owned();
            return Err(Error::NotColumns { path: path.to_owned(), what });
        };
        let (source, schema) = Source::open(&first, None)?;
        Ok(TableReader {
            parts,
            path: first.clone(),
            first_part: first,
            source,
            schema,
            kept: None,
            rows,
            before: 0,
            rest: None,
        })
    }

    /// The table from its first row with only these columns: others, however large, are not decoded.
    pub fn only(self, columns: &[&str]) -> Result<Self> {
        let kept: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        let (source, schema) = Source::open(&self.first_part, Some(&kept))?;
        Ok(TableReader { source, schema, kept: Some(kept), ..self })
    }

    /// The number of rows, if the file says it without being read.
    pub fn rows(&self) -> Option<u64> {
        self.rows
    }

    /// The names of the columns.
    pub fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(crate) fn first_part(&self) -> &Path {
        &self.first_part
    }

    /// The next rows; `None` at the end of the table.
    pub fn next_batch(&mut self) -> Result<Option<Batch>> {
        loop {
            let next = match self.rest.take() {
                Some(rest) => Some(rest),
                None => self.source.next(&self.path, self.before)?,
            };
            match next {
                Some(rows) if rows.num_rows() == 0 => {}
                Some(rows) => return Ok(Some(self.batch(rows))),
                None if !self.next_part()? => return Ok(None),
                None => {}
            }
        }
    }

    /// The first rows of these, at most as many as a batch has; the others are kept.
    fn batch(&mut self, rows: RecordBatch) -> Batch {
        let length = rows.num_rows().min(ROWS);
        if rows.num_rows() > length {
            self.rest = Some(rows.slice(length, rows.num_rows() - length));
        }
        let batch = Batch { rows: rows.slice(0, length), path: self.path.clone(), before: self.before };
        self.before += length as u64;
        batch
    }

    /// Opens the next part; false if there is none.
    fn next_part(&mut self) -> Result<bool> {
        let Some(path) = self.parts.pop_front() else { return Ok(false) };
        let (source, schema) = Source::open(&path, self.kept.as_deref())?;
        let same = |one: &SchemaRef, other: &SchemaRef| {
            let columns = |schema: &SchemaRef| -> Vec<_> {
                schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
            };
            columns(one) == columns(other)
        };
        if !same(&schema, &self.schema) {
            return Err(Error::OtherColumns { path, first: self.first_part.clone() });
        }
        (self.path, self.source, self.before) = (path, source, 0);
        Ok(true)
    }
}

/// The number of rows that a file's description says.
fn row_count(path: &Path) -> Result<Option<u64>> {
    if Format::of_file(path)? != Format::Parquet {
        return Ok(None);
    }
    let builder = guarded(path, 0, || {
        ParquetRecordBatchReaderBuilder::try_new(open(path)?).map_err(|error| Error::damaged(path, 0, error))
    })?;
    Ok(u64::try_from(builder.metadata().file_metadata().num_rows()).ok())
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|source| Error::io(path, source))
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread reads a file whose panics become errors: a hook for panics need not print them.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Runs a reader of another crate, which may panic about a damaged file; a panic becomes an error.
fn guarded<T>(path: &Path, row: u64, read: impl FnOnce() -> Result<T>) -> Result<T> {
    GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(false);
    result.unwrap_or_else(|_| {
        let what = "the content contradicts itself".to_owned();
        Err(Error::Damaged { path: path.to_owned(), row, what })
    })
}

/// The places of the columns of these names.
fn places(schema: &Schema, kept: &[String]) -> Vec<usize> {
    let fields = schema.fields().iter().enumerate();
    fields.filter(|(_, field)| kept.contains(field.name())).map(|(i, _)| i).collect()
}

impl Source {
    /// Opens a file, for the columns of these names if not for all.
    fn open(path: &Path, kept: Option<&[String]>) -> Result<(Self, SchemaRef)> {
        let format = Format::of_file(path)?;
        lengths::check(path, format)?;
        let damaged = |error: ArrowError| Error::damaged(path, 0, error);
        guarded(path, 0, || match format {
            Format::Parquet => Self::parquet(path, kept),
            Format::ArrowFile => {
                let of = |places| FileReader::try_new_buffered(open(path)?, places).map_err(damaged);
                let all = of(None)?;
                let reader = match kept {
                    Some(kept) => of(Some(places(&all.schema(), kept)))?,
                    None => all,
                };
                let schema = reader.schema();
                Ok((Source::File(Box::new(reader)), schema))
            }
            Format::ArrowStream => {
                let of = |places| StreamReader::try_new_buffered(open(path)?, places).map_err(damaged);
                let all = of(None)?;
                let reader = match kept {
                    Some(kept) => of(Some(places(&all.schema(), kept)))?,
                    None => all,
                };
                let schema = reader.schema();
                Ok((Source::Stream(Box::new(reader)), schema))
            }
        })
    }

    fn parquet(path: &Path, kept: Option<&[String]>) -> Result<(Self, SchemaRef)> {
        let damaged = |error| Error::damaged(path, 0, error);
        let mut builder = ParquetRecordBatchReaderBuilder::try_new(open(path)?).map_err(damaged)?;
        let mut schema = builder.schema().clone();
        if let Some(kept) = kept {
            let places = places(&schema, kept);
            schema = Arc::new(schema.project(&places).map_err(|error| Error::damaged(path, 0, error))?);
            let mask = ProjectionMask::roots(builder.parquet_schema(), places);
            builder = builder.with_projection(mask);
        }
        Ok((Source::Parquet(builder.with_batch_size(ROWS).build().map_err(damaged)?), schema))
    }

    fn next(&mut self, path: &Path, before: u64) -> Result<Option<RecordBatch>> {
        guarded(path, before + 1, || {
            let next = match self {
                Source::Parquet(reader) => reader.next(),
                Source::File(reader) => reader.next(),
                Source::Stream(reader) => reader.next(),
            };
            next.transpose().map_err(|error| Error::damaged(path, before + 1, error))
        })
    }
}
