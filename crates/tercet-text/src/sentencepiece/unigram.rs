//! Unigram models: the pieces with the highest sum of scores (Kudo, ACL 2018).
//!
//! # Choices
//! Sums are in single precision, as in SentencePiece 0.2.2. Of equal sums the one found first stays: it matters for
//! repeated characters, whose pieces can be put in any order.

use super::character_length;
use super::model::{Kind, Piece};
use super::trie::{ROOT, Trie};

/// How much worse an unknown character is than the worst piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// Where no best sequence of pieces ends.
const NOWHERE: usize = usize::MAX;

pub(super) struct Unigram {
    trie: Trie,
    unknown: f32,
}

/// The last piece of the best sequence that ends at a place.
#[derive(Clone)]
struct Best {
    score: f32,
    start: usize,
    piece: Option<u32>,
}

#[derive(Default)]
pub(super) struct Buffers(Vec<Best>);

impl Unigram {
    /// From the sorted pieces of texts and all pieces.
    pub fn new(words: &[(&[u8], u32)], pieces: &[Piece<'_>]) -> Self {
        let scores = pieces.iter().filter(|piece| piece.kind == Kind::Normal).map(|piece| piece.score);
        Unigram { trie: Trie::new(words), unknown: scores.fold(f32::MAX, f32::min) - UNKNOWN_PENALTY }
    }

    /// Adds the ends of the best pieces with their numbers.
    pub fn segment(
        &self,
        text: &[u8],
        pieces: &[Piece<'_>],
        Buffers(best): &mut Buffers,
        found: &mut Vec<(usize, Option<u32>)>,
    ) {
        best.clear();
        best.resize(text.len() + 1, Best { score: 0.0, start: NOWHERE, piece: None });
        let mut start = 0;
        while start < text.len() {
            start += self.extend(text, start, pieces, best);
        }
        let mut end = text.len();
        while end > 0 {
            found.push((end, best[end].piece));
            end = best[end].start;
        }
        found.reverse();
    }

    /// Tries all pieces that begin at a place, and returns the length of its character.
    fn extend(&self, text: &[u8], start: usize, pieces: &[Piece<'_>], best: &mut [Best]) -> usize {
        let (before, length) = (best[start].score, character_length(&text[start..]));
        let (mut node, mut has_character) = (ROOT, false);
        for (end, byte) in (start + 1..).zip(&text[start..]) {
            let Some(next) = self.trie.step(node, *byte) else { break };
            node = next;
            let Some(number) = self.trie.piece(node) else { continue };
            let piece = &pieces[number as usize];
            let score = match piece.kind {
                Kind::Unused => continue,
                Kind::UserDefined => user_defined(end - start),
                _ => piece.score,
            };
            has_character |= end - start == length;
            best[end].improve(score + before, start, Some(number));
        }
        if !has_character {
            best[start + length].improve(self.unknown + before, start, None);
        }
        length
    }
}

/// The score of a symbol of the user with so many bytes, which is above those of all other pieces.
fn user_defined(length: usize) -> f32 {
    (length as f64 * 0.1 - 0.1) as f32
}

impl Best {
    fn improve(&mut self, score: f32, start: usize, piece: Option<u32>) {
        if self.start == NOWHERE || score > self.score {
            *self = Best { score, start, piece };
        }
    }
}
