//! Where in a line the tokens of a word come from.

use super::{Normaliser, WordPiece, is_accent, is_chinese, is_control, is_punctuation};
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// A word of a line, or a punctuation mark, with its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its bytes in the line.
    pub bytes: Range<usize>,
    /// Its tokens, the special first one not counted.
    pub tokens: Range<usize>,
    /// Whether it is a punctuation mark.
    pub is_mark: bool,
    /// Whether it follows the word before without white space. Chinese characters stand alone.
    pub is_joined: bool,
}

/// A character after normalisation, and the bytes of the line that it comes from.
#[derive(Clone, Debug)]
struct Letter {
    letter: char,
    bytes: Range<usize>,
}

impl WordPiece {
    /// The words of a line: see [`Tokenizer::words`](super::Tokenizer::words).
    pub(super) fn words_of(&self, line: &str, window: usize) -> Vec<Word> {
        let room = window.saturating_sub(2);
        let letters = self.normaliser.letters(line);
        let is_part = |letter: &Letter| !letter.letter.is_whitespace() && !is_punctuation(letter.letter);
        let (mut words, mut ids) = (Vec::new(), Vec::new());
        let mut is_joined = false;
        for group in letters.chunk_by(|one, other| is_part(one) && is_part(other)) {
            if group[0].letter.is_whitespace() {
                is_joined = false;
                continue;
            }
            let text: String = group.iter().map(|letter| letter.letter).collect();
            let start = ids.len();
            self.pieces(&text, &mut ids);
            if start >= room {
                break;
            }
            words.push(Word {
                bytes: group[0].bytes.start..group[group.len() - 1].bytes.end,
                tokens: start..ids.len().min(room),
                is_mark: is_punctuation(group[0].letter),
                is_joined,
            });
            is_joined = true;
        }
        words
    }
}

impl Normaliser {
    /// What [`apply`](Normaliser::apply) makes of a line, character by character.
    fn letters(self, line: &str) -> Vec<Letter> {
        let mut letters = Vec::with_capacity(line.len());
        for (at, letter) in line.char_indices() {
            if self.clean && (letter == '\0' || letter == '\u{fffd}' || is_control(letter)) {
                continue;
            }
            let end = at + letter.len_utf8();
            let space = |at| Letter { letter: ' ', bytes: at..at };
            if self.separate_chinese && is_chinese(letter) {
                letters.extend([space(at), Letter { letter, bytes: at..end }, space(end)]);
            } else {
                letters.push(Letter { letter, bytes: at..end });
            }
        }
        if self.strip_accents {
            letters = without_accents(&letters);
        }
        if self.lowercase { letters.iter().flat_map(lowercase).collect() } else { letters }
    }
}

/// Decomposes a letter together with the accents that follow it, which may change places, and leaves accents out.
fn without_accents(letters: &[Letter]) -> Vec<Letter> {
    let follows =
        |letter: char| std::iter::once(letter).nfd().next().is_some_and(|first| canonical_combining_class(first) != 0);
    let mut plain = Vec::with_capacity(letters.len());
    for group in letters.chunk_by(|_, other| follows(other.letter)) {
        let bytes = group[0].bytes.start..group[group.len() - 1].bytes.end;
        let decomposed = group.iter().map(|letter| letter.letter).nfd().filter(|letter| !is_accent(*letter));
        plain.extend(decomposed.map(|letter| Letter { letter, bytes: bytes.clone() }));
    }
    plain
}

fn lowercase(letter: &Letter) -> impl Iterator<Item = Letter> + use<> {
    let bytes = letter.bytes.clone();
    letter.letter.to_lowercase().map(move |letter| Letter { letter, bytes: bytes.clone() })
}

#[cfg(test)]
mod tests {
    use super::super::Tokenizer;
    use super::super::tests::tokenizer;

    fn words(line: &str) -> Vec<(&str, usize)> {
        tokenizer().words(line, 64).iter().map(|word| (&line[word.bytes.clone()], word.tokens.len())).collect()
    }

    #[test]
    fn words_have_their_bytes_and_tokens() {
        assert_eq!(
            words(" The unwanted  Café, THE!"),
            [("The", 1), ("unwanted", 3), ("Café", 1), (",", 1), ("THE", 1), ("!", 1)]
        );
        assert_eq!(words("cafe\u{301} 中中the"), [("cafe\u{301}", 1), ("中", 1), ("中", 1), ("the", 1)]);
        assert_eq!(words(""), []);
        let joined: Vec<bool> = tokenizer().words("the,the 中the", 64).iter().map(|word| word.is_joined).collect();
        assert_eq!(joined, [false, true, true, false, false]);
    }

    #[test]
    fn words_beyond_the_window_are_left_out() {
        let words = tokenizer().words("the unwanted the", 5);
        assert_eq!(words.iter().map(|word| word.tokens.clone()).collect::<Vec<_>>(), [0..1, 1..3]);
    }

    #[test]
    fn tokens_are_those_of_the_encoder() {
        let lines = [
            "The un\u{200b}wanted, caf\u{e9}\u{327}! \u{1fef}the\u{344}x 中\u{301}the İstanbul ß ﬁ \u{fffd}\u{0}the",
            "\u{301}\u{323}a\u{323}\u{301} \u{1d15e} 가각 the\u{3000}the\u{2014}un \u{f900}",
            "plain ASCII, with\tmarks: the (cafe)!",
        ];
        let tokenizer = tokenizer();
        for line in lines {
            for window in [3, 6, 64] {
                let tokens = tokenizer.encode(line, window).ids.len() - 2;
                let words = tokenizer.words(line, window);
                assert_eq!(words.last().map_or(0, |word| word.tokens.end), tokens, "{line} {window}");
                assert!(words.is_sorted_by_key(|word| word.tokens.start));
                assert!(words.iter().all(|word| line.get(word.bytes.clone()).is_some()));
            }
        }
    }
}
