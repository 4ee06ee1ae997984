//! The shortest run of words from each word on that two lines have once each.
//!
//! The suffixes of both lines are sorted together. What a suffix shares with another one is the least of what
//! neighbours between them share, so two passes over the sorted suffixes, one in each direction, know for each suffix
//! of the hypothesis how much it shares at most with another one of the hypothesis, and with the two closest ones of
//! the reference. A run is unique if it is longer than what the suffix shares with all but the closest one.

use tercet_base::stop;

/// A run of words that both lines have once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Where it starts in the reference.
    pub(super) start: usize,
    /// Its shortest length.
    pub(super) length: usize,
}

/// For each word of the hypothesis the shortest unique run that starts there, if there is one.
pub(super) fn unique_runs(hypothesis: &[u32], reference: &[u32]) -> Vec<Option<Run>> {
    // Two different symbols that no word has end the lines.
    let text: Vec<u32> =
        hypothesis.iter().copied().chain([u32::MAX]).chain(reference.iter().copied()).chain([u32::MAX - 1]).collect();
    let order = sorted_suffixes(&text);
    let shared = shared_with_previous(&text, &order);
    let mut found = vec![Shared::default(); hypothesis.len()];
    let mut nearest = Nearest::default();
    let mut visit = |nearest: &mut Nearest, suffix: usize| {
        if suffix < hypothesis.len() {
            found[suffix].add(nearest);
            nearest.hypothesis = usize::MAX;
        } else if suffix > hypothesis.len() {
            nearest.next_reference = nearest.reference;
            nearest.reference = usize::MAX;
            nearest.start = suffix - hypothesis.len() - 1;
        }
    };
    for (k, &suffix) in order.iter().enumerate() {
        nearest.limit(shared[k]);
        visit(&mut nearest, suffix);
    }
    nearest = Nearest::default();
    for (k, &suffix) in order.iter().enumerate().rev() {
        nearest.limit(shared.get(k + 1).copied().unwrap_or(0));
        visit(&mut nearest, suffix);
    }
    found.into_iter().map(Shared::run).collect()
}

/// What the suffixes passed so far share with the current one.
#[derive(Clone, Copy, Default)]
struct Nearest {
    /// With the nearest suffix of the hypothesis.
    hypothesis: usize,
    /// With the nearest suffix of the reference, and with the one after it.
    reference: usize,
    next_reference: usize,
    /// Where the nearest suffix of the reference starts.
    start: usize,
}

impl Nearest {
    fn limit(&mut self, shared: usize) {
        for length in [&mut self.hypothesis, &mut self.reference, &mut self.next_reference] {
            *length = (*length).min(shared);
        }
    }
}

/// The most that a suffix of the hypothesis shares.
#[derive(Clone, Copy, Default)]
struct Shared {
    /// With a suffix that a unique run must differ from.
    others: usize,
    /// With the closest suffix of the reference, and where that starts.
    closest: usize,
    start: usize,
}

impl Shared {
    fn add(&mut self, nearest: &Nearest) {
        let second = nearest.next_reference.max(nearest.reference.min(self.closest));
        self.others = self.others.max(nearest.hypothesis).max(second);
        if nearest.reference > self.closest {
            (self.closest, self.start) = (nearest.reference, nearest.start);
        }
    }

    fn run(self) -> Option<Run> {
        (self.others < self.closest).then_some(Run { start: self.start, length: self.others + 1 })
    }
}

/// The starts of all suffixes in their order, by doubling the length that is compared.
fn sorted_suffixes(text: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..text.len()).collect();
    let mut ranks: Vec<usize> = text.iter().map(|&word| word as usize + 1).collect();
    let mut next = vec![0; text.len()];
    let mut compared = 0;
    loop {
        stop::steps(32 * text.len());
        let key = |suffix: usize| {
            (ranks[suffix], if compared == 0 { 0 } else { ranks.get(suffix + compared).copied().unwrap_or(0) })
        };
        order.sort_unstable_by_key(|&suffix| key(suffix));
        let mut rank = 1;
        for k in 0..order.len() {
            rank += usize::from(k > 0 && key(order[k - 1]) != key(order[k]));
            next[order[k]] = rank;
        }
        std::mem::swap(&mut ranks, &mut next);
        if rank == order.len() {
            return order;
        }
        compared = (2 * compared).max(1);
    }
}

/// How many words each suffix shares with the one before it in the order (Kasai et al., 2001).
fn shared_with_previous(text: &[u32], order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; text.len()];
    for (k, &suffix) in order.iter().enumerate() {
        place[suffix] = k;
    }
    let mut shared = vec![0; text.len()];
    let mut length: usize = 0;
    for suffix in 0..text.len() {
        let Some(before) = place[suffix].checked_sub(1) else {
            length = 0;
            continue;
        };
        let other = order[before];
        while text.get(suffix + length).is_some_and(|word| text.get(other + length) == Some(word)) {
            length += 1;
        }
        shared[place[suffix]] = length;
        length = length.saturating_sub(1);
    }
    shared
}
