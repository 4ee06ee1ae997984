//! Tables of all kinds are read and written; damaged ones are errors.

use arrow_array::builder::{LargeListBuilder, ListBuilder, StringBuilder};
use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, LargeListArray, LargeStringArray, ListArray, RecordBatch,
    StringArray, StringViewArray,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use tercet_columns::{Error, Format, ListColumn, TableReader, TableWriter, TextColumn, write_texts};

const FORMATS: [(Format, &str); 3] =
    [(Format::Parquet, "t.parquet"), (Format::ArrowFile, "t.arrow"), (Format::ArrowStream, "t.arrows")];

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A table of one row group or batch.
fn write(path: &Path, format: Format, rows: &RecordBatch) {
    let file = File::create(path).unwrap();
    match format {
        Format::Parquet => {
            let mut writer = ArrowWriter::try_new(file, rows.schema(), None).unwrap();
            writer.write(rows).unwrap();
            writer.close().unwrap();
        }
        Format::ArrowFile => {
            let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &rows.schema()).unwrap();
            writer.write(rows).unwrap();
            writer.finish().unwrap();
        }
        Format::ArrowStream => {
            let mut writer = arrow_ipc::writer::StreamWriter::try_new(file, &rows.schema()).unwrap();
            writer.write(rows).unwrap();
            writer.finish().unwrap();
        }
    }
}

fn texts(path: &Path, column: &str) -> Result<Vec<String>, Error> {
    let mut reader = TableReader::open(path)?;
    let column = TextColumn::find(&reader, column)?;
    let mut all = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        all.extend(column.texts(&batch)?.into_iter().map(str::to_owned));
    }
    Ok(all)
}

fn lists(path: &Path, column: &str) -> Result<Vec<Vec<String>>, Error> {
    let mut reader = TableReader::open(path)?;
    let column = ListColumn::find(&reader, column)?;
    let mut all = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        let mut rows = vec![Vec::new(); batch.len()];
        column.append(&batch, &mut rows)?;
        all.extend(rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    }
    Ok(all)
}

/// The same three texts in every layout.
fn layouts() -> RecordBatch {
    let words = vec!["one", "two words", "one"];
    let small: DictionaryArray<Int8Type> = words.iter().copied().collect();
    let wide: DictionaryArray<UInt32Type> = words.iter().copied().collect();
    let columns: [(&str, ArrayRef); 5] = [
        ("string", Arc::new(StringArray::from(words.clone()))),
        ("large", Arc::new(LargeStringArray::from(words.clone()))),
        ("view", Arc::new(StringViewArray::from(words))),
        ("dictionary", Arc::new(small)),
        ("wide_dictionary", Arc::new(wide)),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn texts_are_read_in_every_layout_and_format() {
    let folder = folder();
    for (format, name) in FORMATS {
        let path = folder.path().join(name);
        write(&path, format, &layouts());
        for column in ["string", "large", "view", "dictionary", "wide_dictionary"] {
            assert_eq!(texts(&path, column).unwrap(), ["one", "two words", "one"], "{name} {column}");
        }
        assert_eq!(TableReader::open(&path).unwrap().rows(), (format == Format::Parquet).then_some(3));
    }
}

#[test]
fn rows_keep_their_columns_and_get_new_ones() {
    let folder = folder();
    for (from, input) in FORMATS {
        let input = folder.path().join(input);
        write(&input, from, &layouts());
        for (to, output) in FORMATS {
            let output = folder.path().join(format!("out-{output}"));
            let mut reader = TableReader::open(&input).unwrap();
            let file = File::create(&output).unwrap();
            let mut writer = TableWriter::new(file, to, &reader, &["score".to_owned()]).unwrap();
            while let Some(batch) = reader.next_batch().unwrap() {
                writer.write(&batch, vec![vec![0.1, 1e300, -2.5]]).unwrap();
            }
            writer.finish(&[("note".to_owned(), "x".to_owned())]).unwrap();
            for column in ["string", "large", "view", "dictionary"] {
                assert_eq!(
                    texts(&output, column).unwrap(),
                    ["one", "two words", "one"],
                    "{from:?} to {to:?}, {column}"
                );
            }
            let batch = TableReader::open(&output).unwrap().next_batch().unwrap().unwrap();
            assert_eq!(batch.numbers("score").unwrap(), [0.1, 1e300, -2.5]);
        }
    }
}

#[test]
fn a_new_column_needs_a_new_name() {
    let folder = folder();
    let path = folder.path().join("t.arrow");
    write(&path, Format::ArrowFile, &layouts());
    let reader = TableReader::open(&path).unwrap();
    let error = TableWriter::new(Vec::new(), Format::Parquet, &reader, &["view".to_owned()]).err().unwrap();
    assert!(error.to_string().ends_with("t.arrow already has a column `view`: rename or drop it first"), "{error}");
}

#[test]
fn every_codec_of_parquet_is_read() {
    let folder = folder();
    for codec in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::BROTLI(BrotliLevel::default()),
    ] {
        let path = folder.path().join("t.parquet");
        let properties = WriterProperties::builder().set_compression(codec).build();
        let rows = layouts();
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), rows.schema(), Some(properties)).unwrap();
        writer.write(&rows).unwrap();
        writer.close().unwrap();
        assert_eq!(texts(&path, "string").unwrap().len(), 3, "{codec}");
    }
}

#[test]
fn compressed_arrow_is_read() {
    let folder = folder();
    let path = folder.path().join("t.arrow");
    for codec in [arrow_ipc::CompressionType::ZSTD, arrow_ipc::CompressionType::LZ4_FRAME] {
        let options = arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(Some(codec)).unwrap();
        let file = File::create(&path).unwrap();
        let rows = layouts();
        let mut writer = arrow_ipc::writer::FileWriter::try_new_with_options(file, &rows.schema(), options).unwrap();
        writer.write(&rows).unwrap();
        writer.finish().unwrap();
        assert_eq!(texts(&path, "large").unwrap().len(), 3);
    }
}

fn list_builder() -> ListBuilder<StringBuilder> {
    ListBuilder::new(StringBuilder::new())
}

#[test]
fn lists_have_any_number_of_texts() {
    let folder = folder();
    let mut lists_of_text = list_builder();
    lists_of_text.append_value([Some("a"), Some("b")]);
    lists_of_text.append_value([Some("c")]);
    let mut large = LargeListBuilder::new(StringBuilder::new());
    large.append_value([Some("d")]);
    large.append_value([Some("e"), Some("f"), Some("g")]);
    let columns: [(&str, ArrayRef); 3] = [
        ("list", Arc::new(lists_of_text.finish()) as ArrayRef),
        ("large", Arc::new(large.finish())),
        ("text", Arc::new(StringArray::from(vec!["h", "i"]))),
    ];
    let rows = RecordBatch::try_from_iter(columns).unwrap();
    for (format, name) in FORMATS {
        let path = folder.path().join(name);
        write(&path, format, &rows);
        assert_eq!(lists(&path, "list").unwrap(), [vec!["a", "b"], vec!["c"]]);
        assert_eq!(lists(&path, "large").unwrap(), [vec!["d"], vec!["e", "f", "g"]]);
        assert_eq!(lists(&path, "text").unwrap(), [vec!["h"], vec!["i"]]);
        let second = RecordBatch::try_new(rows.schema(), rows.columns().to_vec()).unwrap().slice(1, 1);
        write(&path, format, &second);
        assert_eq!(lists(&path, "list").unwrap(), [vec!["c"]], "a part of a longer array");
    }
}

#[test]
fn long_batches_of_lists_and_dictionaries_are_read_in_slices() {
    let folder = folder();
    let path = folder.path().join("t.arrow");
    let texts_of = |row: usize| (0..1 + row % 3).map(|i| format!("{row}.{i}")).collect::<Vec<_>>();
    let mut builder = list_builder();
    (0..20_000).for_each(|row| builder.append_value(texts_of(row).iter().map(Some)));
    let words: Vec<String> = (0..20_000).map(|row| format!("word {}", row % 15_000)).collect();
    let dictionary: DictionaryArray<UInt32Type> = words.iter().map(String::as_str).collect();
    let columns: [(&str, ArrayRef); 2] =
        [("list", Arc::new(builder.finish()) as ArrayRef), ("dictionary", Arc::new(dictionary))];
    write(&path, Format::ArrowFile, &RecordBatch::try_from_iter(columns).unwrap());
    assert_eq!(lists(&path, "list").unwrap(), (0..20_000).map(texts_of).collect::<Vec<_>>());
    assert_eq!(texts(&path, "dictionary").unwrap(), words);
}

#[test]
fn rows_without_a_text_are_named() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let mut holes = list_builder();
    holes.append_value([Some("a")]);
    holes.append_value([Some("b"), None]);
    let mut empty = list_builder();
    empty.append_value([Some("a")]);
    empty.append_value(std::iter::empty::<Option<&str>>());
    let mut null = list_builder();
    null.append_value([Some("a")]);
    null.append_null();
    let dictionary: DictionaryArray<Int8Type> = [Some("a"), None].into_iter().collect();
    let columns: [(&str, ArrayRef); 5] = [
        ("text", Arc::new(StringArray::from(vec![Some("a"), None]))),
        ("dictionary", Arc::new(dictionary)),
        ("holes", Arc::new(holes.finish())),
        ("empty", Arc::new(empty.finish())),
        ("null", Arc::new(null.finish())),
    ];
    write(
        &path,
        Format::Parquet,
        &RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap(),
    );
    for (column, what) in [
        ("text", "is null"),
        ("dictionary", "is null"),
        ("holes", "has a null in its list"),
        ("empty", "is an empty list"),
        ("null", "is null"),
    ] {
        let error = lists(&path, column).unwrap_err().to_string();
        assert!(error.contains(&format!("t.parquet: row 2: column `{column}` {what}")), "{error}");
    }
}

#[test]
fn columns_of_other_types_and_names_are_refused() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let nested: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([Some([Some(1)])]));
    let large: ArrayRef =
        Arc::new(LargeListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([Some([Some(1)])]));
    let rows = RecordBatch::try_from_iter([("number", numbers), ("nested", nested), ("large", large)]).unwrap();
    write(&path, Format::Parquet, &rows);
    let error = texts(&path, "number").unwrap_err().to_string();
    assert!(error.ends_with("t.parquet: column `number` has the type Int32, expected text"), "{error}");
    for column in ["nested", "large"] {
        let error = lists(&path, column).unwrap_err().to_string();
        assert!(error.ends_with("expected text or lists of text"), "{error}");
    }
    let error = texts(&path, "none").unwrap_err().to_string();
    assert!(error.ends_with("t.parquet has no column `none` (its columns: number, nested, large)"), "{error}");
    let one: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let field = |kind: &ArrayRef| Arc::new(arrow_schema::Field::new("twice", kind.data_type().clone(), true));
    let schema = Arc::new(arrow_schema::Schema::new(vec![field(&one), field(&one)]));
    write(&path, Format::ArrowFile, &RecordBatch::try_new(schema, vec![one.clone(), one]).unwrap());
    let error = texts(&path, "twice").unwrap_err().to_string();
    assert!(error.ends_with("has two columns `twice`: rename one"), "{error}");
}

#[test]
fn tables_without_rows_or_row_groups_are_read() {
    let folder = folder();
    for (format, name) in FORMATS {
        let path = folder.path().join(name);
        write(&path, format, &layouts().slice(0, 0));
        assert_eq!(texts(&path, "string").unwrap(), [""; 0], "{name}");
    }
    let path = folder.path().join("none.parquet");
    let writer = ArrowWriter::try_new(File::create(&path).unwrap(), layouts().schema(), None).unwrap();
    writer.close().unwrap();
    assert_eq!(texts(&path, "string").unwrap(), [""; 0]);
}

#[test]
fn a_folder_of_parts_is_one_table() {
    let folder = folder();
    let table = folder.path().join("table");
    std::fs::create_dir(&table).unwrap();
    for (i, name) in ["part-0.parquet", "part-1.parquet"].iter().enumerate() {
        let text = format!("text {i}");
        let file = File::create(table.join(name)).unwrap();
        write_texts(file, Format::Parquet, &[("text", vec![Some(text.as_str())])]).unwrap();
    }
    std::fs::write(table.join("_SUCCESS"), "").unwrap();
    std::fs::write(table.join(".part-0.parquet.crc"), "x").unwrap();
    assert!(Format::is_columns(&table));
    assert_eq!(texts(&table, "text").unwrap(), ["text 0", "text 1"]);
    assert_eq!(TableReader::open(&table).unwrap().rows(), Some(2));
    write_texts(File::create(table.join("part-2.parquet")).unwrap(), Format::Parquet, &[("other", vec![])]).unwrap();
    let error = texts(&table, "text").unwrap_err().to_string();
    assert!(error.contains("part-2.parquet has other columns than") && error.contains("part-0.parquet:"), "{error}");
    let error = TableReader::open(folder.path()).err().unwrap().to_string();
    assert!(error.ends_with("holds no files of columns (.parquet, .arrow)"), "{error}");
}

#[test]
fn columns_that_nobody_needs_are_not_read() {
    let folder = folder();
    for (format, name) in FORMATS {
        let path = folder.path().join(name);
        write(&path, format, &layouts());
        let whole = TableReader::open(&path).unwrap();
        let names: Vec<String> = whole.columns().iter().map(|name| (*name).to_owned()).collect();
        let (first, last) = (&names[0], &names[names.len() - 1]);
        let mut reader = whole.only(&[last, first]).unwrap();
        assert_eq!(reader.columns(), [first.as_str(), last.as_str()], "in the order of the file");
        let columns = [first, last].map(|name| TextColumn::find(&reader, name).unwrap());
        let batch = reader.next_batch().unwrap().unwrap();
        for column in columns {
            assert_eq!(column.texts(&batch).unwrap(), texts(&path, column.name()).unwrap());
        }
        assert!(TextColumn::find(&reader, &names[1]).is_err());
    }
}

#[test]
fn batches_are_small_and_rows_are_counted_on() {
    let folder = folder();
    let path = folder.path().join("t.arrow");
    let many: Vec<String> = (0..20_000).map(|i| format!("text {i}")).collect();
    let mut rows: Vec<Option<&str>> = many.iter().map(|text| Some(text.as_str())).collect();
    let write = |rows: &[Option<&str>]| {
        write_texts(File::create(&path).unwrap(), Format::ArrowFile, &[("text", rows.to_vec())]).unwrap();
    };
    write(&rows);
    assert_eq!(texts(&path, "text").unwrap(), many);
    let mut reader = TableReader::open(&path).unwrap();
    assert_eq!(reader.next_batch().unwrap().unwrap().len(), 8192);
    rows[17_999] = None;
    write(&rows);
    assert!(texts(&path, "text").unwrap_err().to_string().contains("row 18000: column `text` is null"));
}

#[test]
fn files_that_are_no_columns_are_errors() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    for (bytes, message) in [
        (b"".as_slice(), "is empty: a file without rows still describes its columns"),
        (b"some text\n", "is neither Parquet nor Arrow"),
        (b"FEA1xxxx", "is Feather of version 1"),
        (b"PARExxxx", "is encrypted Parquet"),
        (b"PAR1", "cannot be read"),
        (b"PAR1PAR1", "cannot be read"),
        (b"ARROW1\0\0", "cannot be read"),
        (b"\xff\xff\xff\xff\x10\x10\0\0", "cannot be read"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = texts(&path, "x").unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let error = texts(&folder.path().join("missing.parquet"), "x").unwrap_err().to_string();
    assert!(error.starts_with("cannot read "), "{error}");
}

/// Reads all columns of a table that may be damaged: an error or not, never a panic.
fn read_all(path: &Path) {
    let Ok(mut reader) = TableReader::open(path) else { return };
    let names: Vec<String> = reader.columns().iter().map(|name| (*name).to_owned()).collect();
    let columns: Vec<ListColumn> = names.iter().filter_map(|name| ListColumn::find(&reader, name).ok()).collect();
    while let Ok(Some(batch)) = reader.next_batch() {
        for column in &columns {
            let _ = column.append(&batch, &mut vec![Vec::new(); batch.len()]);
        }
    }
}

#[test]
fn damaged_files_do_not_panic() {
    let folder = folder();
    for (format, name) in FORMATS {
        let path = folder.path().join(name);
        write(&path, format, &layouts());
        let bytes = std::fs::read(&path).unwrap();
        for cut in (0..bytes.len()).step_by(61) {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            read_all(&path);
        }
        for i in (0..bytes.len()).step_by(23) {
            for value in [0xff, bytes[i] ^ 1] {
                let mut damaged = bytes.clone();
                damaged[i] = value;
                std::fs::write(&path, &damaged).unwrap();
                read_all(&path);
            }
        }
    }
}

/// The reader of the format would take as much memory as a damaged length says, and end the process.
#[test]
fn a_length_that_cannot_be_right_is_an_error_before_memory_is_taken() {
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
    let folder = folder();
    let lines: Vec<String> = (0..500).map(|_| "the same line again".to_owned()).collect();
    let bytes = (lines.len() * lines[0].len()) as i64;
    let rows = RecordBatch::try_from_iter([("mt", Arc::new(StringArray::from(lines.clone())) as ArrayRef)]).unwrap();
    for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let options = IpcWriteOptions::default().try_with_compression(Some(compression)).unwrap();
        for is_file in [true, false] {
            let path = folder.path().join("t.arrow");
            let file = File::create(&path).unwrap();
            if is_file {
                let mut writer = FileWriter::try_new_with_options(file, &rows.schema(), options.clone()).unwrap();
                writer.write(&rows).unwrap();
                writer.finish().unwrap();
            } else {
                let mut writer = StreamWriter::try_new_with_options(file, &rows.schema(), options.clone()).unwrap();
                writer.write(&rows).unwrap();
                writer.finish().unwrap();
            }
            assert_eq!(texts(&path, "mt").unwrap(), lines);
            let mut content = std::fs::read(&path).unwrap();
            let place = content.windows(8).rposition(|eight| eight == bytes.to_le_bytes()).unwrap();
            content[place..place + 8].copy_from_slice(&(1i64 << 46).to_le_bytes());
            std::fs::write(&path, &content).unwrap();
            let error = texts(&path, "mt").unwrap_err();
            assert!(matches!(&error, Error::Damaged { .. }), "{error}");
            assert!(error.to_string().contains("compressed bytes cannot be"), "{error}");
        }
    }
}
