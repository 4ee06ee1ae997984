//! The texts of a column, whatever their layout: strings with short or long offsets, string views, dictionaries, and
//! lists of them.

use crate::error::{Error, Result};
use crate::reader::{Batch, TableReader};
use arrow_array::cast::AsArray;
use arrow_array::{Array, OffsetSizeTrait};
use arrow_schema::{DataType, Field};
use std::ops::Range;

/// A column of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextColumn {
    name: String,
    index: usize,
}

/// A column of texts, or of lists of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListColumn {
    column: TextColumn,
    has_lists: bool,
}

impl TextColumn {
    /// The column of this name. Returns an error if there is none, or it is not text.
    pub fn find(table: &TableReader, name: &str) -> Result<Self> {
        let (index, field) = find(table, name)?;
        match is_text(field.data_type()) {
            true => Ok(TextColumn { name: name.to_owned(), index }),
            false => Err(not_text(table, field, "text")),
        }
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of each row. A row without one is an error.
    pub fn texts<'a>(&self, batch: &'a Batch) -> Result<Vec<&'a str>> {
        let array = batch.rows.column(self.index).as_ref();
        let texts = texts(array, 0..array.len());
        let text = |(i, text): (usize, Option<&'a str>)| text.ok_or_else(|| self.no_text(batch, i, NULL));
        texts.into_iter().enumerate().map(text).collect()
    }

    /// The text of each row; of a row without one, an empty text.
    pub fn texts_or_empty<'a>(&self, batch: &'a Batch) -> Vec<&'a str> {
        let array = batch.rows.column(self.index).as_ref();
        texts(array, 0..array.len()).into_iter().map(Option::unwrap_or_default).collect()
    }

    fn no_text(&self, batch: &Batch, row: usize, what: &'static str) -> Error {
        let row = batch.before + row as u64 + 1;
        Error::NoText { path: batch.path.clone(), row, name: self.name.clone(), what }
    }
}

const NULL: &str = "is null: every row needs a text (fill it, or leave the row out)";

impl ListColumn {
    /// The column of this name. Returns an error if there is none, or it is neither text nor lists of text.
    pub fn find(table: &TableReader, name: &str) -> Result<Self> {
        let (index, field) = find(table, name)?;
        let column = TextColumn { name: name.to_owned(), index };
        match field.data_type() {
            DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _)
                if is_text(item.data_type()) =>
            {
                Ok(ListColumn { column, has_lists: true })
            }
            other if is_text(other) => Ok(ListColumn { column, has_lists: false }),
            _ => Err(not_text(table, field, "text or lists of text")),
        }
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.column.name
    }

    /// Appends the texts of each row to those of `rows`. A row without any is an error.
    pub fn append<'a>(&self, batch: &'a Batch, rows: &mut [Vec<&'a str>]) -> Result<()> {
        if !self.has_lists {
            let texts = self.column.texts(batch)?;
            rows.iter_mut().zip(texts).for_each(|(row, text)| row.push(text));
            return Ok(());
        }
        let array = batch.rows.column(self.column.index).as_ref();
        let (ranges, values) = lists(array);
        // A batch may be a slice of a longer one, and shares its values.
        let own = ranges.first().map_or(0..0, |first| first.start..ranges[ranges.len() - 1].end);
        let values = texts(values, own.clone());
        for (i, row) in rows.iter_mut().enumerate() {
            let of_row = ranges.get(i).and_then(|range| values.get(range.start - own.start..range.end - own.start));
            let Some(of_row) = of_row.filter(|_| !array.is_null(i)) else {
                return Err(self.column.no_text(batch, i, NULL));
            };
            if of_row.is_empty() {
                return Err(self.column.no_text(batch, i, "is an empty list: every row needs a text"));
            }
            for text in of_row {
                const HOLE: &str = "has a null in its list: fill it, or leave it out";
                row.push(text.ok_or_else(|| self.column.no_text(batch, i, HOLE))?);
            }
        }
        Ok(())
    }
}

fn find<'t>(table: &'t TableReader, name: &str) -> Result<(usize, &'t Field)> {
    let path = || table.first_part().to_owned();
    let mut found = table.schema().fields().iter().enumerate().filter(|(_, field)| field.name() == name);
    let (index, field) = found.next().ok_or_else(|| {
        let known = table.columns().join(", ");
        Error::NoColumn { path: path(), name: name.to_owned(), known }
    })?;
    match found.next() {
        Some(_) => Err(Error::TwoColumns { path: path(), name: name.to_owned() }),
        None => Ok((index, field)),
    }
}

fn not_text(table: &TableReader, field: &Field, expected: &'static str) -> Error {
    Error::NotText {
        path: table.first_part().to_owned(),
        name: field.name().clone(),
        found: Box::new(field.data_type().clone()),
        expected,
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The texts in a range of an array of one of these types, `None` where there is none. The rest of the array is not
/// looked at, nor texts of a dictionary that no row has: either may be much longer than a batch.
fn texts(array: &dyn Array, range: Range<usize>) -> Vec<Option<&str>> {
    if !matches!(array.data_type(), DataType::Dictionary(..)) {
        return range.map(|i| text(array, i)).collect();
    }
    let dictionary = array.as_any_dictionary();
    let values = dictionary.values().as_ref();
    if values.is_empty() {
        return vec![None; range.len()];
    }
    let keys = dictionary.normalized_keys();
    range.map(|i| if dictionary.keys().is_null(i) { None } else { texts(values, keys[i]..keys[i] + 1)[0] }).collect()
}

/// One text of an array that is not a dictionary.
fn text(array: &dyn Array, i: usize) -> Option<&str> {
    match array.data_type() {
        _ if array.is_null(i) => None,
        DataType::Utf8 => Some(array.as_string::<i32>().value(i)),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(i)),
        DataType::Utf8View => Some(array.as_string_view().value(i)),
        _ => None,
    }
}

/// The places of the items of each row among all items.
fn lists(array: &dyn Array) -> (Vec<Range<usize>>, &dyn Array) {
    fn by_offsets<O: OffsetSizeTrait>(array: &dyn Array) -> (Vec<Range<usize>>, &dyn Array) {
        let list = array.as_list::<O>();
        let range = |ends: &[O]| ends[0].as_usize()..ends[1].as_usize();
        (list.offsets().windows(2).map(range).collect(), list.values().as_ref())
    }
    match array.data_type() {
        DataType::List(_) => by_offsets::<i32>(array),
        DataType::LargeList(_) => by_offsets::<i64>(array),
        _ => {
            let list = array.as_fixed_size_list();
            let length = list.value_length().max(0) as usize;
            ((0..list.len()).map(|row| row * length..(row + 1) * length).collect(), list.values().as_ref())
        }
    }
}
