//! What is kept of the part of a text that was scored: sums that merge with those of other parts.

use crate::ReferenceCount;
use crate::error::{Error, Result};
use crate::metrics::{Tally, TallySum};

/// The first bytes of the form in bytes: a name and a version.
const START: &[u8] = b"tercet sums 1\n";

/// The sums of one system over a part of the segments, for each metric of a [`StreamScorer`](super::StreamScorer).
/// Merged in any order they give the scores of the whole, to the last bit.
#[derive(Clone, Debug)]
pub struct PartialSums {
    /// What was summed, for each metric: sums of other metrics do not merge.
    pub(super) signatures: Vec<String>,
    pub(super) sums: Vec<TallySum>,
    /// The segments whose search ended early, for each metric.
    pub(super) unfinished: Vec<u64>,
    pub(super) segments: u64,
    /// The number of references of the segments, if there are any.
    pub(super) references: Option<ReferenceCount>,
}

impl PartialSums {
    /// No segments yet.
    pub(super) fn new(signatures: Vec<String>) -> Self {
        let metrics = signatures.len();
        PartialSums {
            signatures,
            sums: vec![TallySum::default(); metrics],
            unfinished: vec![0; metrics],
            segments: 0,
            references: None,
        }
    }

    /// The number of segments.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The sum of the tallies of each metric, rounded once.
    pub fn totals(&self) -> Vec<Tally> {
        self.sums.iter().map(TallySum::total).collect()
    }

    /// Adds the segments of another part. Returns an error if it was summed by other metrics.
    pub fn merge(&mut self, other: &PartialSums) -> Result<()> {
        if self.signatures != other.signatures {
            let (own, other) = (self.signatures.join(" "), other.signatures.join(" "));
            return Err(Error::OtherSums { own, other });
        }
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            if sum.width() != 0 && other.width() != 0 && sum.width() != other.width() {
                return Err(Error::Unusable("sums of one metric have different lengths".to_owned()));
            }
            sum.merge(other);
        }
        self.unfinished
            .iter_mut()
            .zip(&other.unfinished)
            .for_each(|(count, other)| *count = count.saturating_add(*other));
        self.segments = self.segments.saturating_add(other.segments);
        self.references = merged(self.references, other.references);
        Ok(())
    }

    /// Counts a segment with this many references.
    pub(super) fn count(&mut self, references: usize) {
        self.segments += 1;
        self.references = merged(self.references, Some(ReferenceCount::Fixed(references)));
    }

    /// The sums in bytes, to be merged elsewhere. Only the version that wrote them has to read them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = START.to_vec();
        let references = match self.references {
            None => 0,
            Some(ReferenceCount::Varying) => u64::MAX,
            Some(ReferenceCount::Fixed(count)) => count as u64,
        };
        for number in [self.segments, references, self.sums.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for ((signature, sum), unfinished) in self.signatures.iter().zip(&self.sums).zip(&self.unfinished) {
            bytes.extend((signature.len() as u64).to_le_bytes());
            bytes.extend(signature.as_bytes());
            bytes.extend(unfinished.to_le_bytes());
            sum.write(&mut bytes);
        }
        bytes
    }

    /// Reads sums in bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or(Error::DamagedSums)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = bytes.strip_prefix(START)?;
        let mut sums = PartialSums::new(Vec::new());
        sums.segments = number(&mut bytes)?;
        sums.references = match number(&mut bytes)? {
            0 if sums.segments == 0 => None,
            u64::MAX => Some(ReferenceCount::Varying),
            count => Some(ReferenceCount::Fixed(usize::try_from(count).ok()?)),
        };
        for _ in 0..number(&mut bytes)? {
            let length = usize::try_from(number(&mut bytes)?).ok()?;
            let (signature, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            sums.signatures.push(String::from_utf8(signature.to_vec()).ok()?);
            sums.unfinished.push(number(&mut bytes)?);
            sums.sums.push(TallySum::read(&mut bytes)?);
        }
        bytes.is_empty().then_some(sums)
    }
}

/// A number of 8 bytes, little-endian, from the start of `bytes`, which move past it.
pub(super) fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

fn merged(one: Option<ReferenceCount>, other: Option<ReferenceCount>) -> Option<ReferenceCount> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => Some(ReferenceCount::Varying),
        (one, other) => one.or(other),
    }
}
