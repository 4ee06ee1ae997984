//! Which settings are best? k-fold cross-validation over the points of a grid.

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::random::Random;
use rayon::prelude::*;

/// A division of examples into folds: each is held out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    fold_of: Vec<u32>,
    count: usize,
}

impl Folds {
    /// Folds of neighbouring examples, the first ones longer by one where the number of examples does not divide: the
    /// folds of scikit-learn's `KFold`.
    ///
    /// # Errors
    /// If there are fewer than 2 folds, or fewer examples than folds.
    pub fn contiguous(examples: usize, count: usize) -> Result<Self> {
        Error::check_setting(count >= 2, "folds", count, "at least 2")?;
        if examples < count {
            let expected = format!("at least as many as folds, {count}");
            return Err(Error::shape("examples of a cross-validation", expected, examples));
        }
        let (size, longer) = (examples / count, examples % count);
        let length = |fold: usize| size + usize::from(fold < longer);
        let fold_of = (0..count).flat_map(|fold| std::iter::repeat_n(fold as u32, length(fold))).collect();
        Ok(Folds { fold_of, count })
    }

    /// The same sizes, with examples in random order.
    pub fn shuffled(examples: usize, count: usize, seed: u64) -> Result<Self> {
        let mut folds = Folds::contiguous(examples, count)?;
        Random::stream(seed, "folds", 0).shuffle(&mut folds.fold_of);
        Ok(folds)
    }

    /// Number of folds.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of examples.
    pub fn examples(&self) -> usize {
        self.fold_of.len()
    }

    /// Whether an example is held out by a fold.
    pub fn is_held_out(&self, example: usize, fold: usize) -> bool {
        self.fold_of[example] as usize == fold
    }

    /// The examples that a fold holds out.
    pub fn held_out(&self, fold: usize) -> Vec<usize> {
        (0..self.examples()).filter(|&example| self.is_held_out(example, fold)).collect()
    }

    /// The examples that a fold learns from.
    pub fn learned(&self, fold: usize) -> Vec<usize> {
        (0..self.examples()).filter(|&example| !self.is_held_out(example, fold)).collect()
    }

    /// Returns an error if the folds are not of this many examples.
    pub(crate) fn check(&self, examples: usize) -> Result<()> {
        match self.examples() == examples {
            true => Ok(()),
            false => Err(Error::shape("examples of the folds", examples, self.examples())),
        }
    }

    /// One prediction for each example, by the fold that holds it out; `predictions` has those of all examples by fold.
    pub(crate) fn collect(&self, predictions: &[Vec<f64>]) -> Vec<f64> {
        self.fold_of.iter().enumerate().map(|(example, &fold)| predictions[fold as usize][example]).collect()
    }

    /// The mean squared error of a fold, given a prediction for each example.
    pub(crate) fn squared_error(&self, fold: usize, predictions: &[f64], targets: &[f64]) -> f64 {
        let held_out = self.held_out(fold);
        let sum: f64 = held_out.iter().map(|&example| (predictions[example] - targets[example]).powi(2)).sum();
        sum / held_out.len().max(1) as f64
    }
}

/// The error of each of `points` settings, the mean over folds; `error` gives that of a point and a fold. Points and
/// folds run in parallel; the result does not depend on the number of threads. `progress` advances by folds.
pub fn cross_validate(
    points: usize,
    folds: &Folds,
    progress: Progress<'_>,
    error: impl Fn(usize, usize) -> Result<f64> + Sync,
) -> Result<Vec<f64>> {
    let count = folds.count();
    let errors: Vec<f64> = (0..points * count)
        .into_par_iter()
        .map(|task| {
            let found = error(task / count, task % count)?;
            progress.advance(1)?;
            Ok(found)
        })
        .collect::<Result<_>>()?;
    Ok(errors.chunks_exact(count).map(|errors| errors.iter().sum::<f64>() / count as f64).collect())
}

/// The first of the points with the lowest error; `None` without points.
pub fn lowest(errors: &[f64]) -> Option<usize> {
    let first = |best: usize, point: usize| if errors[point] < errors[best] { point } else { best };
    (0..errors.len()).reduce(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    #[test]
    fn folds_are_those_of_scikit_learn() {
        let folds = Folds::contiguous(7, 3).unwrap();
        assert_eq!([0, 1, 2].map(|fold| folds.held_out(fold)), [vec![0, 1, 2], vec![3, 4], vec![5, 6]]);
        assert_eq!(folds.learned(1), [0, 1, 2, 5, 6]);
        let shuffled = Folds::shuffled(7, 3, 1).unwrap();
        assert_eq!([0, 1, 2].map(|fold| shuffled.held_out(fold).len()), [3, 2, 2]);
        assert_ne!(shuffled, folds);
        assert_eq!(shuffled, Folds::shuffled(7, 3, 1).unwrap());
    }

    #[test]
    fn fewer_examples_than_folds_are_refused() {
        let error = Folds::contiguous(9, 10).unwrap_err().to_string();
        assert_eq!(error, "examples of a cross-validation: expected at least as many as folds, 10, found 9");
        let error = Folds::shuffled(9, 1, 0).unwrap_err().to_string();
        assert_eq!(error, "setting `folds` cannot be 1: expected at least 2");
    }

    #[test]
    fn errors_are_means_over_folds_and_the_first_of_equals_wins() {
        let folds = Folds::contiguous(4, 2).unwrap();
        let error = |point: usize, fold: usize| Ok((point * 2 + fold) as f64);
        let errors = cross_validate(3, &folds, Progress::none(), error).unwrap();
        assert_eq!(errors, [0.5, 2.5, 4.5]);
        assert_eq!((lowest(&errors), lowest(&[2.0, 1.0, 1.0]), lowest(&[])), (Some(0), Some(1), None));
        let stop = |_: &crate::progress::Event<'_>| ControlFlow::Break(());
        let stopped = cross_validate(3, &folds, Progress::new(&stop), error);
        assert!(matches!(stopped, Err(Error::Stopped(_))));
    }
}
