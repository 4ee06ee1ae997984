//! Fine-tunes the metric `siamese` on further judgements.

mod recipe;
mod training;

pub use recipe::{
    Calibrated, ScaleSource, SiameseData, SiameseEntry, SiameseOutput, SiameseRecipe, SiameseTuning, WantedJudgements,
};
pub use training::train;

pub(crate) use tercet_neural::siamese::model;
