//! A regression of any kind: fits, choice of settings, model files.

use crate::error::{Error, Result};
use crate::linear::{LinearModel, ridge};
use crate::matrix::Matrix;
use crate::model_file::ModelFile;
use crate::model_selection::{Folds, cross_validate};
use crate::networks::{RegressionNetwork, RegressionSettings};
use crate::progress::Progress;
use crate::svr::{Products, SvrModel, SvrSettings, check_targets, predict_held_out, search_grid};
use std::sync::OnceLock;

/// A fitted regression.
#[derive(Clone, Debug)]
pub enum Regressor {
    /// Support vector regression.
    Svr(SvrModel),
    /// A linear function, of ridge regression or of a ranking SVM.
    Linear(LinearModel),
    /// A network with a hidden layer.
    Network(RegressionNetwork),
}

impl Regressor {
    /// Number of features.
    pub fn features(&self) -> usize {
        match self {
            Regressor::Svr(model) => model.features(),
            Regressor::Linear(model) => model.weights.len(),
            Regressor::Network(network) => network.features(),
        }
    }

    /// The prediction for each row of features.
    pub fn predict(&self, features: &Matrix<f64>) -> Result<Vec<f64>> {
        match self {
            Regressor::Svr(model) => model.predict(features),
            Regressor::Linear(model) => model.predict(features),
            Regressor::Network(network) => {
                let predicted = network.predict(&single(features)?)?;
                Ok(predicted.into_iter().map(f64::from).collect())
            }
        }
    }

    /// Adds the regression to a file.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        let kind = match self {
            Regressor::Svr(model) => {
                model.store(prefix, file);
                "svr"
            }
            Regressor::Linear(model) => {
                model.store(prefix, file);
                "linear"
            }
            Regressor::Network(network) => {
                network.store(prefix, file);
                "network"
            }
        };
        file.set(&format!("{prefix}kind"), kind);
    }

    /// Reads a regression from a file.
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        match file.get(&format!("{prefix}kind"))? {
            "svr" => Ok(Regressor::Svr(SvrModel::stored(prefix, file)?)),
            "linear" => Ok(Regressor::Linear(LinearModel::stored(prefix, file)?)),
            "network" => Ok(Regressor::Network(RegressionNetwork::stored(prefix, file)?)),
            other => Err(file.bad(format!("its regressor is `{other}`, expected svr, linear or network")).into()),
        }
    }
}

/// How a regression is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Support vector regression.
    Svr(SvrSettings),
    /// Ridge regression with this penalty.
    Ridge(f64),
    /// A network with a hidden layer.
    Network(RegressionSettings),
}

/// Rows of features with targets. What several fits share is computed once.
#[derive(Debug)]
pub struct Problem<'a> {
    features: &'a Matrix<f64>,
    targets: &'a [f64],
    products: OnceLock<Products>,
}

impl<'a> Problem<'a> {
    /// A target for each row.
    pub fn new(features: &'a Matrix<f64>, targets: &'a [f64]) -> Result<Self> {
        check_targets(targets, features.rows())?;
        features.check_finite("features")?;
        Ok(Problem { features, targets, products: OnceLock::new() })
    }

    fn products(&self, progress: Progress<'_>) -> Result<&Products> {
        if self.products.get().is_none() {
            let products = Products::new(self.features, progress)?;
            return Ok(self.products.get_or_init(|| products));
        }
        self.products.get().ok_or_else(|| Error::Empty { what: "the table of features".to_owned() })
    }

    /// The mean squared error of each method in cross-validation.
    ///
    /// # Panics
    /// If the methods are not of one kind.
    pub fn search(&self, methods: &[Method], folds: &Folds, progress: Progress<'_>) -> Result<Vec<f64>> {
        let (mut svrs, mut penalties) = (Vec::new(), Vec::new());
        for method in methods {
            match method {
                Method::Svr(settings) => svrs.push(*settings),
                Method::Ridge(penalty) => penalties.push(*penalty),
                Method::Network(_) => {}
            }
        }
        if svrs.len() == methods.len() {
            return search_grid(self.products(progress)?, self.targets, &svrs, folds, progress);
        }
        if penalties.len() == methods.len() {
            return ridge::search_penalties(self.features, self.targets, &penalties, folds, progress);
        }
        assert!(svrs.is_empty() && penalties.is_empty(), "methods of one kind");
        progress.stage("cross-validation", methods.len() * folds.count(), "folds")?;
        cross_validate(methods.len(), folds, progress, |method, fold| {
            let predictions = self.predict_without(&methods[method], folds, fold, progress.quiet())?;
            Ok(folds.squared_error(fold, &predictions, self.targets))
        })
    }

    /// A prediction for each row by the fold that holds it out.
    pub fn predict_held_out(&self, method: &Method, folds: &Folds, progress: Progress<'_>) -> Result<Vec<f64>> {
        folds.check(self.targets.len())?;
        if let Method::Svr(settings) = method {
            return predict_held_out(self.products(progress)?, self.targets, settings, folds, progress);
        }
        let by_fold = |fold| self.predict_without(method, folds, fold, progress.quiet());
        Ok(folds.collect(&(0..folds.count()).map(by_fold).collect::<Result<Vec<_>>>()?))
    }

    /// Fits a regression to all rows.
    pub fn fit(&self, method: &Method, progress: Progress<'_>) -> Result<Regressor> {
        match method {
            Method::Svr(settings) => {
                let products = self.products(progress)?;
                let model = SvrModel::fit_products(self.features, products, self.targets, settings, progress)?;
                Ok(Regressor::Svr(model))
            }
            _ => fit(method, self.features, self.targets, progress),
        }
    }

    /// The predictions of a fold's regression for all rows.
    fn predict_without(&self, method: &Method, folds: &Folds, fold: usize, progress: Progress<'_>) -> Result<Vec<f64>> {
        let learned = folds.learned(fold);
        let rows: Vec<&[f64]> = learned.iter().map(|&row| self.features.row(row)).collect();
        let targets: Vec<f64> = learned.iter().map(|&row| self.targets[row]).collect();
        fit(method, &Matrix::from_rows(&rows)?, &targets, progress)?.predict(self.features)
    }
}

fn fit(method: &Method, features: &Matrix<f64>, targets: &[f64], progress: Progress<'_>) -> Result<Regressor> {
    match method {
        Method::Svr(settings) => Ok(Regressor::Svr(SvrModel::fit(features, targets, settings, progress)?)),
        Method::Ridge(penalty) => Ok(Regressor::Linear(ridge::fit(features, targets, *penalty)?)),
        Method::Network(settings) => {
            let targets: Vec<f32> = targets.iter().map(|target| *target as f32).collect();
            let network = RegressionNetwork::fit(&single(features)?, &targets, settings, progress)?;
            Ok(Regressor::Network(network))
        }
    }
}

/// A table in single precision.
fn single(features: &Matrix<f64>) -> Result<Matrix> {
    let values = features.values().iter().map(|value| *value as f32).collect();
    Ok(Matrix::new(features.rows(), features.columns(), values)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods() -> [Method; 3] {
        let network = RegressionSettings { hidden: 2, epochs: 2, ..RegressionSettings::default() };
        [Method::Svr(SvrSettings::default()), Method::Ridge(0.1), Method::Network(network)]
    }

    fn features() -> Matrix<f64> {
        Matrix::from_rows(&[[0.0, 1.0], [1.0, 0.5], [2.0, 0.25], [3.0, 2.0]]).unwrap()
    }

    const TARGETS: [f64; 4] = [0.5, 1.0, 1.5, 2.5];

    #[test]
    fn every_kind_is_stored_and_read() {
        let features = features();
        let problem = Problem::new(&features, &TARGETS).unwrap();
        for method in methods() {
            let regressor = problem.fit(&method, Progress::none()).unwrap();
            let mut file = ModelFile::new("test");
            regressor.store("r.", &mut file);
            let read = Regressor::stored("r.", &file).unwrap();
            assert_eq!((read.features(), regressor.features()), (2, 2));
            assert_eq!(read.predict(&features).unwrap(), regressor.predict(&features).unwrap());
        }
        let mut file = ModelFile::new("test");
        file.set("r.kind", "tree");
        assert!(Regressor::stored("r.", &file).unwrap_err().to_string().contains("its regressor is `tree`"));
    }

    #[test]
    fn errors_are_those_of_held_out_predictions() {
        let features = features();
        let problem = Problem::new(&features, &TARGETS).unwrap();
        let folds = Folds::contiguous(4, 2).unwrap();
        for method in methods() {
            let errors = problem.search(&[method, method], &folds, Progress::none()).unwrap();
            let predicted = problem.predict_held_out(&method, &folds, Progress::none()).unwrap();
            let squares = predicted.iter().zip(TARGETS).map(|(found, target)| (found - target).powi(2));
            assert!((errors[0] - squares.sum::<f64>() / 4.0).abs() < 1e-9, "{method:?}");
            assert_eq!(errors[0], errors[1]);
        }
    }
}
