//! Fine-tunes the metric `siamese` on further judgements.

mod recipe;
mod training;

pub use recipe::{
    Calibrated, LearnedWay, ScaleSource, SiameseData, SiameseEntry, SiameseOutput, SiameseRecipe, SiameseTuning,
    WantedJudgements,
};
pub use training::train;

pub(crate) use tercet_neural::siamese::model;
