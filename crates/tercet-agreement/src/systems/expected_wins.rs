//! Expected Wins (Koehn, IWSLT 2012), the official ranking of WMT13: the probability that a system beats another drawn
//! at random.
//!
//! ```text
//! score(i) = 1/(n − 1) · Σ_{j ≠ i} wins(i, j) / (wins(i, j) + wins(j, i))
//! ```
//!
//! Ties are ignored. An opponent without decided comparisons counts 0, as in `infer_EW.py` of
//! keisks/wmt-trueskill.

use super::games::HeadToHead;

/// The score of each system.
pub fn scores(table: &HeadToHead) -> Vec<f64> {
    let systems = table.systems();
    let against = |one: usize, other: usize| {
        let (wins, losses) = (f64::from(table.wins(one, other)), f64::from(table.wins(other, one)));
        if wins > 0.0 { wins / (wins + losses) } else { 0.0 }
    };
    let score = |one: usize| {
        let others = (0..systems).filter(|&other| other != one);
        others.map(|other| against(one, other)).sum::<f64>() / (systems - 1) as f64
    };
    (0..systems).map(score).collect()
}

#[cfg(test)]
mod tests {
    use crate::corpora::Outcome::{First, Second, Tie};
    use crate::systems::reference_implementation::table;

    #[test]
    fn every_opponent_weighs_the_same_and_ties_nothing() {
        // a beats b 3 times in 4, loses to c once, ties do not matter; b and c never decided anything.
        let table = table(
            3,
            &[(0, 1, First), (1, 0, Second), (0, 1, First), (0, 1, Second), (0, 1, Tie), (2, 0, First), (1, 2, Tie)],
        );
        assert_eq!(super::scores(&table), [0.75 / 2.0, 0.25 / 2.0, 0.5]);
    }
}
