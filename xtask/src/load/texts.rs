//! Requests with texts made of a few words.

use crate::random::Random;
use serde_json::{Value, json};

const WORDS: [&str; 48] = [
    "the",
    "a",
    "of",
    "in",
    "to",
    "and",
    "on",
    "for",
    "with",
    "from",
    "this",
    "that",
    "not",
    "very",
    "small",
    "large",
    "old",
    "new",
    "first",
    "last",
    "house",
    "city",
    "river",
    "minister",
    "market",
    "people",
    "year",
    "day",
    "night",
    "children",
    "government",
    "water",
    "music",
    "letter",
    "train",
    "said",
    "went",
    "saw",
    "built",
    "found",
    "closed",
    "opened",
    "wrote",
    "lost",
    "yesterday",
    "today",
    "again",
    ".",
];

/// A line of so many words.
pub fn line(random: &mut Random, words: usize) -> String {
    let words: Vec<&str> = (0..words).map(|_| *random.choose(&WORDS)).collect();
    words.join(" ")
}

/// A line with some words changed.
fn changed(random: &mut Random, line: &str) -> String {
    let words = line.split(' ').map(|word| if random.one_in(4) { *random.choose(&WORDS) } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// A request for scores of two systems on so many segments.
pub fn request(random: &mut Random, segments: usize, metrics: &[&str]) -> Value {
    let references: Vec<String> = (0..segments)
        .map(|_| {
            let words = 8 + random.below(20);
            line(random, words)
        })
        .collect();
    let mut system = |name: &str| {
        let lines: Vec<String> = references.iter().map(|line| changed(random, line)).collect();
        json!({"name": name, "hypotheses": lines})
    };
    let systems = [system("a"), system("b")];
    json!({"references": references, "systems": systems, "metrics": metrics, "level": "both"})
}
