//! Shared by learned metrics: judged data, scores derived from rankings, features, sentence vectors, vocabulary,
//! scaling.
//!
//! | item | |
//! |---|---|
//! | [`JudgedTexts`] | judgements → distinct translations with pairs (which of two is better) or scores |
//! | [`derive_scores`] | rankings → translations with a score from 1 to 5 |
//! | [`Feature`], [`measure`] | scores of other metrics → [`FeatureColumn`]s |
//! | [`encode`] | sentence vectors of translations and references, by any encoder → [`Block`]s |
//! | [`FeatureMetric`] | a model over features and encoders as a metric and as a preference |
//! | [`Vocabulary`] | words and initial vectors of an encoder that is trained with the metric → [`Words`] |
//! | [`comparison_features`] | t, r, t ⊙ r, \|t − r\| of two sentence vectors |
//! | `MinMax` | scales features and dimensions to [−1, 1] |
//!
//! Model files are in [`tercet_model::model_file`], recipes in [`train`](crate::train), the training loop in
//! [`tercet_learn::training`]. [`pairwise`](crate::pairwise) uses all of them.

mod derived_scores;
mod feature_metric;
mod features;
mod inputs;
mod judged;
mod recipe_tables;
mod vocabulary;

pub use derived_scores::{
    DerivationSettings, DeriveScoresJob, DerivedScores, EqualOutputs, EqualScores, PairsReading, ScoredPair,
    ThresholdGroup, ThresholdScope, TrainingSet, VarianceDivisor, derive_scores, scored_pairs, write_derived_scores,
};
pub use feature_metric::FeatureMetric;
pub(crate) use feature_metric::{Comparison, FeatureModel, model_path};
pub(crate) use features::MeasuredFeature;
pub use features::{Feature, FeatureColumn, measure};
pub use inputs::{Block, Inputs, comparison_features, encode};
pub(crate) use inputs::{MinMax, ModelInputs, StoredInputs, from_json, set_json};
pub(crate) use judged::read_sets;
pub use judged::{JudgedPair, JudgedTexts, Scope, ScoredTranslation, Translation, pooled_sample};
pub use recipe_tables::{FeatureInputs, OptimizerName, StoredPrecision};
pub use vocabulary::{Vocabulary, Words};
