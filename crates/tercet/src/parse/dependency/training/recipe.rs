//! What a parser is made of, in a TOML file. Everything has a default but the data.
//!
//! All keys are in `keys.toml`, which is on the page of [`Recipe`] and in the help of the command. A key that is not known
//! is an error. Files that are not absolute are looked for beside the recipe, or in the folder that is given with it.

use super::texts::TextEntry;
use super::treebanks::TreebankEntry;
use crate::error::Result;
use crate::parse::recipe_tables::{VocabularySize, most_of};
use crate::recipe::{self, LARGEST, Origin, Place, RecipeText, Refusal, Tables, entries, in_range};
use crate::text::Tokenizer;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// All keys, with what they mean.
pub const KEYS: &str = include_str!("keys.toml");

/// The only kind there is here.
const KIND: &str = "dependency";

/// The model's name, if the recipe has none.
const FILE: &str = "dependency.safetensors";

/// The whole file.
///
#[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// `dependency`.
    pub kind: String,
    /// What is learned from.
    pub data: Data,
    /// What a teacher labels.
    pub texts: Option<Texts>,
    /// Words that get a vector.
    #[serde(default)]
    pub vocabulary: VocabularySize,
    /// Its sizes.
    #[serde(default)]
    pub network: NetworkSizes,
    /// How it learns.
    #[serde(default)]
    pub training: Learning,
    /// Another parser that labels the texts.
    pub teacher: Option<Teacher>,
    /// Where it goes.
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
    /// Treebanks whose sentences must not be among the texts.
    #[serde(default, deserialize_with = "entries")]
    pub held_out: Vec<TreebankEntry>,
}

/// `[texts]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// Where they are.
    #[serde(deserialize_with = "entries")]
    pub files: Vec<TextEntry>,
    /// How many in all; all if not said.
    pub sentences: Option<usize>,
    /// Words of the shortest.
    #[serde(default = "shortest")]
    pub shortest: usize,
    /// Words of the longest.
    #[serde(default = "longest")]
    pub longest: usize,
    /// How lines become words.
    #[serde(default = "tokenizer")]
    pub tokenizer: String,
}

fn shortest() -> usize {
    3
}

fn longest() -> usize {
    60
}

fn tokenizer() -> String {
    "ud-en".to_owned()
}

/// `[network]`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSizes {
    /// Of a word's vector.
    pub width: usize,
    /// Of a recurrent layer, in each direction.
    pub units: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// Parts of speech are read off after this one, from 1.
    pub tag_layer: usize,
    /// Of the scorer of heads.
    pub arc: usize,
    /// Of the scorer of relations.
    pub label: usize,
    /// Of a character's vector.
    pub character_width: usize,
    /// Over characters.
    pub filters: usize,
    /// Characters under a filter.
    pub window: usize,
}

impl Default for NetworkSizes {
    fn default() -> Self {
        NetworkSizes {
            width: 128,
            units: 64,
            layers: 4,
            tag_layer: 2,
            arc: 64,
            label: 64,
            character_width: 24,
            filters: 128,
            window: 3,
        }
    }
}

/// `[training]`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Learning {
    /// Steps in all.
    pub steps: usize,
    /// Words in a batch.
    pub batch: usize,
    /// The highest.
    pub learning_rate: f32,
    /// Steps up to it; all of them if there are fewer and the recipe says nothing.
    pub warm_up: usize,
    /// λ, decoupled from the gradient.
    pub decay: f32,
    /// Of the gradient's norm.
    pub clip: f32,
    /// Chance of a unit to be dropped.
    pub dropout: f32,
    /// How readily a rare word is unknown.
    pub word_dropout: f32,
    /// Chance of a sentence to lose its capitals.
    pub lower_case: f32,
    /// Share of batches from treebanks.
    pub gold: f32,
    /// The last share of steps sees treebanks only.
    pub gold_only: f32,
    /// Steps between two scores on the development data.
    pub evaluate: usize,
    /// Names the random streams.
    pub seed: u64,
    /// Seconds between checkpoints.
    pub checkpoint: f64,
}

impl Default for Learning {
    fn default() -> Self {
        Learning {
            steps: 7760,
            batch: 4000,
            learning_rate: 2.5e-3,
            warm_up: 200,
            decay: 0.01,
            clip: 2.0,
            dropout: 0.1,
            word_dropout: 0.25,
            lower_case: 0.1,
            gold: 0.35,
            gold_only: 0.15,
            evaluate: 970,
            seed: 1,
            checkpoint: 30.0,
        }
    }
}

/// `[teacher]`: tables whose keys stand in for those of the model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Teacher {
    network: toml::Table,
    training: toml::Table,
}

/// The tables of a teacher by themselves, whose keys and types are checked before they are merged.
#[derive(Deserialize)]
struct TeacherTables {
    #[serde(default, rename = "teacher")]
    _teacher: TypedTeacher,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TypedTeacher {
    #[serde(rename = "network")]
    _network: NetworkSizes,
    #[serde(rename = "training")]
    _training: Learning,
}

/// Sizes and settings of one network.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its sizes.
    pub network: NetworkSizes,
    /// How it learns.
    pub training: Learning,
}

impl Tables for Recipe {
    fn checked(self, origin: Origin) -> Result<Self, Refusal> {
        let recipe = Recipe { origin, ..self };
        recipe.refusal()?;
        Ok(recipe)
    }

    fn check_text(text: RecipeText<'_>) -> Result<()> {
        text.settings::<TeacherTables>().map(|_| ())
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

    /// Refuses what cannot be meant; for those who change a recipe that was read.
    pub fn check(&self) -> Result<()> {
        self.refusal().map_err(|refusal| self.origin.refuse(refusal))
    }

    /// Where the model goes, beside the recipe.
    pub fn model_file(&self) -> PathBuf {
        self.model.or(FILE)
    }

    /// How the model is made.
    pub fn plan(&self) -> Plan {
        Plan { network: self.network.clone(), training: self.training.clone().within_steps() }
    }

    /// How the teacher is made: as the model, but for what `[teacher]` says. It sees treebanks only.
    pub fn teacher_plan(&self) -> Result<Option<Plan>> {
        self.plan_of_teacher().map_err(|refusal| self.origin.refuse(refusal))
    }

    fn plan_of_teacher(&self) -> Result<Option<Plan>, Refusal> {
        let Some(teacher) = &self.teacher else { return Ok(None) };
        let unreadable = |error: toml::de::Error| Refusal::new("teacher", "", error.message());
        // What is learned is not what is given as default, hence the whole tables of the recipe first.
        let whole: toml::Table = toml::from_str(&self.origin.text).map_err(unreadable)?;
        let merged = |key: &str, changes: &toml::Table| {
            let mut table = whole.get(key).and_then(toml::Value::as_table).cloned().unwrap_or_default();
            table.extend(changes.clone());
            table
        };
        let network = merged("network", &teacher.network).try_into().map_err(unreadable)?;
        let mut training: Learning = merged("training", &teacher.training).try_into().map_err(unreadable)?;
        training.seed = self.training.seed;
        let plan = Plan { network, training: training.clone().within_steps() };
        plan.check("teacher.network", "teacher.training")?;
        self.check_warm_up(&training, "teacher.training")?;
        Ok(Some(plan))
    }

    /// Refuses a warm-up that is written, in this table or for both in `[training]`, and longer than the training.
    fn check_warm_up(&self, learning: &Learning, table: &str) -> Result<(), Refusal> {
        let Learning { warm_up, steps, .. } = *learning;
        let refuse = |written: &str, what: String| Err(Refusal::new(written, "warm_up", what));
        let is_written = |table: &str| warm_up > steps && self.origin.says(table, "warm_up");
        if is_written(table) {
            let advice = format!("say {steps} at most, or leave it out");
            refuse(table, format!("cannot be {warm_up}: there are {steps} steps ({advice})"))
        } else if is_written("training") {
            let advice = format!("say {steps} at most in [{table}]");
            refuse(
                "training",
                format!("cannot be {warm_up} for the teacher: it has {steps} steps ({advice})"),
            )
        } else {
            Ok(())
        }
    }

    fn refusal(&self) -> Result<(), Refusal> {
        let bad = |table: &str, key: &str, what: String| Err(Refusal::new(table, key, what));
        if self.kind != KIND {
            return bad("", "kind", format!("cannot be \"{}\": expected {KIND}", self.kind));
        }
        if self.data.train.is_empty() {
            return bad("data", "train", "is empty: there is nothing to learn from".to_owned());
        }
        self.plan().check("network", "training")?;
        self.check_warm_up(&self.training, "training")?;
        self.plan_of_teacher()?;
        in_range("vocabulary", "words", self.vocabulary.words as f64, 0.0, 1e6)?;
        match (&self.texts, &self.teacher) {
            (Some(_), None) => bad("texts", "", "need a [teacher] that labels them".to_owned()),
            (None, Some(_)) => bad("teacher", "", "has nothing to label: there are no [texts]".to_owned()),
            (Some(texts), Some(_)) => texts.check(),
            (None, None) => Ok(()),
        }
    }
}

impl Learning {
    /// Nothing warms up for longer than it learns.
    fn within_steps(self) -> Self {
        Learning { warm_up: self.warm_up.min(self.steps), ..self }
    }
}

impl Texts {
    fn check(&self) -> Result<(), Refusal> {
        Tokenizer::from_name(&self.tokenizer)
            .map_err(|error| Refusal::new("texts", "tokenizer", format!("cannot be taken: {error}")))?;
        if self.files.is_empty() {
            return Err(Refusal::new("texts", "files", "is empty: name some"));
        }
        in_range("texts", "shortest", self.shortest as f64, 1.0, LARGEST)?;
        in_range("texts", "longest", self.longest as f64, self.shortest as f64, LARGEST)
    }
}

impl Plan {
    fn check(&self, network: &str, training: &str) -> Result<(), Refusal> {
        let NetworkSizes { width, units, layers, tag_layer, arc, label, character_width, filters, window } =
            self.network;
        let sizes = [
            ("width", width),
            ("units", units),
            ("layers", layers),
            ("tag_layer", tag_layer),
            ("arc", arc),
            ("label", label),
            ("character_width", character_width),
            ("filters", filters),
            ("window", window),
        ];
        for (key, size) in sizes {
            in_range(network, key, size as f64, 1.0, most_of(key))?;
        }
        in_range(network, "tag_layer", tag_layer as f64, 1.0, layers as f64)?;
        let learning = &self.training;
        in_range(training, "steps", learning.steps as f64, 1.0, LARGEST)?;
        in_range(training, "batch", learning.batch as f64, 1.0, LARGEST)?;
        in_range(training, "learning_rate", learning.learning_rate.into(), f64::MIN_POSITIVE, 1.0)?;
        in_range(training, "decay", learning.decay.into(), 0.0, 1.0)?;
        in_range(training, "clip", learning.clip.into(), f64::MIN_POSITIVE, LARGEST)?;
        in_range(training, "dropout", learning.dropout.into(), 0.0, 0.99)?;
        in_range(training, "word_dropout", learning.word_dropout.into(), 0.0, LARGEST)?;
        in_range(training, "lower_case", learning.lower_case.into(), 0.0, 1.0)?;
        in_range(training, "gold", learning.gold.into(), 0.0, 1.0)?;
        in_range(training, "gold_only", learning.gold_only.into(), 0.0, 1.0)?;
        in_range(training, "checkpoint", learning.checkpoint, 0.0, LARGEST)
    }
}

#[cfg(test)]
mod tests;
