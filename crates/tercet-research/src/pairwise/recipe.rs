//! The recipe of a pairwise model, a TOML file. Everything but the data has a default, the papers' setting.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::error::Result;
use crate::learned::{FeatureInputs, OptimizerName};
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{
    MAX_NUMBER, MAX_WIDTH, ModelOutput, ModelRecord, Recipe, SettingError, range, setting_by_name, settings,
    usual_methods,
};
use crate::warning::Warning;
use std::path::PathBuf;
use tercet_learn::loss::Kendall;
use tercet_learn::networks::{Activation, Architecture, Cost, Encoding, FineTuning, Gate, PairSettings};
use tercet_learn::optimizer::OptimizerSettings;
use tercet_learn::training::TrainingFiles;

/// The four metrics of the papers, with embedded resources only; options of BLEU and TER as they come closest to the
/// papers' results.
pub const FOUR_METRICS: [&str; 4] = ["bleu:lowercase=yes", "nist", "ter:normalized=yes", "meteor"];

settings! {
    /// The recipe of a pairwise model.
    pub struct PairwiseRecipe {
        /// Judgements to learn from.
        data: PairwiseData = PairwiseData::default();
        /// Features and encoders.
        inputs: FeatureInputs = FeatureInputs {
            metrics: FOUR_METRICS.map(str::to_owned).to_vec(),
            ..FeatureInputs::default()
        };
        /// An encoder that is trained with the network.
        words: Option<WordEncoder> = None;
        /// The network.
        network: PairwiseNetwork = PairwiseNetwork::default();
        /// How the network is trained.
        training: PairwiseTraining = PairwiseTraining::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "pairwise", "the pairwise network of Guzmán et al.: which of two translations is better?"

    /// `[data]`: the judgements.
    pub struct PairwiseData {
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

    /// `[words]`: an encoder that is trained with the network.
    pub struct WordEncoder {
        /// The file of word vectors that training starts from.
        file: Option<PathBuf> = None;
        /// Instead of `file`: the dimension of random initial word vectors.
        dimension: Option<usize> = None, range(1.0, MAX_WIDTH);
        /// How the words of a sentence become one vector.
        encoding: WordEncoding = WordEncoding::Average;
        /// Units of an LSTM in each direction.
        units: usize = 50, range(1.0, MAX_WIDTH);
        /// The sigmoid of an LSTM's gates.
        gate: Gate = Gate::Hard;
        /// The number of filters of a convolution.
        filters: usize = 50, range(1.0, MAX_WIDTH);
        /// The number of words a filter covers.
        window | length: usize = 3, range(1.0, 1000.0);
        /// The number of positions that one maximum is taken over. Default: the whole sentence.
        pooling: Option<usize> = None, range(1.0, MAX_NUMBER);
        /// The activation function of a convolution.
        activation: Activation = Activation::Tanh;
        /// How far training may move the word vectors.
        fine_tuning: FineTuning = FineTuning::Full;
        /// Probability that a number of a word vector is dropped.
        embedding_dropout: f32 = 0.0, range(0.0, 0.99);
        /// Probability that a number of a sentence vector is dropped.
        hidden_dropout: f32 = 0.0, range(0.0, 0.99);
    }
}

tercet_base::choices! {
    /// How the words of a sentence become one vector.
    pub enum WordEncoding: "encoding" = Average {
        /// Their average.
        Average = "average",
        /// A convolution.
        Convolution = "convolution" | "cnn",
        /// An LSTM.
        Lstm = "lstm",
        /// An LSTM in each direction.
        BidirectionalLstm = "bilstm",
    }
}

impl WordEncoder {
    /// The encoding with its settings.
    pub(super) fn encoding(&self) -> Encoding {
        let (units, gate) = (self.units, self.gate);
        match self.encoding {
            WordEncoding::Average => Encoding::Average,
            WordEncoding::Lstm => Encoding::Lstm { units, gate },
            WordEncoding::BidirectionalLstm => Encoding::BidirectionalLstm { units, gate },
            WordEncoding::Convolution => Encoding::Convolution {
                filters: self.filters,
                length: self.window,
                pooling: self.pooling,
                activation: self.activation,
            },
        }
    }
}

settings! {
    /// `[network]`: the architecture of the network.
    pub struct PairwiseNetwork {
        /// The layers between the vectors and the output.
        architecture: Architecture = Architecture::Groups;
        /// Nodes of each group of the hidden layer.
        hidden: usize = 4, range(1.0, MAX_WIDTH);
    }
}

settings! {
    /// `[training]`: how the network is trained.
    pub struct PairwiseTraining {
        /// The cost function.
        cost: PairCost = PairCost::Logistic;
        /// γ of the Kendall cost.
        gamma: f64 = Kendall::default().gamma, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// β of the Kendall cost's term for ties; 0 leaves the term out.
        beta: f64 = Kendall::default().beta.unwrap_or(0.0), range(0.0, MAX_NUMBER);
        /// The weight of that term.
        tie_weight: f64 = Kendall::default().tie_weight, range(0.0, MAX_NUMBER);
        /// The optimizer.
        optimizer: OptimizerName = OptimizerName::AdaGrad;
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

tercet_base::choices! {
    /// The cost function.
    pub enum PairCost: "cost" = Logistic {
        /// The logistic loss.
        Logistic = "logistic",
        /// The Kendall loss.
        Kendall = "kendall",
        /// The logistic loss, then from its best epoch the Kendall loss.
        LogisticThenKendall = "logistic-then-kendall",
    }
}

setting_by_name!(WordEncoding, PairCost);

impl PairwiseTraining {
    /// The settings of the training loop.
    pub(super) fn settings(&self) -> PairSettings {
        let beta = (self.beta != 0.0).then_some(self.beta);
        let kendall = Kendall { gamma: self.gamma, beta, tie_weight: self.tie_weight };
        PairSettings {
            cost: match self.cost {
                PairCost::Logistic => Cost::Logistic,
                PairCost::Kendall => Cost::Kendall(kendall),
                PairCost::LogisticThenKendall => Cost::LogisticThenKendall(kendall),
            },
            optimizer: OptimizerSettings {
                method: self.optimizer.method(),
                learning_rate: self.learning_rate,
                weight_decay: self.weight_decay,
                anchor_decay: self.weight_decay,
                ..OptimizerSettings::default()
            },
            batch_size: self.batch,
            epochs: self.epochs,
            patience: self.patience,
            symmetric: self.symmetric,
            seed: self.seed,
        }
    }
}

impl Recipe for PairwiseRecipe {
    usual_methods!(epochs in training);

    fn train(&self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        let model = super::train(self, files, registry, progress)?;
        let mut record = model.record().clone();
        record.set_note("asymmetry", format!("{:.4}", model.fitted().asymmetry()));
        Ok(record)
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let (data, words) = (&self.data, self.words.as_ref());
        let what = "is empty: name folders or files of judgements to learn from";
        SettingError::when(data.train.is_empty(), "[data] train", what)?;
        let has_no_start = words.is_some_and(|words| words.file.is_some() == words.dimension.is_some());
        let what = "needs either file (vectors to start from) or dimension (of random ones)";
        SettingError::when(has_no_start, "[words]", what)?;
        let is_unused = words.is_none() && !data.vocabulary.is_empty();
        SettingError::when(is_unused, "[data] vocabulary", "has nothing to add to: there is no [words]")?;
        let is_unused = data.development.is_empty() && self.training.patience.is_some();
        let what = "needs [data] development, by which the best epoch is chosen";
        SettingError::when(is_unused, "[training] patience", what)?;
        let what = "shows the network nothing: name metrics, components or encoders, or give [words]";
        SettingError::when(self.inputs.is_empty() && words.is_none(), "[inputs]", what)
    }
}

impl PairwiseRecipe {
    /// What the metrics that are features say of themselves. One that cannot be built is an error of the training.
    pub fn feature_warnings(&self, registry: &Registry) -> Vec<Warning> {
        let features = self.inputs.features(&self.origin.folder, registry).unwrap_or_default();
        let built = features.iter().filter_map(|feature| registry.build(feature.metric()).ok());
        built.flat_map(|metric| metric.warnings()).collect()
    }
}

#[cfg(test)]
mod tests;
