//! The recipe of an InferSent model, a TOML file. Everything but the data and the word vectors has a default, the article's
//! setting.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::encode::recurrent::{WordCase, Words as SplitWords};
use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{
    MAX_NUMBER, ModelOutput, RecipeKind, SettingError, Trained, WIDEST, named, one_of, range, settings,
};
use crate::text::Tokenizer;
use std::path::{Path, PathBuf};
use tercet_learn::networks::{Activation, RelationSettings, RelationShape};
use tercet_learn::optimizer::{EpochDecay, Method, OptimizerSettings};
use tercet_learn::training::TrainingFiles;

const KEYS: &str = include_str!("keys.toml");

settings! {
    /// The recipe of an InferSent model. All keys, with an example or their default:
    ///
    #[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
    pub struct Recipe {
        /// Pairs of sentences with labels.
        data: Data = Data::default();
        /// Word vectors.
        words: Words;
        /// The network.
        network: NetworkSizes = NetworkSizes::default();
        /// How the network is trained.
        training: Learning = Learning::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe
}

settings! {
    /// `[data]`: files of pairs of sentences, or patterns of their names.
    pub struct Data {
        /// Pairs to learn from.
        train: Vec<PathBuf> = Vec::new();
        /// The development set, by which the best epoch is chosen.
        development: Vec<PathBuf> = Vec::new();
        /// Pairs that the trained model is tested on.
        test: Vec<PathBuf> = Vec::new();
    }
}

settings! {
    /// `[words]`: word vectors.
    pub struct Words {
        /// The file of word vectors.
        file: PathBuf;
        /// The tokenizer.
        tokenizer: String = SplitWords::default().tokenizer.name().to_owned(), known_tokenizer();
        /// How words are looked up.
        case: String = WordCase::default().name().to_owned(), one_of(WordCase::NAMES);
    }
}

/// The rule that a text is the name of a tokenizer.
fn known_tokenizer() -> impl Fn(&String) -> Result<(), String> {
    |name| Tokenizer::from_name(name).map(drop).map_err(|error| format!("cannot be used: {error}"))
}

impl Words {
    /// How lines become words.
    pub(super) fn split(&self) -> Result<SplitWords> {
        let case = WordCase::from_name(&self.case).unwrap_or_default();
        Ok(SplitWords { tokenizer: Tokenizer::from_name(&self.tokenizer)?, case })
    }
}

settings! {
    /// `[network]`: the sizes of the network.
    pub struct NetworkSizes {
        /// Units of the LSTM in each direction.
        units: usize = RelationShape::default().units, range(1.0, WIDEST);
        /// Units of a hidden layer.
        hidden: usize = RelationShape::default().hidden, range(1.0, WIDEST);
        /// Number of hidden layers.
        layers: usize = RelationShape::default().layers, range(0.0, 10.0);
        /// The nonlinearity of hidden layers.
        activation: String = RelationShape::default().activation.name().to_owned(), named::<Activation>();
    }
}

impl NetworkSizes {
    /// The shape of the network.
    pub(super) fn shape(&self, classes: usize) -> Result<RelationShape> {
        let NetworkSizes { units, hidden, layers, .. } = *self;
        Ok(RelationShape { units, hidden, layers, activation: self.activation.parse()?, classes })
    }
}

settings! {
    /// `[training]`: how the network is trained.
    pub struct Learning {
        /// The optimizer.
        optimizer: String = METHODS[0].0.name().to_owned(), one_of(METHODS.map(|(method, _)| method.name()));
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

/// Optimizers with their learning rates.
const METHODS: [(Method, f32); 3] = [(Method::Sgd, 0.1), (Method::ADAGRAD, 0.01), (Method::ADAM, 0.001)];

impl Learning {
    /// The settings of the training loop.
    pub(super) fn settings(&self) -> RelationSettings {
        let known = METHODS.into_iter().find(|(method, _)| method.name() == self.optimizer);
        let (method, usual_rate) = known.unwrap_or(METHODS[0]);
        RelationSettings {
            optimizer: OptimizerSettings {
                method,
                learning_rate: self.learning_rate.unwrap_or(usual_rate),
                weight_decay: self.weight_decay,
                ..RelationSettings::default().optimizer
            },
            epoch_decay: EpochDecay {
                decay: self.rate_decay,
                divisor: self.rate_divisor,
                lowest: self.lowest_rate,
            },
            clip: self.clip,
            batch_size: self.batch,
            epochs: self.epochs,
            seed: self.seed,
        }
    }
}

impl RecipeKind for Recipe {
    const NAME: &'static str = "infersent";
    const TRAINS: &'static str =
        "InferSent of Conneau et al.: sentence vectors, learned from pairs with entailment labels";
    const KEYS: &'static str = KEYS;
    const MODEL_FILE: &'static str = "infersent.safetensors";

    fn has_development(&self) -> bool {
        !self.data.development.is_empty()
    }

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<Trained> {
        super::train(self, files, progress)
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.training.seed
    }

    fn epochs(&mut self) -> Option<&mut usize> {
        Some(&mut self.training.epochs)
    }

    fn check_together(&self) -> Result<(), SettingError> {
        if self.data.train.is_empty() {
            return Err(SettingError::new(
                "data",
                "train",
                "is empty: name files of pairs with entailment labels",
            ));
        }
        let settings = self.training.settings();
        if settings.optimizer.learning_rate < settings.epoch_decay.lowest {
            let reason = "is above the learning rate: training would end before the first epoch";
            return Err(SettingError::new("training", "lowest_rate", reason));
        }
        Ok(())
    }
}

impl Recipe {
    /// A path of the recipe; relative paths are in the folder of its data files.
    pub(super) fn beside(&self, path: &Path) -> PathBuf {
        self.origin.folder.join(path)
    }
}
