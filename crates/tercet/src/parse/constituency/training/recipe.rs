//! What a constituency parser is made of, in a TOML file. Everything has a default but the data.
//!
//! All keys are in `keys.toml`, which is on the page of [`Recipe`] and in the help of the command. A key that is not known is an
//! error. Files that are not absolute are looked for beside the recipe, or in the folder that is given with it.

use super::network::span_settings;
use super::ranking::recursive_settings;
use super::treebank::TreebankEntry;
use crate::error::{Error, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// All keys, with what they mean.
pub const KEYS: &str = include_str!("keys.toml");

/// The kind of parser that these recipes make.
const KIND: &str = "constituency";

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
    /// The folder of the data.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The file as it is written, for the model to keep.
    #[serde(skip)]
    pub text: String,
}

/// `[data]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Treebanks to learn from.
    pub train: Vec<TreebankEntry>,
    /// Treebanks to score on.
    #[serde(default)]
    pub development: Vec<TreebankEntry>,
}

/// `[vocabulary]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VocabularySize {
    /// At most.
    pub words: usize,
    /// Occurrences.
    pub least: u64,
}

impl Default for VocabularySize {
    fn default() -> Self {
        VocabularySize { words: 16_000, least: 2 }
    }
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
    /// Steps until it is reached.
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

/// `[model]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Place {
    /// Beside the recipe.
    pub file: PathBuf,
}

impl Default for Place {
    fn default() -> Self {
        Place { file: PathBuf::from("constituency.safetensors") }
    }
}

impl Recipe {
    /// Reads a recipe; its data are in `data`, or beside it.
    pub fn read(path: &Path, data: Option<&Path>) -> Result<Self> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let folder = data.or(path.parent()).unwrap_or(Path::new("")).to_owned();
        Recipe::from_text(path, &text, folder)
    }

    /// A recipe in a text that was read from `path`.
    pub fn from_text(path: &Path, text: &str, folder: PathBuf) -> Result<Self> {
        let bad = |what: String| Error::BadRequest(format!("{}: {what}", path.display()));
        let mut recipe: Recipe = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        (recipe.folder, recipe.text) = (folder, text.to_owned());
        recipe.check().map_err(bad)?;
        Ok(recipe)
    }

    /// Refuses numbers that cannot be meant; sizes are the networks' own matter, before anything is trained.
    fn check(&self) -> Result<(), String> {
        self.check_choices()?;
        span_settings(self, 1).check().map_err(|error| format!("[training] {error}"))?;
        recursive_settings(self).check().map_err(|error| format!("[recursive] {error}"))
    }

    fn check_choices(&self) -> Result<(), String> {
        if self.kind != KIND {
            return Err(format!("kind is `{}`, expected `{KIND}`", self.kind));
        }
        if self.data.train.is_empty() {
            return Err("[data] train: expected at least one treebank".to_owned());
        }
        let (training, recursive, search) = (&self.training, &self.recursive, &self.search);
        for (name, count, most) in [
            ("[training] epochs", training.epochs, 10_000),
            ("[training] batch", training.batch, 1_000_000),
            ("[recursive] batch", recursive.batch, 1_000_000),
            ("[recursive] candidates", recursive.candidates, 1_000),
            ("[search] candidates", search.candidates, 1_000),
        ] {
            if !(1..=most).contains(&count) {
                return Err(format!("{name} is {count}, expected 1 to {most}"));
            }
        }
        if self.grammar.siblings > 3 {
            return Err(format!("[grammar] siblings is {}, expected 0 to 3", self.grammar.siblings));
        }
        for (name, value) in [
            ("[search] grammar_weight", search.grammar_weight),
            ("[search] label_margin", search.label_margin),
            ("[search] beam", search.beam),
        ] {
            if !(0.0..=1e6).contains(&value) {
                return Err(format!("{name} is {value}, expected a number from 0 to 1e6"));
            }
        }
        Ok(())
    }
}
