//! How often ids occur among segments that are scored in parts, in bounded memory.
//!
//! All ids are counted as long as they are few. When they are too many, only the ids of a sample stay: those whose hash
//! begins with more and more zero bits. All parts choose by the same hash, so a sampled id is counted in all of them,
//! and an id that is found twice occurs twice. Up to [`MAX_IDS`] segments and [`MAX_BYTES`] of ids the counts are
//! complete; of more, about [`MAX_IDS`]/2 ids or more are known, so that repeated ids are noticed with a probability of
//! about 1 − (1 − p)^(`MAX_IDS`/2) if a share p of all ids is repeated: 99.97% for one in a thousand. To know more,
//! every id would have to be sent across a cluster.
//!
//! The sample follows from the ids alone: neither the parts nor their order change it.

use super::partial_sums::number;
use crate::statistics::significance::segment_draws::id_hash;
use crate::text::shortened;
use std::collections::BTreeMap;

/// The most ids that are counted, and the most bytes of them.
const MAX_IDS: usize = 16_384;
const MAX_BYTES: usize = 1 << 20;

/// The characters of an id that a message shows.
const MAX_SHOWN_LENGTH: usize = 60;

/// The ids of a sample of segments, with the number of segments of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CountedIds {
    /// The number of zero bits with which the hash of a sampled id begins.
    level: u32,
    counts: BTreeMap<Box<str>, u64>,
    /// The bytes of all ids.
    bytes: usize,
}

impl CountedIds {
    /// Counts an id, if it is in the sample.
    pub fn add(&mut self, id: &str) {
        if id_hash(id).leading_zeros() >= self.level {
            self.count(id, 1);
            self.shrink();
        }
    }

    /// Adds the ids of another part.
    pub fn merge(&mut self, other: &CountedIds) {
        self.level = self.level.max(other.level);
        other.counts.iter().for_each(|(id, &count)| self.count(id, count));
        self.drop_others();
        self.shrink();
    }

    fn count(&mut self, id: &str, segments: u64) {
        if let Some(count) = self.counts.get_mut(id) {
            *count = count.saturating_add(segments);
        } else {
            self.bytes += id.len();
            self.counts.insert(id.into(), segments);
        }
    }

    /// Halves the sample until it is small enough.
    fn shrink(&mut self) {
        while (self.counts.len() > MAX_IDS || self.bytes > MAX_BYTES) && self.level <= u64::BITS {
            self.level += 1;
            self.drop_others();
        }
    }

    fn drop_others(&mut self) {
        let level = self.level;
        self.counts.retain(|id, _| id_hash(id).leading_zeros() >= level);
        self.bytes = self.counts.keys().map(|id| id.len()).sum();
    }

    /// What is wrong if ids are repeated.
    pub fn repeated(&self) -> Option<String> {
        let repeated = || self.counts.iter().filter(|(_, count)| **count > 1);
        let (id, count) = repeated().next()?;
        let (found, all) = (repeated().count(), self.counts.len());
        let of = if self.level == 0 { "" } else { "a sample of " };
        let shown = shortened(id, MAX_SHOWN_LENGTH);
        Some(format!(
            "the id {shown:?} is that of {count} segments (repeated ids: {found} of {of}{all}): a paired test needs an \
             id of its own for every segment, since segments with one id are always drawn together"
        ))
    }

    /// Writes the counts.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for number in [u64::from(self.level), self.counts.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for (id, count) in &self.counts {
            for number in [*count, id.len() as u64] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(id.as_bytes());
        }
    }

    /// Reads counts from the start of `bytes`, which move past them.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut ids = CountedIds { level: u32::try_from(number(bytes)?).ok()?, ..CountedIds::default() };
        for _ in 0..number(bytes)? {
            let (count, length) = (number(bytes)?, number(bytes)?);
            let (id, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
            *bytes = rest;
            ids.count(std::str::from_utf8(id).ok()?, count);
        }
        Some(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(ids: impl Iterator<Item = usize>) -> CountedIds {
        let mut counted = CountedIds::default();
        ids.for_each(|id| counted.add(&format!("doc-{id}")));
        counted
    }

    #[test]
    fn few_ids_are_all_counted() {
        assert_eq!(counted(0..MAX_IDS).repeated(), None);
        let message = counted((0..MAX_IDS).chain([77])).repeated().unwrap();
        assert_eq!(
            message,
            "the id \"doc-77\" is that of 2 segments (repeated ids: 1 of 16384): a paired test needs an id of its own \
             for every segment, since segments with one id are always drawn together"
        );
    }

    #[test]
    fn of_many_ids_a_sample_is_counted_whose_size_is_bounded() {
        let once = counted(0..300_000);
        assert!((MAX_IDS / 4..=MAX_IDS).contains(&once.counts.len()), "{}", once.counts.len());
        assert_eq!(once.repeated(), None);
        // One id in a thousand occurs twice.
        let repeated = counted((0..300_000).chain((0..300_000).step_by(1000)));
        assert!(repeated.repeated().is_some_and(|message| message.contains("of a sample of")));
        let mut long = CountedIds::default();
        (0..100).for_each(|i| long.add(&i.to_string().repeat(100_000)));
        assert!(long.bytes <= MAX_BYTES && long.counts.len() > 1);
        long.add(&"x".repeat(2 * MAX_BYTES));
        assert!(long.bytes <= MAX_BYTES);
    }

    #[test]
    fn parts_and_their_order_change_nothing() {
        let whole = counted((0..100_000).chain(500..600));
        let parts = [counted(60_000..100_000), counted(500..600), counted(0..60_000)];
        let mut merged = CountedIds::default();
        for part in &parts {
            let mut bytes = Vec::new();
            part.write(&mut bytes);
            let read = CountedIds::read(&mut bytes.as_slice()).unwrap();
            assert_eq!(read, *part);
            merged.merge(&read);
        }
        assert_eq!(merged, whole);
        let mut backwards = CountedIds::default();
        parts.iter().rev().for_each(|part| backwards.merge(part));
        assert_eq!(backwards, whole);
    }
}
