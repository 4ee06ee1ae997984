//! Features of metrics on the translations of a set, kept in files.
//!
//! ```text
//! {"format": 2, "feature": "bleu…", "texts": "…", "columns": ["bleu"], "rows": 3, "sha256": "…"}⏎
//! the columns, one after another, as little-endian doubles
//! ```
//!
//! The name is the SHA-256 of the format, the feature and the texts it was measured on. The hash in the first line is
//! that of the names of the columns and of the bytes after the line. A file that does not fit is named and measured
//! again.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tercet::Result;
use tercet::files::{hexadecimal, write_with};
use tercet::learned::FeatureColumn;
use tercet::progress::Progress;
use tercet::warning::Warning;

/// Counted up when the same feature of the same texts would be measured or written otherwise.
const FORMAT: u32 = 2;

/// What a file of features is of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured<'a> {
    /// The set and language pair, for people who look into the folder.
    pub(super) set: &'a str,
    /// All that decides the digits of the feature.
    pub(super) feature: &'a str,
    /// The hash of the texts.
    pub(super) texts: &'a str,
    /// How many values a column has.
    pub(super) rows: usize,
}

impl Measured<'_> {
    /// Where it is kept below a folder.
    fn place(&self, folder: &Path) -> PathBuf {
        let hash = Sha256::digest(format!("{FORMAT}\n{}\n{}", self.feature, self.texts));
        folder.join("features").join(format!("{}-{}.f64", self.set, hexadecimal(&hash[..8])))
    }

    /// The columns that have been kept, or else those that are measured now, which are kept.
    pub(super) fn find_or_measure(
        &self,
        folder: Option<&Path>,
        fresh: bool,
        progress: Progress<'_>,
        measure: impl FnOnce() -> Result<Vec<FeatureColumn>>,
    ) -> Result<Vec<FeatureColumn>> {
        if let Some(known) = self.find(folder.filter(|_| !fresh), progress) {
            return Ok(known);
        }
        let columns = measure()?;
        self.keep(folder, &columns);
        Ok(columns)
    }

    /// The columns, if they have been kept.
    pub(super) fn find(&self, folder: Option<&Path>, progress: Progress<'_>) -> Option<Vec<FeatureColumn>> {
        let place = self.place(folder?);
        let bytes = fs::read(&place).ok()?;
        let columns = self.columns(&bytes);
        if columns.is_none() {
            // Work that should stop notices it elsewhere.
            let _ = progress.warn(&Warning::DamagedCacheFile { file: place.display().to_string() });
        }
        columns
    }

    fn columns(&self, bytes: &[u8]) -> Option<Vec<FeatureColumn>> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (head, body) = (serde_json::from_slice::<Value>(&bytes[..end]).ok()?, &bytes[end + 1..]);
        let names: Vec<&str> = head["columns"].as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
        let expected = self.head(&names, &checksum(&names, body));
        if head != expected || body.len() != names.len() * self.rows * 8 {
            return None;
        }
        let values: Vec<f64> = body.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let column = |(i, name): (usize, &&str)| FeatureColumn {
            name: (*name).to_owned(),
            values: values[i * self.rows..(i + 1) * self.rows].to_vec(),
        };
        Some(names.iter().enumerate().map(column).collect())
    }

    /// Keeps columns.
    pub(super) fn keep(&self, folder: Option<&Path>, columns: &[FeatureColumn]) {
        let Some(folder) = folder else { return };
        let body: Vec<u8> =
            columns.iter().flat_map(|column| &column.values).flat_map(|value| value.to_le_bytes()).collect();
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let head = self.head(&names, &checksum(&names, &body));
        let _ = write_with(&self.place(folder), |file| {
            writeln!(file, "{head}")?;
            file.write_all(&body)
        });
    }

    fn head(&self, names: &[&str], hash: &str) -> Value {
        json!({
            "format": FORMAT,
            "feature": self.feature,
            "texts": self.texts,
            "columns": names,
            "rows": self.rows,
            "sha256": hash,
        })
    }
}

fn checksum(names: &[&str], body: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(json!(names).to_string());
    hash.update(body);
    hexadecimal(&hash.finalize())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::Mutex;
    use tercet::progress::Event;

    /// The damaged files that are reported.
    pub fn damaged_files(work: impl FnOnce(Progress<'_>)) -> Vec<PathBuf> {
        let files = Mutex::new(Vec::new());
        let callback = |event: &Event<'_>| {
            if let Event::Warning(Warning::DamagedCacheFile { file }) = event {
                files.lock().unwrap().push(PathBuf::from(file));
            }
            ControlFlow::Continue(())
        };
        work(Progress::new(&callback));
        files.into_inner().unwrap()
    }

    impl Measured<'_> {
        fn found(&self, folder: Option<&Path>) -> Option<Vec<FeatureColumn>> {
            self.find(folder, Progress::none())
        }
    }

    #[test]
    fn columns_come_back_to_the_bit_and_damage_is_noticed() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Some(scratch.path());
        let measured = Measured { set: "wmt12-rr.cs-en", feature: "bleu:x", texts: "abc", rows: 2 };
        let column = |name: &str, values: [f64; 2]| FeatureColumn { name: name.to_owned(), values: values.to_vec() };
        let columns = vec![column("a", [0.1 + 0.2, -0.0]), column("b", [f64::MIN_POSITIVE, 1e300])];
        assert!(measured.found(folder).is_none());
        measured.keep(folder, &columns);
        let found = measured.found(folder).unwrap();
        let bits = |columns: &[FeatureColumn]| -> Vec<(String, Vec<u64>)> {
            let bits = |column: &FeatureColumn| column.values.iter().map(|value| value.to_bits()).collect();
            columns.iter().map(|column| (column.name.clone(), bits(column))).collect()
        };
        assert_eq!(bits(&found), bits(&columns));
        assert!(Measured { texts: "abd", ..measured }.found(folder).is_none());
        assert!(Measured { feature: "bleu:y", ..measured }.found(folder).is_none());
        let place = measured.place(scratch.path());
        let whole = fs::read(&place).unwrap();
        let name = whole.windows(3).position(|window| window == b"\"a\"").unwrap() + 1;
        for position in [3, name, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[position] ^= 1;
            fs::write(&place, bytes).unwrap();
            let damaged = damaged_files(|progress| assert!(measured.find(folder, progress).is_none()));
            assert_eq!(damaged, [place.as_path()]);
        }
        fs::write(&place, &whole[..whole.len() - 8]).unwrap();
        assert!(measured.found(folder).is_none());
    }

    #[test]
    fn a_file_of_another_format_is_none() {
        let scratch = tempfile::tempdir().unwrap();
        let measured = Measured { set: "wmt12-rr.cs-en", feature: "bleu:x", texts: "abc", rows: 1 };
        measured.keep(Some(scratch.path()), &[FeatureColumn { name: "a".to_owned(), values: vec![1.0] }]);
        let place = measured.place(scratch.path());
        let whole = fs::read(&place).unwrap();
        let end = whole.iter().position(|byte| *byte == b'\n').unwrap();
        let head = String::from_utf8(whole[..end].to_vec()).unwrap();
        let number = format!("\"format\":{FORMAT},");
        assert!(head.contains(&number) && measured.found(Some(scratch.path())).is_some());
        for other in ["\"format\":0,", ""] {
            let head = head.replace(&number, other);
            fs::write(&place, [head.as_bytes(), &whole[end..]].concat()).unwrap();
            assert!(measured.found(Some(scratch.path())).is_none());
        }
    }
}
