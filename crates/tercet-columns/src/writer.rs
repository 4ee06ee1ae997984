//! Writes rows with further columns.

use crate::error::{Error, Result};
use crate::format::Format;
use crate::reader::{Batch, TableReader};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use std::io::{BufWriter, Write};
use std::sync::Arc;

/// The most rows and bytes of a row group of Parquet, which is held in memory until it is complete.
const GROUP_ROWS: usize = 1 << 20;
const GROUP_BYTES: usize = 32 << 20;

/// A table that is written batch by batch: rows as they were read, with columns of numbers after their own.
pub struct TableWriter<W: Write + Send> {
    to: Target<W>,
    schema: SchemaRef,
}

enum Target<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    File(Box<FileWriter<BufWriter<W>>>),
    Stream(Box<StreamWriter<BufWriter<W>>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// A table with the columns of another one and these new ones. Returns an error if a name is used already.
    pub fn new(to: W, format: Format, table: &TableReader, new: &[String]) -> Result<Self> {
        let known = table.columns();
        for (i, name) in new.iter().enumerate() {
            if known.contains(&name.as_str()) || new[..i].contains(name) {
                let path = table.first_part().display();
                return Err(Error::Write(format!("{path} already has a column `{name}`: rename or drop it first")));
            }
        }
        let own = table.schema().fields().iter().map(|field| match format {
            Format::ArrowFile => Arc::new(without_dictionary(field)),
            _ => Arc::clone(field),
        });
        let added = new.iter().map(|name| Arc::new(Field::new(name, DataType::Float64, false)));
        let fields: Vec<_> = own.chain(added).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, table.schema().metadata().clone()));
        Self::with_schema(to, format, schema, new)
    }

    fn with_schema(to: W, format: Format, schema: SchemaRef, numbers: &[String]) -> Result<Self> {
        let to = match format {
            Format::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(GROUP_ROWS))
                    .set_max_row_group_bytes(Some(GROUP_BYTES));
                let properties = numbers.iter().fold(properties, |properties, name| {
                    properties.set_column_dictionary_enabled(ColumnPath::new(vec![name.clone()]), false)
                });
                Target::Parquet(Box::new(ArrowWriter::try_new(to, schema.clone(), Some(properties.build()))?))
            }
            Format::ArrowFile => Target::File(Box::new(FileWriter::try_new_buffered(to, &schema)?)),
            Format::ArrowStream => Target::Stream(Box::new(StreamWriter::try_new_buffered(to, &schema)?)),
        };
        Ok(TableWriter { to, schema })
    }

    /// Writes rows with the numbers of the new columns: `numbers[column][row]`.
    pub fn write(&mut self, batch: &Batch, numbers: Vec<Vec<f64>>) -> Result<()> {
        let own = batch.rows.columns().iter().zip(self.schema.fields());
        let mut columns: Vec<ArrayRef> = own
            .map(|(column, field)| match column.data_type() == field.data_type() {
                true => Ok(Arc::clone(column)),
                false => looked_up(column),
            })
            .collect::<Result<_>>()?;
        columns.extend(numbers.into_iter().map(|numbers| Arc::new(Float64Array::from(numbers)) as ArrayRef));
        self.write_rows(&RecordBatch::try_new(self.schema.clone(), columns)?)
    }

    fn write_rows(&mut self, rows: &RecordBatch) -> Result<()> {
        match &mut self.to {
            Target::Parquet(writer) => writer.write(rows)?,
            Target::File(writer) => writer.write(rows)?,
            Target::Stream(writer) => writer.write(rows)?,
        }
        Ok(())
    }

    /// Writes the end of the table, with notes as keys and values where the format has a place for them at its end, and
    /// returns what was written to.
    pub fn finish(self, notes: &[(String, String)]) -> Result<W> {
        let inner =
            |writer: BufWriter<W>| writer.into_inner().map_err(|error| Error::Write(error.into_error().to_string()));
        match self.to {
            Target::Parquet(mut writer) => {
                for (key, value) in notes {
                    writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
                }
                Ok(writer.into_inner()?)
            }
            Target::File(mut writer) => {
                notes.iter().for_each(|(key, value)| writer.write_metadata(key, value));
                inner(writer.into_inner()?)
            }
            Target::Stream(writer) => inner(writer.into_inner()?),
        }
    }
}

/// Arrow's file format has one dictionary per column, and batches may come with several: their values are written
/// instead.
fn without_dictionary(field: &Field) -> Field {
    match field.data_type() {
        DataType::Dictionary(_, values) => field.clone().with_data_type(values.as_ref().clone()),
        _ => field.clone(),
    }
}

fn looked_up(column: &ArrayRef) -> Result<ArrayRef> {
    let Some(dictionary) = column.as_any_dictionary_opt() else { return Ok(Arc::clone(column)) };
    Ok(arrow_select::take::take(dictionary.values().as_ref(), dictionary.keys(), None)?)
}

/// A column of texts, with its name; a row may have none.
pub type NamedTexts<'a> = (&'a str, Vec<Option<&'a str>>);

/// Writes a table of columns of text.
pub fn write_texts<W: Write + Send>(to: W, format: Format, columns: &[NamedTexts<'_>]) -> Result<W> {
    let field = |(name, _): &NamedTexts<'_>| Field::new(*name, DataType::Utf8, true);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let mut writer = TableWriter::with_schema(to, format, Arc::new(schema), &[])?;
    let texts = |(_, texts): &NamedTexts<'_>| Arc::new(StringArray::from(texts.clone())) as ArrayRef;
    let rows = RecordBatch::try_new(writer.schema.clone(), columns.iter().map(texts).collect())?;
    writer.write_rows(&rows)?;
    writer.finish(&[])
}
