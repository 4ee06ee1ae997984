//! Trains a [`RegressionModel`]: reads judgements, computes features, chooses settings by cross-validation, fits.

use super::data::{Examples, FeatureTable, read};
use super::model::RegressionModel;
use super::recipe::{Choices, Regression, RegressionData};
use crate::encode;
use crate::error::{Error, Result};
use crate::learned::{FeatureInputs, ModelInputs};
use crate::metrics::preference::fit_slope;
use crate::metrics::{Registry, Spec};
use crate::progress::Progress;
use crate::recipe::{Origin, SettingError};
use crate::statistics::correlation::pearson;
use tercet_learn::feature_scaling::FeatureScaling;
use tercet_learn::linear::ranking_svm::{self, RankedRows, RankingSettings};
use tercet_learn::model_selection::{Folds, lowest};
use tercet_learn::regression::{Method, Problem, Regressor};
use tercet_learn::svr::Kernel;
use tercet_learn::training::TrainingFiles;
use tercet_math::Matrix;

/// What a recipe of either kind says.
#[derive(Clone, Copy)]
pub(crate) struct RegressionPlan<'a> {
    /// The kind of the recipe and of the model file.
    pub kind: &'static str,
    pub data: &'a RegressionData,
    pub inputs: &'a FeatureInputs,
    pub regression: &'a Regression,
    pub origin: &'a Origin,
}

impl RegressionPlan<'_> {
    /// Checks settings that depend on each other.
    pub fn check(self) -> Result<(), SettingError> {
        let what = "is empty: name folders or files of judgements to learn from";
        SettingError::when(self.data.train.is_empty(), "[data] train", what)?;
        let what = "has no features: name encoders, metrics or components";
        SettingError::when(self.inputs.is_empty(), "[inputs]", what)?;
        self.regression.check_effects(self.origin)
    }

    /// Trains a model and writes its file.
    pub fn train(self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<RegressionModel> {
        if files.resume {
            let what = "a regression is fitted at once and leaves nothing to resume: start the training again";
            return Err(Error::BadRequest(what.to_owned()));
        }
        let folder = &self.origin.folder;
        let (features, specs) = (self.inputs.features(folder, registry)?, self.inputs.encoders(folder, registry)?);
        let built = specs.iter().map(|spec| encode::build_spec(spec, registry.context()));
        let encoders = built.collect::<Result<Vec<_>>>()?;
        let choices = self.regression.choices();
        let mut examples = Examples::default();
        for entry in &self.data.train {
            for judged in read(entry, folder, matches!(choices, Choices::Pairs(_)), progress)? {
                let table = FeatureTable::compute(&features, &encoders, &judged, registry, progress)?;
                examples.add(&judged, table)?;
            }
        }
        examples.check(self.regression.folds)?;
        examples.check_constant(progress)?;
        let fitted = fit(&examples, &choices, self.regression, progress)?;
        let inputs = ModelInputs::new(&features, specs.iter().map(Spec::to_string).collect(), encoders, registry)?;
        let mut model = RegressionModel::new(self.kind, fitted, inputs);
        model.record.set_notes([
            ("trained_on", examples.names.join(", ")),
            ("seed", self.regression.seed.to_string()),
            ("recipe", self.origin.text.clone()),
            ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
        ]);
        model.write(&files.model)?;
        Ok(model)
    }
}

/// A regression with the scaling of its features.
pub(crate) struct FittedRegression {
    pub regressor: Regressor,
    pub scaling: FeatureScaling,
    /// Names of the features that are scores or components of metrics.
    pub columns: Vec<String>,
    /// Of the logistic curve over the difference of two predictions.
    pub slope: f64,
    /// Method, settings, agreement in cross-validation.
    pub notes: Vec<(&'static str, String)>,
}

fn fit(
    examples: &Examples,
    choices: &Choices,
    regression: &Regression,
    progress: Progress<'_>,
) -> Result<FittedRegression> {
    let (mut rows, targets, count) = match choices {
        Choices::Scores(_) => {
            let (rows, targets) = examples.scored_rows()?;
            (rows, targets, examples.scored.len())
        }
        Choices::Pairs(_) => (Matrix::from_rows(&examples.table.rows)?, Vec::new(), examples.pairs.len()),
    };
    let scaling = FeatureScaling::fit(&rows, &examples.table.blocks, regression.scaling)?;
    scaling.apply(&mut rows)?;
    let folds = match regression.shuffled {
        true => Folds::shuffled(count, regression.folds, regression.seed)?,
        false => Folds::contiguous(count, regression.folds)?,
    };
    let (regressor, slope, notes) = match choices {
        Choices::Scores(methods) => fit_scores(&rows, &targets, methods, &folds, progress)?,
        Choices::Pairs(points) => fit_pairs(&rows, &examples.pairs, points, &folds, progress)?,
    };
    Ok(FittedRegression { regressor, scaling, columns: examples.table.columns.clone(), slope, notes })
}

/// A regression, its slope and notes.
type Fit = (Regressor, f64, Vec<(&'static str, String)>);

/// Chooses a method by cross-validation and fits it.
fn fit_scores(
    rows: &Matrix<f64>,
    targets: &[f64],
    methods: &[Method],
    folds: &Folds,
    progress: Progress<'_>,
) -> Result<Fit> {
    let problem = Problem::new(rows, targets)?;
    let chosen = match methods {
        [only] => *only,
        _ => methods[lowest(&problem.search(methods, folds, progress)?).unwrap_or(0)],
    };
    progress.uncounted("fitting")?;
    let held_out = problem.predict_held_out(&chosen, folds, progress)?;
    let regressor = problem.fit(&chosen, progress)?;
    // Predictions for rows that were learned from would be too good to fit a slope to.
    let slope = fit_slope(&[differences(&held_out, targets)]).max(0.0);
    let agreement = pearson(&held_out, targets).value;
    let notes = vec![("chosen", describe(&chosen)), ("cross_validation_pearson", format!("{agreement:.4}"))];
    Ok((regressor, slope, notes))
}

/// Neighbours that each score is compared with for the slope.
const COMPARED: usize = 20;

/// Differences of predictions, the one with the higher score first, of scores that follow each other.
fn differences(predictions: &[f64], targets: &[f64]) -> Vec<f64> {
    let count = targets.len();
    let pairs = (1..=COMPARED.min(count - 1)).flat_map(|step| (step..count).map(move |i| (i, i - step)));
    let strict = pairs.filter(|(i, j)| targets[*i] != targets[*j]);
    strict.map(|(i, j)| (predictions[i] - predictions[j]) * (targets[i] - targets[j]).signum()).collect()
}

fn fit_pairs(
    rows: &Matrix<f64>,
    pairs: &[RankedRows],
    points: &[RankingSettings],
    folds: &Folds,
    progress: Progress<'_>,
) -> Result<Fit> {
    let errors = ranking_svm::search_settings(rows, pairs, points, folds, progress)?;
    let place = lowest(&errors).unwrap_or(0);
    progress.uncounted("fitting")?;
    let model = ranking_svm::fit(rows, pairs, &points[place], progress)?;
    let values = model.predict(rows)?;
    let difference = |pair: &RankedRows| values[pair.better as usize] - values[pair.worse as usize];
    let slope = fit_slope(&[pairs.iter().map(difference).collect()]).max(0.0);
    let notes = vec![
        ("chosen", format!("ranking-svm, c {}", points[place].c)),
        ("cross_validation_tau", format!("{:.4}", 1.0 - 2.0 * errors[place])),
    ];
    Ok((Regressor::Linear(model), slope, notes))
}

/// A method and its settings in words.
pub(super) fn describe(method: &Method) -> String {
    match method {
        Method::Svr(settings) => {
            let kernel = match settings.kernel {
                Kernel::Linear => "linear kernel".to_owned(),
                Kernel::Rbf { gamma } => format!("gamma {gamma}"),
            };
            format!("svr, c {}, epsilon {}, {kernel}", settings.c, settings.epsilon)
        }
        Method::Ridge(penalty) => format!("ridge, penalty {penalty}"),
        Method::Network(settings) => format!("mlp, {} units, {} epochs", settings.hidden, settings.epochs),
    }
}
