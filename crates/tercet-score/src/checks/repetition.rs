//! Words or characters that an output repeats over and over.

use super::findings::Sink;
use super::texts::Segment;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use tercet_base::CheckKind::Repetition;

/// The longest phrase that is looked for, in words.
const MAX_PHRASE: usize = 8;

/// The longest piece of text without spaces that is looked for, in characters.
const MAX_PIECE: usize = 16;

/// So many repetitions of one word, of a phrase, or of a piece without spaces, are no emphasis.
const WORDS: usize = 5;
const PHRASES: usize = 4;
const PIECES: usize = 8;

/// Checks an output.
pub(super) fn check(line: &str, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) {
    if !sink.wants(Repetition) || line.len() < 12 {
        return;
    }
    if let Some(part) = repeated(line)
        && segment.lacks(|other| repeated(other).is_some())
    {
        sink.part(Repetition, part);
    }
}

/// What is repeated, once.
fn repeated(line: &str) -> Option<&str> {
    let words: Vec<(&str, u32)> = line.split_ascii_whitespace().map(|word| (word, hash(word))).collect();
    repeated_phrase(line, &words).or_else(|| {
        const LONG_WORD: usize = 24;
        words.iter().filter(|(word, _)| word.len() >= LONG_WORD).find_map(|(word, _)| repeated_piece(word))
    })
}

fn repeated_phrase<'a>(line: &'a str, words: &[(&'a str, u32)]) -> Option<&'a str> {
    for period in 1..=MAX_PHRASE.min(words.len() / PHRASES) {
        let needed = period * (if period == 1 { WORDS } else { PHRASES } - 1);
        if let Some(start) = run(words.len(), period, needed, |i| words[i].1 == words[i + period].1) {
            let phrase = &words[start..start + period];
            // Lines of a table or dots are no phrase.
            if phrase.iter().any(|(word, _)| word.contains(char::is_alphabetic)) {
                let offset = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
                let last = phrase[period - 1].0;
                return Some(&line[offset(phrase[0].0)..offset(last) + last.len()]);
            }
        }
    }
    None
}

fn repeated_piece(word: &str) -> Option<&str> {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    for period in 1..=MAX_PIECE.min(letters.len() / PHRASES) {
        let needed = period * (if period < 3 { PIECES } else { PHRASES } - 1);
        if let Some(start) = run(letters.len(), period, needed, |i| letters[i].1 == letters[i + period].1) {
            let end = letters.get(start + period).map_or(word.len(), |(at, _)| *at);
            let piece = &word[letters[start].0..end];
            if piece.contains(char::is_alphabetic) {
                return Some(piece);
            }
        }
    }
    None
}

/// Where the first run of so many items starts that equal the item one period further on.
fn run(length: usize, period: usize, needed: usize, equal: impl Fn(usize) -> bool) -> Option<usize> {
    let mut count = 0;
    for i in 0..length.saturating_sub(period) {
        count = if equal(i) { count + 1 } else { 0 };
        if count >= needed {
            return Some(i + 1 - count);
        }
    }
    None
}

fn hash(word: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    (hasher.finish() >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::repeated;

    #[test]
    fn phrases_words_and_pieces_are_found() {
        assert_eq!(repeated("we go to the to the to the to the house"), Some("to the"));
        assert_eq!(repeated("and and and and and then"), Some("and"));
        assert_eq!(repeated("他说他说他说他说他说他说他说他说了"), Some("他说"));
        assert_eq!(repeated("今天天气好今天天气好今天天气好今天天气好"), Some("今天天气好"));
    }

    #[test]
    fn emphasis_and_lines_of_marks_are_not() {
        for line in [
            "no, no, no, no",
            "very very very good",
            "1 1 1 1 1 1 1 1",
            ". . . . . . . .",
            "--------------------------",
            "哈哈哈哈哈",
            "Donaudampfschifffahrtsgesellschaft",
            "",
        ] {
            assert_eq!(repeated(line), None, "{line}");
        }
    }
}
