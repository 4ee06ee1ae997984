use super::shifts::{search, shift_towards};
use crate::text::levenshtein;
use crate::{Registry, Segment, Tally};
use proptest::prelude::*;

fn tally(hypothesis: &str, references: &[&str]) -> Tally {
    let metric = Registry::lexical().build("character").unwrap();
    metric.tally(&[Segment::new(hypothesis, references)]).unwrap().remove(0)
}

fn sentence(hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build("character").unwrap().score(&tally(hypothesis, references))
}

#[test]
fn identical_text_scores_nothing_and_other_text_at_most_a_hundred() {
    assert_eq!(sentence("the  cat ", &["the cat"]), 0.0);
    assert_eq!(sentence("x", &["a long reference"]), 100.0);
}

#[test]
fn empty_lines_score_a_hundred() {
    for (hypothesis, reference) in [("", ""), ("", "a b"), ("a b", "")] {
        assert_eq!(sentence(hypothesis, &[reference]), 100.0);
    }
    assert_eq!(sentence("a b", &[]), 100.0);
    assert_eq!(Registry::lexical().build("character").unwrap().score(&Tally::default()), 0.0);
}

#[test]
fn the_reference_with_the_lowest_score_counts() {
    assert_eq!(sentence("the cat sat", &["a dog ran", "the cat sat"]), 0.0);
}

#[test]
fn a_corpus_scores_the_mean_of_its_segments() {
    let character = Registry::lexical().build("character").unwrap();
    let (long, short) = (["one two three four"], ["x"]);
    let batch = [Segment::new("one two three four", &long), Segment::new("y", &short)];
    let tallies = character.tally(&batch).unwrap();
    assert_eq!(character.score(&Tally::sum(&tallies)), 50.0);
}

#[test]
fn of_equal_moves_the_one_that_leaves_the_greatest_line_is_made() {
    // Printed by the authors' script; the least line would give 85 and 80.
    assert_eq!(sentence("we run dog", &["dog dog saw"]), 90.0);
    assert_eq!(sentence("her old her old", &["old her dog saw"]), 60.0);
}

#[test]
fn a_remainder_of_rounding_is_no_gain() {
    // The script makes one move here, cer 1.2.0 two (0.526…).
    let score = sentence("a the zoo zoo cat a", &["zoo a a the the a"]);
    assert!((score - 100.0 * 8.0 / 19.0).abs() < 1e-9);
}

#[test]
fn lines_too_long_to_search_are_scored_as_they_stand() {
    let (hypothesis, reference) = ("b a ".repeat(20_000), "a b ".repeat(20_000));
    let total = tally(&hypothesis, &[&reference]);
    assert_eq!((total[2], total[3], total[5]), (4.0, 0.0, 1.0));
}

#[test]
fn a_search_out_of_steps_stops_where_it_is_and_says_so() {
    let (reference, hypothesis): (Vec<u32>, Vec<u32>) = ((0..40).collect(), (0..40).rev().collect());
    let whole = search(&reference, hypothesis.clone(), u64::MAX);
    assert!(whole.finished);
    let cut = search(&reference, hypothesis.clone(), 2000);
    assert!(!cut.finished);
    assert!(levenshtein(&cut.words, &reference) >= levenshtein(&whole.words, &reference));
    assert!(levenshtein(&cut.words, &reference) <= levenshtein(&hypothesis, &reference));
}

/// Tries all moves as they are described, without any of the shortcuts.
fn shift_by_definition(reference: &[u32], mut words: Vec<u32>) -> Vec<u32> {
    loop {
        let mut moves = Vec::new();
        for start in 0..words.len() {
            for target in (0..reference.len()).filter(|&target| target != start) {
                let shared = words[start..].iter().zip(&reference[target..]);
                let length = shared.take_while(|(x, y)| x == y).count();
                if length > 0 {
                    let mut moved = words.clone();
                    let phrase: Vec<u32> = moved.drain(start..start + length).collect();
                    let target = target.min(moved.len());
                    moved.splice(target..target, phrase);
                    moves.push((usize::MAX - levenshtein(&moved, reference), moved));
                }
            }
        }
        match moves.into_iter().max() {
            Some((inverse, moved)) if usize::MAX - inverse < levenshtein(&words, reference) => words = moved,
            _ => return words,
        }
    }
}

proptest! {
    #[test]
    fn shortcuts_change_nothing(
        reference in prop::collection::vec(0u32..8, 0..14),
        hypothesis in prop::collection::vec(0u32..8, 0..14),
    ) {
        let shifted = shift_towards(&reference, hypothesis.clone());
        prop_assert!(shifted.finished);
        prop_assert_eq!(shifted.words, shift_by_definition(&reference, hypothesis));
    }
}
