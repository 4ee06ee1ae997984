//! Requests with texts made of a few words.

use crate::random::Random;
use serde_json::{Value, json};

const WORDS: &str = "\
    the a of in to and on for with from this that not very small large old new first last house city \
    river minister market people year day night children government water music letter train said went \
    saw built found closed opened wrote lost yesterday today again .";

/// One of the words.
fn word(random: &mut Random) -> &'static str {
    let words: Vec<&str> = WORDS.split(' ').collect();
    words[random.below(words.len())]
}

/// A line of 8 to 27 words.
pub fn line(random: &mut Random) -> String {
    let words: Vec<&str> = (0..8 + random.below(20)).map(|_| word(random)).collect();
    words.join(" ")
}

/// A line with some words changed.
fn changed(random: &mut Random, line: &str) -> String {
    let words = line.split(' ').map(|old| if random.one_in(4) { word(random) } else { old });
    words.collect::<Vec<_>>().join(" ")
}

/// A request for scores of two systems on so many segments.
pub fn request(random: &mut Random, segments: usize, metrics: &[&str]) -> Value {
    let references: Vec<String> = (0..segments).map(|_| line(random)).collect();
    let mut system = |name: &str| {
        let lines: Vec<String> = references.iter().map(|line| changed(random, line)).collect();
        json!({"name": name, "hypotheses": lines})
    };
    let systems = [system("a"), system("b")];
    json!({"references": references, "systems": systems, "metrics": metrics, "level": "both"})
}
