//! The known word closest to a mistyped one, for error messages.

/// The closest candidate, the first of several, if its distance to `word` is at most 1 or a third of its length.
/// Exchanging two neighbouring letters is one edit, like inserting, deleting or replacing a letter.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let count = word.chars().count();
    candidates
        .map(|candidate| (candidate, candidate.chars().count()))
        .map(|(candidate, length)| (candidate, length, (length / 3).max(1)))
        // So many letters have to be inserted or deleted at least.
        .filter(|(_, length, limit)| length.abs_diff(count) <= *limit)
        .map(|(candidate, _, limit)| (candidate, strsim::osa_distance(word, candidate), limit))
        .filter(|(_, distance, limit)| distance <= limit)
        .min_by_key(|(_, distance, _)| *distance)
        .map(|(candidate, ..)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_has_a_nearest_word_and_an_unrelated_word_has_none() {
        let names = || ["bleu", "chrf", "ter", "character"].into_iter();
        assert_eq!(nearest("blue", names()), Some("bleu"));
        assert_eq!(nearest("bleuu", names()), Some("bleu"));
        assert_eq!(nearest("charcter", names()), Some("character"));
        assert_eq!(nearest("comet", names()), None);
    }
}
