//! Verdicts about pairs, nine bytes each, in a file or in memory: a byte for the reason, then the score.
//!
//! The first line says what was judged, so that a run only goes on with verdicts of its own.

use super::{DropReason, FilterJob, FilterSummary, Verdict};
use crate::error::{Error, Result};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

/// The start of the first line; the version changes with the layout.
const START: &str = "tercet filter 1 ";

/// Bytes of a verdict.
const BYTES: usize = 9;

/// Numbers of a pass that looks for a score: two bytes of it.
const COUNTS: usize = 1 << 16;

/// Verdicts in the order of the pairs.
pub struct Verdicts<F> {
    pub(super) file: F,
    /// Bytes of the first line.
    start: u64,
    count: u64,
}

impl<F: Read + Write + Seek> Verdicts<F> {
    /// No verdicts yet, in an empty file; `of` says what is judged, without line ends.
    pub fn create(mut file: F, of: &str) -> Result<Self> {
        let line = format!("{START}{of}\n");
        file.write_all(line.as_bytes()).map_err(failed)?;
        Ok(Verdicts { file, start: line.len() as u64, count: 0 })
    }

    /// The verdicts that a run has left. Returns an error if it judged something else.
    pub fn resume(mut file: F, of: &str) -> Result<Self> {
        let line = format!("{START}{of}\n");
        let mut found = vec![0; line.len()];
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        if file.read_exact(&mut found).is_err() || found != line.as_bytes() {
            let what = "the run before was with other files or settings: run it as before, or without resuming";
            return Err(Error::BadRequest(what.to_owned()));
        }
        let (start, end) = (line.len() as u64, file.seek(SeekFrom::End(0)).map_err(failed)?);
        Ok(Verdicts { file, start, count: (end - start) / BYTES as u64 })
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds verdicts.
    pub fn append(&mut self, verdicts: &[Verdict]) -> Result<()> {
        let mut bytes = Vec::with_capacity(verdicts.len() * BYTES);
        for verdict in verdicts {
            bytes.push(verdict.reason.map_or(0, |reason| reason as u8 + 1));
            bytes.extend(verdict.score.unwrap_or(f64::NAN).to_le_bytes());
        }
        // A verdict of which a run has written a part only is written again.
        self.file.seek(SeekFrom::Start(self.start + self.count * BYTES as u64)).map_err(failed)?;
        self.file.write_all(&bytes).and_then(|()| self.file.flush()).map_err(failed)?;
        self.count += verdicts.len() as u64;
        Ok(())
    }

    fn read(&mut self) -> Result<impl Iterator<Item = Result<Verdict>> + use<'_, F>> {
        self.file.seek(SeekFrom::Start(self.start)).map_err(failed)?;
        let mut reader = BufReader::with_capacity(1 << 16, &mut self.file);
        Ok((0..self.count).map(move |_| {
            let mut bytes = [0; BYTES];
            reader.read_exact(&mut bytes).map_err(failed)?;
            let reason = bytes[0].checked_sub(1).map(|reason| DropReason::VALUES.get(usize::from(reason)));
            let [_, score @ ..] = bytes;
            let score = Some(f64::from_le_bytes(score)).filter(|score| !score.is_nan());
            match reason {
                None => Ok(Verdict { reason: None, score }),
                Some(Some(reason)) => Ok(Verdict { reason: Some(*reason), score }),
                Some(None) => Err(failed(io::ErrorKind::InvalidData.into())),
            }
        }))
    }

    /// What becomes of each pair, by the limit of the job.
    pub fn decisions(
        &mut self,
        job: &FilterJob,
    ) -> Result<Decisions<impl Iterator<Item = Result<Verdict>> + use<'_, F>>> {
        let limit = match (job.min_score, job.keep) {
            (Some(score), _) => Some(Limit { score, ties: u64::MAX }),
            (None, Some(share)) => self.best((share * self.count as f64).round() as u64)?,
            (None, None) => None,
        };
        let has_limit = job.min_score.or(job.keep).is_some();
        Ok(Decisions { limit, has_limit, summary: FilterSummary::default(), verdicts: self.read()? })
    }

    /// The lowest score of so many of the best pairs, and how many with that score are among them; `None` if there are
    /// no more scores than that. Counts two bytes of the scores in each pass, the highest first.
    fn best(&mut self, most: u64) -> Result<Option<Limit>> {
        let (mut prefix, mut left) = (0u64, most);
        for pass in 0..4 {
            let shift = 48 - 16 * pass;
            let mut counts = vec![0u64; COUNTS];
            for verdict in self.read()? {
                let verdict = verdict?;
                let Some(key) = verdict.score.filter(|_| verdict.reason.is_none()).map(key) else { continue };
                if pass == 0 || key >> (shift + 16) == prefix {
                    counts[(key >> shift) as usize % COUNTS] += 1;
                }
            }
            if pass == 0 && counts.iter().sum::<u64>() <= most {
                return Ok(None);
            }
            let mut place = COUNTS - 1;
            while counts[place] < left && place > 0 {
                left -= counts[place];
                place -= 1;
            }
            prefix = prefix << 16 | place as u64;
        }
        Ok(Some(Limit { score: from_key(prefix), ties: left }))
    }
}

/// A number that is larger for a larger score.
fn key(score: f64) -> u64 {
    let bits = score.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn from_key(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

fn failed(source: io::Error) -> Error {
    Error::Unusable(format!("the file of verdicts cannot be used: {source}"))
}

#[derive(Clone, Copy)]
struct Limit {
    score: f64,
    /// How many pairs with exactly this score stay.
    ties: u64,
}

/// What becomes of each pair.
pub struct Decisions<I> {
    verdicts: I,
    limit: Option<Limit>,
    /// Whether scores decide.
    has_limit: bool,
    summary: FilterSummary,
}

impl<I: Iterator<Item = Result<Verdict>>> Decisions<I> {
    /// Adds what was decided to a summary.
    pub fn sum_up(self, summary: &mut FilterSummary) {
        let FilterSummary { pairs, kept, dropped, threshold, .. } = self.summary;
        *summary = FilterSummary { pairs, kept, dropped, threshold, ..summary.clone() };
    }

    fn decide(&mut self, verdict: Verdict) -> Verdict {
        let mut reason = verdict.reason;
        if let (None, Some(limit), Some(score)) = (reason, &mut self.limit, verdict.score) {
            if score < limit.score || (score == limit.score && limit.ties == 0) {
                reason = Some(DropReason::Score);
            } else if score == limit.score {
                limit.ties -= 1;
            }
        }
        let counts = &mut self.summary;
        counts.pairs += 1;
        match reason {
            None => {
                counts.kept += 1;
                if let Some(score) = verdict.score.filter(|_| self.has_limit) {
                    counts.threshold = Some(counts.threshold.map_or(score, |lowest| lowest.min(score)));
                }
            }
            Some(reason) => match counts.dropped.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => {
                    counts.dropped.push((reason, 1));
                    counts.dropped.sort_unstable();
                }
            },
        }
        Verdict { reason, ..verdict }
    }
}

impl<I: Iterator<Item = Result<Verdict>>> Iterator for Decisions<I> {
    type Item = Result<Verdict>;

    fn next(&mut self) -> Option<Self::Item> {
        let verdict = self.verdicts.next()?;
        Some(verdict.map(|verdict| self.decide(verdict)))
    }
}
