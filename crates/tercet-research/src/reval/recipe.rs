//! The recipe of a ReVal model, a TOML file. Everything but the data and the word vectors has a default, the paper's
//! setting.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use super::model::{CountedWords, MixRule};
use crate::error::Result;
use crate::learned::{
    DerivationSettings, EqualOutputs, EqualScores, OptimizerName, PairsReading, StoredPrecision, ThresholdScope,
    TrainingSet, VarianceDivisor,
};
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{
    MAX_NUMBER, MAX_WIDTH, ModelRecord, Recipe, RecipeTable, Setting, SettingError, range, setting_by_name, settings,
    usual_methods,
};
use std::path::PathBuf;
use tercet_learn::networks::{BatchBy, FineTuning, SimilaritySettings, SimilarityShape, TreeEncoding};
use tercet_learn::optimizer::OptimizerSettings;
use tercet_learn::training::TrainingFiles;

setting_by_name!(
    BatchBy,
    CountedWords,
    EqualOutputs,
    EqualScores,
    PairsReading,
    RateOverEpochs,
    RevalObjective,
    ThresholdScope,
    TrainingSet,
    VarianceDivisor,
);

settings! {
    /// The recipe of a ReVal model.
    pub struct RevalRecipe {
        /// Judgements to learn from.
        data: RevalData = RevalData::default();
        /// How scores are derived from rankings.
        scores: RevalScores = RevalScores::default();
        /// Word vectors.
        words: RevalWords;
        /// Where trees come from.
        trees: RevalTrees = RevalTrees::default();
        /// The network.
        network: RevalNetwork = RevalNetwork::default();
        /// A second network for long sentences.
        mix: Option<RevalMix> = None;
        /// How the network is trained.
        training: RevalTraining = RevalTraining::default();
        /// The file of the model.
        model: RevalOutput = RevalOutput::default();
    } recipe "reval", "ReVal of Gupta et al.: how similar are translation and reference, from 1 to 5?"

    /// `[data]`: the judgements.
    pub struct RevalData {
        /// Folders or files of rankings to learn from.
        train: Vec<PathBuf> = Vec::new();
        /// Language pairs to learn from. Default: all into English.
        train_pairs: Vec<String> = Vec::new();
        /// How many judged pairs of each language pair to draw at random. Default: all.
        per_pair: Option<usize> = None;
        /// Whether to learn that a reference is its own best translation.
        identical: bool = false;
        /// Further texts with scores.
        scored: Vec<ScoredEntry> = Vec::new();
        /// The development set, by which the best epoch is chosen.
        development: Vec<ScoredEntry> = Vec::new();
        /// Language pairs of the development set. Default: all into English.
        development_pairs: Vec<String> = Vec::new();
        /// How many judged pairs of the development set to draw at random from all language pairs together.
        development_size: usize = 5000;
    }

    /// An entry of `scored` or `development`: a folder or file, and the range of its scores.
    pub struct ScoredEntry or file {
        /// The folder or file.
        file: PathBuf;
        /// The score that becomes 1. Default: 1.
        low: Option<f64> = None, range(-MAX_NUMBER, MAX_NUMBER);
        /// The score that becomes 5. Default: 5.
        high: Option<f64> = None, range(-MAX_NUMBER, MAX_NUMBER);
    }

    /// `[scores]`: how scores are derived from rankings.
    pub struct RevalScores {
        /// The set of the paper.
        set: TrainingSet = TrainingSet::default();
        /// The divisor of the variance of n ranks.
        variance: VarianceDivisor = VarianceDivisor::default();
        /// What τ does with equal scores.
        equal_scores: EqualScores = EqualScores::default();
        /// The translations that decide on the threshold of n.
        scope: ThresholdScope = ThresholdScope::default();
        /// What a translation is.
        equal_outputs: EqualOutputs = EqualOutputs::default();
        /// What is done with sets that have pairs, but no rankings.
        from_pairs: PairsReading = PairsReading::default();
        /// The smallest τ that is accepted.
        minimum_tau: f64 = DerivationSettings::default().minimum_tau, range(-1.0, 1.0);
        /// The step by which a threshold grows.
        step: f64 = DerivationSettings::default().step, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// Thresholds that are given and not computed.
        thresholds: Vec<Threshold> = Vec::new();
    }

    /// An entry of `thresholds`.
    pub struct Threshold {
        /// How often a translation was ranked; 8: 8 times or more.
        n: usize;
        /// Translations with a smaller variance are kept.
        variance: f64;
    }
}

impl RevalScores {
    /// The settings of the derivation.
    pub(super) fn settings(&self) -> DerivationSettings {
        DerivationSettings {
            set: self.set,
            variance: self.variance,
            equal_scores: self.equal_scores,
            scope: self.scope,
            equal_outputs: self.equal_outputs,
            pairs: self.from_pairs,
            minimum_tau: self.minimum_tau,
            step: self.step,
            thresholds: self.thresholds.iter().map(|given| (given.n, given.variance)).collect(),
        }
    }
}

settings! {
    /// `[words]`: word vectors.
    pub struct RevalWords {
        /// The file of word vectors.
        file: PathBuf;
        /// How many words to keep that are not in the texts: those that come first in the file.
        further: usize = 0;
        /// How far training may move the word vectors.
        fine_tuning: FineTuning = FineTuning::None;
    }
}

settings! {
    /// `[trees]`: where trees come from. Default: the embedded parser.
    pub struct RevalTrees {
        /// A dependency parser.
        parser: Option<PathBuf> = None;
        /// CoNLL-U files with the trees of all texts.
        files: Vec<PathBuf> = Vec::new();
    }
}

settings! {
    /// `[network]`: the sizes of the network.
    #[derive(PartialEq, Eq)]
    pub struct RevalNetwork {
        /// How the words of a sentence become one vector.
        encoding: TreeEncoding = TreeEncoding::ChildSumTreeLstm;
        /// Numbers of a memory cell.
        memory: usize = SimilarityShape::default().memory, range(1.0, MAX_WIDTH);
        /// Units of the hidden layer that compares two sentence vectors.
        hidden: usize = SimilarityShape::default().hidden, range(1.0, MAX_WIDTH);
        /// Whether a memory cell has an output gate.
        output_gate: bool = SimilarityShape::default().output_gate;
        /// Classes of similarity.
        classes: usize = SimilarityShape::default().classes, range(2.0, 1000.0);
    }
}

impl RevalNetwork {
    /// The shape of the network.
    pub(super) fn shape(&self, words: &RevalWords) -> SimilarityShape {
        let RevalNetwork { encoding, memory, hidden, classes, output_gate } = *self;
        SimilarityShape { encoding, memory, hidden, classes, output_gate, fine_tuning: words.fine_tuning }
    }

    /// Whether it reads trees.
    pub(super) fn reads_trees(&self) -> bool {
        self.encoding == TreeEncoding::ChildSumTreeLstm
    }
}

settings! {
    /// `[mix]`: a second network for long sentences.
    pub struct RevalMix {
        /// The second network scores sentences of more words than this.
        words: usize = 20, range(0.0, MAX_NUMBER);
        /// Whose words are counted.
        length: CountedWords = CountedWords::Reference;
        /// The sizes of the second network. In a file, keys that are not written are those of `[network]`.
        network: RevalNetwork = RevalNetwork::default();
    }
}

settings! {
    /// `[training]`: how the network is trained.
    pub struct RevalTraining {
        /// What is learned from rankings.
        objective: RevalObjective = RevalObjective::Scores;
        /// The scale of a pair's difference of scores.
        ranking_scale: f32 = SimilaritySettings::default().ranking_scale, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The weight of a pair, a score having 1.
        ranking_weight: f32 = SimilaritySettings::default().ranking_weight, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The optimizer.
        optimizer: OptimizerName = OptimizerName::AdaGrad;
        /// The learning rate.
        learning_rate: f32 = SimilaritySettings::default().optimizer.learning_rate,
            range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// What becomes of the learning rate.
        rate: RateOverEpochs = RateOverEpochs::Constant;
        /// The weight of the L2 penalty.
        weight_decay: f32 = SimilaritySettings::default().optimizer.weight_decay, range(0.0, MAX_NUMBER);
        /// Examples or references of a batch.
        batch: usize = SimilaritySettings::default().batch_size, range(1.0, MAX_NUMBER);
        /// What `batch` counts: examples, or references, each with all its examples.
        batch_by: BatchBy = BatchBy::Pair;
        /// The number of epochs.
        epochs: usize = SimilaritySettings::default().epochs, range(1.0, MAX_NUMBER);
        /// Stop after this many epochs without a new best. Default: never.
        patience: Option<usize> = None, range(1.0, MAX_NUMBER);
        /// The seed of samples, initial weights and shuffles.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 30.0, range(0.0, MAX_NUMBER);
    }
}

tercet_base::choices! {
    /// What becomes of the learning rate from epoch to epoch.
    pub enum RateOverEpochs: "rate" = Constant {
        /// It stays.
        Constant = "constant",
        /// It falls in a line to 0.
        Falling = "falling",
    }

    /// What is learned from rankings.
    pub enum RevalObjective: "objective" = Scores {
        /// Scores that are derived from them.
        Scores = "scores",
        /// Which of two translations is better.
        Pairs = "pairs",
        /// Both.
        Both = "both",
    }
}

impl RevalTraining {
    /// Whether scores are derived from rankings.
    pub(super) fn learns_scores(&self) -> bool {
        self.objective != RevalObjective::Pairs
    }

    /// Whether pairs of rankings are learned.
    pub(super) fn learns_pairs(&self) -> bool {
        self.objective != RevalObjective::Scores
    }

    /// The settings of the training loop.
    pub(super) fn settings(&self) -> SimilaritySettings {
        SimilaritySettings {
            optimizer: OptimizerSettings {
                method: self.optimizer.method(),
                learning_rate: self.learning_rate,
                weight_decay: self.weight_decay,
                anchor_decay: self.weight_decay,
                ..SimilaritySettings::default().optimizer
            },
            batch_size: self.batch,
            batch_by: self.batch_by,
            is_rate_falling: self.rate == RateOverEpochs::Falling,
            epochs: self.epochs,
            patience: self.patience,
            ranking_scale: self.ranking_scale,
            ranking_weight: self.ranking_weight,
            seed: self.seed,
        }
    }
}

settings! {
    /// `[model]`: the file of the model.
    pub struct RevalOutput {
        /// The model file. Default: `reval.safetensors`.
        file: Option<PathBuf> = None;
        /// The precision of word vectors.
        precision: StoredPrecision = StoredPrecision::Single;
    }
}

impl RevalMix {
    /// By what the network is chosen.
    pub(super) fn rule(&self) -> MixRule {
        MixRule { words: self.words, counted: self.length }
    }
}

impl Recipe for RevalRecipe {
    usual_methods!(epochs in training);

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        Ok(super::train(self, files, progress)?.record().clone())
    }

    fn read_inherited(&mut self, table: &RecipeTable<'_>) -> Result<()> {
        let base = RevalMix { network: self.network.clone(), ..RevalMix::default() };
        self.mix = table.value(&["mix"])?.map(|mix| RevalMix::read(base, &mix)).transpose()?;
        Ok(())
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let RevalRecipe { data, training, trees, network, mix, .. } = self;
        let is_empty = data.train.is_empty() && data.scored.is_empty();
        let what = "is empty, and so is scored: name rankings or texts with scores";
        SettingError::when(is_empty, "[data] train", what)?;
        for (place, entries) in [("[data] scored", &data.scored), ("[data] development", &data.development)] {
            let is_reversed = entries.iter().any(|entry| entry.bounds().is_none());
            SettingError::when(is_reversed, place, "has an entry whose high is not above its low")?;
        }
        let is_unused = data.development.is_empty() && training.patience.is_some();
        let what = "needs [data] development, by which the best epoch is chosen";
        SettingError::when(is_unused, "[training] patience", what)?;
        let has_no_pairs = training.learns_pairs() && data.train.is_empty();
        let what = "needs [data] train: pairs are those of rankings";
        SettingError::when(has_no_pairs, "[training] objective", what)?;
        let (has_parser, has_files) = (trees.parser.is_some(), !trees.files.is_empty());
        SettingError::when(has_parser && has_files, "[trees]", "needs either parser or files, not both")?;
        let is_unused = (has_parser || has_files) && !self.networks().any(RevalNetwork::reads_trees);
        let what = "has no effect: an lstm reads words in their order, without a tree";
        SettingError::when(is_unused, "[trees]", what)?;
        let is_same = mix.as_ref().is_some_and(|mix| mix.network == *network);
        let what = "must differ from [network]: both learn from the same sentences, and would be the same network";
        SettingError::when(is_same, "[mix] network", what)?;
        let differ = self.networks().any(|sizes| sizes.classes != network.classes);
        SettingError::when(differ, "[mix.network] classes", "must be those of [network]: scores are compared")
    }
}

impl ScoredEntry {
    /// The scores that become 1 and 5, if the second is above the first.
    pub(super) fn bounds(&self) -> Option<(f64, f64)> {
        let bounds = (self.low.unwrap_or(1.0), self.high.unwrap_or(5.0));
        (bounds.0 < bounds.1).then_some(bounds)
    }

    /// Whether scores are scaled.
    pub(super) fn is_scaled(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }
}

impl RevalRecipe {
    /// All networks: the one of `[network]`, then that of `[mix]`.
    pub(super) fn networks(&self) -> impl Iterator<Item = &RevalNetwork> {
        std::iter::once(&self.network).chain(self.mix.as_ref().map(|mix| &mix.network))
    }
}

#[cfg(test)]
mod tests;
