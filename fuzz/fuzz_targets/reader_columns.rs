//! Parquet and Arrow files: any bytes are read or are an error.

#![no_main]

use tercet_columns::{TableReader, TextColumn};
use tercet_fuzz::scratch_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = scratch_file();
    std::fs::write(&path, bytes).expect("a scratch file can be written");
    let Ok(mut reader) = TableReader::open(&path) else { return };
    let Some(name) = reader.columns().first().map(|name| (*name).to_owned()) else { return };
    let Ok(column) = TextColumn::find(&reader, &name) else { return };
    while let Ok(Some(batch)) = reader.next_batch() {
        let _ = column.texts(&batch);
    }
});
