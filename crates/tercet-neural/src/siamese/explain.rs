//! Which words have no good partner on the other side.
//!
//! The tokens of a line are joined to words again: letters and digits, with single marks between them (`14,000`,
//! `don't`). The similarity of a word w to a word v of the other line is the mean, over the tokens of w, of the highest
//! similarity to a token of v; that of two tokens is the mean of their cosines in the middle layer and in the
//! embeddings, two of the three layers whose tokens the score matches. Punctuation is left out.
//!
//! In the projected last layer every token has much of its sentence in it: a word that was taken out of a copy of the
//! reference still finds a cosine of .85 or more in 83 of 100 cases. That is good for a score and says little about
//! words.
//!
//! # The threshold
//! On 360 outputs of WMT16 (the first 60 of each language pair with direct assessments), so many words in 100 have a
//! lower similarity:
//!
//! | below | same word in both | other stem, synonym, paraphrase by METEOR | put in | taken out of the reference |
//! |---|---|---|---|---|
//! | .30 | 0.0 | 10.5 | 92.4 | 50.1 |
//! | .35 | 0.0 | 14.4 | 96.4 | 71.4 |
//! | .40 | 0.0 | 22.9 | 98.6 | 86.8 |
//! | .45 | 0.0 | 30.5 | 99.7 | 93.6 |
//!
//! At .40 the sum of both mistakes is lowest: related words that are marked, and words put in or taken out (half each)
//! that are not. `cargo run --release -p tercet --example explain_threshold -- REFERENCES OUTPUTS` measures it.

use super::differences::differences;
use super::lines::{LineVectors, TokenRows};
use super::{Siamese, without_mark};
use crate::corpora::{DecodedPositions, decoded};
use crate::error::Result;
use crate::metrics::word_marks::UNMATCHED;
use crate::metrics::{
    Difference, DifferenceKind, Explain, ExplainedWord, Explanation, MarkKind, MarkWords, Segment, WordMarks,
};
use crate::text::Language;
use std::ops::Range;
use tercet_transformer::matching::matrix_times_row;

/// Below this similarity a word has no good partner.
const THRESHOLD: f64 = 0.4;

/// The percentile of an average output.
const AVERAGE: f64 = 50.0;

/// Marks that may stand inside a word.
const INSIDE: [&str; 6] = ["'", "’", "-", ".", ",", ":"];

/// A word of a line: its bytes, and its tokens without marks.
#[derive(Clone, Debug, PartialEq)]
struct LineWord {
    bytes: Range<usize>,
    tokens: Vec<usize>,
}

impl Explain for Siamese {
    fn explain(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        let explained = self.in_groups(segments, |segment, vectors| {
            let best = self.best(segment, |line| &vectors[without_mark(line)])?;
            let Some(reference) = best.reference else { return Ok(Explanation::default()) };
            let lines = [segment.hypothesis, segment.references[reference]];
            let words = lines.map(|line| self.words(line));
            let vectors = lines.map(|line| &vectors[without_mark(line)]);
            let language = self.language.as_ref().map(Language::code);
            let mut explanation = Explanation {
                reference,
                hypothesis_words: partners([&words[0], &words[1]], vectors),
                reference_words: partners([&words[1], &words[0]], [vectors[1], vectors[0]]),
                differences: differences(&decoded(lines[0]), &decoded(lines[1]), language),
            };
            let is_low = self.model.calibration(best.way).percentile(best.raw) < AVERAGE;
            let all = explanation.hypothesis_words.iter().chain(&explanation.reference_words);
            if is_low && explanation.differences.is_empty() && all.clone().all(|word| word.is_matched) {
                let (hypothesis, reference) = (Vec::new(), Vec::new());
                explanation.differences.push(Difference { kind: DifferenceKind::Score, hypothesis, reference });
            }
            Ok(explanation)
        });
        explained.into_iter().collect()
    }

    fn threshold(&self) -> f64 {
        THRESHOLD
    }
}

impl MarkWords for Siamese {
    fn kinds(&self) -> &'static [MarkKind] {
        &[UNMATCHED]
    }

    fn mark(&self, segments: &[Segment<'_>]) -> Result<Vec<WordMarks>> {
        Ok(self.explain(segments)?.into_iter().map(WordMarks::from).collect())
    }

    fn is_slow(&self) -> bool {
        true
    }
}

impl Siamese {
    /// The words of a line, as far as it is read.
    fn words(&self, line: &str) -> Vec<LineWord> {
        let text = without_mark(line);
        let (before, positions) = (line.len() - text.len(), DecodedPositions::new(text));
        let text = decoded(text);
        let encoder = &self.model.encoder;
        let mut words: Vec<LineWord> = Vec::new();
        // Whether the next token may go on with the last word, and whether the last token was a mark.
        let (mut is_open, mut has_mark) = (false, false);
        for token in encoder.tokenizer().words(&text, self.model.longest()) {
            is_open &= token.is_joined;
            if token.is_mark {
                is_open &= !has_mark && INSIDE.contains(&&text[token.bytes]);
                has_mark = true;
                continue;
            }
            let original = |position| before + positions.original(position);
            let bytes = original(token.bytes.start)..original(token.bytes.end);
            match words.last_mut().filter(|_| is_open) {
                Some(word) => {
                    word.bytes.end = bytes.end;
                    word.tokens.extend(token.tokens);
                }
                None => words.push(LineWord { bytes, tokens: token.tokens.collect() }),
            }
            (is_open, has_mark) = (true, false);
        }
        words
    }
}

/// The words of the first line with their partners in the second.
fn partners([words, others]: [&[LineWord]; 2], [own, other]: [&LineVectors; 2]) -> Vec<ExplainedWord> {
    let explained = |word: &LineWord| {
        let similarities: Vec<Vec<f32>> =
            word.tokens.iter().map(|&token| token_similarities(token, own, other)).collect();
        let similarity = |other: &LineWord| {
            let best = |all: &Vec<f32>| other.tokens.iter().map(|&token| all[token]).fold(f32::MIN, f32::max);
            similarities.iter().map(best).sum::<f32>() / similarities.len() as f32
        };
        let mut found = ExplainedWord { bytes: word.bytes.clone(), partner: None, similarity: 0.0, is_matched: false };
        for (place, other) in others.iter().enumerate() {
            let similarity = f64::from(similarity(other));
            if found.partner.is_none() || similarity > found.similarity {
                found.partner = Some(place);
                found.similarity = similarity;
                found.is_matched = similarity >= THRESHOLD;
            }
        }
        found
    };
    words.iter().map(explained).collect()
}

/// The similarities of a token to all tokens of another line.
fn token_similarities(token: usize, own: &LineVectors, other: &LineVectors) -> Vec<f32> {
    let [middle, embedded] = [1, 2].map(|layer| cosines(token, &own.layers[layer], &other.layers[layer]));
    middle.iter().zip(&embedded).map(|(middle, embedded)| (middle + embedded) / 2.0).collect()
}

fn cosines(token: usize, own: &TokenRows, other: &TokenRows) -> Vec<f32> {
    matrix_times_row(&other.rows, &own.rows[token * own.width..][..own.width])
}

#[cfg(test)]
#[cfg(feature = "siamese")]
mod tests {
    use super::*;
    use crate::metrics::unmatched;

    fn explained(hypothesis: &str, references: &[&str]) -> Explanation {
        let metric = crate::registry().build("siamese").unwrap();
        metric.explainer().unwrap().explain(&[Segment::new(hypothesis, references)]).unwrap().remove(0)
    }

    fn texts<'a>(line: &'a str, words: &'a [ExplainedWord]) -> Vec<&'a str> {
        words.iter().map(|word| &line[word.bytes.clone()]).collect()
    }

    #[test]
    fn words_are_joined_from_their_pieces_without_punctuation() {
        let line = "\u{feff}\u{201c}Don't,\u{201d} said 14,000&#8217;s U.S. well-known Kovářová&quot; — (so) a--b.";
        let found = explained(line, &[line]);
        let expected = ["Don't", "said", "14,000&#8217;s", "U.S", "well-known", "Kovářová", "so", "a", "b"];
        assert_eq!(texts(line, &found.hypothesis_words), expected);
        assert!(
            found.hypothesis_words.iter().enumerate().all(|(at, word)| word.partner == Some(at) && word.is_matched)
        );
        assert_eq!(found.hypothesis_words, found.reference_words);
    }

    #[test]
    fn words_that_the_other_side_lacks_have_no_good_partner() {
        let hypothesis = "The committee approved a giraffe on Tuesday.";
        let references = ["He likes football.", "The committee approved the new budget on Tuesday in Prague."];
        let found = explained(hypothesis, &references);
        assert_eq!(found.reference, 1);
        assert_eq!(unmatched(hypothesis, &found.hypothesis_words).collect::<Vec<_>>(), ["giraffe"]);
        let missing: Vec<&str> = unmatched(references[1], &found.reference_words).collect();
        assert!(missing.contains(&"budget") && missing.contains(&"Prague"), "{missing:?}");
        assert!(!missing.contains(&"Tuesday") && !missing.contains(&"committee"), "{missing:?}");
    }

    #[test]
    fn without_words_on_the_other_side_there_are_no_partners() {
        let found = explained("", &["two words"]);
        assert_eq!(found.hypothesis_words, []);
        let nothing = |bytes| ExplainedWord { bytes, partner: None, similarity: 0.0, is_matched: false };
        assert_eq!(found.reference_words, [nothing(0..3), nothing(4..9)]);
        assert_eq!(explained("word", &[]), Explanation::default());
        let cut = explained(&"word ".repeat(2_100), &["word"]);
        assert_eq!(cut.hypothesis_words.len(), 2_032);
    }
}
