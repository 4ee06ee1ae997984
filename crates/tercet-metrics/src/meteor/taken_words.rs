//! The words of the hypothesis that a path of the search has matched: a bit mask, or a list of them for long sentences.

/// Words of the hypothesis that a path has taken, by their number among the undecided ones.
pub(super) trait TakenWords: Clone + Default {
    fn overlaps(&self, from: u32, length: u32) -> bool;
    fn with(&self, from: u32, length: u32) -> Self;

    /// The taken words among 64 neighbouring ones.
    fn block(&self, number: u32) -> u64;

    /// How many blocks a copy has.
    fn blocks(&self) -> usize;
}

impl TakenWords for u64 {
    fn overlaps(&self, from: u32, length: u32) -> bool {
        self & mask(from, length) != 0
    }

    fn with(&self, from: u32, length: u32) -> Self {
        self | mask(from, length)
    }

    fn block(&self, number: u32) -> u64 {
        if number == 0 { *self } else { 0 }
    }

    fn blocks(&self) -> usize {
        1
    }
}

fn mask(from: u32, length: u32) -> u64 {
    (u64::MAX >> (64 - length)) << from
}

impl TakenWords for Vec<u64> {
    fn overlaps(&self, from: u32, length: u32) -> bool {
        (from..from + length).any(|word| self.get(word as usize / 64).is_some_and(|bits| bits >> (word % 64) & 1 == 1))
    }

    fn with(&self, from: u32, length: u32) -> Self {
        let mut taken_words = self.clone();
        let words = ((from + length) as usize).div_ceil(64);
        if taken_words.len() < words {
            taken_words.resize(words, 0);
        }
        for word in from..from + length {
            taken_words[word as usize / 64] |= 1 << (word % 64);
        }
        taken_words
    }

    fn block(&self, number: u32) -> u64 {
        self.get(number as usize).copied().unwrap_or(0)
    }

    fn blocks(&self) -> usize {
        self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_sentences_agree() {
        let (short, long) = (0u64.with(3, 2).with(63, 1), Vec::<u64>::new().with(3, 2).with(63, 1));
        for from in 0..64 {
            for length in 1..=64 - from {
                assert_eq!(short.overlaps(from, length), long.overlaps(from, length), "{from} {length}");
            }
        }
        let longer = long.with(100, 30);
        assert!(longer.overlaps(129, 1) && !longer.overlaps(130, 1000) && longer.overlaps(0, 4));
    }
}
