//! The recipe of a constituency parser, a TOML file. Everything but the data has a default.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use super::treebank::TreebankEntry;
use crate::error::Result;
use crate::metrics::Registry;
use crate::parse::recipe_tables::{VocabularySize, check_tag_layer};
use crate::progress::Progress;
use crate::recipe::{MAX_NUMBER, MAX_WIDTH, ModelOutput, ModelRecord, Recipe, SettingError, range, settings};
use tercet_learn::networks::{MAX_LAYERS, MAX_WINDOW};
use tercet_learn::training::TrainingFiles;

settings! {
    /// The recipe of a constituency parser.
    pub struct ConstituencyRecipe {
        /// Treebanks to learn from.
        data: ConstituencyData;
        /// Words that get a vector.
        vocabulary: VocabularySize = VocabularySize::default();
        /// The context in the symbols of the grammar.
        grammar: GrammarMemory = GrammarMemory::default();
        /// The network of tags and spans.
        network: SpanNetworkSizes = SpanNetworkSizes::default();
        /// The training of that network.
        training: SpanTraining = SpanTraining::default();
        /// The recursive network and its training.
        recursive: RecursiveTraining = RecursiveTraining::default();
        /// The search for trees.
        search: SearchSettings = SearchSettings::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "constituency", "a constituency parser, from bracketed trees"
}

settings! {
    /// `[data]`: the treebanks.
    pub struct ConstituencyData {
        /// Treebanks to learn from.
        train: Vec<TreebankEntry>;
        /// The development set: scored after training.
        development: Vec<TreebankEntry> = Vec::new();
    }
}

settings! {
    /// `[grammar]`: the context in the symbols of the grammar.
    pub struct GrammarMemory {
        /// How many children before a partial phrase are part of its symbol (horizontal Markovization).
        siblings: usize = 1, range(0.0, 3.0);
        /// Whether the symbol of a phrase has the category of its parent.
        parents: bool = false;
    }
}

settings! {
    /// `[network]`: the network of tags and spans.
    pub struct SpanNetworkSizes {
        /// The width of a word vector and of the recurrent layers.
        width: usize = 128, range(1.0, MAX_WIDTH);
        /// Recurrent layers.
        layers: usize = 3, range(1.0, MAX_LAYERS as f64);
        /// The layer after which tags are predicted, from 1.
        tag_layer: usize = 2, range(1.0, MAX_WIDTH);
        /// The width of the hidden layer that predicts labels of spans.
        hidden: usize = 128, range(1.0, MAX_WIDTH);
        /// The width of a character vector.
        character_width: usize = 24, range(1.0, MAX_WIDTH);
        /// The number of convolution filters over characters.
        filters: usize = 128, range(1.0, MAX_WIDTH);
        /// The number of characters a filter covers.
        window: usize = 3, range(1.0, MAX_WINDOW as f64);
        /// Probability that a unit is dropped in training.
        dropout: f32 = 0.3, range(0.0, 0.99);
    }
}

settings! {
    /// `[training]`: the training of the network of tags and spans.
    pub struct SpanTraining {
        /// Epochs.
        epochs: usize = 30, range(1.0, 10_000.0);
        /// Words of a batch, approximately.
        batch: usize = 1500, range(1.0, 1e6);
        /// The highest learning rate.
        learning_rate: f32 = 2.5e-3, range(f64::MIN_POSITIVE, 1.0);
        /// Steps until the highest learning rate is reached, at most all steps.
        warm_up: u64 = 200;
        /// Weight decay, decoupled from the gradient.
        weight_decay: f32 = 0.01, range(0.0, 1.0);
        /// Gradients are scaled down to this norm; 0 for no limit.
        clip: f32 = 2.0, range(0.0, MAX_NUMBER);
        /// The weight of the loss of tags; the loss of labels has weight 1.
        tag_weight: f32 = 1.0, range(0.0, MAX_NUMBER);
        /// The seed of initial weights and batches.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 30.0, range(0.0, MAX_NUMBER);
    }
}

settings! {
    /// `[recursive]`: the recursive network and its training.
    pub struct RecursiveTraining {
        /// How often a pair of categories must occur to have its own weights.
        least: usize = 20;
        /// The number of best trees of each sentence to learn from.
        candidates: usize = 12, range(1.0, 1_000.0);
        /// Epochs.
        epochs: usize = 6, range(0.0, 10_000.0);
        /// Sentences of a batch.
        batch: usize = 20, range(1.0, 1e6);
        /// The learning rate of AdaGrad.
        learning_rate: f32 = 0.02, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The weight of the L2 penalty.
        weight_decay: f32 = 1e-4, range(0.0, MAX_NUMBER);
        /// κ: by how much a tree should score lower for each wrong bracket.
        margin: f32 = 0.1, range(0.0, MAX_NUMBER);
    }
}

settings! {
    /// `[search]`: weights and pruning of the search.
    pub struct SearchSettings {
        /// The weight of the grammar; the network has weight 1.
        grammar_weight: f32 = 0.4, range(0.0, 1e6);
        /// A label whose log probability (in nats) is this much below that of no phrase is dropped.
        label_margin: f32 = 6.0, range(0.0, 1e6);
        /// A symbol that scores this much less than the best of its span is dropped.
        beam: f32 = 12.0, range(0.0, 1e6);
        /// The number of best trees that the recursive network chooses from.
        candidates: usize = 16, range(1.0, 1_000.0);
    }
}

impl Recipe for ConstituencyRecipe {
    fn has_development(&self) -> bool {
        !self.data.development.is_empty()
    }

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        Ok(super::train(self, files, progress)?.record().clone())
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.training.seed
    }

    fn epochs(&mut self) -> Option<&mut usize> {
        Some(&mut self.training.epochs)
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let what = "is empty: there is nothing to learn from";
        SettingError::when(self.data.train.is_empty(), "[data] train", what)?;
        check_tag_layer(self.network.tag_layer, self.network.layers, "network")
    }
}
