//! A SentencePiece vocabulary as the tokenizer of an encoder (XLM-R's kind): the number of a token is that of its piece
//! in the model, `<s>` begins a line, `</s>` ends it.

use std::ops::Range;
use tercet_text::{Script, SentencePiece};
use tercet_transformer::{TokenIds, Tokenizer, Word};

/// Where a piece has a space.
const SPACE: &[u8] = "\u{2581}".as_bytes();

/// The tokenizer.
pub struct Pieces {
    model: SentencePiece<'static>,
    special: [u32; 2],
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pieces({})", self.model.len())
    }
}

impl Pieces {
    /// From the bytes of a unigram model; the error says what is wrong with them.
    pub fn new(bytes: &[u8]) -> Result<Self, String> {
        let model = SentencePiece::new(bytes)?;
        let special = |name: &str| model.number(name).ok_or_else(|| format!("it has no piece `{name}`"));
        let special = [special("<s>")?, special("</s>")?];
        Ok(Pieces { model: model.into_numbers()?, special })
    }
}

impl Tokenizer for Pieces {
    fn tokens(&self) -> usize {
        self.model.len()
    }

    fn special(&self) -> [u32; 2] {
        self.special
    }

    fn encode(&self, line: &str, window: usize) -> TokenIds {
        let [first, last] = self.special;
        let (_, pieces) = self.model.numbered(line);
        let room = window.saturating_sub(2);
        let inner = pieces.iter().take(room).map(|(_, number)| *number);
        let ids = std::iter::once(first).chain(inner).chain([last]).collect();
        TokenIds { ids, cut: pieces.len() > room }
    }

    /// The pieces of what is between white space, as far as they are parts of the line as it is. Where characters are
    /// written otherwise before they are cut into pieces, all pieces of what is between white space are one word.
    fn words(&self, line: &str, window: usize) -> Vec<Word> {
        let room = window.saturating_sub(2);
        let mut words = Vec::new();
        let mut tokens = 0;
        for part in line.split_whitespace() {
            let start = part.as_ptr() as usize - line.as_ptr() as usize;
            let (normalized, pieces) = self.model.numbered(part);
            let is_same = normalized.strip_prefix(SPACE).is_some_and(|text| text == part.as_bytes());
            let mut from = 0;
            for (number, (end, _)) in pieces.iter().enumerate() {
                let bytes = from..end.saturating_sub(SPACE.len());
                from = bytes.end;
                let token = tokens + number;
                match words.last_mut() {
                    Some(word) if number > 0 && !is_same => extend(word, token),
                    _ if !is_same => words.push(word(part, start, 0..part.len(), token, false)),
                    // The piece of the space alone has no part of the line.
                    _ if bytes.is_empty() => {}
                    _ => words.push(word(part, start, bytes.clone(), token, bytes.start > 0)),
                }
            }
            tokens += pieces.len();
        }
        // Cut pieces fit together only in the whole line.
        if tokens != self.model.numbered(line).1.len() {
            return Vec::new();
        }
        words.retain(|word| word.tokens.start < room);
        words.iter_mut().for_each(|word| word.tokens.end = word.tokens.end.min(room));
        words
    }
}

fn extend(word: &mut Word, token: usize) {
    word.tokens.end = token + 1;
}

/// A word of a part of a line that begins at `start`.
fn word(part: &str, start: usize, bytes: Range<usize>, token: usize, is_after_other: bool) -> Word {
    let text = part.get(bytes.clone()).unwrap_or_default();
    let has_letter = text.chars().any(char::is_alphanumeric);
    let is_separate = Script::main([text].iter(), 1).is_some_and(Script::is_unsegmented);
    Word {
        bytes: start + bytes.start..start + bytes.end,
        tokens: token..token + 1,
        is_mark: !has_letter && !text.is_empty(),
        is_joined: is_after_other && !is_separate,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A field with a length, as protobuf writes it; at most 127 bytes.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
    }

    /// A unigram model of these pieces after four that are not for text, in XLM-R's order.
    pub fn model(pieces: &[(&str, f32)]) -> Vec<u8> {
        let special = [("<s>", 0.0, 3), ("<pad>", 0.0, 3), ("</s>", 0.0, 3), ("<unk>", 0.0, 2)];
        let all = special.into_iter().chain(pieces.iter().map(|(text, score)| (*text, *score, 1)));
        let piece = |(text, score, kind): (&str, f32, u8)| {
            let score = score.to_le_bytes();
            field(1, &[field(1, text.as_bytes()), vec![2 << 3 | 5], score.to_vec(), vec![3 << 3, kind]].concat())
        };
        let mut model: Vec<u8> = all.flat_map(piece).collect();
        model.extend(field(2, &[3 << 3, 1]));
        model
    }

    fn small() -> Pieces {
        let pieces =
            [("▁", -2.0), ("▁the", -1.0), ("▁cat", -1.0), ("s", -1.5), (".", -1.2), ("猫", -2.0), ("▁ca", -3.0)];
        Pieces::new(&model(&pieces)).unwrap()
    }

    #[test]
    fn numbers_are_those_of_pieces_and_unknown_neighbours_are_one() {
        let pieces = small();
        assert_eq!((pieces.tokens(), pieces.special()), (11, [0, 2]));
        let ids = |line: &str| pieces.encode(line, 64).ids;
        assert_eq!(ids("the  cats."), [0, 5, 6, 7, 8, 2]);
        assert_eq!(ids("the xyz"), [0, 5, 4, 3, 2]);
        assert_eq!(ids(""), [0, 2]);
        let cut = pieces.encode("the the the the", 5);
        assert_eq!((cut.ids, cut.cut), (vec![0, 5, 5, 5, 2], true));
        assert!(!pieces.encode("the the the", 5).cut);
    }

    #[test]
    fn words_have_their_bytes_and_tokens() {
        let line = " the cats. 猫猫";
        let words = small().words(line, 64);
        let shown: Vec<(&str, Range<usize>, bool, bool)> = words
            .iter()
            .map(|word| (&line[word.bytes.clone()], word.tokens.clone(), word.is_mark, word.is_joined))
            .collect();
        let expected = [
            ("the", 0..1, false, false),
            ("cat", 1..2, false, false),
            ("s", 2..3, false, true),
            (".", 3..4, true, true),
            ("猫", 5..6, false, false),
            ("猫", 6..7, false, false),
        ];
        assert_eq!(shown, expected);
        assert_eq!(small().words(line, 5).last().unwrap().tokens, 2..3);
    }

    #[test]
    fn other_models_are_refused() {
        let wrong = |bytes: &[u8]| Pieces::new(bytes).unwrap_err();
        assert!(wrong(b"text").contains("no model of SentencePiece"), "{}", wrong(b"text"));
        let unknown = field(1, &[field(1, b"<unk>"), vec![3 << 3, 2]].concat());
        let piece = field(1, &field(1, b"a"));
        assert_eq!(wrong(&[unknown, piece].concat()), "it has no piece `<s>`");
    }
}
