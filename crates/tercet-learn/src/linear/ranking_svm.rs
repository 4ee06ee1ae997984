//! Ranking SVM (Joachims, KDD 2002): learns from pairs of rows of which the first is better.
//!
//! ```text
//! min ½ |w|² + C Σ max(0, 1 − w · (x_better − x_worse))
//! ```
//!
//! The dual problem is solved by coordinate descent (Hsieh et al., ICML 2008) over the pairs in a random order that
//! follows from the seed. The function has no intercept: only differences are learned.

use super::{LinearModel, dot};
use crate::error::{Error, Result};
use crate::matrix::Matrix;
use crate::model_selection::{Folds, cross_validate};
use crate::progress::Progress;
use crate::random::Random;
use crate::warning::Warning;

tercet_base::defaults! {
    /// Constants of a ranking SVM.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RankingSettings {
        /// C: the weight of a wrong pair.
        pub c: f64 = 0.01,
        /// The violation of the optimality conditions at which the search ends.
        pub tolerance: f64 = 0.01,
        /// Most passes over the pairs.
        pub passes: usize = 1000,
        /// Decides the order of the pairs.
        pub seed: u64 = 1,
    }
}

/// Two rows of which the first is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedRows {
    /// The better row.
    pub better: u32,
    /// The worse row.
    pub worse: u32,
}

/// Learns a function that gives the better row of each pair the higher value. `progress` is warned if the last pass is
/// reached.
pub fn fit(
    features: &Matrix<f64>,
    pairs: &[RankedRows],
    settings: &RankingSettings,
    progress: Progress<'_>,
) -> Result<LinearModel> {
    check(features, pairs, settings)?;
    let columns = features.columns();
    let mut weights = vec![0.0; columns];
    let mut difference = vec![0.0; columns];
    let set_difference = |pair: &RankedRows, difference: &mut [f64]| {
        let rows = features.row(pair.better as usize).iter().zip(features.row(pair.worse as usize));
        difference.iter_mut().zip(rows).for_each(|(difference, (a, b))| *difference = a - b);
    };
    let squares: Vec<f64> = pairs
        .iter()
        .map(|pair| {
            set_difference(pair, &mut difference);
            dot(&difference, &difference)
        })
        .collect();
    let mut alphas = vec![0.0; pairs.len()];
    // A pair of equal rows teaches nothing.
    let mut order: Vec<usize> = (0..pairs.len()).filter(|&pair| squares[pair] > 0.0).collect();
    for pass in 0..settings.passes {
        progress.check()?;
        Random::stream(settings.seed, "ranking svm", pass as u64).shuffle(&mut order);
        let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
        for &pair in &order {
            set_difference(&pairs[pair], &mut difference);
            let gradient = dot(&weights, &difference) - 1.0;
            let alpha: f64 = alphas[pair];
            let is_idle = (alpha <= 0.0 && gradient > 0.0) || (alpha >= settings.c && gradient < 0.0);
            let projected = if is_idle { 0.0 } else { gradient };
            (highest, lowest) = (highest.max(projected), lowest.min(projected));
            if projected != 0.0 {
                alphas[pair] = (alpha - gradient / squares[pair]).clamp(0.0, settings.c);
                let change = alphas[pair] - alpha;
                weights.iter_mut().zip(&difference).for_each(|(weight, d)| *weight += change * d);
            }
        }
        if highest - lowest <= settings.tolerance || order.is_empty() {
            return Ok(LinearModel { weights, intercept: 0.0 });
        }
    }
    progress.warn(&Warning::NotConverged { what: "the ranking SVM".to_owned() })?;
    Ok(LinearModel { weights, intercept: 0.0 })
}

/// The share of held-out pairs that are wrong, for each of these settings, in cross-validation over the pairs.
/// `progress` counts folds of all settings.
pub fn search_settings(
    features: &Matrix<f64>,
    pairs: &[RankedRows],
    points: &[RankingSettings],
    folds: &Folds,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    folds.check(pairs.len())?;
    progress.stage("cross-validation", points.len() * folds.count(), "folds")?;
    cross_validate(points.len(), folds, progress, |point, fold| {
        let learned: Vec<RankedRows> = folds.learned(fold).into_iter().map(|pair| pairs[pair]).collect();
        let values = fit(features, &learned, &points[point], progress.quiet())?.predict(features)?;
        let held_out = folds.held_out(fold);
        let is_wrong = |pair: &&usize| {
            let RankedRows { better, worse } = pairs[**pair];
            values[better as usize] <= values[worse as usize]
        };
        Ok(held_out.iter().filter(is_wrong).count() as f64 / held_out.len() as f64)
    })
}

fn check(features: &Matrix<f64>, pairs: &[RankedRows], settings: &RankingSettings) -> Result<()> {
    for (name, value) in [("C", settings.c), ("tolerance", settings.tolerance)] {
        Error::check_above_zero(name, value)?;
    }
    if pairs.is_empty() {
        return Err(Error::Empty { what: "the list of pairs".to_owned() });
    }
    features.check_finite("features")?;
    let rows = features.rows();
    let outside = |pair: &RankedRows| pair.better.max(pair.worse) as usize >= rows;
    match pairs.iter().position(outside) {
        Some(example) => {
            let reason = format!("a row of the pair is not in the table of {rows} rows");
            Err(Error::BadExample { example, reason })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem() -> (Matrix<f64>, Vec<RankedRows>) {
        let features = Matrix::from_rows(&[[0.0, 1.0], [1.0, 0.5], [2.0, 1.5], [0.5, 0.0], [1.5, 2.0]]).unwrap();
        let pair = |better, worse| RankedRows { better, worse };
        (features, vec![pair(1, 0), pair(2, 1), pair(2, 4), pair(4, 3), pair(0, 3), pair(3, 0)])
    }

    /// sklearn.svm.LinearSVC(C=0.5, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1000000) on the differences
    /// and their negatives (each pair once in either order, alternating), scikit-learn 1.9.1.
    #[test]
    fn weights_are_those_of_scikit_learn() {
        let (features, pairs) = problem();
        let settings = RankingSettings { c: 0.5, tolerance: 1e-10, passes: 100_000, ..RankingSettings::default() };
        let model = fit(&features, &pairs, &settings, Progress::none()).unwrap();
        for (found, expected) in model.weights.iter().zip([1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{:?}", model.weights);
        }
        let other_seed = fit(&features, &pairs, &RankingSettings { seed: 5, ..settings }, Progress::none()).unwrap();
        assert!(other_seed.weights.iter().zip(&model.weights).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn held_out_pairs_decide_on_c() {
        let (features, pairs) = problem();
        let points = [0.5, 1e-9].map(|c| RankingSettings { c, ..RankingSettings::default() });
        let folds = Folds::contiguous(pairs.len(), 3).unwrap();
        let errors = search_settings(&features, &pairs, &points, &folds, Progress::none()).unwrap();
        assert!(errors.iter().all(|error| (0.0..=1.0).contains(error)), "{errors:?}");
        assert_eq!(errors, search_settings(&features, &pairs, &points, &folds, Progress::none()).unwrap());
    }

    #[test]
    fn bad_input_is_named() {
        let (features, pairs) = problem();
        let refused = |pairs: &[RankedRows], settings: RankingSettings| {
            fit(&features, pairs, &settings, Progress::none()).unwrap_err().to_string()
        };
        assert!(refused(&[], RankingSettings::default()).contains("the list of pairs is empty"));
        assert!(refused(&pairs, RankingSettings { c: -1.0, ..RankingSettings::default() }).contains("`C`"));
        let outside = [RankedRows { better: 9, worse: 0 }];
        assert!(refused(&outside, RankingSettings::default()).contains("not in the table of 5 rows"));
    }

    #[test]
    fn equal_rows_teach_nothing() {
        let (features, _) = problem();
        let equal = [RankedRows { better: 1, worse: 1 }];
        let model = fit(&features, &equal, &RankingSettings::default(), Progress::none()).unwrap();
        assert_eq!(model.weights, [0.0, 0.0]);
    }
}
