//! The n-grams of a reference, matched against any number of hypotheses.
//!
//! [`Ngrams`] is a trie of all n-grams up to an order over small whole numbers (words, or characters, numbered by
//! [`Words`] and [`Characters`]). A hypothesis walks it from each of its positions and stops at the first n-gram that
//! the reference does not have, since it then has no longer one either; each node gives as many matches as the
//! reference has occurrences (Papineni's clipping), the maximum over several references.
//!
//! The first children of a node are a linked list, which is fastest for the few that n-grams of a sentence have. Where
//! a node has more, as `the` in a line of megabytes, the others are in a hash table. Hash tables are seeded anew in
//! each process, so that no text can be written whose words all collide.

use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hasher};
use tercet_base::stop;

/// The number of a word or character that no reference has.
pub const UNKNOWN: u32 = u32::MAX;

const NONE: u32 = u32::MAX;

/// The number of children of a node that are linked; the others are in a hash table.
const MAX_LINKED: u32 = 32;

#[derive(Clone, Copy)]
struct Node {
    symbol: u32,
    child: u32,
    sibling: u32,
    /// Maximum number of occurrences in any one reference.
    count: u32,
}

/// All n-grams of one or more references up to an order.
#[derive(Clone)]
pub struct Ngrams {
    order: usize,
    nodes: Vec<Node>,
    /// The unigram node of each symbol.
    roots: Vec<u32>,
    /// The children that are not linked, by parent and symbol.
    others: HashMap<(u32, u32), u32>,
    /// Occurrences in the reference being added, or matches used up by the current hypothesis.
    used: Vec<u32>,
}

/// An n-gram of a hypothesis that the references have.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Where it starts in the hypothesis.
    pub start: usize,
    /// Its length.
    pub order: usize,
    /// A number that stays the same for the same n-gram until [`Ngrams::clear`].
    pub ngram: usize,
    /// Whether it counts: false once the hypothesis has it more often than any reference.
    pub matches: bool,
}

impl Ngrams {
    /// An empty trie of n-grams of up to `order` symbols.
    pub fn new(order: usize) -> Self {
        Ngrams { order, nodes: Vec::new(), roots: Vec::new(), others: HashMap::default(), used: Vec::new() }
    }

    /// Removes all n-grams and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.roots.clear();
        self.others.clear();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of distinct n-grams.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a reference: of several references, the one with most occurrences of an n-gram counts.
    pub fn add(&mut self, symbols: &[u32]) {
        stop::steps(8 * symbols.len());
        self.used.clear();
        self.used.resize(self.nodes.len(), 0);
        for start in 0..symbols.len() {
            let mut parent = NONE;
            for &symbol in &symbols[start..symbols.len().min(start + self.order)] {
                let node = self.find_or_insert(parent, symbol);
                let occurrences = &mut self.used[node as usize];
                *occurrences += 1;
                let count = &mut self.nodes[node as usize].count;
                *count = (*count).max(*occurrences);
                parent = node;
            }
        }
    }

    /// Counts the n-grams of a hypothesis that the references have, clipped, into `matches[n − 1]`.
    pub fn count_matches(&mut self, symbols: &[u32], matches: &mut [u32]) {
        self.visit(symbols, |visit| matches[visit.order - 1] += u32::from(visit.matches));
    }

    /// Calls `on_ngram` for every n-gram of a hypothesis that the references have, ordered by start, then by length.
    pub fn visit(&mut self, symbols: &[u32], mut on_ngram: impl FnMut(Visit)) {
        stop::steps(8 * symbols.len());
        self.used.clear();
        self.used.resize(self.nodes.len(), 0);
        for start in 0..symbols.len() {
            let mut node = match self.roots.get(symbols[start] as usize) {
                Some(&node) if node != NONE => node,
                _ => continue,
            };
            let longest = self.order.min(symbols.len() - start);
            let mut order = 1;
            loop {
                let used = &mut self.used[node as usize];
                let matches = *used < self.nodes[node as usize].count;
                *used += u32::from(matches);
                on_ngram(Visit { start, order, ngram: node as usize, matches });
                if order == longest {
                    break;
                }
                node = self.child(node, symbols[start + order]);
                if node == NONE {
                    break;
                }
                order += 1;
            }
        }
    }

    /// The node of an n-gram, made if it is new.
    fn find_or_insert(&mut self, parent: u32, symbol: u32) -> u32 {
        if parent == NONE {
            if self.roots.len() <= symbol as usize {
                self.roots.resize(symbol as usize + 1, NONE);
            }
            return match self.roots[symbol as usize] {
                NONE => {
                    let node = self.push(symbol, NONE);
                    self.roots[symbol as usize] = node;
                    node
                }
                node => node,
            };
        }
        match self.linked_child(parent, symbol) {
            Ok(node) => node,
            Err(MAX_LINKED) => match self.others.get(&(parent, symbol)) {
                Some(&node) => node,
                None => {
                    let node = self.push(symbol, NONE);
                    self.others.insert((parent, symbol), node);
                    node
                }
            },
            Err(_) => {
                let node = self.push(symbol, self.nodes[parent as usize].child);
                self.nodes[parent as usize].child = node;
                node
            }
        }
    }

    fn child(&self, parent: u32, symbol: u32) -> u32 {
        match self.linked_child(parent, symbol) {
            Ok(node) => node,
            Err(MAX_LINKED) => self.others.get(&(parent, symbol)).copied().unwrap_or(NONE),
            Err(_) => NONE,
        }
    }

    /// The child if it is linked, else the number of children that are.
    fn linked_child(&self, parent: u32, symbol: u32) -> Result<u32, u32> {
        let mut child = self.nodes[parent as usize].child;
        let mut linked = 0;
        while child != NONE {
            let node = &self.nodes[child as usize];
            if node.symbol == symbol {
                return Ok(child);
            }
            child = node.sibling;
            linked += 1;
        }
        Err(linked)
    }

    fn push(&mut self, symbol: u32, sibling: u32) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { symbol, child: NONE, sibling, count: 0 });
        self.used.push(0);
        index
    }
}

/// The number of n-grams in a sequence of this length.
pub fn ngram_count(length: usize, order: usize) -> usize {
    (length + 1).saturating_sub(order)
}

/// Numbers the characters of references.
#[derive(Clone)]
pub struct Characters {
    ascii: [u32; 128],
    others: HashMap<char, u32>,
    count: u32,
}

impl Default for Characters {
    fn default() -> Self {
        Characters { ascii: [UNKNOWN; 128], others: HashMap::default(), count: 0 }
    }
}

impl Characters {
    /// Removes all characters.
    pub fn clear(&mut self) {
        self.ascii = [UNKNOWN; 128];
        self.others.clear();
        self.count = 0;
    }

    /// The number of a character, a new one if it was not seen before.
    pub fn learn(&mut self, c: char) -> u32 {
        let next = self.count;
        let number = if c.is_ascii() {
            let slot = &mut self.ascii[c as usize];
            if *slot == UNKNOWN {
                *slot = next;
            }
            *slot
        } else {
            *self.others.entry(c).or_insert(next)
        };
        self.count += u32::from(number == next);
        number
    }

    /// The number of a character, [`UNKNOWN`] if no reference has it.
    pub fn get(&self, c: char) -> u32 {
        if c.is_ascii() { self.ascii[c as usize] } else { self.others.get(&c).copied().unwrap_or(UNKNOWN) }
    }
}

/// Numbers the words of references. All words are in one buffer and found by an open-addressed hash table, so that
/// clearing for the next segment is cheap.
#[derive(Clone, Default)]
pub struct Words {
    letters: Vec<u8>,
    /// The end of each word in `letters`.
    ends: Vec<u32>,
    /// Numbers of words, [`UNKNOWN`] where free; its length is a power of two.
    table: Vec<u32>,
    hasher: RandomState,
}

impl Words {
    /// Removes all words.
    pub fn clear(&mut self) {
        self.letters.clear();
        self.ends.clear();
        self.table.fill(UNKNOWN);
    }

    /// Whether no word is known.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of words known.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a word, a new one if it was not seen before.
    pub fn learn(&mut self, word: &str) -> u32 {
        if (self.ends.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let slot = self.slot(word.as_bytes());
        if self.table[slot] == UNKNOWN {
            self.table[slot] = self.ends.len() as u32;
            self.letters.extend_from_slice(word.as_bytes());
            self.ends.push(self.letters.len() as u32);
        }
        self.table[slot]
    }

    /// The number of a word, [`UNKNOWN`] if no reference has it.
    pub fn get(&self, word: &str) -> u32 {
        if self.table.is_empty() { UNKNOWN } else { self.table[self.slot(word.as_bytes())] }
    }

    /// The word of a number.
    pub fn word(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes(number)).expect("words were given as text")
    }

    fn bytes(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.letters[start as usize..self.ends[number] as usize]
    }

    /// The place of a word in the table, or the free place it would take.
    fn slot(&self, word: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = self.hash(word) as usize & mask;
        while self.table[slot] != UNKNOWN && self.bytes(self.table[slot]) != word {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(size, UNKNOWN);
        for number in 0..self.ends.len() as u32 {
            let slot = self.slot(self.bytes(number));
            self.table[slot] = number;
        }
    }

    fn hash(&self, word: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(word);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn counts(symbols: &[u32], order: usize) -> BTreeMap<&[u32], u32> {
        let mut counts = BTreeMap::new();
        for ngram in symbols.windows(order) {
            *counts.entry(ngram).or_insert(0) += 1;
        }
        counts
    }

    proptest! {
        #[test]
        fn matches_are_clipped_by_the_reference_with_most_occurrences(
            a in prop::collection::vec(0u32..4, 0..20),
            b in prop::collection::vec(0u32..4, 0..20),
            hypothesis in prop::collection::vec(0u32..5, 0..20),
        ) {
            let mut ngrams = Ngrams::new(3);
            ngrams.add(&a);
            ngrams.add(&b);
            let mut matches = [0; 3];
            ngrams.count_matches(&hypothesis, &mut matches);
            for order in 1..=3 {
                let (in_a, in_b) = (counts(&a, order), counts(&b, order));
                let most = |ngram: &[u32]| in_a.get(ngram).copied().max(in_b.get(ngram).copied()).unwrap_or(0);
                let expected: u32 = counts(&hypothesis, order).iter().map(|(ngram, &n)| n.min(most(ngram))).sum();
                prop_assert_eq!(matches[order - 1], expected);
            }
        }

        #[test]
        fn words_keep_their_numbers(words in prop::collection::vec("[a-cäж]{0,3}", 0..200)) {
            let mut known = Words::default();
            let numbers: Vec<u32> = words.iter().map(|word| known.learn(word)).collect();
            for (word, number) in words.iter().zip(numbers) {
                prop_assert_eq!(known.get(word), number);
                prop_assert_eq!(known.word(number), word);
            }
            prop_assert_eq!(known.get("zzz"), UNKNOWN);
        }
    }

    #[test]
    fn a_word_with_many_followers_is_as_fast_as_any() {
        // `the` before 200,000 words: 20,000,000,000 steps if all followers were compared.
        let text: Vec<u32> = (1..=200_000).flat_map(|word| [0, word]).collect();
        let mut ngrams = Ngrams::new(3);
        ngrams.add(&text);
        let mut matches = [0; 3];
        ngrams.count_matches(&text, &mut matches);
        assert_eq!(matches, [400_000, 399_999, 399_998]);
        ngrams.count_matches(&[0, 200_000, 0, 1, 0, 3], &mut matches);
        assert_eq!(matches, [400_006, 400_003, 399_999]);
    }

    #[test]
    fn no_text_can_be_written_whose_words_collide() {
        let seeds: Vec<u64> = (0..8).map(|_| Words::default().hash(b"word")).collect();
        assert!(seeds.iter().any(|seed| *seed != seeds[0]), "{seeds:?}");
    }
}
