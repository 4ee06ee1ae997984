//! The search for the cheapest sequence of words.
//!
//! A lattice has a node for every reading of every word that begins where another one ends; the cost of a sequence is
//! that of its words and of their connections (Viterbi's algorithm). Of equally cheap sequences MeCab takes the one
//! that it finds first, so nodes are tried in its order: of the words that end at a place, the one found last is the
//! first.
//!
//! # Choices
//! - Costs have 64 bits. MeCab gives up where those of a line exceed 2³¹.
//! - MeCab follows a run of similar characters to its end and then asks whether it is too long for a word. Here it is
//!   followed only until that is known, so that long runs take linear time.

use super::Mecab;
use super::characters::Character;
use super::dictionary::{Token, token};

/// No node.
const NONE: u32 = u32::MAX;

/// Buffers above this number of nodes are not kept for the next line.
const MAX_KEPT_NODES: usize = 1 << 20;

/// How many characters of a run can follow the first one in an unknown word. Words of fixed length are shorter:
/// `char.bin` allows at most 15.
const MAX_GROUP_LENGTH: usize = 24;

/// A character of the line and its length in bytes, which is 0 at bytes where none begins.
#[derive(Clone, Copy, Default)]
struct Place {
    kind: Character,
    length: u8,
}

/// A reading of a word in the line.
struct Node {
    cost: i64,
    previous: u32,
    /// Another node that ends at the same place.
    other: u32,
    begin: u32,
    end: u32,
    right: u16,
}

/// A node that the next one may follow.
struct Left {
    cost: i64,
    node: u32,
    right: u16,
}

/// A word that begins at the present place.
struct Found {
    token: Token,
    end: usize,
}

/// Buffers of the search, reused from line to line.
#[derive(Default)]
pub(crate) struct Lattice {
    places: Vec<Place>,
    nodes: Vec<Node>,
    /// The last node that ends at each byte.
    ends: Vec<u32>,
    found: Vec<Found>,
    lefts: Vec<Left>,
    best: Vec<(usize, usize)>,
}

impl Lattice {
    /// The words of a line: where they begin and end.
    pub fn words(&mut self, mecab: &Mecab<'_>, line: &str) -> &[(usize, usize)] {
        let encoded = mecab.euc_jp.as_ref().map(|euc_jp| euc_jp.encode(line));
        let bytes = encoded.as_ref().map_or(line.as_bytes(), |encoded| &encoded.bytes);
        self.start(mecab, line, bytes.len());
        for place in 0..bytes.len() {
            if self.ends[place] != NONE {
                let begin = self.find(mecab, bytes, place);
                self.connect(mecab, place, begin);
            }
        }
        self.follow_back(mecab, bytes.len());
        if let Some(encoded) = encoded {
            let origin = |place: usize| encoded.origins[place];
            self.best.iter_mut().for_each(|(begin, end)| (*begin, *end) = (origin(*begin), origin(*end)));
        }
        if self.nodes.capacity() > MAX_KEPT_NODES {
            (self.nodes, self.places, self.ends) = (Vec::new(), Vec::new(), Vec::new());
        }
        &self.best
    }

    fn start(&mut self, mecab: &Mecab<'_>, line: &str, length: usize) {
        self.places.clear();
        for character in line.chars() {
            let kind = mecab.characters.get(character);
            let length = mecab.euc_jp.as_ref().map_or(character.len_utf8(), |euc_jp| euc_jp.length(character));
            self.places.push(Place { kind, length: length as u8 });
            self.places.extend((1..length).map(|_| Place::default()));
        }
        self.ends.clear();
        self.ends.resize(length + 1, NONE);
        self.ends[0] = 0;
        self.nodes.clear();
        self.nodes.push(Node { cost: 0, previous: NONE, other: NONE, begin: 0, end: 0, right: 0 });
    }

    /// Finds all words that begin here, after spaces, and returns where the spaces end.
    fn find(&mut self, mecab: &Mecab<'_>, line: &[u8], place: usize) -> usize {
        self.found.clear();
        let begin = self.end_of_run(place, mecab.space, usize::MAX).0;
        let Some(&Place { kind: first, length }) = self.places.get(begin) else { return begin };
        let (places, found) = (&self.places, &mut self.found);
        mecab.system.prefixes(&line[begin..], |length, tokens| {
            let end = begin + length;
            if length > 0 && places.get(end).is_none_or(|place| place.length > 0) {
                found.extend(tokens.iter().map(|bytes| Found { token: token(bytes), end }));
            }
        });
        if found.is_empty() || first.always() {
            self.find_unknown(mecab, first, begin + usize::from(length));
        }
        begin
    }

    /// Adds words that are not in the dictionary: a run of similar characters, and words up to the length that their
    /// first character allows, which ends at `end`.
    fn find_unknown(&mut self, mecab: &Mecab<'_>, first: Character, mut end: usize) {
        let mut group = None;
        if first.groups() {
            let (group_end, length) = self.end_of_run(end, first, MAX_GROUP_LENGTH + 1);
            if length <= MAX_GROUP_LENGTH {
                self.add_unknown(mecab, first, group_end);
            }
            group = Some(group_end);
        }
        for _ in 0..first.length() {
            if group == Some(end) {
                break;
            }
            self.add_unknown(mecab, first, end);
            match self.places.get(end) {
                Some(next) if first.is_like(next.kind) => end += usize::from(next.length),
                _ => break,
            }
        }
        if self.found.is_empty() {
            self.add_unknown(mecab, first, end);
        }
    }

    fn add_unknown(&mut self, mecab: &Mecab<'_>, first: Character, end: usize) {
        let tokens = mecab.unknown[first.category()].iter();
        self.found.extend(tokens.map(|bytes| Found { token: token(bytes), end }));
    }

    /// Where characters end that are similar, each to the one before it, and how many they are; at most `limit`.
    fn end_of_run(&self, from: usize, like: Character, limit: usize) -> (usize, usize) {
        let (mut end, mut like, mut length) = (from, like, 0);
        while length < limit
            && let Some(next) = self.places.get(end)
            && like.is_like(next.kind)
        {
            end += usize::from(next.length);
            like = next.kind;
            length += 1;
        }
        (end, length)
    }

    /// Connects every word found with the best of the words that end at `place`.
    fn connect(&mut self, mecab: &Mecab<'_>, place: usize, begin: usize) {
        self.gather(place);
        let mut known: Option<(u16, (i64, u32))> = None;
        for Found { token, end } in self.found.drain(..).rev() {
            let (cost, previous) = match known {
                Some((left, best)) if left == token.left => best,
                _ => cheapest(&self.lefts, mecab.connections.row(token.left)),
            };
            known = Some((token.left, (cost, previous)));
            let space = if begin > place { mecab.connections.space(token) } else { 0 };
            let other = std::mem::replace(&mut self.ends[end], self.nodes.len() as u32);
            let (cost, right) = (cost + i64::from(token.cost) + space, token.right);
            let (begin, end) = (begin as u32, end as u32);
            self.nodes.push(Node { cost, previous, other, begin, end, right });
        }
    }

    /// Lists the nodes that end at a place.
    fn gather(&mut self, place: usize) {
        self.lefts.clear();
        let mut at = self.ends[place];
        while let Some(node) = self.nodes.get(at as usize) {
            self.lefts.push(Left { cost: node.cost, node: at, right: node.right });
            at = node.other;
        }
    }

    /// Collects the words of the cheapest sequence, which ends before spaces at the end of the line.
    fn follow_back(&mut self, mecab: &Mecab<'_>, length: usize) {
        let last = (0..=length).rev().find(|place| self.ends[*place] != NONE).unwrap_or(0);
        self.gather(last);
        let (_, mut at) = cheapest(&self.lefts, mecab.connections.row(0));
        self.best.clear();
        while at != 0 {
            let node = &self.nodes[at as usize];
            self.best.push((node.begin as usize, node.end as usize));
            at = node.previous;
        }
        self.best.reverse();
    }
}

/// The cost and the node of the cheapest connection, the first of equals. `row` has the costs by right contexts.
fn cheapest(lefts: &[Left], row: &[[u8; 2]]) -> (i64, u32) {
    let mut best = (i64::MAX, 0);
    for left in lefts {
        let cost = left.cost + i64::from(i16::from_le_bytes(row[usize::from(left.right)]));
        if cost < best.0 {
            best = (cost, left.node);
        }
    }
    best
}
