//! The words that two lines share, in any order.

use foldhash::HashMap;

/// The lengths of two lines in words, and how many words of one have a partner in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SharedWords {
    pub(super) matches: usize,
    pub(super) hypothesis: usize,
    pub(super) reference: usize,
}

impl SharedWords {
    pub(super) fn count<'a>(
        hypothesis: impl Iterator<Item = &'a str>,
        reference: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut unmatched: HashMap<&str, usize> = HashMap::default();
        let mut shared = SharedWords { matches: 0, hypothesis: 0, reference: 0 };
        for word in reference {
            *unmatched.entry(word).or_default() += 1;
            shared.reference += 1;
        }
        for word in hypothesis {
            shared.hypothesis += 1;
            if let Some(left @ 1..) = unmatched.get_mut(word) {
                *left -= 1;
                shared.matches += 1;
            }
        }
        shared
    }
}
