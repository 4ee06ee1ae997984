//! RUSE: a regression over sentence vectors of translation and reference (Shimanaka, Kajiwara & Komachi, WMT 2018).
//!
//! ```text
//! score(t, r) = f([t, r, t ⊙ r, |t − r|])
//! ```
//!
//! t and r are the vectors that any [encoder](crate::encode) gives for the translation and its reference, of several
//! encoders one after the other; f is a support vector regression on direct assessments, or another regression. Scores
//! of other metrics can be further features: [`blend`](super::blend) is the same with metrics alone.
//!
//! | step | |
//! |---|---|
//! | [`RuseRecipe`], [`train`] | all steps, with the settings of a TOML file |
//! | [`FeatureTable`] | judged texts → rows of features |
//! | [`RegressionModel`] | a regression with its metrics and encoders, stored in a model file |
//!
//! # As a metric
//! `ruse:model=FILE` predicts the score of each segment on the scale of the scores it learned from: standardised direct
//! assessments are around 0. The score of a corpus is the mean over its segments. The preference is a logistic curve on
//! the difference of two scores, with a slope that was fitted to predictions of cross-validation.
//!
//! # Choices
//! The paper's settings are the defaults: ε-SVR with the RBF kernel, C, ε and γ from 0.01, 0.1, 1 and 10 by 10-fold
//! cross-validation on the mean squared error, folds of neighbouring examples as scikit-learn makes them, no scaling.
//! With several references the scores for each of them are averaged.
//!
//! # Agreement
//! The regression equals scikit-learn's: [`tercet_learn::svr`]. The published encoders are not needed; `tercet
//! reproduce ruse` compares with the published table.

mod data;
mod model;
mod recipe;
mod training;

pub use data::FeatureTable;
pub use model::RegressionModel;
pub(super) use recipe::regression_recipe;
pub use recipe::{KernelName, Regression, RegressionData, RegressionEntry, RegressionMethod, RuseRecipe, train};
pub(super) use training::RegressionPlan;

use crate::error::Result;
use crate::learned::{FeatureMetric, model_path};
use crate::metrics::{MetricInfo, OptionInfo, Options, Paper, Registry, Scale};
use std::sync::Arc;

/// The entry in a [`Registry`].
pub static INFO: MetricInfo = MetricInfo {
    name: "ruse",
    summary: "a regression over sentence vectors of translation and reference, learned from scores",
    citation: "Shimanaka et al., WMT 2018",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &OPTIONS,
    needs: Some("model"),
    preference: Some(|options, registry| Ok(Arc::new(from_options(&INFO, "RUSE", options, registry)?))),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(from_options(&INFO, "RUSE", options, registry)?)))
};

const PAPER: Paper = Paper { short: "Shimanaka et al., 2018", bibtex: include_str!("shimanaka-2018-ruse.bib") };

/// The options of `ruse` and `blend`.
pub(super) static OPTIONS: [OptionInfo; 2] = [
    OptionInfo::file("model", "the trained model"),
    OptionInfo::file("files", "the folder of its encoders' and metrics' files, if they have moved"),
];

/// Opens the model that the options name.
pub(super) fn from_options(
    info: &'static MetricInfo,
    title: &'static str,
    options: Options,
    registry: &Registry,
) -> Result<FeatureMetric> {
    let path = model_path(&options, info.name)?;
    let model = RegressionModel::open(info.name, path, options.file("files"), registry)?;
    Ok(FeatureMetric::new(info, title, options, Arc::new(model)))
}

#[cfg(test)]
mod tests;
