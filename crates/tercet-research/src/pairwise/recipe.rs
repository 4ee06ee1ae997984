//! The recipe of a pairwise model, a TOML file. Everything but the data has a default, the papers' setting.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::error::Result;
use crate::learned::Feature;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{ModelOutput, RecipeKind, SettingError, Trained, WIDEST, named, one_of, range, settings};
use crate::spec::MAX_NUMBER;
use crate::warning::Warning;
use std::path::{Path, PathBuf};
use tercet_learn::loss::Kendall;
use tercet_learn::networks::{Activation, Architecture, Cost, Encoding, FineTuning, Gate, PairSettings};
use tercet_learn::optimizer::{Method, OptimizerSettings};
use tercet_learn::training::TrainingFiles;

/// The four metrics of the papers, with embedded resources only; options of BLEU and TER as they come closest to the papers' results.
pub const FOUR_METRICS: [&str; 4] = ["bleu:lowercase=yes", "nist", "ter:normalized=yes", "meteor"];

const KEYS: &str = include_str!("keys.toml");

settings! {
    /// The recipe of a pairwise model. All keys, with an example or their default:
    ///
    #[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
    pub struct Recipe {
        /// Judgements to learn from.
        data: Data = Data::default();
        /// Features and encoders.
        inputs: InputSources = InputSources::default();
        /// An encoder that is trained with the network.
        words: Option<WordRecipe> = None;
        /// The network.
        network: NetworkSizes = NetworkSizes::default();
        /// How the network is trained.
        training: Learning = Learning::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe
}

settings! {
    /// `[data]`: the judgements.
    pub struct Data {
        /// Folders or files of judgements to learn from.
        train: Vec<PathBuf> = Vec::new();
        /// Language pairs to learn from. Default: all.
        train_pairs: Vec<String> = Vec::new();
        /// How many judgements of each language pair to draw at random. Default: all.
        per_pair: Option<usize> = None;
        /// The development set: folders or files of judgements by which the best epoch is chosen.
        development: Vec<PathBuf> = Vec::new();
        /// Language pairs of the development set. Default: all.
        development_pairs: Vec<String> = Vec::new();
        /// How many judgements of the development set to draw at random from all language pairs together.
        development_size: usize = 5000;
        /// Further texts whose words get a vector.
        vocabulary: Vec<PathBuf> = Vec::new();
    }
}

settings! {
    /// `[inputs]`: features and encoders.
    pub struct InputSources {
        /// Metrics whose scores are features.
        metrics: Vec<String> = FOUR_METRICS.map(str::to_owned).to_vec();
        /// Metrics whose components are features.
        components: Vec<String> = Vec::new();
        /// Encoders whose sentence vectors are inputs.
        encoders: Vec<String> = Vec::new();
    }
}

impl InputSources {
    /// All features, scores first.
    pub(super) fn features(&self) -> Vec<Feature> {
        let scores = self.metrics.iter().map(|metric| Feature::score(metric));
        scores.chain(self.components.iter().map(|metric| Feature::components(metric))).collect()
    }
}

settings! {
    /// `[words]`: an encoder that is trained with the network.
    pub struct WordRecipe {
        /// The file of word vectors that training starts from.
        file: Option<PathBuf> = None;
        /// Instead of `file`: the dimension of random initial word vectors.
        dimension: Option<usize> = None, range(1.0, WIDEST);
        /// How the words of a sentence become one vector.
        encoding: String = "average".to_owned(), known_encoding();
        /// Units of an LSTM in each direction.
        units: usize = 50, range(1.0, WIDEST);
        /// The sigmoid of an LSTM's gates.
        gate: String = "hard".to_owned(), named::<Gate>();
        /// The number of filters of a convolution.
        filters: usize = 50, range(1.0, WIDEST);
        /// The number of words a filter covers.
        window | length: usize = 3, range(1.0, 1000.0);
        /// The number of positions that one maximum is taken over. Default: the whole sentence.
        pooling: Option<usize> = None, range(1.0, MAX_NUMBER);
        /// The activation function of a convolution.
        activation: String = "tanh".to_owned(), named::<Activation>();
        /// How far training may move the word vectors.
        fine_tuning: String = "full".to_owned(), named::<FineTuning>();
        /// Probability that a number of a word vector is dropped.
        embedding_dropout: f32 = 0.0, range(0.0, 0.99);
        /// Probability that a number of a sentence vector is dropped.
        hidden_dropout: f32 = 0.0, range(0.0, 0.99);
    }
}

/// `cnn` is another name of `convolution`.
fn known_encoding() -> impl Fn(&String) -> Result<(), String> {
    |name| if name == "cnn" { Ok(()) } else { one_of(["average", "convolution", "lstm", "bilstm"])(name) }
}

impl WordRecipe {
    /// The encoding with its settings.
    pub(super) fn encoding(&self) -> Result<Encoding> {
        let units = self.units;
        Ok(match self.encoding.as_str() {
            "lstm" => Encoding::Lstm { units, gate: self.gate.parse()? },
            "bilstm" => Encoding::BidirectionalLstm { units, gate: self.gate.parse()? },
            "convolution" | "cnn" => Encoding::Convolution {
                filters: self.filters,
                length: self.window,
                pooling: self.pooling,
                activation: self.activation.parse()?,
            },
            _ => Encoding::Average,
        })
    }

    /// How far training may move the word vectors.
    pub(super) fn fine_tuning(&self) -> Result<FineTuning> {
        Ok(self.fine_tuning.parse()?)
    }
}

settings! {
    /// `[network]`: the architecture of the network.
    pub struct NetworkSizes {
        /// The layers between the vectors and the output.
        architecture: String = Architecture::Groups.name().to_owned(), named::<Architecture>();
        /// Nodes of each group of the hidden layer.
        hidden: usize = 4, range(1.0, WIDEST);
    }
}

settings! {
    /// `[training]`: how the network is trained.
    pub struct Learning {
        /// The cost function.
        cost: String = COSTS[0].to_owned(), one_of(COSTS);
        /// γ of the Kendall cost.
        gamma: f64 = Kendall::default().gamma, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// β of the Kendall cost's term for ties; 0 leaves the term out.
        beta: f64 = Kendall::default().beta.unwrap_or(0.0), range(0.0, MAX_NUMBER);
        /// The weight of that term.
        tie_weight: f64 = Kendall::default().tie_weight, range(0.0, MAX_NUMBER);
        /// The optimizer.
        optimizer: String = Method::ADAGRAD.name().to_owned(), one_of(METHODS.map(|method| method.name()));
        /// The learning rate.
        learning_rate: f32 = OptimizerSettings::default().learning_rate, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The weight of the L2 penalty.
        weight_decay | decay: f32 = OptimizerSettings::default().weight_decay, range(0.0, MAX_NUMBER);
        /// Judgements of a batch.
        batch: usize = PairSettings::default().batch_size, range(1.0, MAX_NUMBER);
        /// The maximal number of epochs, for each cost.
        epochs: usize = PairSettings::default().epochs, range(1.0, MAX_NUMBER);
        /// Stop after this many epochs without a new best. Default: never.
        patience: Option<usize> = None, range(1.0, MAX_NUMBER);
        /// Whether every pair is learned in both orders.
        symmetric: bool = PairSettings::default().symmetric;
        /// The seed of samples, initial weights and shuffles.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 30.0, range(0.0, MAX_NUMBER);
    }
}

const COSTS: [&str; 3] = ["logistic", "kendall", "logistic-then-kendall"];

const METHODS: [Method; 3] = [Method::ADAGRAD, Method::ADAM, Method::Sgd];

impl Learning {
    /// The settings of the training loop.
    pub(super) fn settings(&self) -> Result<PairSettings> {
        let unknown =
            |key: &str, name: &str| SettingError::new("training", key, format!("cannot be {name:?}"));
        let beta = (self.beta != 0.0).then_some(self.beta);
        let kendall = Kendall { gamma: self.gamma, beta, tie_weight: self.tie_weight };
        let cost = match self.cost.as_str() {
            "logistic" => Cost::Logistic,
            "kendall" => Cost::Kendall(kendall),
            "logistic-then-kendall" => Cost::LogisticThenKendall(kendall),
            other => return Err(unknown("cost", other).into()),
        };
        let method = METHODS.into_iter().find(|method| method.name() == self.optimizer);
        let optimizer = OptimizerSettings {
            method: method.ok_or_else(|| unknown("optimizer", &self.optimizer))?,
            learning_rate: self.learning_rate,
            weight_decay: self.weight_decay,
            anchor_decay: self.weight_decay,
            ..OptimizerSettings::default()
        };
        Ok(PairSettings {
            cost,
            optimizer,
            batch_size: self.batch,
            epochs: self.epochs,
            patience: self.patience,
            symmetric: self.symmetric,
            seed: self.seed,
        })
    }
}

impl RecipeKind for Recipe {
    const NAME: &'static str = "pairwise";
    const TRAINS: &'static str =
        "the pairwise network of Guzmán et al.: which of two translations is better?";
    const KEYS: &'static str = KEYS;
    const MODEL_FILE: &'static str = "pairwise.safetensors";
    const IS_DEFAULT: bool = true;

    fn has_development(&self) -> bool {
        !self.data.development.is_empty()
    }

    fn train(&self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<Trained> {
        let model = super::train(self, files, registry, progress)?;
        let mut notes = model.notes().to_vec();
        notes.push(("asymmetry".to_owned(), format!("{:.4}", model.fitted().asymmetry())));
        Ok(Trained { hash: model.hash().to_owned(), notes })
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
        if self.words.as_ref().is_some_and(|words| words.file.is_some() == words.dimension.is_some()) {
            let what = "needs either file (vectors to start from) or dimension (of random ones)";
            return refuse("words", "", what);
        }
        if self.words.is_none() && !self.data.vocabulary.is_empty() {
            return refuse("data", "vocabulary", "has nothing to add to: there is no [words]");
        }
        if self.data.development.is_empty() && self.training.patience.is_some() {
            return refuse(
                "training",
                "patience",
                "needs [data] development, by which the best epoch is chosen",
            );
        }
        if self.inputs.features().is_empty() && self.inputs.encoders.is_empty() && self.words.is_none() {
            let what = "shows the network nothing: name metrics, components or encoders, or give [words]";
            return refuse("inputs", "", what);
        }
        Ok(())
    }
}

impl Recipe {
    /// All features; relative paths of metrics' files are in the folder of its data files.
    pub fn features(&self, registry: &Registry) -> Result<Vec<Feature>> {
        let placed = |feature: Feature| {
            Ok(feature.with_metric(registry.relative_to(feature.metric(), &self.origin.folder)?))
        };
        self.inputs.features().into_iter().map(placed).collect()
    }

    /// What the metrics that are features say of themselves. One that cannot be built is an error of the training.
    pub fn feature_warnings(&self, registry: &Registry) -> Vec<Warning> {
        let features = self.features(registry).unwrap_or_default();
        let built = features.iter().filter_map(|feature| registry.build(feature.metric()).ok());
        built.flat_map(|metric| metric.warnings()).collect()
    }

    /// A path of the recipe; relative paths are in the folder of its data files.
    pub(super) fn beside(&self, path: &Path) -> PathBuf {
        self.origin.folder.join(path)
    }
}

#[cfg(test)]
mod tests;
