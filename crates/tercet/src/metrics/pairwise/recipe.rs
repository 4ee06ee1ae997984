//! What a model is made of, in a TOML file. Everything has a default, which is the papers' setting, but the data.
//!
//! All keys are in `keys.toml`, which is on the page of [`Recipe`] and in the help of the command.
//!
//! Files that are not absolute are looked for beside the recipe. A key that is not known is an error.

use super::features::{FOUR_METRICS, Feature};
use crate::error::Result;
use crate::metrics::beside;
use crate::recipe::{self, Origin, Place, Refusal, Tables, in_range};
use crate::spec::LARGEST;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tercet_learn::activation::Activation;
use tercet_learn::layers::Gate;
use tercet_learn::loss::Kendall;
use tercet_learn::networks::{Architecture, Encoding, FineTuning};
use tercet_learn::optimizer::{Method, OptimizerSettings};
use tercet_learn::training::{Cost, TrainingSettings};

/// All keys, with what they mean.
pub const KEYS: &str = include_str!("keys.toml");

/// The model's name, if the recipe has none.
const FILE: &str = "pairwise.safetensors";

/// The whole file.
///
#[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// What is learned from.
    pub data: Data,
    /// What the network sees.
    pub inputs: Sources,
    /// An encoder that is learned with it.
    pub words: Option<WordRecipe>,
    /// Its shape.
    pub network: Shape,
    /// How it learns.
    pub training: Learning,
    /// Where it goes.
    pub model: Place,
    /// Where it comes from.
    #[serde(skip)]
    pub origin: Origin,
}

/// `[data]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// Judgements to learn from.
    pub train: Vec<PathBuf>,
    /// Language pairs of them.
    pub train_pairs: Vec<String>,
    /// Judgements per language pair.
    pub per_pair: Option<usize>,
    /// Judgements to choose an epoch by.
    pub development: Vec<PathBuf>,
    /// Language pairs of them.
    pub development_pairs: Vec<String>,
    /// Judgements in all.
    pub development_size: usize,
    /// Further texts for E.
    pub vocabulary: Vec<PathBuf>,
}

impl Default for Data {
    fn default() -> Self {
        Data {
            train: Vec::new(),
            train_pairs: Vec::new(),
            per_pair: None,
            development: Vec::new(),
            development_pairs: Vec::new(),
            development_size: 5000,
            vocabulary: Vec::new(),
        }
    }
}

/// `[inputs]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sources {
    /// Metrics whose scores are features.
    pub metrics: Vec<String>,
    /// Metrics whose components are features.
    pub components: Vec<String>,
    /// Encoders of sentences.
    pub encoders: Vec<String>,
}

impl Default for Sources {
    fn default() -> Self {
        let metrics = FOUR_METRICS.map(str::to_owned).to_vec();
        Sources { metrics, components: Vec::new(), encoders: Vec::new() }
    }
}

impl Sources {
    /// All features, scores first.
    pub fn features(&self) -> Vec<Feature> {
        let scores = self.metrics.iter().map(|metric| Feature::score(metric));
        scores.chain(self.components.iter().map(|metric| Feature::components(metric))).collect()
    }
}

/// `[words]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WordRecipe {
    /// The vectors E starts from.
    pub file: Option<PathBuf>,
    /// Dimensions of random ones.
    pub dimension: Option<usize>,
    /// How words become a vector.
    pub encoding: String,
    /// Of an LSTM, in each direction.
    pub units: usize,
    /// The sigmoid of its gates.
    pub gate: String,
    /// Of a convolution.
    pub filters: usize,
    /// Words under a filter.
    pub length: usize,
    /// Features under a maximum.
    pub pooling: Option<usize>,
    /// Of a convolution.
    pub activation: String,
    /// How far E may move.
    pub fine_tuning: String,
    /// Chance of an embedding unit to be dropped.
    pub embedding_dropout: f32,
    /// Chance of a unit of the sentence's vector to be dropped.
    pub hidden_dropout: f32,
}

impl Default for WordRecipe {
    fn default() -> Self {
        WordRecipe {
            file: None,
            dimension: None,
            encoding: "average".to_owned(),
            units: 50,
            gate: "hard".to_owned(),
            filters: 50,
            length: 3,
            pooling: None,
            activation: "tanh".to_owned(),
            fine_tuning: "full".to_owned(),
            embedding_dropout: 0.0,
            hidden_dropout: 0.0,
        }
    }
}

impl WordRecipe {
    /// The encoding that is meant.
    pub fn encoding(&self) -> Result<Encoding> {
        Ok(self.known_encoding()?)
    }

    fn known_encoding(&self) -> Result<Encoding, Refusal> {
        let units = self.units;
        Ok(match self.encoding.as_str() {
            "average" => Encoding::Average,
            "convolution" | "cnn" => Encoding::Convolution {
                filters: self.filters,
                length: self.length,
                pooling: self.pooling,
                activation: named("words", "activation", &self.activation)?,
            },
            "lstm" => Encoding::Lstm { units, gate: self.known_gate()? },
            "bilstm" => Encoding::BidirectionalLstm { units, gate: self.known_gate()? },
            other => {
                let expected = "average, convolution, lstm or bilstm";
                return Err(unknown_name("words", "encoding", other, expected));
            }
        })
    }

    /// Refuses what no encoding takes, whichever is meant.
    fn check(&self) -> Result<(), Refusal> {
        self.known_encoding()?;
        self.known_fine_tuning()?;
        self.known_gate()?;
        named::<Activation>("words", "activation", &self.activation)?;
        let sizes =
            [("units", Some(self.units)), ("filters", Some(self.filters)), ("length", Some(self.length))];
        let optional = [("pooling", self.pooling), ("dimension", self.dimension)];
        for (key, size) in sizes.into_iter().chain(optional) {
            in_range("words", key, size.unwrap_or(1) as f64, 1.0, LARGEST)?;
        }
        in_range("words", "embedding_dropout", self.embedding_dropout.into(), 0.0, 0.99)?;
        in_range("words", "hidden_dropout", self.hidden_dropout.into(), 0.0, 0.99)?;
        if self.file.is_some() == self.dimension.is_some() {
            let what = "needs either file (vectors to start from) or dimension (of random ones)";
            return Err(Refusal::new("words", "", what));
        }
        Ok(())
    }

    /// How far E may move.
    pub fn fine_tuning(&self) -> Result<FineTuning> {
        Ok(self.known_fine_tuning()?)
    }

    fn known_fine_tuning(&self) -> Result<FineTuning, Refusal> {
        named("words", "fine_tuning", &self.fine_tuning)
    }

    fn known_gate(&self) -> Result<Gate, Refusal> {
        named("words", "gate", &self.gate)
    }
}

/// `[network]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shape {
    /// What lies between the vectors and the output.
    pub architecture: String,
    /// Nodes per group.
    pub hidden: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { architecture: Architecture::Groups.name().to_owned(), hidden: 4 }
    }
}

/// `[training]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Learning {
    /// What is made small.
    pub cost: String,
    /// Of the Kendall cost.
    pub gamma: f64,
    /// Of the Kendall cost; 0 leaves its term for ties out.
    pub beta: f64,
    /// The weight of that term.
    pub tie_weight: f64,
    /// How parameters move.
    pub optimizer: String,
    /// η.
    pub learning_rate: f32,
    /// λ.
    pub decay: f32,
    /// Cases per step.
    pub batch: usize,
    /// At most, per cost.
    pub epochs: usize,
    /// Epochs without a new best.
    pub patience: Option<usize>,
    /// Every pair in both orders.
    pub symmetric: bool,
    /// Names the random streams.
    pub seed: u64,
    /// Seconds between checkpoints.
    pub checkpoint: f64,
}

impl Default for Learning {
    fn default() -> Self {
        let (settings, kendall) = (TrainingSettings::default(), Kendall::default());
        Learning {
            cost: "logistic".to_owned(),
            gamma: kendall.gamma,
            beta: kendall.beta.unwrap_or(0.0),
            tie_weight: kendall.tie_weight,
            optimizer: settings.optimizer.method.name().to_owned(),
            learning_rate: settings.optimizer.learning_rate,
            decay: settings.optimizer.weight_decay,
            batch: settings.batch_size,
            epochs: settings.epochs,
            patience: None,
            symmetric: settings.symmetric,
            seed: 1,
            checkpoint: 30.0,
        }
    }
}

impl Learning {
    /// Refuses numbers that cannot be meant.
    fn check(&self) -> Result<(), Refusal> {
        self.known_settings()?;
        in_range("training", "learning_rate", self.learning_rate.into(), f64::MIN_POSITIVE, LARGEST)?;
        in_range("training", "decay", self.decay.into(), 0.0, LARGEST)?;
        in_range("training", "gamma", self.gamma, f64::MIN_POSITIVE, LARGEST)?;
        in_range("training", "checkpoint", self.checkpoint, 0.0, LARGEST)?;
        in_range("training", "tie_weight", self.tie_weight, 0.0, LARGEST)?;
        in_range("training", "beta", self.beta, 0.0, LARGEST)?;
        in_range("training", "batch", self.batch as f64, 1.0, LARGEST)?;
        in_range("training", "epochs", self.epochs as f64, 1.0, LARGEST)?;
        in_range("training", "patience", self.patience.unwrap_or(1) as f64, 1.0, LARGEST)
    }

    /// Epochs of all costs together, at most.
    pub fn all_epochs(&self) -> Result<usize> {
        let costs = if let Cost::LogisticThenKendall(_) = self.known_settings()?.cost { 2 } else { 1 };
        Ok(costs * self.epochs)
    }

    /// The settings of the loop.
    pub fn settings(&self) -> Result<TrainingSettings> {
        Ok(self.known_settings()?)
    }

    fn known_settings(&self) -> Result<TrainingSettings, Refusal> {
        let kendall = Kendall {
            gamma: self.gamma,
            beta: (self.beta != 0.0).then_some(self.beta),
            tie_weight: self.tie_weight,
        };
        let cost = match self.cost.as_str() {
            "logistic" => Cost::Logistic,
            "kendall" => Cost::Kendall(kendall),
            "logistic-then-kendall" => Cost::LogisticThenKendall(kendall),
            other => {
                let expected = "logistic, kendall or logistic-then-kendall";
                return Err(unknown_name("training", "cost", other, expected));
            }
        };
        let known = [Method::ADAGRAD, Method::ADAM, Method::Sgd];
        let method = known
            .into_iter()
            .find(|method| method.name() == self.optimizer)
            .ok_or_else(|| unknown_name("training", "optimizer", &self.optimizer, "adagrad, adam or sgd"))?;
        let optimizer = OptimizerSettings {
            method,
            learning_rate: self.learning_rate,
            weight_decay: self.decay,
            anchor_decay: self.decay,
            ..OptimizerSettings::default()
        };
        Ok(TrainingSettings {
            cost,
            optimizer,
            batch_size: self.batch,
            epochs: self.epochs,
            patience: self.patience,
            symmetric: self.symmetric,
            seed: self.seed,
            checkpoint_every: 1,
        })
    }
}

/// What a name stands for in the networks.
fn named<T: FromStr<Err = tercet_learn::Error>>(table: &str, key: &str, name: &str) -> Result<T, Refusal> {
    name.parse().map_err(|error| match error {
        tercet_learn::Error::BadSetting { expected, .. } => unknown_name(table, key, name, &expected),
        other => Refusal::new(table, key, format!("cannot be taken: {other}")),
    })
}

fn unknown_name(table: &str, key: &str, found: &str, expected: &str) -> Refusal {
    Refusal::new(table, key, format!("cannot be {found:?}: expected {expected}"))
}

impl Tables for Recipe {
    fn checked(self, origin: Origin) -> Result<Self, Refusal> {
        self.check()?;
        Ok(Recipe { origin, ..self })
    }
}

impl Recipe {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        recipe::read(path, None)
    }

    /// Reads the text of a file in a folder.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        recipe::parse(text, folder)
    }

    /// Where the model goes.
    pub fn model_file(&self) -> PathBuf {
        self.beside(&self.model.or(FILE))
    }

    fn check(&self) -> Result<(), Refusal> {
        let refuse = |table: &str, key: &str, reason: &str| Err(Refusal::new(table, key, reason));
        if self.data.train.is_empty() {
            return refuse("data", "train", "is empty: name folders or files of judgements to learn from");
        }
        self.words.as_ref().map_or(Ok(()), WordRecipe::check)?;
        named::<Architecture>("network", "architecture", &self.network.architecture)?;
        in_range("network", "hidden", self.network.hidden as f64, 1.0, LARGEST)?;
        self.training.check()?;
        if self.words.is_none() && !self.data.vocabulary.is_empty() {
            let what = "has nothing to add to: there is no [words]";
            return refuse("data", "vocabulary", what);
        }
        if self.data.development.is_empty() && self.training.patience.is_some() {
            let what = "has nothing to be patient about: there is no [data] development";
            return refuse("training", "patience", what);
        }
        if self.inputs.features().is_empty() && self.inputs.encoders.is_empty() && self.words.is_none() {
            let what = "shows the network nothing: name metrics, components or encoders, or give [words]";
            return refuse("inputs", "", what);
        }
        Ok(())
    }

    /// All features, with files of metrics found beside the recipe.
    pub fn features(&self) -> Result<Vec<Feature>> {
        let placed =
            |feature: Feature| Ok(feature.with_metric(beside(feature.metric(), &self.origin.folder)?));
        self.inputs.features().into_iter().map(placed).collect()
    }

    /// A path of the recipe, found beside it.
    pub fn beside(&self, path: &Path) -> PathBuf {
        self.origin.folder.join(path)
    }
}

#[cfg(test)]
mod tests;
