//! The recipe of a fine-tuned model, a TOML file. Everything but the data has a default.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{RecipeKind, SettingError, Trained, one_of, range, settings};
use crate::spec::MAX_NUMBER;
use std::path::PathBuf;
use tercet_learn::networks::SiameseSettings;
use tercet_learn::optimizer::OptimizerSettings;
use tercet_learn::training::TrainingFiles;
use tercet_neural::siamese::WeightFormat;

const KEYS: &str = include_str!("keys.toml");

settings! {
    /// The recipe of a fine-tuned model. All keys, with an example or their default:
    ///
    #[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
    pub struct Recipe {
        /// The model to start from. Default: the embedded one.
        start: Option<PathBuf> = None;
        /// Judgements to learn from.
        data: Data = Data::default();
        /// How the model is trained.
        training: Learning = Learning::default();
        /// What scores mean.
        calibration: Scales = Scales::default();
        /// The file of the model.
        model: Output = Output::default();
    } recipe
}

settings! {
    /// `[data]`: the judgements.
    pub struct Data {
        /// Folders or files to learn from.
        train: Vec<DataEntry> = Vec::new();
        /// The development set, by which the best epoch is chosen. Default: a part of `train`.
        development: Vec<DataEntry> = Vec::new();
        /// The share of the references of `train` that are the development set, if none is named.
        held_out: f64 = 0.1, range(0.0, 0.9);
        /// How many judgements of each language pair to draw at random. Default: all.
        per_pair: Option<usize> = None, range(1.0, MAX_NUMBER);
        /// The weight of learning that the reference itself is better than any output of its segment.
        copies: f32 = 0.05, range(0.0, 1.0);
    }
}

settings! {
    /// An entry of `train` or `development`: a folder or file.
    pub struct DataEntry or file {
        /// The folder or file.
        file: PathBuf;
        /// Language pairs. Default: all into English.
        pairs: Vec<String> = Vec::new();
        /// Which judgements are learned. Default: pairs, if there are any, else scores.
        judgements: String = JUDGEMENTS[0].to_owned(), one_of(JUDGEMENTS);
    }
}

const JUDGEMENTS: [&str; 3] = ["any", "pairs", "scores"];

settings! {
    /// `[training]`: how the model is trained.
    pub struct Learning {
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

impl Learning {
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
    pub struct Scales {
        /// Points and percentiles: those of the start, or of the outputs of the development set.
        scale: String = SCALES[0].to_owned(), one_of(SCALES);
        /// The temperature of comparisons: fitted to the development set, or that of the start, scaled as the scores.
        temperature: String = SCALES[1].to_owned(), one_of(SCALES);
    }
}

const SCALES: [&str; 2] = ["kept", "fitted"];

impl Scales {
    /// Whether points and percentiles are those of the development set.
    pub(super) fn is_scale_fitted(&self) -> bool {
        self.scale == SCALES[1]
    }

    /// Whether the temperature is fitted.
    pub(super) fn is_temperature_fitted(&self) -> bool {
        self.temperature == SCALES[1]
    }
}

settings! {
    /// `[model]`: the file of the model.
    pub struct Output {
        /// The model file. Default: `siamese.safetensors`.
        file: Option<PathBuf> = None;
        /// The precision of the weights.
        precision: String = PRECISIONS[0].to_owned(), one_of(PRECISIONS);
    }
}

const PRECISIONS: [&str; 2] = ["8-bit", "single"];

impl Output {
    pub(super) fn format(&self) -> WeightFormat {
        if self.precision == PRECISIONS[0] { WeightFormat::Int8 } else { WeightFormat::Single }
    }
}

impl RecipeKind for Recipe {
    const NAME: &'static str = "siamese";
    const TRAINS: &'static str =
        "the embedded metric siamese, fine-tuned on judgements of your own: its head, or its encoder too";
    const KEYS: &'static str = KEYS;
    const MODEL_FILE: &'static str = "siamese.safetensors";

    fn has_development(&self) -> bool {
        !self.data.development.is_empty() || self.data.held_out > 0.0
    }

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<Trained> {
        let model = super::train(self, files, progress)?;
        Ok(Trained { hash: model.hash().to_owned(), notes: model.notes().to_vec() })
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.training.seed
    }

    fn epochs(&mut self) -> Option<&mut usize> {
        Some(&mut self.training.epochs)
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let refuse = |table: &str, key: &str, reason: &str| Err(SettingError::new(table, key, reason));
        if self.data.train.is_empty() {
            return refuse("data", "train", "is empty: name folders or files of judgements to learn from");
        }
        if !self.data.development.is_empty() && self.origin.has("data", "held_out") {
            return refuse("data", "held_out", "has no effect: [data] development is named");
        }
        if !self.has_development() {
            let is_fitted = self.calibration.is_temperature_fitted();
            let wanted = [
                ("training", "patience", self.origin.has("training", "patience")),
                ("calibration", "temperature", is_fitted && self.origin.has("calibration", "temperature")),
                ("calibration", "scale", self.calibration.is_scale_fitted()),
            ];
            if let Some((table, key, _)) = wanted.into_iter().find(|(_, _, is_wanted)| *is_wanted) {
                let reason = "needs a development set: name one, or let [data] held_out be above 0";
                return refuse(table, key, reason);
            }
        }
        if self.training.layers == 0 && self.origin.has("training", "encoder_rate") {
            return refuse(
                "training",
                "encoder_rate",
                "has no effect: layers is 0, so only the head is learned",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
