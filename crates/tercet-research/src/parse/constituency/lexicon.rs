//! Scores of a word's tags without context: the lexicon of a plain PCFG.
//!
//! ```text
//! P(t | w) = (c(t, w) + α P(t | s(w))) / (c(w) + α),      score(t, w) = log P(t | w) − log P(t)
//! ```
//!
//! The score is log P(w | t) up to a constant of the word. s(w) is the shape of a word: its last letters and whether it
//! has capitals, digits, a hyphen, other signs. P(t | s) is estimated from words that occur at most twice, which
//! unknown words resemble most, and is smoothed in the same way by that of ever shorter endings, down to P(t) of rare
//! words.

use super::grammar::Symbol;
use foldhash::HashMap;

/// α: how many occurrences the estimate by shape is worth.
const STRENGTH: f32 = 2.0;
/// Words that occur at most this often are used to estimate P(t | s).
const RARE: u32 = 2;
/// Letters of the longest ending.
const MAX_ENDING_LENGTH: usize = 4;

/// Counts of tags for words and shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lexicon {
    words: HashMap<String, Vec<u32>>,
    shapes: HashMap<String, Vec<u32>>,
    tags: Vec<Symbol>,
    prior: Vec<f32>,
}

impl Lexicon {
    /// Counts words with their tags; `tags` has all tags with their log relative frequency.
    pub fn new<'a>(tags: &[(Symbol, f32)], tagged: impl Iterator<Item = (&'a str, Symbol)>) -> Self {
        let place: HashMap<Symbol, usize> = tags.iter().enumerate().map(|(at, (tag, _))| (*tag, at)).collect();
        let mut made = Lexicon {
            tags: tags.iter().map(|(tag, _)| *tag).collect(),
            prior: tags.iter().map(|(_, prior)| *prior).collect(),
            ..Lexicon::default()
        };
        let mut order: Vec<&str> = Vec::new();
        for (word, tag) in tagged {
            if !made.words.contains_key(word) {
                order.push(word);
            }
            let Some(&at) = place.get(&tag) else { continue };
            made.words.entry(word.to_owned()).or_insert_with(|| vec![0; tags.len()])[at] += 1;
        }
        for word in order {
            made.learn_looks(word);
        }
        made
    }

    fn learn_looks(&mut self, word: &str) {
        let Some(counts) = self.words.get(word).filter(|counts| counts.iter().sum::<u32>() <= RARE) else {
            return;
        };
        let tags = self.tags.len();
        for shape in shapes(word) {
            let sums = self.shapes.entry(shape).or_insert_with(|| vec![0; tags]);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// Adds the score of every tag of a word, in the order of the grammar's tags.
    pub fn scores(&self, word: &str, scores: &mut Vec<f32>) {
        let uniform = 1.0 / self.tags.len().max(1) as f32;
        let mut p = vec![uniform; self.tags.len()];
        for shape in shapes(word).iter().rev() {
            smooth(&mut p, self.shapes.get(shape));
        }
        smooth(&mut p, self.words.get(word));
        scores.extend(p.iter().zip(&self.prior).map(|(p, prior)| p.ln() - prior));
    }
}

/// P ← (c + α P) / (Σ c + α).
fn smooth(p: &mut [f32], counts: Option<&Vec<u32>>) {
    let Some(counts) = counts else { return };
    let total: u32 = counts.iter().sum();
    for (p, count) in p.iter_mut().zip(counts) {
        *p = (*count as f32 + STRENGTH * *p) / (total as f32 + STRENGTH);
    }
}

/// The shapes of a word, from the most to the least specific; the last is the same for all words.
fn shapes(word: &str) -> Vec<String> {
    let shape = shape(word);
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    let ending = |length: usize| letters[letters.len().saturating_sub(length)..].iter().collect::<String>();
    let longest = MAX_ENDING_LENGTH.min(letters.len().saturating_sub(1));
    let endings = (1..=longest).rev().map(|length| format!("{shape}-{}", ending(length)));
    endings.chain([shape.clone(), String::new()]).collect()
}

fn shape(word: &str) -> String {
    let mut shape = String::new();
    let first = word.chars().next().unwrap_or(' ');
    shape.push(if first.is_uppercase() { 'C' } else { 'c' });
    for (mark, found) in [
        ('U', word.chars().skip(1).any(char::is_uppercase)),
        ('l', word.chars().any(char::is_lowercase)),
        ('d', word.chars().any(|c| c.is_ascii_digit())),
        ('-', word.contains('-')),
        ('.', word.contains('.')),
        ('@', word.chars().any(|c| !c.is_alphanumeric() && c != '-' && c != '.')),
    ] {
        if found {
            shape.push(mark);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_have_their_tags_and_unknown_words_those_of_similar_words() {
        let tags = [(5, (0.5f32).ln()), (7, (0.5f32).ln())];
        let words = [("walking", 5), ("talking", 5), ("cat", 7), ("dog", 7), ("saw", 5), ("saw", 7), ("saw", 7)];
        let lexicon = Lexicon::new(&tags, words.into_iter());
        let best = |word: &str| {
            let mut scores = Vec::new();
            lexicon.scores(word, &mut scores);
            assert!(scores.iter().all(|score| score.is_finite()));
            scores[0] > scores[1]
        };
        assert!(best("walking") && best("singing"));
        assert!(!best("cat") && !best("saw") && !best("hat"));
        best("");
    }
}
