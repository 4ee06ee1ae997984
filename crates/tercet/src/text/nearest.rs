//! The known word closest to a mistyped one, for error messages.

/// The candidate within a third of its length of `word`, the closest one, the first of equals. Two neighbouring letters
/// exchanged are one slip, as are a letter too many, too few or another.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().collect();
    candidates
        .map(|candidate| {
            let letters: Vec<char> = candidate.chars().collect();
            (slips(&word, &letters), letters.len(), candidate)
        })
        .filter(|(slips, length, _)| *slips <= (length / 3).max(1))
        .min_by_key(|(slips, _, _)| *slips)
        .map(|(_, _, candidate)| candidate)
}

/// Damerau's distance between short words, each letter moved once at most.
fn slips(a: &[char], b: &[char]) -> usize {
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
    fn a_slip_is_mended_and_a_stranger_is_not() {
        let names = || ["bleu", "chrf", "ter", "character"].into_iter();
        assert_eq!(nearest("blue", names()), Some("bleu"));
        assert_eq!(nearest("bleuu", names()), Some("bleu"));
        assert_eq!(nearest("charcter", names()), Some("character"));
        assert_eq!(nearest("comet", names()), None);
    }
}
