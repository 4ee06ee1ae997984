//! The hash of all that a language pair of a set holds.
//!
//! Metrics weigh n-grams by all references, and systems are scored by rankings with their ties: what is not in the
//! pairs that networks see decides digits too. No two sets are printed alike for debugging: texts are quoted, what is
//! missing has a name.

use sha2::{Digest, Sha256};
use tercet::corpora::Judgements;
use tercet::files::hexadecimal;

/// The first 16 digits of the SHA-256 of judgements and texts.
pub(super) fn fingerprint(judgements: &Judgements) -> String {
    hexadecimal(&Sha256::digest(format!("{judgements:?}"))[..8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tercet::corpora::{Comparison, Outcome, Texts};

    #[test]
    fn sets_that_differ_have_different_hashes() {
        let line = |text: &str| Some(text.to_owned());
        let set = |outputs, outcome| Judgements {
            texts: Some(Texts { outputs, ..Texts::default() }),
            comparisons: vec![Comparison { segment: 0, first: 0, second: 1, outcome }],
            ..Judgements::default()
        };
        let sets = [
            set(vec![vec![line("a"), line("b")]], Outcome::Tie),
            set(vec![vec![line("ab"), line("")]], Outcome::Tie),
            set(vec![vec![line("a"), None]], Outcome::Tie),
            set(vec![vec![line("a")], vec![line("b")]], Outcome::Tie),
            set(vec![vec![line("a"), line("b")]], Outcome::First),
            Judgements { systems: vec!["x".to_owned()], ..Judgements::default() },
            Judgements::default(),
        ];
        let hashes: BTreeSet<String> = sets.iter().map(fingerprint).collect();
        assert_eq!(hashes.len(), sets.len());
        assert_eq!(fingerprint(&sets[0]), fingerprint(&sets[0].clone()));
    }
}
