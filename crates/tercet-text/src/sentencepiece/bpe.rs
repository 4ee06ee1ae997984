//! BPE models: neighbours are merged, the pair with the highest score first (Sennrich et al., ACL 2016).
//!
//! A pair may be merged if a piece has its text. Of pairs with equal scores the first in the line is merged. Symbols of
//! the user are never merged. Pieces that are marked as unused take part in merges; those that are left are taken apart
//! again.

use super::character_length;
use super::model::{Kind, Piece};
use super::trie::Trie;
use foldhash::{HashMap, HashMapExt};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

/// No neighbour.
const NONE: usize = usize::MAX;

pub(super) struct Bpe<'a> {
    pieces: HashMap<&'a [u8], u32>,
}

/// A part of the text; one that was merged into the part before it is empty.
struct Symbol {
    text: Range<usize>,
    previous: usize,
    next: usize,
    is_fixed: bool,
}

/// A possible merge.
struct Pair {
    score: f32,
    left: usize,
    right: usize,
    length: usize,
}

#[derive(Default)]
pub(super) struct Buffers {
    symbols: Vec<Symbol>,
    pairs: BinaryHeap<Pair>,
    /// The middle of every unused piece that was made, by its text.
    unused: HashMap<Vec<u8>, usize>,
    stack: Vec<Range<usize>>,
}

impl<'a> Bpe<'a> {
    /// From the pieces of texts.
    pub fn new(words: &[(&'a [u8], u32)]) -> Self {
        let mut pieces = HashMap::with_capacity(words.len());
        pieces.extend(words.iter().copied());
        Bpe { pieces }
    }

    /// Adds the ends of the pieces with their numbers.
    pub fn segment(
        &self,
        text: &[u8],
        fixed: Option<&Trie>,
        pieces: &[Piece<'_>],
        buffers: &mut Buffers,
        found: &mut Vec<(usize, Option<u32>)>,
    ) {
        buffers.start(text, fixed);
        let mut merge = Merge { text, model: self, pieces, buffers };
        for right in 1..merge.buffers.symbols.len() {
            merge.add_pair(right - 1, right);
        }
        merge.run();
        merge.write(found);
    }
}

impl Buffers {
    /// Cuts a text into characters and symbols of the user.
    fn start(&mut self, text: &[u8], fixed: Option<&Trie>) {
        self.symbols.clear();
        self.pairs.clear();
        self.unused.clear();
        let mut start = 0;
        while start < text.len() {
            let symbol = fixed.and_then(|fixed| fixed.longest(&text[start..]));
            let end = start + symbol.unwrap_or_else(|| character_length(&text[start..]));
            let number = self.symbols.len();
            let (previous, next) = (number.wrapping_sub(1), if end < text.len() { number + 1 } else { NONE });
            self.symbols.push(Symbol { text: start..end, previous, next, is_fixed: symbol.is_some() });
            start = end;
        }
    }
}

struct Merge<'a> {
    text: &'a [u8],
    model: &'a Bpe<'a>,
    pieces: &'a [Piece<'a>],
    buffers: &'a mut Buffers,
}

impl Merge<'_> {
    /// Adds the pair of two neighbours if it is a piece.
    fn add_pair(&mut self, left: usize, right: usize) {
        let Buffers { symbols, pairs, unused, .. } = &mut *self.buffers;
        let (Some(first), Some(second)) = (symbols.get(left), symbols.get(right)) else { return };
        if first.is_fixed || second.is_fixed {
            return;
        }
        let text = &self.text[first.text.start..second.text.end];
        let Some(number) = self.model.pieces.get(text) else { return };
        let piece = &self.pieces[*number as usize];
        pairs.push(Pair { score: piece.score, left, right, length: text.len() });
        if piece.kind == Kind::Unused {
            unused.insert(text.to_vec(), first.text.len());
        }
    }

    fn run(&mut self) {
        while let Some(Pair { left, right, length, .. }) = self.buffers.pairs.pop() {
            let symbols = &mut self.buffers.symbols;
            let (first, second) = (symbols[left].text.clone(), symbols[right].text.clone());
            // One of the two may have been merged since the pair was added.
            if first.is_empty() || second.is_empty() || first.len() + second.len() != length {
                continue;
            }
            let next = symbols[right].next;
            symbols[left].text.end = second.end;
            symbols[left].next = next;
            symbols[right].text = second.end..second.end;
            if let Some(next) = symbols.get_mut(next) {
                next.previous = left;
            }
            let previous = symbols[left].previous;
            self.add_pair(previous, left);
            self.add_pair(left, next);
        }
    }

    fn write(&mut self, found: &mut Vec<(usize, Option<u32>)>) {
        let Buffers { symbols, unused, stack, .. } = &mut *self.buffers;
        for symbol in symbols.iter().filter(|symbol| !symbol.text.is_empty()) {
            stack.push(symbol.text.clone());
            while let Some(part) = stack.pop() {
                let text = &self.text[part.clone()];
                let number = self.model.pieces.get(text).copied();
                let is_unused = number.is_some_and(|number| self.pieces[number as usize].kind == Kind::Unused);
                match unused.get(text).filter(|_| is_unused) {
                    Some(first) => {
                        let middle = part.start + first;
                        stack.push(middle..part.end);
                        stack.push(part.start..middle);
                    }
                    None => found.push((part.end, number)),
                }
            }
        }
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        // Scores are finite; of zeros, the sign does not matter.
        let scores = self.score.partial_cmp(&other.score).unwrap_or(Ordering::Equal);
        scores.then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}
