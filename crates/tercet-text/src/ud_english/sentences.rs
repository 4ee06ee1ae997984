//! Where sentences end in running text.
//!
//! A sentence ends after `.`, `!`, `?`, `…` or a run of them, with the quotes and brackets that close there, if white
//! space follows and then a capital, a digit, an opening quote or bracket, or a letter of a script without capitals.
//! The full stop of an abbreviation ends a sentence only if the abbreviation can be the last word (`p.m.`, `U.S.`,
//! `etc.`, `Inc.`) and the next word is one that has a capital only at the beginning of a sentence (`The`, `He`). A
//! number or letter that numbers a list item (`1.`, `a.`) belongs to the sentence after it. A text is one paragraph;
//! its line ends are white space.
//!
//! F1 of sentences from paragraphs (golden test `ud-english`): 94.6 on GUM's test part, 79.3 on EWT's, whose paragraphs
//! have greetings, signatures and lists that end without punctuation.

use super::piece::is_closing;
use super::{UdWord, ud_english};
use std::ops::Range;

/// Abbreviations that may be the last word of a sentence, in addition to initials.
const MAY_END: [&str; 12] =
    ["Ave.", "Blvd.", "Co.", "Corp.", "Esq.", "Inc.", "Jr.", "Ltd.", "Rd.", "Sr.", "al.", "etc."];

/// Words that have a capital only at the beginning of a sentence, sorted.
const BEGINNINGS: [&str; 56] = [
    "A", "After", "All", "Also", "Although", "An", "And", "As", "At", "Because", "Before", "But", "By", "During",
    "For", "From", "He", "Her", "His", "How", "However", "I", "If", "In", "It", "Its", "Many", "My", "No", "Not",
    "Now", "On", "One", "Or", "Our", "She", "Since", "So", "Some", "That", "The", "Their", "Then", "There", "These",
    "They", "This", "Those", "Though", "To", "We", "What", "When", "While", "With", "You",
];

/// The sentences of a paragraph of English as ranges of bytes, without the white space around them.
pub fn ud_english_sentences(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    ud_english(text, &mut words);
    let mut sentences = Vec::new();
    let mut first = 0;
    let mut last = 0;
    while last < words.len() {
        if ends(text, &words[first..], last - first) {
            last = with_closing(text, &words, last);
            if last + 1 == words.len() || begins(text, &words, last) {
                sentences.push(words[first].start..words[last].end);
                first = last + 1;
            }
        }
        last += 1;
    }
    if first < words.len() {
        sentences.push(words[first].start..words[words.len() - 1].end);
    }
    sentences
}

fn form<'a>(text: &'a str, word: &UdWord) -> &'a str {
    &text[word.start..word.end]
}

/// Whether a sentence may end with this word, without regard to what follows.
fn ends(text: &str, words: &[UdWord], at: usize) -> bool {
    let word = form(text, &words[at]);
    if word.chars().all(|c| matches!(c, '.' | '!' | '?' | '…' | '。')) {
        return !(word == "." && at == 1 && is_enumerator(form(text, &words[0])));
    }
    let initials = word.len() > 3 && word.ends_with('.') && word[..word.len() - 1].contains('.');
    let may_end = initials || MAY_END.contains(&word);
    may_end && words.get(at + 1).is_some_and(|next| BEGINNINGS.binary_search(&form(text, next)).is_ok())
}

/// Whether the word numbers an item of a list: `1`, `12`, `a`.
fn is_enumerator(word: &str) -> bool {
    let digits = word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    digits || (word.len() == 1 && word != "I" && word.as_bytes()[0].is_ascii_alphabetic())
}

/// The last of the closing quotes and brackets directly after the end.
fn with_closing(text: &str, words: &[UdWord], mut last: usize) -> usize {
    while let Some(next) = words.get(last + 1) {
        let closing = next.start == words[last].end && form(text, next).chars().all(is_closing);
        if !closing {
            break;
        }
        last += 1;
    }
    last
}

/// Whether the word after this one may begin a sentence.
fn begins(text: &str, words: &[UdWord], last: usize) -> bool {
    let Some(next) = words.get(last + 1).filter(|next| next.start > words[last].end) else { return false };
    let Some(c) = form(text, next).chars().next() else { return false };
    c.is_uppercase()
        || c.is_numeric()
        || matches!(c, '"' | '\'' | '“' | '‘' | '`' | '(' | '[' | '«' | '„' | '-' | '–' | '—' | '•' | '*')
        || (c.is_alphabetic() && !c.is_lowercase())
}
