//! Example games for the tests of this folder.

use super::games::{Games, HeadToHead, SharedOutputs};
use crate::corpora::{Comparison, Judgements, Outcome};

/// Bare comparisons between systems `a`, `b`, …
pub fn judgements(systems: usize, games: &[(usize, usize, Outcome)]) -> Judgements {
    let names = ('a'..='z').take(systems).map(String::from);
    let comparisons = games.iter().enumerate().map(|(segment, &(first, second, outcome))| Comparison {
        segment,
        first,
        second,
        outcome,
    });
    Judgements {
        set: "made-up".to_owned(),
        pair: "xx-yy".to_owned(),
        systems: names.collect(),
        segments: (0..games.len()).map(|segment| segment.to_string()).collect(),
        comparisons: comparisons.collect(),
        ..Judgements::default()
    }
}

/// The same as a table.
pub fn table(systems: usize, games: &[(usize, usize, Outcome)]) -> HeadToHead {
    Games::new(&judgements(systems, games), SharedOutputs::Tied).unwrap().table()
}
