//! What a constituency parser is made of, in a TOML file. Everything has a default but the data.
//!
//! All keys are in `keys.toml`, which is on the page of [`Recipe`] and in the help of the command. A key that is not known is an
//! error. Files that are not absolute are looked for beside the recipe, or in the folder that is given with it.

use super::treebank::TreebankEntry;
use crate::error::Result;
use crate::parse::recipe_tables::{VocabularySize, most_of};
use crate::recipe::{self, LARGEST, Origin, Place, Refusal, Tables, entries, in_range};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// All keys, with what they mean.
pub const KEYS: &str = include_str!("keys.toml");

/// The kind of parser that these recipes make.
const KIND: &str = "constituency";

/// The model's name, if the recipe has none.
const FILE: &str = "constituency.safetensors";

/// The whole file.
///
#[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// `constituency`.
    pub kind: String,
    /// What is learned from.
    pub data: Data,
    /// Words that get a vector.
    #[serde(default)]
    pub vocabulary: VocabularySize,
    /// What symbols remember.
    #[serde(default)]
    pub grammar: GrammarMemory,
    /// The network of tags and spans.
    #[serde(default)]
    pub network: NetworkSizes,
    /// How it learns.
    #[serde(default)]
    pub training: Learning,
    /// The recursive network.
    #[serde(default)]
    pub recursive: RecursiveLearning,
    /// How trees are searched for.
    #[serde(default)]
    pub search: SearchSettings,
    /// Where the model goes.
    #[serde(default)]
    pub model: Place,
    /// Where it comes from.
    #[serde(skip)]
    pub origin: Origin,
}

/// `[data]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Treebanks to learn from.
    #[serde(deserialize_with = "entries")]
    pub train: Vec<TreebankEntry>,
    /// Treebanks to score on.
    #[serde(default, deserialize_with = "entries")]
    pub development: Vec<TreebankEntry>,
}

/// `[grammar]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GrammarMemory {
    /// Children before the rest of a phrase that it remembers.
    pub siblings: usize,
    /// Whether phrases remember the one above.
    pub parents: bool,
}

impl Default for GrammarMemory {
    fn default() -> Self {
        GrammarMemory { siblings: 1, parents: false }
    }
}

/// `[network]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSizes {
    /// Numbers per word.
    pub width: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Tags are told after so many.
    pub tag_layer: usize,
    /// Numbers by which the label of a span is found.
    pub hidden: usize,
    /// Numbers per character.
    pub character_width: usize,
    /// Filters over characters.
    pub filters: usize,
    /// Characters a filter sees.
    pub window: usize,
    /// Units dropped in training.
    pub dropout: f32,
}

impl Default for NetworkSizes {
    fn default() -> Self {
        NetworkSizes {
            width: 128,
            layers: 3,
            tag_layer: 2,
            hidden: 128,
            character_width: 24,
            filters: 128,
            window: 3,
            dropout: 0.3,
        }
    }
}

/// `[training]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Learning {
    /// Times that all sentences are seen.
    pub epochs: usize,
    /// Words of a batch, about.
    pub batch: usize,
    /// The highest learning rate.
    pub learning_rate: f32,
    /// Steps until it is reached; all of them if there are fewer.
    pub warm_up: u64,
    /// Weight decay.
    pub weight_decay: f32,
    /// The gradient is cut to this norm.
    pub clip: f32,
    /// What tags weigh beside labels.
    pub tag_weight: f32,
    /// Of everything random.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Self {
        Learning {
            epochs: 30,
            batch: 1500,
            learning_rate: 2.5e-3,
            warm_up: 200,
            weight_decay: 0.01,
            clip: 2.0,
            tag_weight: 1.0,
            seed: 1,
        }
    }
}

/// `[recursive]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecursiveLearning {
    /// A pair of categories with so many occurrences has its own weights.
    pub least: usize,
    /// Trees of each sentence to learn from.
    pub candidates: usize,
    /// Times that all sentences are seen.
    pub epochs: usize,
    /// Sentences of a batch.
    pub batch: usize,
    /// AdaGrad's.
    pub learning_rate: f32,
    /// Weight decay.
    pub weight_decay: f32,
    /// κ: by how much a wrong bracket should be behind.
    pub margin: f32,
}

impl Default for RecursiveLearning {
    fn default() -> Self {
        RecursiveLearning {
            least: 20,
            candidates: 12,
            epochs: 6,
            batch: 20,
            learning_rate: 0.02,
            weight_decay: 1e-4,
            margin: 0.1,
        }
    }
}

/// `[search]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// What the grammar weighs beside the network.
    pub grammar_weight: f32,
    /// A label that is so much less probable than none, in nats, is no candidate.
    pub label_margin: f32,
    /// A symbol that is so much worse than the best of its span is dropped.
    pub beam: f32,
    /// Trees that the recursive network chooses among.
    pub candidates: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings { grammar_weight: 0.4, label_margin: 6.0, beam: 12.0, candidates: 16 }
    }
}

impl Tables for Recipe {
    fn checked(self, origin: Origin) -> Result<Self, Refusal> {
        self.check()?;
        Ok(Recipe { origin, ..self })
    }
}

impl Recipe {
    /// Reads a file; what it names lies in `data`, or beside it.
    pub fn read(path: &Path, data: Option<&Path>) -> Result<Self> {
        recipe::read(path, data)
    }

    /// A recipe in a text; what it names lies in `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        recipe::parse(text, folder)
    }

    /// Where the model goes, beside the recipe.
    pub fn model_file(&self) -> PathBuf {
        self.model.or(FILE)
    }

    /// Refuses what cannot be meant, before anything is read or trained.
    fn check(&self) -> Result<(), Refusal> {
        if self.kind != KIND {
            let what = format!("cannot be \"{}\": expected {KIND}", self.kind);
            return Err(Refusal::new("", "kind", what));
        }
        if self.data.train.is_empty() {
            return Err(Refusal::new("data", "train", "is empty: there is nothing to learn from"));
        }
        in_range("vocabulary", "words", self.vocabulary.words as f64, 0.0, 1e6)?;
        in_range("grammar", "siblings", self.grammar.siblings as f64, 0.0, 3.0)?;
        self.network.check()?;
        self.training.check()?;
        self.recursive.check()?;
        self.search.check()
    }
}

impl NetworkSizes {
    fn check(&self) -> Result<(), Refusal> {
        for (key, size) in [
            ("width", self.width),
            ("layers", self.layers),
            ("tag_layer", self.tag_layer),
            ("hidden", self.hidden),
            ("character_width", self.character_width),
            ("filters", self.filters),
            ("window", self.window),
        ] {
            in_range("network", key, size as f64, 1.0, most_of(key))?;
        }
        in_range("network", "tag_layer", self.tag_layer as f64, 1.0, self.layers as f64)?;
        in_range("network", "dropout", self.dropout.into(), 0.0, 0.99)
    }
}

impl Learning {
    fn check(&self) -> Result<(), Refusal> {
        in_range("training", "epochs", self.epochs as f64, 1.0, 10_000.0)?;
        in_range("training", "batch", self.batch as f64, 1.0, 1e6)?;
        in_range("training", "learning_rate", self.learning_rate.into(), f64::MIN_POSITIVE, 1.0)?;
        in_range("training", "weight_decay", self.weight_decay.into(), 0.0, 1.0)?;
        in_range("training", "clip", self.clip.into(), 0.0, LARGEST)?;
        in_range("training", "tag_weight", self.tag_weight.into(), 0.0, LARGEST)
    }
}

impl RecursiveLearning {
    fn check(&self) -> Result<(), Refusal> {
        in_range("recursive", "epochs", self.epochs as f64, 0.0, 10_000.0)?;
        in_range("recursive", "batch", self.batch as f64, 1.0, 1e6)?;
        in_range("recursive", "candidates", self.candidates as f64, 1.0, 1_000.0)?;
        in_range("recursive", "learning_rate", self.learning_rate.into(), f64::MIN_POSITIVE, LARGEST)?;
        in_range("recursive", "weight_decay", self.weight_decay.into(), 0.0, LARGEST)?;
        in_range("recursive", "margin", self.margin.into(), 0.0, LARGEST)
    }
}

impl SearchSettings {
    fn check(&self) -> Result<(), Refusal> {
        in_range("search", "candidates", self.candidates as f64, 1.0, 1_000.0)?;
        in_range("search", "grammar_weight", self.grammar_weight.into(), 0.0, 1e6)?;
        in_range("search", "label_margin", self.label_margin.into(), 0.0, 1e6)?;
        in_range("search", "beam", self.beam.into(), 0.0, 1e6)
    }
}
