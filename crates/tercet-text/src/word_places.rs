//! Where the words of a tokenizer stand in the line they came from.

use std::ops::Range;

/// How far ahead of the word before a word is looked for, in characters: tokenizers remove or rewrite little at once.
const AHEAD: usize = 64;

/// The bytes of each word in the line, in order; upper and lower case are the same. `None` for a word that the
/// tokenizer rewrote.
pub fn word_places<'w>(line: &str, words: impl Iterator<Item = &'w str>) -> Vec<Option<Range<usize>>> {
    let mut from = 0;
    let place = |word: &str| {
        let starts = line[from..].char_indices().map(|(i, _)| from + i).take(AHEAD);
        let found = starts.filter(|_| !word.is_empty()).find_map(|start| {
            let length = prefix(&line[start..], word)?;
            Some(start..start + length)
        })?;
        from = found.end;
        Some(found)
    };
    words.map(place).collect()
}

/// The length of the word at the start of a text, if it stands there.
fn prefix(text: &str, word: &str) -> Option<usize> {
    let mut wanted = word.chars().flat_map(char::to_lowercase);
    let mut next = wanted.next();
    for (i, c) in text.char_indices() {
        if next.is_none() {
            return Some(i);
        }
        for lower in c.to_lowercase() {
            if next != Some(lower) {
                return None;
            }
            next = wanted.next();
        }
    }
    next.is_none().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(line: &str, words: &str) -> Vec<Option<String>> {
        let found = word_places(line, words.split(' '));
        found.into_iter().map(|place| place.map(|place| line[place].to_owned())).collect()
    }

    #[test]
    fn words_are_found_in_order_in_spite_of_case_and_punctuation() {
        let found = places("The «Cat», the CAT. ÄÖ", "the cat , the cat . äö");
        let expected = ["The", "Cat", ",", "the", "CAT", ".", "ÄÖ"].map(|word| Some(word.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_rewritten_word_has_no_place_and_the_next_ones_have() {
        assert_eq!(places("a &amp; b", "a & b"), [Some("a".into()), Some("&".into()), Some("b".into())]);
        assert_eq!(places("say “no” twice", "say \" no \" twice")[1], None);
        assert_eq!(places("say “no” twice", "say \" no \" twice")[4], Some("twice".into()));
        assert_eq!(places("", "x"), [None]);
        assert_eq!(places("İstanbul x", "i\u{307}stanbul x")[1], Some("x".into()));
    }
}
