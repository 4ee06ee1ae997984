//! Figures of runs that came to their end, one small file each.
//!
//! ```text
//! runs/3f0c…-1.json   {"key": {…}, "seed": 1, "figures": {"cz": 24.1, …}}
//! ```
//!
//! The key is all that decides the digits, readable; the name of the file is its SHA-256 (the first 16 digits) and the seed.
//! A file that is damaged, or whose key is another, is as good as none.

use crate::cache::{hexadecimal, write_beside};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What a run found out, by name.
pub(super) type Figures = BTreeMap<String, f64>;

/// All that decides the digits of a run but its seed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key(pub(super) Value);

impl Key {
    fn hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.0.to_string())[..8])
    }
}

/// The folder of finished runs.
#[derive(Clone, Debug)]
pub(super) struct FinishedRuns {
    folder: Option<PathBuf>,
    fresh: bool,
}

impl FinishedRuns {
    /// Below this folder, if there is one; `fresh` finds nothing and still keeps what is new.
    pub(super) fn new(folder: Option<&Path>, fresh: bool) -> Self {
        FinishedRuns { folder: folder.map(|folder| folder.join("runs")), fresh }
    }

    fn place(&self, key: &Key, seed: u64) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}-{seed}.json", key.hash())))
    }

    /// The figures of a run, if it has been finished.
    pub(super) fn find(&self, key: &Key, seed: u64) -> Option<Figures> {
        let text = fs::read_to_string(self.place(key, seed).filter(|_| !self.fresh)?).ok()?;
        let stored: Value = serde_json::from_str(&text).ok()?;
        if stored["key"] != key.0 || stored["seed"] != json!(seed) {
            return None;
        }
        let figure = |(name, value): (&String, &Value)| Some((name.clone(), value.as_f64()?));
        stored["figures"].as_object()?.iter().map(figure).collect()
    }

    /// Keeps the figures of a run. A folder that cannot be written to costs the next command time, nothing else.
    pub(super) fn keep(&self, key: &Key, seed: u64, figures: &Figures) {
        let Some(place) = self.place(key, seed) else { return };
        let numbers: Map<String, Value> =
            figures.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let text = format!("{:#}\n", json!({"key": key.0, "seed": seed, "figures": numbers}));
        let _ = write_beside(&place, |file| file.write_all(text.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        [("cz".to_owned(), 0.1 + 0.2), ("de".to_owned(), -1.0 / 3.0)].into_iter().collect()
    }

    #[test]
    fn a_finished_run_is_found_to_the_bit_by_its_key_and_seed_only() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = FinishedRuns::new(Some(scratch.path()), false);
        let key = Key(json!({"cost": "logistic", "hidden": 4}));
        assert_eq!(runs.find(&key, 1), None);
        runs.keep(&key, 1, &figures());
        assert_eq!(runs.find(&key, 1), Some(figures()));
        assert_eq!(runs.find(&key, 2), None);
        assert_eq!(runs.find(&Key(json!({"cost": "logistic", "hidden": 5})), 1), None);
        assert_eq!(FinishedRuns::new(Some(scratch.path()), true).find(&key, 1), None);
        assert_eq!(FinishedRuns::new(None, false).find(&key, 1), None);
    }

    #[test]
    fn a_damaged_file_or_one_of_another_key_is_none() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = FinishedRuns::new(Some(scratch.path()), false);
        let key = Key(json!({"a": 1}));
        runs.keep(&key, 3, &figures());
        let place = runs.place(&key, 3).unwrap();
        let text = fs::read_to_string(&place).unwrap();
        for damaged in [
            text[..text.len() / 2].to_owned(),
            text.replace("\"a\": 1", "\"a\": 2"),
            text.replace("0.3", "\"x0.3"),
            String::new(),
        ] {
            fs::write(&place, damaged).unwrap();
            assert_eq!(runs.find(&key, 3), None);
        }
        fs::write(&place, text).unwrap();
        assert_eq!(runs.find(&key, 3), Some(figures()));
    }
}
