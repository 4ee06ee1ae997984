//! The share of a system's comparisons that it won: the rankings of WMT08–12.
//!
//! With wins w, ties t and losses l against all others, every comparison having the same weight:
//!
//! ```text
//! ≥ others:            (w + t) / (w + t + l)    how often no worse: WMT08–11
//! > others, ties lost:  w / (w + t + l)          how often strictly better: in addition in WMT11
//! > others:             w / (w + l)              ties ignored: Bojar et al. (WMT 2011); official at WMT12
//! ```
//!
//! Bojar et al. showed that the first rewards being compared with systems that tie, references and combinations among
//! them, and proposed to leave ties out. All three depend on the systems it was compared with; Expected Wins
//! gives every opponent the same weight.

use super::games::HeadToHead;

/// How ties count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// They count as won.
    Won,
    /// They count as lost.
    Lost,
    /// They do not count.
    Ignored,
}

/// The score of each system; 0 without comparisons that count.
pub fn scores(table: &HeadToHead, ties: Ties) -> Vec<f64> {
    let share = |system: usize| {
        let [wins, tied, losses] = table.record(system);
        let (won, all) = match ties {
            Ties::Won => (wins + tied, wins + tied + losses),
            Ties::Lost => (wins, wins + tied + losses),
            Ties::Ignored => (wins, wins + losses),
        };
        if won > 0.0 { won / all } else { 0.0 }
    };
    (0..table.systems()).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpora::Outcome::{First, Second, Tie};
    use crate::systems::reference_implementation::table;

    #[test]
    fn ties_are_won_lost_or_ignored() {
        let table = table(3, &[(0, 1, First), (0, 1, Tie), (0, 2, Second), (0, 2, Tie), (1, 2, Tie)]);
        assert_eq!(scores(&table, Ties::Won), [0.75, 2.0 / 3.0, 1.0]);
        assert_eq!(scores(&table, Ties::Lost), [0.25, 0.0, 1.0 / 3.0]);
        assert_eq!(scores(&table, Ties::Ignored), [0.5, 0.0, 1.0]);
    }
}
