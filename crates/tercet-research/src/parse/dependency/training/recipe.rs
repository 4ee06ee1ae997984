//! The recipe of a dependency parser, a TOML file. Everything but the data has a default.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use super::texts::TextEntry;
use super::treebanks::TreebankEntry;
use crate::error::Result;
use crate::metrics::Registry;
use crate::parse::recipe_tables::{VocabularySize, check_tag_layer};
use crate::progress::Progress;
use crate::recipe::{
    MAX_NUMBER, MAX_WIDTH, ModelOutput, ModelRecord, Recipe, RecipeTable, Setting, SettingError, range, settings,
    usual_methods,
};
use crate::text::Tokenizer;
use tercet_learn::networks::{MAX_LAYERS, MAX_WINDOW};
use tercet_learn::training::TrainingFiles;

settings! {
    /// The recipe of a dependency parser.
    pub struct DependencyRecipe {
        /// Treebanks to learn from.
        data: DependencyData;
        /// Texts that the teacher labels.
        texts: Option<Texts> = None;
        /// Words that get a vector.
        vocabulary: VocabularySize = VocabularySize::default();
        /// The sizes of the network.
        network: DependencyNetwork = DependencyNetwork::default();
        /// How the network is trained.
        training: DependencyTraining = DependencyTraining::default();
        /// Another parser that labels the texts. In a file, keys that are not written are those of the model.
        teacher: Option<NetworkPlan> = None;
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "dependency", "a dependency parser, from treebanks in CoNLL-U"

    /// `[data]`: the treebanks.
    pub struct DependencyData {
        /// Treebanks to learn from.
        train: Vec<TreebankEntry>;
        /// The development set: scored during and after training.
        development: Vec<TreebankEntry> = Vec::new();
        /// Treebanks whose sentences are left out of the texts, such as test sets.
        held_out: Vec<TreebankEntry> = Vec::new();
    }

    /// `[texts]`: sentences that the teacher labels.
    pub struct Texts {
        /// Files of sentences.
        files: Vec<TextEntry>;
        /// How many sentences to draw at random from all files together. Default: all.
        sentences: Option<usize> = None;
        /// Words of the shortest sentence that is taken.
        shortest: usize = 3, range(1.0, MAX_NUMBER);
        /// Words of the longest sentence that is taken.
        longest: usize = 60, range(1.0, MAX_NUMBER);
        /// The tokenizer that splits lines into words.
        tokenizer: Tokenizer = Tokenizer::UdEnglish;
    }

    /// `[network]`: the sizes of the network.
    #[derive(PartialEq, Eq)]
    pub struct DependencyNetwork {
        /// The width of a word vector.
        width: usize = 128, range(1.0, MAX_WIDTH);
        /// Units of a recurrent layer in each direction.
        units: usize = 64, range(1.0, MAX_WIDTH);
        /// Recurrent layers.
        layers: usize = 4, range(1.0, MAX_LAYERS as f64);
        /// The layer after which parts of speech are predicted, from 1.
        tag_layer: usize = 2, range(1.0, MAX_WIDTH);
        /// The width of the layer that scores heads.
        arc: usize = 64, range(1.0, MAX_WIDTH);
        /// The width of the layer that scores relations.
        label: usize = 64, range(1.0, MAX_WIDTH);
        /// The width of a character vector.
        character_width: usize = 24, range(1.0, MAX_WIDTH);
        /// The number of convolution filters over characters.
        filters: usize = 128, range(1.0, MAX_WIDTH);
        /// The number of characters a filter covers.
        window: usize = 3, range(1.0, MAX_WINDOW as f64);
    }

    /// `[training]`: how the network is trained.
    #[derive(PartialEq)]
    pub struct DependencyTraining {
        /// The number of training steps.
        steps: usize = 7760, range(1.0, MAX_NUMBER);
        /// Words of a batch.
        batch: usize = 4000, range(1.0, MAX_NUMBER);
        /// The highest learning rate.
        learning_rate: f32 = 2.5e-3, range(f64::MIN_POSITIVE, 1.0);
        /// Steps until the highest learning rate is reached. The default is shortened to `steps` if that is less.
        warm_up: usize = 200;
        /// Weight decay, decoupled from the gradient.
        weight_decay | decay: f32 = 0.01, range(0.0, 1.0);
        /// Gradients are scaled down to this norm.
        clip: f32 = 2.0, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// Probability that a unit is dropped.
        dropout: f32 = 0.1, range(0.0, 0.99);
        /// a: a word that occurs n times is treated as unknown with probability a / (a + n) + 0.02.
        word_dropout: f32 = 0.25, range(0.0, MAX_NUMBER);
        /// Probability that a sentence is lowercased.
        lower_case: f32 = 0.1, range(0.0, 1.0);
        /// The share of batches from treebanks.
        gold: f32 = 0.35, range(0.0, 1.0);
        /// The share of steps at the end of training with batches from treebanks only.
        gold_only: f32 = 0.15, range(0.0, 1.0);
        /// Steps between two evaluations on the development set; 0 for one at the end only.
        evaluate: usize = 970;
        /// The seed of samples, initial weights and batches.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 30.0, range(0.0, MAX_NUMBER);
    }

    /// Sizes and settings of one network: the model, or `[teacher]`.
    #[derive(PartialEq)]
    pub struct NetworkPlan {
        /// The sizes of the network.
        network: DependencyNetwork = DependencyNetwork::default();
        /// How the network is trained.
        training: DependencyTraining = DependencyTraining::default();
    }
}

impl Recipe for DependencyRecipe {
    usual_methods!(steps in training);

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        Ok(super::train(self, files, progress)?.record().clone())
    }

    fn read_inherited(&mut self, table: &RecipeTable<'_>) -> Result<()> {
        let model = NetworkPlan { network: self.network.clone(), training: self.training.clone() };
        self.teacher = table.value(&["teacher"])?.map(|teacher| NetworkPlan::read(model, &teacher)).transpose()?;
        Ok(())
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let what = "is empty: there is nothing to learn from";
        SettingError::when(self.data.train.is_empty(), "[data] train", what)?;
        self.check_plan(&self.network, &self.training, "")?;
        if let Some(teacher) = &self.teacher {
            self.check_plan(&teacher.network, &teacher.training, "teacher.")?;
        }
        let (has_texts, has_teacher) = (self.texts.is_some(), self.teacher.is_some());
        SettingError::when(has_texts && !has_teacher, "[texts]", "need a [teacher] that labels them")?;
        let what = "has nothing to label: there are no [texts]";
        SettingError::when(has_teacher && !has_texts, "[teacher]", what)?;
        self.texts.as_ref().map_or(Ok(()), Texts::check_together)
    }
}

impl DependencyRecipe {
    /// Sizes and training settings of the model.
    pub(super) fn plan(&self) -> NetworkPlan {
        NetworkPlan { network: self.network.clone(), training: self.training.clone().within_steps() }
    }

    /// Sizes and training settings of the teacher, which has the model's seed and learns from treebanks only.
    pub(super) fn teacher_plan(&self) -> Option<NetworkPlan> {
        let seed = self.training.seed;
        let teacher = self.teacher.clone()?;
        let training = DependencyTraining { seed, ..teacher.training.within_steps() };
        Some(NetworkPlan { training, ..teacher })
    }

    /// Returns an error if there is no layer `tag_layer`, or if a `warm_up` that the recipe sets is longer than the
    /// training. `parent` is the table around those of the teacher, which may inherit `warm_up` from the model.
    fn check_plan(
        &self,
        network: &DependencyNetwork,
        learning: &DependencyTraining,
        parent: &str,
    ) -> Result<(), SettingError> {
        check_tag_layer(network.tag_layer, network.layers, &format!("{parent}network"))?;
        let DependencyTraining { warm_up, steps, .. } = *learning;
        let table = format!("{parent}training");
        let refuse = |written: &str, what: String| Err(SettingError::new(written, "warm_up", what));
        if warm_up <= steps {
            Ok(())
        } else if self.origin.has(&table, "warm_up") {
            let advice = format!("set it to {steps} at most, or leave it out");
            refuse(&table, format!("cannot be {warm_up}: there are {steps} steps ({advice})"))
        } else if self.origin.has("training", "warm_up") {
            let advice = format!("set it to {steps} at most in [{table}]");
            refuse("training", format!("cannot be {warm_up} for the teacher: it has {steps} steps ({advice})"))
        } else {
            Ok(())
        }
    }
}

impl DependencyTraining {
    /// The same settings with `warm_up` shortened to `steps`.
    fn within_steps(self) -> Self {
        DependencyTraining { warm_up: self.warm_up.min(self.steps), ..self }
    }
}

impl Texts {
    fn check_together(&self) -> Result<(), SettingError> {
        SettingError::when(self.files.is_empty(), "[texts] files", "is empty: name some")?;
        let longest = range(self.shortest as f64, MAX_NUMBER)(&self.longest);
        longest.map_err(|what| SettingError::new("texts", "longest", what))
    }
}

#[cfg(test)]
mod tests;
