//! The recipe of a combination of metrics, a TOML file.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{ModelOutput, RecipeKind, SettingError, Trained, settings};
use crate::ruse::{Data, Inputs, Regression, RegressionModel, TrainingPlan, check_together, train_plan};
use tercet_learn::feature_scaling::Scaling;
use tercet_learn::training::TrainingFiles;

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

const KEYS: &str = include_str!("keys.toml");

settings! {
    /// The recipe of a combination. All keys, with an example or their default:
    ///
    #[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
    pub struct Recipe {
        /// Judgements to learn from.
        data: Data = Data::default();
        /// Metrics and encoders.
        inputs: Inputs = Inputs { metrics: DEFAULT_METRICS.map(str::to_owned).to_vec(), ..Inputs::default() };
        /// The regression and the choice of its settings.
        regression: Regression = Regression { scaling: Scaling::Block.name().to_owned(), ..Regression::default() };
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe
}

impl RecipeKind for Recipe {
    const NAME: &'static str = "blend";
    const TRAINS: &'static str = "Blend of Ma et al.: a regression over the scores of other metrics";
    const KEYS: &'static str = KEYS;
    const MODEL_FILE: &'static str = "blend.safetensors";

    /// Cross-validation takes the place of a development set.
    fn has_development(&self) -> bool {
        true
    }

    fn train(&self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<Trained> {
        let model = train(self, files, registry, progress)?;
        Ok(Trained { hash: model.hash().to_owned(), notes: model.notes().to_vec() })
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.regression.seed
    }

    fn epochs(&mut self) -> Option<&mut usize> {
        self.regression.counted_epochs()
    }

    fn check_together(&self) -> Result<(), SettingError> {
        check_together(&self.data, &self.inputs, &self.regression, &self.origin)
    }
}

/// Trains a combination and writes its file.
pub fn train(
    recipe: &Recipe,
    files: &TrainingFiles,
    registry: &Registry,
    progress: Progress<'_>,
) -> Result<RegressionModel> {
    recipe.check()?;
    let plan = TrainingPlan {
        kind: Recipe::NAME,
        data: &recipe.data,
        inputs: &recipe.inputs,
        regression: &recipe.regression,
        origin: &recipe.origin,
    };
    train_plan(plan, files, registry, progress)
}
