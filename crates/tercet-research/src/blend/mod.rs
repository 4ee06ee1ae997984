//! Blend: a regression over the scores of other metrics (Ma et al., WMT 2017).
//!
//! The combination of metrics that RUSE is compared with; DPMFcomb (Yu et al., WMT 2015) learned one from rankings,
//! here `method = "ranking-svm"`. The model, its training and its use as a metric are those of [`ruse`](super::ruse),
//! with metrics as features and, if the recipe names some, encoders as well.
//!
//! # Choices
//! By default each metric is scaled to the variance 1 (a block has one feature if it is a metric), because their ranges
//! differ. `keys.toml` lists all keys of a recipe; it is part of the documentation of [`BlendRecipe`] and of the
//! command's help.

use crate::learned::FeatureInputs;
use crate::metrics::{MetricInfo, Paper, Scale};
use crate::recipe::{ModelOutput, settings};
use crate::ruse::{OPTIONS, Regression, RegressionData, from_options, regression_recipe};
use std::sync::Arc;
use tercet_learn::feature_scaling::Scaling;

/// The entry in a [`Registry`](crate::metrics::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "blend",
    summary: "a regression over the scores of other metrics, learned from scores or rankings",
    citation: "Ma et al., WMT 2017",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &OPTIONS,
    needs: Some("model"),
    preference: Some(|options, registry| Ok(Arc::new(from_options(&INFO, "Blend", options, registry)?))),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(from_options(&INFO, "Blend", options, registry)?)))
};

const PAPER: Paper = Paper { short: "Ma et al., 2017", bibtex: include_str!("ma-2017-blend.bib") };

/// The metrics that are combined by default: those that need no files.
pub const DEFAULT_METRICS: [&str; 24] = [
    "sentbleu",
    "bleu:lowercase=yes",
    "nist",
    "meteor",
    "meteor:modules=exact",
    "chrf",
    "chrf++",
    "ter:normalized=yes",
    "wer",
    "per",
    "cer",
    "character",
    "rouge-1",
    "rouge-2",
    "rouge-3",
    "rouge-4",
    "rouge-l",
    "rouge-w",
    "rouge-s",
    "rouge-su",
    "gtm-1",
    "gtm-2",
    "overlap",
    "reval",
];

settings! {
    /// The recipe of a combination.
    pub struct BlendRecipe {
        /// Judgements to learn from.
        data: RegressionData = RegressionData::default();
        /// Metrics and encoders.
        inputs: FeatureInputs = FeatureInputs {
            metrics: DEFAULT_METRICS.map(str::to_owned).to_vec(),
            ..FeatureInputs::default()
        };
        /// The regression and the choice of its settings.
        regression: Regression = Regression { scaling: Scaling::Block, ..Regression::default() };
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "blend", "Blend of Ma et al.: a regression over the scores of other metrics"
}

regression_recipe!(BlendRecipe);
