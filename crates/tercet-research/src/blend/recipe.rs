//! The recipe of a combination of metrics, a TOML file.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::learned::FeatureInputs;
use crate::recipe::{ModelOutput, settings};
use crate::ruse::{Regression, RegressionData, regression_recipe};
use tercet_learn::feature_scaling::Scaling;

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
