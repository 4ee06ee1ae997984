//! The known word closest to a mistyped one, for error messages.

/// The closest candidate, the first of several, if its distance to `word` is at most 1 or a third of its length. Exchanging
/// two neighbouring letters is one edit, like inserting, deleting or replacing a letter.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().collect();
    candidates
        .map(|candidate| {
            let letters: Vec<char> = candidate.chars().collect();
            (distance(&word, &letters), letters.len(), candidate)
        })
        .filter(|(distance, length, _)| *distance <= (length / 3).max(1))
        .min_by_key(|(distance, _, _)| *distance)
        .map(|(_, _, candidate)| candidate)
}

/// Damerau–Levenshtein distance between short words, each letter exchanged at most once.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let other = usize::from(a[i - 1] != b[j - 1]);
                    let mut fewest =
                        (rows[i - 1][j - 1] + other).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        fewest = fewest.min(rows[i - 2][j - 2] + 1);
                    }
                    fewest
                }
            };
        }
    }
    rows[a.len()][b.len()]
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
