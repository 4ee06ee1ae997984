//! The recipe of a fine-tuned model, a TOML file. Everything but the data has a default.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::error::Result;
use crate::learned::StoredPrecision;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{MAX_NUMBER, ModelRecord, Recipe, SettingError, range, setting_by_name, settings};
use std::path::PathBuf;
use tercet_learn::networks::SiameseSettings;
use tercet_learn::optimizer::OptimizerSettings;
use tercet_learn::training::TrainingFiles;
use tercet_neural::siamese::WeightFormat;
use tercet_neural::siamese::head::Way;

settings! {
    /// The recipe of a fine-tuned model.
    pub struct SiameseRecipe {
        /// The model to start from. Default: the embedded one.
        start: Option<PathBuf> = None;
        /// Judgements to learn from.
        data: SiameseData = SiameseData::default();
        /// How the model is trained.
        training: SiameseTuning = SiameseTuning::default();
        /// What scores mean.
        calibration: Calibrated = Calibrated::default();
        /// The file of the model.
        model: SiameseOutput = SiameseOutput::default();
    } recipe "siamese",
        "the embedded metric siamese, fine-tuned on judgements of your own: its head, or its encoder too"

    /// `[data]`: the judgements.
    pub struct SiameseData {
        /// Folders or files to learn from.
        train: Vec<SiameseEntry> = Vec::new();
        /// The development set, by which the best epoch is chosen. Default: a part of `train`.
        development: Vec<SiameseEntry> = Vec::new();
        /// The share of the references of `train` that are the development set, if none is named.
        held_out: f64 = 0.1, range(0.0, 0.9);
        /// How many judgements of each language pair to draw at random. Default: all.
        per_pair: Option<usize> = None, range(1.0, MAX_NUMBER);
        /// What a translation is compared with: references, the source, or both.
        way: LearnedWay = LearnedWay::Reference;
        /// The weight of learning that the reference itself is better than any output of its segment.
        copies: f32 = 0.05, range(0.0, 1.0);
    }

    /// An entry of `train` or `development`: a folder or file.
    pub struct SiameseEntry or file {
        /// The folder or file.
        file: PathBuf;
        /// Language pairs. Default: all into English.
        pairs: Vec<String> = Vec::new();
        /// Which judgements are learned. Default: pairs, if there are any, else scores.
        judgements: WantedJudgements = WantedJudgements::Any;
    }
}

tercet_base::choices! {
    /// What a translation is compared with in training.
    pub enum LearnedWay: "way" = Reference {
        /// Its reference.
        Reference = "reference",
        /// The source: for scores without references.
        Source = "source",
        /// Its reference and the source at once.
        Both = "both",
    }
}

tercet_base::choices! {
    /// Which judgements of an entry are learned.
    pub enum WantedJudgements: "judgements" = Any {
        /// Pairs, if there are any, else scores.
        Any = "any",
        /// Which of two translations is better.
        Pairs = "pairs",
        /// Scores of single translations.
        Scores = "scores",
    }
}

settings! {
    /// `[training]`: how the model is trained.
    pub struct SiameseTuning {
        /// Layers of the encoder that are learned, from the last one on; 0: only the head.
        layers: usize = 0;
        /// The learning rate of the head.
        learning_rate: f32 = SiameseSettings::default().optimizer.learning_rate, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The learning rate of the encoder.
        encoder_rate: f32 = 1e-5, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The share of the steps in which the rates rise.
        warm_up: f64 = SiameseSettings::default().warm_up, range(0.0, 1.0);
        /// Pulls the weights towards those of the start.
        weight_decay: f32 = SiameseSettings::default().optimizer.weight_decay, range(0.0, MAX_NUMBER);
        /// The largest norm of a gradient; 0: any.
        clip: f32 = SiameseSettings::default().clip, range(0.0, MAX_NUMBER);
        /// References of a step.
        batch: usize = SiameseSettings::default().batch_size, range(1.0, MAX_NUMBER);
        /// The number of epochs.
        epochs: usize = SiameseSettings::default().epochs, range(1.0, MAX_NUMBER);
        /// Stop after this many epochs without a new best.
        patience: usize = 3, range(1.0, MAX_NUMBER);
        /// The seed of samples, the part that is held out, and shuffles.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 60.0, range(0.0, MAX_NUMBER);
    }
}

impl SiameseTuning {
    /// The settings of the training loop.
    pub(super) fn settings(&self, temperature: f64) -> SiameseSettings {
        let defaults = SiameseSettings::default();
        SiameseSettings {
            optimizer: OptimizerSettings {
                learning_rate: self.learning_rate,
                weight_decay: self.weight_decay,
                anchor_decay: self.weight_decay,
                ..defaults.optimizer
            },
            warm_up: self.warm_up,
            clip: self.clip,
            batch_size: self.batch,
            epochs: self.epochs,
            patience: Some(self.patience),
            temperature: temperature as f32,
            seed: self.seed,
        }
    }
}

settings! {
    /// `[calibration]`: what scores mean.
    pub struct Calibrated {
        /// Points and percentiles: those of the start, or of the outputs of the development set.
        scale: ScaleSource = ScaleSource::Kept;
        /// The temperature of comparisons: fitted to the development set, or that of the start, scaled as the scores.
        temperature: ScaleSource = ScaleSource::Fitted;
    }
}

tercet_base::choices! {
    /// Where a scale comes from.
    pub enum ScaleSource: "scale" = Kept {
        /// From the start.
        Kept = "kept",
        /// From the development set.
        Fitted = "fitted",
    }
}

setting_by_name!(LearnedWay, ScaleSource, WantedJudgements);

impl Calibrated {
    /// Whether points and percentiles are those of the development set.
    pub(super) fn is_scale_fitted(&self) -> bool {
        self.scale == ScaleSource::Fitted
    }

    /// Whether the temperature is fitted.
    pub(super) fn is_temperature_fitted(&self) -> bool {
        self.temperature == ScaleSource::Fitted
    }
}

settings! {
    /// `[model]`: the file of the model.
    pub struct SiameseOutput {
        /// The model file. Default: `siamese.safetensors`.
        file: Option<PathBuf> = None;
        /// The precision of the weights.
        precision: StoredPrecision = StoredPrecision::Int8;
    }
}

impl SiameseData {
    /// The weight of learning that the reference itself is the best; a source is none.
    pub(super) fn copies(&self) -> f32 {
        if self.way == LearnedWay::Source { 0.0 } else { self.copies }
    }

    /// The way of the model that is trained.
    pub(super) fn way(&self) -> Way {
        match self.way {
            LearnedWay::Reference => Way::Reference,
            LearnedWay::Source => Way::Source,
            LearnedWay::Both => Way::Both,
        }
    }
}

impl SiameseOutput {
    pub(super) fn format(&self) -> WeightFormat {
        match self.precision {
            StoredPrecision::Single => WeightFormat::Single,
            StoredPrecision::Int8 => WeightFormat::Int8,
        }
    }
}

impl Recipe for SiameseRecipe {
    fn has_development(&self) -> bool {
        !self.data.development.is_empty() || self.data.held_out > 0.0
    }

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        Ok(super::train(self, files, progress)?.record().clone())
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.training.seed
    }

    fn length(&mut self) -> Option<(&'static str, &mut usize)> {
        Some(("epochs", &mut self.training.epochs))
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let (data, origin) = (&self.data, &self.origin);
        let what = "is empty: name folders or files of judgements to learn from";
        SettingError::when(data.train.is_empty(), "[data] train", what)?;
        let is_unused = !data.development.is_empty() && origin.has("data", "held_out");
        SettingError::when(is_unused, "[data] held_out", "has no effect: [data] development is named")?;
        let is_fitted = self.calibration.is_temperature_fitted() && origin.has("calibration", "temperature");
        for (place, is_wanted) in [
            ("[training] patience", origin.has("training", "patience")),
            ("[calibration] temperature", is_fitted),
            ("[calibration] scale", self.calibration.is_scale_fitted()),
        ] {
            let what = "needs a development set: name one, or let [data] held_out be above 0";
            SettingError::when(is_wanted && !self.has_development(), place, what)?;
        }
        let by_source = data.way == LearnedWay::Source;
        let what = "has no effect: a copy of the source is no good translation";
        SettingError::when(by_source && origin.has("data", "copies"), "[data] copies", what)?;
        let is_unused = self.training.layers == 0 && origin.has("training", "encoder_rate");
        let what = "has no effect: layers is 0, so only the head is learned";
        SettingError::when(is_unused, "[training] encoder_rate", what)
    }
}

#[cfg(test)]
mod tests;
