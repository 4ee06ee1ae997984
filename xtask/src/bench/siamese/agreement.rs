//! Whether a peer and tercet have the same model.

/// How close a peer must be.
#[derive(Clone, Copy, Debug)]
pub enum Agreement {
    /// Scores with at least this Pearson correlation and at most this mean absolute difference.
    Scores { correlation: f64, difference: f64 },
    /// The peer has no scores; it says cosines of its sentence vectors with those in single precision, whose mean is at least this.
    Cosines(f64),
}

impl Agreement {
    /// How close the two are, in words, and whether that is too far.
    pub fn check(self, theirs: &[f64], ours: &[f64]) -> (String, bool) {
        match self {
            Agreement::Cosines(least) => {
                let mean = mean(theirs.iter().copied());
                (
                    format!(
                        "Mean cosine of its sentence vectors with PyTorch's in single precision: {mean:.4}"
                    ),
                    mean.is_nan() || mean < least,
                )
            }
            Agreement::Scores { .. } if theirs.len() != ours.len() => {
                (format!("{} scores, not {}", ours.len(), theirs.len()), true)
            }
            Agreement::Scores { correlation, difference } => {
                let found = pearson(theirs, ours);
                let apart = mean(theirs.iter().zip(ours).map(|(a, b)| (a - b).abs()));
                let words =
                    format!("Its raw scores and tercet's: Pearson {found:.5}, mean difference {apart:.4}");
                (words, found.is_nan() || found < correlation || apart > difference)
            }
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let [mean_a, mean_b] = [a, b].map(|values| mean(values.iter().copied()));
    let product = |x: &[f64], mean_x: f64, y: &[f64], mean_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum()
    };
    product(a, mean_a, b, mean_b) / (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: Agreement = Agreement::Scores { correlation: 0.999, difference: 0.05 };

    #[test]
    fn scores_agree_by_correlation_and_mean_difference() {
        let (words, disagree) = SCORES.check(&[0.0, 1.0, 2.0], &[0.01, 1.01, 2.01]);
        assert_eq!(words, "Its raw scores and tercet's: Pearson 1.00000, mean difference 0.0100");
        assert!(!disagree);
        assert!(SCORES.check(&[0.0, 1.0, 2.0], &[0.1, 1.1, 2.1]).1, "the same order, other values");
        assert!(SCORES.check(&[0.0, 0.01, 0.02], &[0.02, 0.01, 0.0]).1, "similar values, another order");
    }

    #[test]
    fn missing_scores_never_agree() {
        assert_eq!(SCORES.check(&[0.0, 1.0], &[0.0]), ("1 scores, not 2".to_owned(), true));
        assert!(SCORES.check(&[], &[]).1);
        assert!(Agreement::Cosines(0.98).check(&[], &[]).1);
    }

    #[test]
    fn cosines_agree_by_their_mean() {
        assert!(!Agreement::Cosines(0.98).check(&[0.97, 1.0], &[]).1);
        assert!(Agreement::Cosines(0.99).check(&[0.97, 1.0], &[]).1);
    }
}
