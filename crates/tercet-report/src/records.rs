//! Rows of named values in the machine-readable formats.
//!
//! JSON is an array of objects, JSON lines have one on each line. TSV has columns below a header: numbers that are not
//! counts with 17 significant digits, lists separated by spaces, nothing for null. CSV: the same.

use super::{Format, csv, tsv};
use serde::Serialize;
use serde_json::Value;

/// Writes rows; `columns` are those of TSV and CSV, for any other format too few to matter.
pub fn write<T: Serialize>(rows: &[T], columns: &[&str], format: Format) -> String {
    let objects: Vec<Value> =
        rows.iter().map(|row| serde_json::to_value(row).expect("rows have names and numbers")).collect();
    match format {
        Format::Json => format!("{:#}\n", Value::Array(objects)),
        Format::Jsonl => objects.iter().map(|object| format!("{object}\n")).collect(),
        Format::Csv => csv::from_tsv(&write(rows, columns, Format::Tsv)),
        _ => {
            let line = |object: &Value| columns.iter().map(|name| cell(&object[name])).collect::<Vec<_>>().join("\t");
            let lines = std::iter::once(columns.join("\t")).chain(objects.iter().map(line));
            lines.map(|line| line + "\n").collect()
        }
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => tsv::field(text),
        Value::Array(items) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            tsv::field(&items.join(" "))
        }
        Value::Number(number) if number.is_f64() => number.as_f64().map(tsv::digits).unwrap_or_default(),
        other => other.to_string(),
    }
}
