//! Scores of segments and sums of systems in a file, batch by batch as they are computed: scores need no memory, and an
//! interrupted run goes on behind the last complete batch.
//!
//! The file begins with a key, which says what was scored by what; a run goes on only if its key is the same. Each
//! batch
//! follows with its length and a checksum, so that one that was written in part is noticed and computed again.

use super::partial_sums::{PartialSums, number};
use crate::error::{Error, Result};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first bytes: a name and a version.
const START: &[u8] = b"tercet scores 1\n";

/// The numbers that are read at once.
const CHUNK: usize = 8192;

/// A file of scores.
#[derive(Debug)]
pub struct ScoreLog {
    file: File,
    /// Where it is, if it stays until the run is complete.
    path: Option<PathBuf>,
    /// Whether scores of segments are kept, and not the sums alone.
    keeps_segments: bool,
    /// Where the next batch is read or written.
    end: u64,
    /// Whether batches of an earlier run may follow.
    is_reading: bool,
    /// Where the scores of each batch begin, and how many segments and columns it has.
    batches: Vec<(u64, usize, usize)>,
}

/// A batch that was scored.
#[derive(Clone, Debug, Default)]
pub struct ScoredBatch {
    /// The number of its segments.
    pub segments: usize,
    /// The scores of segments, `[column][segment]`; empty if they are not kept.
    pub scores: Vec<Vec<f64>>,
    /// The sums of the systems that have segments in it, with these: the place of each system and its sums.
    pub sums: Vec<(usize, PartialSums)>,
}

impl ScoreLog {
    /// A file without a name, for scores of segments that are written at the end.
    pub fn temporary() -> Result<Self> {
        let file = tempfile::tempfile().map_err(|source| {
            let path = std::env::temp_dir();
            Error::Write { path, source }
        })?;
        Ok(ScoreLog { file, path: None, keeps_segments: true, end: 0, is_reading: false, batches: Vec::new() })
    }

    /// A file that stays if the run is interrupted. `key` says what is scored, in lines `what: value`; returns an error
    /// if a file of another key is there.
    pub fn open(path: &Path, key: &str, keeps_segments: bool) -> Result<Self> {
        let failed = |source| Error::Write { path: path.to_owned(), source };
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(failed)?;
        let mut start = START.to_vec();
        start.extend((key.len() as u64).to_le_bytes());
        start.extend(key.as_bytes());
        let mut found = Vec::new();
        Read::take(&mut file, 1 << 20).read_to_end(&mut found).map_err(failed)?;
        let is_same = found.starts_with(&start);
        if !is_same && !start.starts_with(&found) {
            let what = difference(&found, key);
            return Err(Error::OtherRun { path: path.to_owned(), what });
        }
        if !is_same {
            file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&start)).map_err(failed)?;
        }
        let (path, end) = (Some(path.to_owned()), start.len() as u64);
        Ok(ScoreLog { file, path, keeps_segments, end, is_reading: is_same, batches: Vec::new() })
    }

    /// Whether scores of segments are kept.
    pub fn keeps_segments(&self) -> bool {
        self.keeps_segments
    }

    /// Whether an earlier run left batches.
    pub fn has_batches(&self) -> bool {
        self.is_reading && self.file.metadata().is_ok_and(|about| about.len() > self.end)
    }

    /// The next batch of an earlier run, which has so many segments; `None` behind the last complete one, from where
    /// batches are written.
    pub fn next_batch(&mut self, segments: usize) -> Result<Option<ScoredBatch>> {
        if !self.is_reading {
            return Ok(None);
        }
        if let Some(bytes) = self.read_bytes().map_err(|source| self.failed(source))?
            && let Some(batch) = read_batch(&bytes).filter(|batch| batch.segments == segments)
        {
            self.batches.push((self.end + 8 + 16, batch.segments, batch.scores.len()));
            self.end += 16 + bytes.len() as u64;
            return Ok(Some(batch));
        }
        self.is_reading = false;
        self.file.set_len(self.end).map_err(|source| self.failed(source))?;
        Ok(None)
    }

    /// The bytes of the next batch, if it is complete.
    fn read_bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let left = self.file.metadata()?.len().saturating_sub(self.end);
        let mut length = [0; 8];
        if left < 16 {
            return Ok(None);
        }
        self.file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        if length > left - 16 {
            return Ok(None);
        }
        let mut bytes = vec![0; length as usize];
        let mut sum = [0; 8];
        self.file.read_exact(&mut bytes)?;
        self.file.read_exact(&mut sum)?;
        Ok((u64::from_le_bytes(sum) == checksum(&bytes)).then_some(bytes))
    }

    /// Writes a batch.
    pub fn write(&mut self, batch: &ScoredBatch) -> Result<()> {
        let mut bytes = vec![0; 8];
        for number in [batch.segments, batch.scores.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        batch.scores.iter().flatten().for_each(|score| bytes.extend(score.to_le_bytes()));
        for (system, sums) in batch.sums.iter().filter(|_| self.path.is_some()) {
            let sums = sums.to_bytes();
            for number in [*system, sums.len()] {
                bytes.extend((number as u64).to_le_bytes());
            }
            bytes.extend(sums);
        }
        let length = bytes.len() as u64 - 8;
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        let sum = checksum(&bytes[8..]);
        bytes.extend(sum.to_le_bytes());
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(&bytes));
        written.map_err(|source| self.failed(source))?;
        self.batches.push((self.end + 8 + 16, batch.segments, batch.scores.len()));
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Gives the scores of a column, one after another.
    pub fn read_column(&self, column: usize, take: &mut dyn FnMut(f64) -> io::Result<()>) -> io::Result<()> {
        let mut file = BufReader::with_capacity(8 * CHUNK, &self.file);
        for (start, segments, _) in self.batches.iter().filter(|(_, _, columns)| column < *columns) {
            file.seek(SeekFrom::Start(start + (8 * column * segments) as u64))?;
            for _ in 0..*segments {
                let mut bytes = [0; 8];
                file.read_exact(&mut bytes)?;
                take(f64::from_le_bytes(bytes))?;
            }
        }
        Ok(())
    }

    /// Removes the file: the run is complete.
    pub fn remove(self) -> Result<()> {
        match &self.path {
            None => Ok(()),
            Some(path) => std::fs::remove_file(path).map_err(|source| Error::Write { path: path.clone(), source }),
        }
    }

    fn failed(&self, source: io::Error) -> Error {
        let path = self.path.clone().unwrap_or_else(std::env::temp_dir);
        Error::Write { path, source }
    }
}

fn read_batch(mut bytes: &[u8]) -> Option<ScoredBatch> {
    let size = |bytes: &mut &[u8]| usize::try_from(number(bytes)?).ok();
    let (segments, columns) = (size(&mut bytes)?, size(&mut bytes)?);
    let length = segments.checked_mul(columns)?.checked_mul(8)?;
    let (numbers, mut bytes) = bytes.split_at_checked(length)?;
    let numbers: Vec<f64> = numbers.as_chunks::<8>().0.iter().map(|number| f64::from_le_bytes(*number)).collect();
    let scores = numbers.chunks(segments.max(1)).map(<[f64]>::to_vec).collect();
    let mut sums = Vec::new();
    while !bytes.is_empty() {
        let (system, length) = (size(&mut bytes)?, size(&mut bytes)?);
        let (own, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        sums.push((system, PartialSums::from_bytes(own).ok()?));
    }
    Some(ScoredBatch { segments, scores, sums })
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = foldhash::quality::FixedState::default().build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// What the key of a file says otherwise.
fn difference(found: &[u8], key: &str) -> String {
    let found = found.strip_prefix(START).and_then(|found| found.get(8..)).map(String::from_utf8_lossy);
    let Some(found) = found else { return "it is another file".to_owned() };
    let differs = |(line, other): &(&str, &str)| line != other;
    let other = key.lines().zip(found.lines()).find(differs);
    let what = other.and_then(|(line, _)| line.split_once(':')).map_or("settings", |(what, _)| what);
    format!("it is of a run with other {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(segments: usize, first: f64) -> ScoredBatch {
        let scores = vec![(0..segments).map(|i| first + i as f64).collect(), vec![-first; segments]];
        let sums = vec![(1, PartialSums::new(vec!["chrf".to_owned()]))];
        ScoredBatch { segments, scores, sums }
    }

    fn column(log: &ScoreLog, column: usize) -> Vec<f64> {
        let mut all = Vec::new();
        log.read_column(column, &mut |score| {
            all.push(score);
            Ok(())
        })
        .unwrap();
        all
    }

    #[test]
    fn an_interrupted_run_goes_on_behind_the_last_complete_batch() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.resume");
        let mut log = ScoreLog::open(&path, "metrics: a\n", true).unwrap();
        log.write(&batch(3, 1.0)).unwrap();
        log.write(&batch(2, 4.0)).unwrap();
        drop(log);
        let bytes = std::fs::read(&path).unwrap();
        for cut in [0, 5, 30] {
            std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
            let mut log = ScoreLog::open(&path, "metrics: a\n", true).unwrap();
            let first = log.next_batch(3).unwrap().unwrap();
            assert_eq!((first.segments, &first.scores[0][..], first.sums[0].0), (3, &[1.0, 2.0, 3.0][..], 1));
            assert_eq!(log.next_batch(2).unwrap().is_some(), cut == 0);
            assert!(log.next_batch(2).unwrap().is_none());
            log.write(&batch(1, 9.0)).unwrap();
            let expected = if cut == 0 { vec![1.0, 2.0, 3.0, 4.0, 5.0, 9.0] } else { vec![1.0, 2.0, 3.0, 9.0] };
            assert_eq!(column(&log, 0), expected);
            assert_eq!(column(&log, 1)[3..], if cut == 0 { vec![-4.0, -4.0, -9.0] } else { vec![-9.0] });
        }
        let mut damaged = bytes.clone();
        let last = damaged.len() - 20;
        damaged[last] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        let mut log = ScoreLog::open(&path, "metrics: a\n", true).unwrap();
        assert!(log.next_batch(3).unwrap().is_some() && log.next_batch(2).unwrap().is_none());
        log.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_file_of_another_run_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.resume");
        drop(ScoreLog::open(&path, "files: a\nmetrics: a\n", true).unwrap());
        let error = ScoreLog::open(&path, "files: a\nmetrics: b\n", true).unwrap_err().to_string();
        assert!(error.contains("it is of a run with other metrics"), "{error}");
        std::fs::write(&path, "something else").unwrap();
        let error = ScoreLog::open(&path, "files: a\nmetrics: b\n", true).unwrap_err().to_string();
        assert!(error.contains("it is another file"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"something else");
    }
}
