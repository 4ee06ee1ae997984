//! SentencePiece's pieces of words with any of its models (Kudo and Richardson, EMNLP 2018).
//!
//! A model is a protobuf message: pieces with their scores, how it was trained, how texts are normalized. Models of the
//! types unigram ([`unigram`]) and BPE ([`bpe`]) are read. The output is the list of pieces, as `EncodeAsPieces` gives
//! them; `▁` stands for a space.
//!
//! # Choices
//! - Characters that no piece has stay as they are, neighbours together, or become bytes (`<0xE3>`) if the model was
//!   trained with `byte_fallback`.
//! - Sampling, n-best output and vocabularies that allow fewer pieces are left out, as are models of words and of
//!   characters.
//!
//! # Agreement
//! Equal to SentencePiece 0.2.2, as sacreBLEU 2.6.0 calls it, the rounding of scores to single precision included.

mod bpe;
mod model;
mod normalizer;
#[cfg(test)]
mod tests;
mod trie;
mod unigram;

use bpe::Bpe;
use model::{Kind, Model, Piece};
use normalizer::{Rules, normalize};
use std::fmt::Write as _;
use trie::Trie;
use unigram::Unigram;

/// How lines are normalized and what becomes of unknown characters.
struct Settings {
    /// Puts a space before the line, or after it.
    add_space: bool,
    space_after: bool,
    remove_extra_spaces: bool,
    escape_spaces: bool,
    byte_fallback: bool,
}

/// A model.
pub struct SentencePiece<'a> {
    settings: Settings,
    rules: Rules<'a>,
    /// Symbols of the user, which are always one piece.
    symbols: Option<Trie>,
    pieces: Vec<Piece<'a>>,
    segmenter: Segmenter<'a>,
}

enum Segmenter<'a> {
    Unigram(Box<Unigram>),
    Bpe(Bpe<'a>),
}

/// Buffers, reused from line to line.
#[derive(Default)]
pub(crate) struct Buffers {
    normalized: Vec<u8>,
    /// Ends of pieces with their numbers.
    found: Vec<(usize, Option<u32>)>,
    unigram: unigram::Buffers,
    bpe: bpe::Buffers,
}

impl<'a> SentencePiece<'a> {
    /// Reads the bytes of a model; the error says what is wrong with them.
    pub fn new(bytes: &'a [u8]) -> Result<Self, String> {
        let Model { pieces, settings, rules, is_bpe } = Model::read(bytes)?;
        let rules = Rules::new(rules).ok_or("its rules for characters are damaged")?;
        let sorted = |is: fn(Kind) -> bool| {
            let numbered = pieces.iter().zip(0..).filter(|(piece, _)| is(piece.kind));
            let mut sorted: Vec<(&[u8], u32)> = numbered.map(|(piece, number)| (piece.text, number)).collect();
            sorted.sort_unstable();
            sorted
        };
        let symbols = sorted(|kind| kind == Kind::UserDefined);
        let symbols = (!symbols.is_empty()).then(|| Trie::new(&symbols));
        let words = sorted(Kind::is_text);
        if let Some(twice) = words.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("the piece `{}` is there twice", String::from_utf8_lossy(twice[0].0)));
        }
        if words.is_empty() {
            return Err("it has no pieces".to_owned());
        }
        let segmenter = if is_bpe {
            Segmenter::Bpe(Bpe::new(&words))
        } else {
            Segmenter::Unigram(Box::new(Unigram::new(&words, &pieces)))
        };
        Ok(SentencePiece { settings, rules, symbols, pieces, segmenter })
    }

    /// The number of the piece with this text, also of one that is not for text.
    pub fn number(&self, text: &str) -> Option<u32> {
        let place = self.pieces.iter().position(|piece| piece.text == text.as_bytes())?;
        Some(place as u32)
    }

    /// A unigram model with bytes of its own, which no longer knows the texts of pieces: for
    /// [`numbered`](SentencePiece::numbered).
    pub fn into_numbers(self) -> Result<SentencePiece<'static>, String> {
        let SentencePiece { settings, rules, symbols, pieces, segmenter } = self;
        let Segmenter::Unigram(segmenter) = segmenter else {
            return Err("it is a BPE model, expected a unigram model".to_owned());
        };
        // Their texts are in the trie.
        let pieces = pieces.into_iter().map(|piece| Piece { text: &[], ..piece }).collect();
        let (rules, segmenter) = (rules.into_owned(), Segmenter::Unigram(segmenter));
        Ok(SentencePiece { settings, rules, symbols, pieces, segmenter })
    }

    /// The number of pieces, those that are not for text included.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Always false: a model has pieces.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The number of the piece for unknown text.
    pub fn unknown(&self) -> u32 {
        let unknown = self.pieces.iter().zip(0..).find(|(piece, _)| piece.kind == Kind::Unknown);
        unknown.map_or(0, |(_, number)| number)
    }

    /// The normalized form of a line, and its pieces: where each ends in it, and its number. Unknown characters that
    /// are neighbours are one piece.
    pub fn numbered(&self, line: &str) -> (Vec<u8>, Vec<(usize, u32)>) {
        let mut buffers = Buffers::default();
        self.segment(line, &mut buffers);
        let mut numbered: Vec<(usize, u32)> = Vec::with_capacity(buffers.found.len());
        let (unknown, mut after_unknown) = (self.unknown(), false);
        for (end, number) in buffers.found {
            if number.is_none() && after_unknown {
                numbered.pop();
            }
            numbered.push((end, number.unwrap_or(unknown)));
            after_unknown = number.is_none();
        }
        (buffers.normalized, numbered)
    }

    /// The pieces of a line, with a space between them.
    pub fn pieces(&self, line: &str) -> String {
        let mut tokens = String::new();
        self.tokenize(line, &mut Buffers::default(), &mut tokens);
        tokens
    }

    /// Writes the pieces of a line, with a space between them.
    pub(crate) fn tokenize(&self, line: &str, buffers: &mut Buffers, tokens: &mut String) {
        self.segment(line, buffers);
        self.write(&buffers.normalized, &buffers.found, tokens);
    }

    /// Normalizes a line and finds the ends of its pieces.
    fn segment(&self, line: &str, buffers: &mut Buffers) {
        let Buffers { normalized, found, unigram, bpe } = buffers;
        normalized.clear();
        normalize(line, &self.rules, self.symbols.as_ref(), &self.settings, normalized);
        found.clear();
        match &self.segmenter {
            Segmenter::Unigram(model) => model.segment(normalized, &self.pieces, unigram, found),
            Segmenter::Bpe(model) => model.segment(normalized, self.symbols.as_ref(), &self.pieces, bpe, found),
        }
    }

    fn write(&self, normalized: &[u8], found: &[(usize, Option<u32>)], tokens: &mut String) {
        let (mut start, mut after_unknown) = (0, false);
        for (end, number) in found {
            let piece = &normalized[start..*end];
            let is_unknown = number.is_none();
            if is_unknown && self.settings.byte_fallback {
                for byte in piece {
                    // Writing to a string cannot fail.
                    let _ = write!(tokens, " <0x{byte:02X}>");
                }
            } else {
                if !(is_unknown && after_unknown) {
                    tokens.push(' ');
                }
                // Only damaged models have pieces or rules that cut characters.
                tokens.push_str(&String::from_utf8_lossy(piece));
            }
            (start, after_unknown) = (*end, is_unknown);
        }
        if tokens.starts_with(' ') {
            tokens.remove(0);
        }
    }
}

/// The length in bytes of the character that a text begins with.
fn character_length(text: &[u8]) -> usize {
    let length = match text.first() {
        None => 0,
        Some(0..0xc0) => 1,
        Some(0xc0..0xe0) => 2,
        Some(0xe0..0xf0) => 3,
        Some(0xf0..) => 4,
    };
    length.min(text.len())
}
