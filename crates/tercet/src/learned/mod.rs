//! What learned metrics share: judged data, features, sentence vectors, vocabulary, scaling.
//!
//! | step | |
//! |---|---|
//! | [`JudgedTexts`] | judgements → distinct translations with pairs (which of two is better) or scores |
//! | [`Feature`], [`measure`] | what other metrics say of a translation → [`Column`]s |
//! | [`encode`] | sentence vectors of translations and references, by any [`SentenceEncoder`](crate::encode::SentenceEncoder) → [`Block`]s |
//! | [`Vocabulary`] | words and first vectors of an encoder that is trained with the metric → [`Words`] |
//! | [`comparison_features`] | t, r, t ⊙ r, \|t − r\| of two sentence vectors |
//! | [`MinMax`] | features and dimensions scaled to [−1, 1] |
//!
//! Model files are [`tercet_learn::model_file`], recipes the module `recipe`, trainings [`tercet_learn::training`].
//! [`pairwise`](crate::metrics::pairwise) shows how they go together.

mod comparison;
mod features;
mod inputs;
mod judged;
mod scaling;
mod vocabulary;

pub use comparison::comparison_features;
pub(crate) use features::MeasuredFeature;
pub use features::{Column, Feature, measure};
pub use inputs::{Block, Inputs, encode};
pub use judged::{JudgedPair, JudgedTexts, Scope, ScoredTranslation, Translation, pooled_sample};
pub(crate) use scaling::MinMax;
pub use vocabulary::{Vocabulary, Words};
