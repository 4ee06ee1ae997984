//! What a model is made of, in a TOML file. Everything has a default, which is the papers' setting, but the data.
//!
//! ```toml
//! [data]
//! train = ["wmt13-rr"]              # folders or files of judgements, as `tercet correlate` reads them
//! train_pairs = ["cs-en", "de-en"]  # language pairs; all of them if not said
//! per_pair = 10000                  # judgements of each language pair, drawn at random; all if not said
//! development = ["wmt14-rr"]        # decides which epoch is kept; the last one if there is none
//! development_pairs = []
//! development_size = 5000           # judgements in all, drawn at random; 5,000 if not said
//! vocabulary = ["more.txt"]         # [words]: texts whose words get a place in E beside those of the data
//!
//! [inputs]
//! metrics = ["bleu:lowercase=yes", "nist", "ter:normalized=yes", "meteor"]    # ψ: scores; [] for none
//! components = ["bleu:lowercase=yes"]                                        # ψ: components in place of scores
//! encoders = ["average:file=glove.6B.50d.txt", "precomputed:file=syntax.tsv"] # x: sentence vectors
//!
//! [words]                           # an encoder that is learned with the network
//! file = "glove.6B.50d.txt"         # E starts from these vectors; or, at random, from
//! dimension = 50
//! encoding = "bilstm"               # average, convolution, lstm, bilstm
//! units = 50                        # of an LSTM, in each direction
//! gate = "hard"                     # sigmoid of its gates: hard (the paper's) or logistic
//! filters = 50                      # of a convolution
//! length = 3                        # words under a filter
//! pooling = 4                       # features under a maximum; the whole sentence if not said
//! activation = "tanh"               # of a convolution
//! fine_tuning = "full"              # none, moderate (keeps near the first vectors), full
//! embedding_dropout = 0.0
//! hidden_dropout = 0.0
//!
//! [network]
//! architecture = "groups"           # single (logistic regression), groups (h₁₂, h₁ᵣ, h₂ᵣ), full
//! hidden = 4                        # nodes per group
//!
//! [training]
//! cost = "logistic"                 # logistic, kendall, logistic-then-kendall
//! gamma = 100.0                     # of the Kendall cost
//! beta = 100.0
//! optimizer = "adagrad"             # adagrad, adam, sgd
//! learning_rate = 0.01
//! decay = 1e-4                      # λ of the L2 penalty
//! batch = 30
//! epochs = 10000
//! patience = 100                    # ends after so many epochs without a new best; never if not said
//! symmetric = true                  # every pair in both orders
//! seed = 1
//! checkpoint = 10                   # epochs between checkpoints
//!
//! [model]
//! file = "pairwise.safetensors"
//! ```
//!
//! Files that are not absolute are looked for beside the recipe. A key that is not known is an error.

use super::features::{FOUR_METRICS, Feature};
use crate::error::{Error, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use tercet_learn::loss::Kendall;
use tercet_learn::networks::{Architecture, Encoding, FineTuning};
use tercet_learn::optimizer::{Method, OptimizerSettings};
use tercet_learn::training::{Cost, TrainingSettings};

/// The whole file.
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
    /// The folder of the file.
    #[serde(skip)]
    pub folder: PathBuf,
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
        let units = self.units;
        Ok(match self.encoding.as_str() {
            "average" => Encoding::Average,
            "convolution" | "cnn" => Encoding::Convolution {
                filters: self.filters,
                length: self.length,
                pooling: self.pooling,
                activation: self.activation.parse()?,
            },
            "lstm" => Encoding::Lstm { units, gate: self.gate.parse()? },
            "bilstm" => Encoding::BidirectionalLstm { units, gate: self.gate.parse()? },
            other => {
                let expected = "average, convolution, lstm or bilstm";
                return Err(Error::BadRequest(format!("[words] encoding `{other}`: expected {expected}")));
            }
        })
    }

    /// How far E may move.
    pub fn fine_tuning(&self) -> Result<FineTuning> {
        Ok(self.fine_tuning.parse()?)
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
    /// Epochs between checkpoints; 0: none.
    pub checkpoint: usize,
}

impl Default for Learning {
    fn default() -> Self {
        let (settings, kendall) = (TrainingSettings::default(), Kendall::default());
        Learning {
            cost: "logistic".to_owned(),
            gamma: kendall.gamma,
            beta: kendall.beta.unwrap_or(0.0),
            optimizer: settings.optimizer.method.name().to_owned(),
            learning_rate: settings.optimizer.learning_rate,
            decay: settings.optimizer.weight_decay,
            batch: settings.batch_size,
            epochs: settings.epochs,
            patience: None,
            symmetric: settings.symmetric,
            seed: 1,
            checkpoint: 10,
        }
    }
}

impl Learning {
    /// The settings of the loop.
    pub fn settings(&self) -> Result<TrainingSettings> {
        let kendall = Kendall { gamma: self.gamma, beta: (self.beta != 0.0).then_some(self.beta) };
        let cost = match self.cost.as_str() {
            "logistic" => Cost::Logistic,
            "kendall" => Cost::Kendall(kendall),
            "logistic-then-kendall" => Cost::LogisticThenKendall(kendall),
            other => {
                let expected = "logistic, kendall or logistic-then-kendall";
                return Err(Error::BadRequest(format!("[training] cost `{other}`: expected {expected}")));
            }
        };
        let known = [Method::ADAGRAD, Method::ADAM, Method::Sgd];
        let method = known.into_iter().find(|method| method.name() == self.optimizer).ok_or_else(|| {
            let found = &self.optimizer;
            Error::BadRequest(format!("[training] optimizer `{found}`: expected adagrad, adam or sgd"))
        })?;
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
            checkpoint_every: self.checkpoint,
        })
    }
}

/// `[model]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
}

impl Default for Place {
    fn default() -> Self {
        Place { file: PathBuf::from("pairwise.safetensors") }
    }
}

impl Recipe {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::parse(&text, &folder).map_err(|error| Error::Unusable(format!("{}: {error}", path.display())))
    }

    /// Reads the text of a file in a folder.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        let mut recipe: Recipe =
            toml::from_str(text).map_err(|error| Error::Unusable(error.to_string().trim_end().to_owned()))?;
        recipe.folder = folder.to_owned();
        recipe.check()?;
        Ok(recipe)
    }

    fn check(&self) -> Result<()> {
        let refuse = |reason: &str| Err(Error::Unusable(reason.to_owned()));
        if self.data.train.is_empty() {
            return refuse("[data] train: expected folders or files of judgements to learn from, found none");
        }
        if let Some(words) = &self.words {
            words.encoding()?;
            words.fine_tuning()?;
            if words.file.is_some() == words.dimension.is_some() {
                return refuse(
                    "[words]: expected either file (vectors to start from) or dimension (of random ones)",
                );
            }
        }
        self.network.architecture.parse::<Architecture>()?;
        self.training.settings()?;
        if self.inputs.features().is_empty() && self.inputs.encoders.is_empty() && self.words.is_none() {
            return refuse(
                "there is nothing for the network to see: [inputs] metrics, components, encoders or [words]",
            );
        }
        Ok(())
    }

    /// A path of the recipe, found beside it.
    pub fn beside(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Recipe> {
        Recipe::parse(text, Path::new("here"))
    }

    #[test]
    fn the_defaults_are_the_papers() {
        let recipe = parse("[data]\ntrain = [\"wmt13-rr\"]").unwrap();
        assert_eq!(recipe.inputs.features().len(), 4);
        assert_eq!((recipe.network.architecture.as_str(), recipe.network.hidden), ("groups", 4));
        let settings = recipe.training.settings().unwrap();
        let papers = TrainingSettings { seed: 1, checkpoint_every: 10, ..TrainingSettings::default() };
        assert_eq!(settings, papers);
        assert_eq!(recipe.beside(&recipe.model.file), Path::new("here/pairwise.safetensors"));
    }

    #[test]
    fn the_example_in_the_documentation_is_a_recipe() {
        let lines = include_str!("recipe.rs").lines().map_while(|line| line.strip_prefix("//!"));
        let example: Vec<&str> =
            lines.map(str::trim_start).skip_while(|line| *line != "```toml").skip(1).collect();
        let example: Vec<&str> = example.into_iter().take_while(|line| *line != "```").collect();
        let text = example.join("\n").replace("dimension = 50\n", "");
        let recipe = parse(&text).unwrap();
        assert_eq!(recipe.inputs.encoders.len(), 2);
        assert_eq!(recipe.words.unwrap().encoding().unwrap().to_string(), "bilstm 50 hard");
        assert_eq!(recipe.training.patience, Some(100));
    }

    #[test]
    fn the_recipe_among_the_examples_is_the_papers() {
        let recipe = parse(include_str!("../../../../../examples/pairwise.toml")).unwrap();
        let settings = recipe.training.settings().unwrap();
        let papers = TrainingSettings {
            patience: Some(200),
            seed: 1,
            checkpoint_every: 10,
            ..TrainingSettings::default()
        };
        assert_eq!(settings, papers);
        assert_eq!(recipe.inputs.metrics, FOUR_METRICS);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let refused = |text: &str| parse(text).unwrap_err().to_string();
        assert!(refused("").contains("[data] train"));
        let data = "[data]\ntrain = [\"x\"]\n";
        assert!(refused(&format!("{data}[network]\nhiden = 3")).contains("unknown field `hiden`"));
        assert!(
            refused(&format!("{data}[network]\narchitecture = \"deep\"")).contains("single, groups or full")
        );
        assert!(refused(&format!("{data}[training]\ncost = \"hinge\"")).contains("[training] cost `hinge`"));
        assert!(refused(&format!("{data}[words]\nencoding = \"gru\"")).contains("[words] encoding `gru`"));
        assert!(refused(&format!("{data}[words]\nencoding = \"lstm\"")).contains("either file"));
        assert!(refused(&format!("{data}[inputs]\nmetrics = []")).contains("nothing for the network to see"));
    }
}
