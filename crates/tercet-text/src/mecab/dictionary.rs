//! `sys.dic` and `unk.dic`: words and what MeCab knows of each of them.
//!
//! ```text
//! 4 × 10    number to recognise the file by, version, type, words, left and right contexts,
//!           bytes of the double array, of tokens and of features, unused
//! 32        encoding, padded with zeros
//!           double array: a value is the number of the first token and, in its last 8 bits, how many there are
//! 16 each   tokens
//!           features, which wakati output does not have
//! ```

use super::bytes::{u16_at, u32_at};
use super::double_array::DoubleArray;

const MAGIC: u32 = 0xef71_8f77;
const VERSION: u32 = 102;
const HEADER: usize = 72;

/// One reading of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Its context for the word before it.
    pub left: u16,
    /// Its context for the word after it.
    pub right: u16,
    /// Its part of speech.
    pub part_of_speech: u16,
    /// The cost of the word itself.
    pub cost: i16,
}

/// A dictionary inside a file.
pub(super) struct Dictionary<'a> {
    words: DoubleArray<'a>,
    tokens: &'a [[u8; 16]],
    /// The number of words.
    pub size: u32,
    /// The numbers of contexts, which the matrix must have.
    pub contexts: [u32; 2],
    pub charset: &'a [u8],
}

impl<'a> Dictionary<'a> {
    /// Reads a file; the error says what is wrong with it.
    pub fn new(file: &'a [u8]) -> Result<Self, &'static str> {
        let (header, body) = file.split_at_checked(HEADER).ok_or("it is too short")?;
        let [magic, version, _, size, left, right, words, tokens, features, _] =
            std::array::from_fn(|field| u32_at(header, 4 * field));
        if u64::from(magic ^ MAGIC) != file.len() as u64 {
            return Err("it is no dictionary of MeCab, or not the whole file");
        }
        if version != VERSION {
            return Err("it is of another version of MeCab than 0.98 to 0.996 (compile it with one of these)");
        }
        let cut = |bytes: &'a [u8], length: u32| bytes.split_at_checked(length as usize);
        let sizes = "the sizes of its parts are wrong";
        let (words, body) = cut(body, words).ok_or(sizes)?;
        let (tokens, body) = cut(body, tokens).ok_or(sizes)?;
        let (tokens, rest) = tokens.as_chunks();
        if !rest.is_empty() || body.len() != features as usize {
            return Err(sizes);
        }
        let words = DoubleArray::new(words).ok_or(sizes)?;
        if words.values().any(|value| (value >> 8) as usize + (value & 0xff) as usize > tokens.len()) {
            return Err("a word leads to no token");
        }
        let charset = header[40..].split(|byte| *byte == 0).next().unwrap_or_default();
        let dictionary = Dictionary { words, tokens, size, contexts: [left, right], charset };
        if tokens.iter().map(token).any(|token| u32::from(token.right) >= left || u32::from(token.left) >= right) {
            return Err("a word has a context that does not exist");
        }
        Ok(dictionary)
    }

    /// Calls `found` with the length and the tokens of every word that the text begins with, the shortest first.
    pub fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, &'a [[u8; 16]])) {
        self.words.prefixes(text, |length, value| found(length, self.tokens_of(value)));
    }

    /// The tokens of a word.
    pub fn get(&self, word: &[u8]) -> Option<&'a [[u8; 16]]> {
        self.words.get(word).map(|value| self.tokens_of(value))
    }

    fn tokens_of(&self, value: u32) -> &'a [[u8; 16]] {
        let first = (value >> 8) as usize;
        &self.tokens[first..first + (value & 0xff) as usize]
    }
}

/// The token in these bytes.
pub(super) fn token(bytes: &[u8; 16]) -> Token {
    let [left, right, part_of_speech, cost] = std::array::from_fn(|field| u16_at(bytes, 2 * field));
    Token { left, right, part_of_speech, cost: cost.cast_signed() }
}
