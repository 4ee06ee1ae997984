//! Which scores of a systems × items matrix are correlated together.
//!
//! Scores of systems on items are stored in one vector, system by system. A coefficient is computed over all of them at
//! once, or within each system or each item and then averaged (`--avg` of mt-metrics-eval's `mtme`). Entries without a
//! human score are ignored.

tercet_base::choices! {
    /// Which scores are correlated together.
    pub enum Grouping: "grouping" = None {
        /// All in one vector.
        None = "none",
        /// By segment; the average.
        Item = "item" | "segment" | "seg",
        /// By system; the average.
        System = "system" | "sys",
    }
}

impl Grouping {
    /// The indices of each group in the vectors, without those that have no gold score. Groups may be empty.
    pub fn groups(self, systems: usize, gold: &[Option<f64>]) -> Vec<Vec<usize>> {
        let items = gold.len().checked_div(systems).unwrap_or(0);
        let judged = |places: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
            places.filter(|&place| gold[place].is_some()).collect()
        };
        match self {
            Grouping::None => vec![judged(&mut (0..gold.len()))],
            Grouping::System => {
                (0..systems).map(|system| judged(&mut (system * items..(system + 1) * items))).collect()
            }
            Grouping::Item => {
                (0..items).map(|item| judged(&mut (0..systems).map(|system| system * items + item))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_without_a_judgement_are_in_no_group() {
        let gold = [Some(1.0), None, Some(3.0), Some(4.0), Some(5.0), Some(6.0)];
        assert_eq!(Grouping::None.groups(2, &gold), [[0, 2, 3, 4, 5]]);
        assert_eq!(Grouping::System.groups(2, &gold), [vec![0, 2], vec![3, 4, 5]]);
        assert_eq!(Grouping::Item.groups(2, &gold), [vec![0, 3], vec![4], vec![2, 5]]);
    }
}
