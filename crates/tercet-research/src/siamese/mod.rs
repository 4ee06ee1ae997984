//! Fine-tunes the metric `siamese` on further judgements.

mod recipe;
mod training;

pub use recipe::{Data, DataEntry, Learning, Output, Recipe, Scales};
pub use training::train;

pub(crate) use tercet_neural::siamese::model;
