//! The recipe of an InferSent model, a TOML file. Everything but the data and the word vectors has a default, the
//! article's setting.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::encode::recurrent::{WordCase, Words};
use crate::error::Result;
use crate::learned::OptimizerName;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{
    MAX_NUMBER, MAX_WIDTH, ModelOutput, ModelRecord, Recipe, SettingError, range, setting_by_name, settings,
    usual_methods,
};
use crate::text::Tokenizer;
use std::path::PathBuf;
use tercet_learn::networks::{Activation, RelationSettings, RelationShape};
use tercet_learn::optimizer::{EpochDecay, OptimizerSettings};
use tercet_learn::training::TrainingFiles;

setting_by_name!(WordCase);

settings! {
    /// The recipe of an InferSent model.
    pub struct InferSentRecipe {
        /// Pairs of sentences with labels.
        data: InferSentData = InferSentData::default();
        /// Word vectors.
        words: InferSentWords;
        /// The network.
        network: InferSentNetwork = InferSentNetwork::default();
        /// How the network is trained.
        training: InferSentTraining = InferSentTraining::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "infersent", "InferSent of Conneau et al.: sentence vectors, learned from pairs with entailment labels"

    /// `[data]`: files of pairs of sentences, or patterns of their names.
    pub struct InferSentData {
        /// Pairs to learn from.
        train: Vec<PathBuf> = Vec::new();
        /// The development set, by which the best epoch is chosen.
        development: Vec<PathBuf> = Vec::new();
        /// Pairs that the trained model is tested on.
        test: Vec<PathBuf> = Vec::new();
    }

    /// `[words]`: word vectors.
    pub struct InferSentWords {
        /// The file of word vectors.
        file: PathBuf;
        /// The tokenizer.
        tokenizer: Tokenizer = Words::default().tokenizer;
        /// How words are looked up.
        case: WordCase = WordCase::default();
    }

    /// `[network]`: the sizes of the network.
    pub struct InferSentNetwork {
        /// Units of the LSTM in each direction.
        units: usize = RelationShape::default().units, range(1.0, MAX_WIDTH);
        /// Units of a hidden layer.
        hidden: usize = RelationShape::default().hidden, range(1.0, MAX_WIDTH);
        /// Number of hidden layers.
        layers: usize = RelationShape::default().layers, range(0.0, 10.0);
        /// The nonlinearity of hidden layers.
        activation: Activation = RelationShape::default().activation;
    }
}

impl InferSentNetwork {
    /// The shape of the network.
    pub(super) fn shape(&self, classes: usize) -> RelationShape {
        let InferSentNetwork { units, hidden, layers, activation } = *self;
        RelationShape { units, hidden, layers, activation, classes }
    }
}

settings! {
    /// `[training]`: how the network is trained.
    pub struct InferSentTraining {
        /// The optimizer.
        optimizer: OptimizerName = OptimizerName::Sgd;
        /// The learning rate of the first epoch. Default: 0.1 for SGD, 0.01 for AdaGrad, 0.001 for Adam.
        learning_rate: Option<f32> = None, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The learning rate is multiplied by this after every epoch.
        rate_decay: f32 = RelationSettings::default().epoch_decay.decay, range(f64::MIN_POSITIVE, 1.0);
        /// The learning rate is divided by this after an epoch without a new best development accuracy.
        rate_divisor: f32 = RelationSettings::default().epoch_decay.divisor, range(1.0, MAX_NUMBER);
        /// Training ends when the learning rate falls below this.
        lowest_rate: f32 = RelationSettings::default().epoch_decay.lowest, range(0.0, MAX_NUMBER);
        /// The weight of the L2 penalty.
        weight_decay: f32 = RelationSettings::default().optimizer.weight_decay, range(0.0, MAX_NUMBER);
        /// The longest gradient; 0: as long as it is.
        clip: f32 = RelationSettings::default().clip, range(0.0, MAX_NUMBER);
        /// Pairs per step.
        batch: usize = RelationSettings::default().batch_size, range(1.0, MAX_NUMBER);
        /// The number of epochs.
        epochs: usize = RelationSettings::default().epochs, range(1.0, MAX_NUMBER);
        /// The seed of initial weights and shuffles.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 30.0, range(0.0, MAX_NUMBER);
    }
}

impl InferSentTraining {
    /// The settings of the training loop.
    pub(super) fn settings(&self) -> RelationSettings {
        let usual_rate = match self.optimizer {
            OptimizerName::Sgd => 0.1,
            OptimizerName::AdaGrad => 0.01,
            OptimizerName::Adam => 0.001,
        };
        RelationSettings {
            optimizer: OptimizerSettings {
                method: self.optimizer.method(),
                learning_rate: self.learning_rate.unwrap_or(usual_rate),
                weight_decay: self.weight_decay,
                ..RelationSettings::default().optimizer
            },
            epoch_decay: EpochDecay { decay: self.rate_decay, divisor: self.rate_divisor, lowest: self.lowest_rate },
            clip: self.clip,
            batch_size: self.batch,
            epochs: self.epochs,
            seed: self.seed,
        }
    }
}

impl Recipe for InferSentRecipe {
    usual_methods!(epochs in training);

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        super::train(self, files, progress)
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let what = "is empty: name files of pairs with entailment labels";
        SettingError::when(self.data.train.is_empty(), "[data] train", what)?;
        let settings = self.training.settings();
        let is_late = settings.optimizer.learning_rate < settings.epoch_decay.lowest;
        let what = "is above the learning rate: training would end before the first epoch";
        SettingError::when(is_late, "[training] lowest_rate", what)
    }
}
