//! Figures of runs that came to their end, one small file each.
//!
//! ```text
//! runs/3f0c…-1.json   {"key": {…}, "seed": 1, "figures": {"cz": 24.1, …}, "sha256": "…"}
//! ```
//!
//! The key is all that decides the digits, readable; the name of the file is its SHA-256 (the first 16 digits) and the
//! seed. The last entry is the SHA-256 of the others, without white space. A file whose checksum is missing or wrong is
//! damaged: it is named, and the run is repeated. A figure that is not a number is null.
//!
//! What this command has run is remembered too, so that `--fresh` runs nothing twice, nor does a command without a
//! folder.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tercet::files::{hexadecimal, write_with};
use tercet::progress::Progress;
use tercet::warning::Warning;

/// What a run found out, by name.
pub(super) type Figures = BTreeMap<String, f64>;

/// All that decides the digits of a run but its seed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key(pub(super) Value);

impl Key {
    /// A short name of it.
    pub(super) fn hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.0.to_string())[..8])
    }
}

/// The folder of finished runs, and those of this command.
pub(super) struct FinishedRuns<'a> {
    folder: Option<PathBuf>,
    fresh: bool,
    now: Mutex<BTreeMap<(String, u64), Figures>>,
    /// Hears of damaged files.
    progress: Progress<'a>,
}

impl<'a> FinishedRuns<'a> {
    /// Below this folder, if there is one; `fresh` finds nothing of earlier commands and still keeps what is new.
    pub(super) fn new(folder: Option<&Path>, fresh: bool, progress: Progress<'a>) -> Self {
        let folder = folder.map(|folder| folder.join("runs"));
        FinishedRuns { folder, fresh, now: Mutex::default(), progress }
    }

    fn place(&self, key: &Key, seed: u64) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}-{seed}.json", key.hash())))
    }

    /// The figures of a run, if it has been finished.
    pub(super) fn find(&self, key: &Key, seed: u64) -> Option<Figures> {
        let known = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(key.0.to_string(), seed)).cloned().or_else(|| self.find_kept(key, seed))
    }

    /// The figures of the runs with these seeds, as far as they are finished.
    pub(super) fn figures(&self, key: &Key, seeds: &[u64]) -> Vec<Figures> {
        seeds.iter().filter_map(|seed| self.find(key, *seed)).collect()
    }

    fn find_kept(&self, key: &Key, seed: u64) -> Option<Figures> {
        let place = self.place(key, seed).filter(|_| !self.fresh)?;
        let bytes = fs::read(&place).ok()?;
        let figures = stored_figures(&bytes, key, seed);
        if figures.is_none() {
            // Work that should stop notices it elsewhere.
            let _ = self.progress.warn(&Warning::DamagedCacheFile { file: place.display().to_string() });
        }
        figures
    }

    /// Keeps the figures of a run. A folder that cannot be written to costs the next command time, nothing else.
    pub(super) fn keep(&self, key: &Key, seed: u64, figures: &Figures) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.insert((key.0.to_string(), seed), figures.clone());
        drop(now);
        let Some(place) = self.place(key, seed) else { return };
        let numbers: Map<String, Value> = figures.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let mut stored = json!({"key": key.0, "seed": seed, "figures": numbers});
        stored["sha256"] = json!(checksum(&stored));
        let text = format!("{stored:#}\n");
        let _ = write_with(&place, |file| file.write_all(text.as_bytes()));
    }
}

/// The figures in a file, if it is whole and of this run.
fn stored_figures(bytes: &[u8], key: &Key, seed: u64) -> Option<Figures> {
    let mut stored: Value = serde_json::from_slice(bytes).ok()?;
    let found = stored.as_object_mut()?.remove("sha256")?;
    if found != json!(checksum(&stored)) || stored["key"] != key.0 || stored["seed"] != json!(seed) {
        return None;
    }
    let number = |value: &Value| if value.is_null() { Some(f64::NAN) } else { value.as_f64() };
    let figure = |(name, value): (&String, &Value)| Some((name.clone(), number(value)?));
    stored["figures"].as_object()?.iter().map(figure).collect()
}

fn checksum(stored: &Value) -> String {
    hexadecimal(&Sha256::digest(stored.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_files::tests::damaged_files;

    fn finished(folder: Option<&Path>, fresh: bool) -> FinishedRuns<'static> {
        FinishedRuns::new(folder, fresh, Progress::none())
    }

    fn figures() -> Figures {
        [("cz".to_owned(), 0.1 + 0.2), ("de".to_owned(), -1.0 / 3.0)].into_iter().collect()
    }

    #[test]
    fn a_finished_run_is_found_to_the_bit_by_its_key_and_seed_only() {
        let scratch = tempfile::tempdir().unwrap();
        let key = Key(json!({"cost": "logistic", "hidden": 4}));
        let runs = finished(Some(scratch.path()), false);
        assert_eq!(runs.find(&key, 1), None);
        runs.keep(&key, 1, &figures());
        let runs = finished(Some(scratch.path()), false);
        assert_eq!(runs.find(&key, 1), Some(figures()));
        assert_eq!(runs.find(&key, 2), None);
        assert_eq!(runs.find(&Key(json!({"cost": "logistic", "hidden": 5})), 1), None);
        assert_eq!(finished(Some(scratch.path()), true).find(&key, 1), None);
        assert_eq!(finished(None, false).find(&key, 1), None);
    }

    #[test]
    fn a_figure_that_is_not_a_number_is_kept_as_one() {
        let scratch = tempfile::tempdir().unwrap();
        let (key, runs) = (Key(json!({"a": 1})), || finished(Some(scratch.path()), false));
        let figures: Figures = [("cz systems".to_owned(), f64::NAN), ("cz".to_owned(), 2.5)].into();
        runs().keep(&key, 1, &figures);
        let found = runs().find(&key, 1).unwrap();
        assert!(found["cz systems"].is_nan() && found["cz"] == 2.5, "{found:?}");
    }

    #[test]
    fn fresh_finds_what_it_has_run_itself_and_so_does_a_store_without_a_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let key = Key(json!({"a": 1}));
        finished(Some(scratch.path()), false).keep(&key, 1, &Figures::new());
        for folder in [Some(scratch.path()), None] {
            let fresh = finished(folder, true);
            assert_eq!(fresh.find(&key, 1), None);
            fresh.keep(&key, 1, &figures());
            assert_eq!(fresh.find(&key, 1), Some(figures()));
            assert_eq!(fresh.find(&key, 2), None);
        }
    }

    #[test]
    fn a_damaged_file_or_one_of_another_key_is_none() {
        let scratch = tempfile::tempdir().unwrap();
        let runs = finished(Some(scratch.path()), false);
        let key = Key(json!({"a": 1}));
        runs.keep(&key, 3, &figures());
        let runs = finished(Some(scratch.path()), false);
        let place = runs.place(&key, 3).unwrap();
        let text = fs::read_to_string(&place).unwrap();
        for damaged in [
            text[..text.len() / 2].to_owned(),
            text.replace("\"a\": 1", "\"a\": 2"),
            // A better figure, written by hand.
            text.replace("0.3", "0.9"),
            text.lines().filter(|line| !line.contains("sha256")).collect::<String>().replace("},}", "}}"),
            text.replace("0.3", "\"x0.3"),
            String::new(),
        ] {
            fs::write(&place, damaged).unwrap();
            let find = |progress: Progress<'_>| {
                assert_eq!(FinishedRuns::new(Some(scratch.path()), false, progress).find(&key, 3), None);
            };
            assert_eq!(damaged_files(find), [place.as_path()]);
        }
        fs::write(&place, text).unwrap();
        assert_eq!(runs.find(&key, 3), Some(figures()));
    }
}
