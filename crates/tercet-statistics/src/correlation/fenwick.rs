//! Counts by rank whose partial sums are kept up to date (Fenwick, "A new data structure for cumulative frequency
//! tables", 1994): adding one and summing all below take log n steps each.

/// Counts how many items of each rank, and below each rank, were added.
#[derive(Clone, Debug, Default)]
pub(super) struct Fenwick {
    /// `sums[i]` counts the ranks from `i − lowest bit of i` to `i − 1`.
    sums: Vec<u32>,
    counts: Vec<u32>,
}

impl Fenwick {
    /// Clears all counts and allocates for ranks below `classes`.
    pub(super) fn reset(&mut self, classes: usize) {
        for (table, length) in [(&mut self.sums, classes + 1), (&mut self.counts, classes)] {
            table.clear();
            table.resize(length, 0);
        }
    }

    pub(super) fn add(&mut self, rank: u32) {
        self.counts[rank as usize] += 1;
        let mut at = rank as usize + 1;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many of this rank have been added.
    pub(super) fn at(&self, rank: u32) -> u64 {
        u64::from(self.counts[rank as usize])
    }

    /// How many of lower rank have been added.
    pub(super) fn below(&self, rank: u32) -> u64 {
        let (mut at, mut sum) = (rank as usize, 0);
        while at > 0 {
            sum += u64::from(self.sums[at]);
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_plain_table() {
        let mut tree = Fenwick::default();
        for classes in [1u32, 2, 7, 8, 33] {
            tree.reset(classes as usize);
            let mut plain = vec![0u64; classes as usize];
            for step in 0..100u32 {
                let rank = step * step * 7 % classes;
                tree.add(rank);
                plain[rank as usize] += 1;
            }
            for rank in 0..classes {
                assert_eq!(tree.below(rank), plain[..rank as usize].iter().sum::<u64>());
                assert_eq!(tree.at(rank), plain[rank as usize]);
            }
        }
    }
}
