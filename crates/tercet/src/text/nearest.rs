//! The known word closest to a mistyped one, for error messages.

use super::levenshtein;

/// The candidate within a third of its length of `word`, the closest one, the first of equals.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().collect();
    candidates
        .map(|candidate| {
            let letters: Vec<char> = candidate.chars().collect();
            (levenshtein(&word, &letters), letters.len(), candidate)
        })
        .filter(|(distance, length, _)| *distance <= (length / 3).max(1))
        .min_by_key(|(distance, _, _)| *distance)
        .map(|(_, _, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_mended_and_a_stranger_is_not() {
        let names = || ["bleu", "chrf", "ter", "character"].into_iter();
        assert_eq!(nearest("blue", names()), None);
        assert_eq!(nearest("bleuu", names()), Some("bleu"));
        assert_eq!(nearest("charcter", names()), Some("character"));
        assert_eq!(nearest("comet", names()), None);
    }
}
