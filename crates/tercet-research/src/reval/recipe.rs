//! The recipe of a ReVal model, a TOML file. Everything but the data and the word vectors has a default, the paper's setting.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use super::mix::CountedWords;
use crate::error::Result;
use crate::learned::{
    DerivationSettings, EqualOutputs, EqualScores, PairsReading, ThresholdScope, TrainingSet, VarianceDivisor,
};
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{
    RecipeKind, Setting, SettingError, Table, Trained, WIDEST, named, one_of, range, settings,
};
use crate::spec::MAX_NUMBER;
use std::path::{Path, PathBuf};
use tercet_learn::networks::{BatchBy, FineTuning, SimilaritySettings, SimilarityShape, TreeEncoding};
use tercet_learn::optimizer::{Method, OptimizerSettings};
use tercet_learn::training::TrainingFiles;

const KEYS: &str = include_str!("keys.toml");

settings! {
    /// The recipe of a ReVal model. All keys, with an example or their default:
    ///
    #[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
    pub struct Recipe {
        /// Judgements to learn from.
        data: Data = Data::default();
        /// How scores are derived from rankings.
        scores: DerivedScores = DerivedScores::default();
        /// Word vectors.
        words: Words;
        /// Where trees come from.
        trees: Trees = Trees::default();
        /// The network.
        network: NetworkSizes = NetworkSizes::default();
        /// A second network for long sentences.
        mix: Option<Mix> = None;
        /// How the network is trained.
        training: Learning = Learning::default();
        /// The file of the model.
        model: Output = Output::default();
    } recipe
}

settings! {
    /// `[data]`: the judgements.
    pub struct Data {
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
}

settings! {
    /// An entry of `scored` or `development`: a folder or file, and the range of its scores.
    pub struct ScoredEntry or file {
        /// The folder or file.
        file: PathBuf;
        /// The score that becomes 1. Default: 1.
        low: Option<f64> = None, range(-MAX_NUMBER, MAX_NUMBER);
        /// The score that becomes 5. Default: 5.
        high: Option<f64> = None, range(-MAX_NUMBER, MAX_NUMBER);
    }
}

settings! {
    /// `[scores]`: how scores are derived from rankings.
    pub struct DerivedScores {
        /// The set of the paper.
        set: String = "L".to_owned(), one_of(SETS.names);
        /// The divisor of the variance of n ranks.
        variance: String = "n".to_owned(), one_of(VARIANCES.names);
        /// What τ does with equal scores.
        equal_scores: String = "denominator".to_owned(), one_of(EQUAL_SCORES.names);
        /// The translations that decide on the threshold of n.
        scope: String = "exactly".to_owned(), one_of(SCOPES.names);
        /// What a translation is.
        equal_outputs: String = "one".to_owned(), one_of(EQUAL_OUTPUTS.names);
        /// What is done with sets that have pairs, but no rankings.
        from_pairs: String = "refused".to_owned(), one_of(PAIRS.names);
        /// The smallest τ that is accepted.
        minimum_tau: f64 = DerivationSettings::default().minimum_tau, range(-1.0, 1.0);
        /// The step by which a threshold grows.
        step: f64 = DerivationSettings::default().step, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// Thresholds that are given and not computed.
        thresholds: Vec<Threshold> = Vec::new();
    }
}

settings! {
    /// An entry of `thresholds`.
    pub struct Threshold {
        /// How often a translation was ranked; 8: 8 times or more.
        n: usize;
        /// Translations with a smaller variance are kept.
        variance: f64;
    }
}

/// Names of values.
struct Choice<T: 'static, const N: usize> {
    names: [&'static str; N],
    values: [T; N],
}

impl<T: Copy, const N: usize> Choice<T, N> {
    /// The value of a name that was checked.
    fn value(&self, name: &str) -> T {
        self.values[self.names.iter().position(|known| *known == name).unwrap_or(0)]
    }
}

const SETS: Choice<TrainingSet, 3> =
    Choice { names: ["L", "XL", "LNF"], values: [TrainingSet::L, TrainingSet::Xl, TrainingSet::Lnf] };
const VARIANCES: Choice<VarianceDivisor, 2> =
    Choice { names: ["n", "n-1"], values: [VarianceDivisor::N, VarianceDivisor::NMinusOne] };
const EQUAL_SCORES: Choice<EqualScores, 2> =
    Choice { names: ["denominator", "left-out"], values: [EqualScores::InDenominator, EqualScores::LeftOut] };
const SCOPES: Choice<ThresholdScope, 2> =
    Choice { names: ["exactly", "at-least"], values: [ThresholdScope::Exactly, ThresholdScope::AtLeast] };
const EQUAL_OUTPUTS: Choice<EqualOutputs, 2> =
    Choice { names: ["one", "per-system"], values: [EqualOutputs::OneTranslation, EqualOutputs::PerSystem] };
const PAIRS: Choice<PairsReading, 3> = Choice {
    names: ["refused", "recovered", "wins"],
    values: [PairsReading::Refused, PairsReading::Recovered, PairsReading::ShareOfWins],
};

impl DerivedScores {
    /// The settings of the derivation.
    pub(super) fn settings(&self) -> DerivationSettings {
        DerivationSettings {
            set: SETS.value(&self.set),
            variance: VARIANCES.value(&self.variance),
            equal_scores: EQUAL_SCORES.value(&self.equal_scores),
            scope: SCOPES.value(&self.scope),
            equal_outputs: EQUAL_OUTPUTS.value(&self.equal_outputs),
            pairs: PAIRS.value(&self.from_pairs),
            minimum_tau: self.minimum_tau,
            step: self.step,
            thresholds: self.thresholds.iter().map(|given| (given.n, given.variance)).collect(),
        }
    }
}

settings! {
    /// `[words]`: word vectors.
    pub struct Words {
        /// The file of word vectors.
        file: PathBuf;
        /// How many words to keep that are not in the texts: those that come first in the file.
        further: usize = 0;
        /// How far training may move the word vectors.
        fine_tuning: String = FineTuning::None.name().to_owned(), named::<FineTuning>();
    }
}

settings! {
    /// `[trees]`: where trees come from. Default: the embedded parser.
    pub struct Trees {
        /// A dependency parser.
        parser: Option<PathBuf> = None;
        /// CoNLL-U files with the trees of all texts.
        files: Vec<PathBuf> = Vec::new();
    }
}

settings! {
    /// `[network]`: the sizes of the network.
    #[derive(PartialEq, Eq)]
    pub struct NetworkSizes {
        /// How the words of a sentence become one vector.
        encoding: String = TreeEncoding::ChildSumTreeLstm.name().to_owned(), named::<TreeEncoding>();
        /// Numbers of a memory cell.
        memory: usize = SimilarityShape::default().memory, range(1.0, WIDEST);
        /// Units of the hidden layer that compares two sentence vectors.
        hidden: usize = SimilarityShape::default().hidden, range(1.0, WIDEST);
        /// Whether a memory cell has an output gate.
        output_gate: bool = SimilarityShape::default().output_gate;
        /// Classes of similarity.
        classes: usize = SimilarityShape::default().classes, range(2.0, 1000.0);
    }
}

impl NetworkSizes {
    /// The shape of the network.
    pub(super) fn shape(&self, words: &Words) -> Result<SimilarityShape> {
        Ok(SimilarityShape {
            encoding: self.encoding.parse()?,
            memory: self.memory,
            hidden: self.hidden,
            classes: self.classes,
            output_gate: self.output_gate,
            fine_tuning: words.fine_tuning.parse()?,
        })
    }

    /// Whether it reads trees.
    pub(super) fn reads_trees(&self) -> bool {
        self.encoding == TreeEncoding::ChildSumTreeLstm.name()
    }
}

settings! {
    /// `[mix]`: a second network for long sentences.
    pub struct Mix {
        /// The second network scores sentences of more words than this.
        words: usize = 20, range(0.0, MAX_NUMBER);
        /// Whose words are counted.
        length: String = CountedWords::default().name().to_owned(), one_of(CountedWords::ALL.map(CountedWords::name));
        /// The sizes of the second network. In a file, keys that are not written are those of `[network]`.
        network: NetworkSizes = NetworkSizes::default();
    }
}

settings! {
    /// `[training]`: how the network is trained.
    pub struct Learning {
        /// What is learned from rankings.
        objective: String = OBJECTIVES[0].to_owned(), one_of(OBJECTIVES);
        /// The scale of a pair's difference of scores.
        ranking_scale: f32 = SimilaritySettings::default().ranking_scale, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The weight of a pair, a score having 1.
        ranking_weight: f32 = SimilaritySettings::default().ranking_weight, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The optimizer.
        optimizer: String = Method::ADAGRAD.name().to_owned(), one_of(METHODS.map(|method| method.name()));
        /// The learning rate.
        learning_rate: f32 = SimilaritySettings::default().optimizer.learning_rate, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// What becomes of the learning rate.
        rate: String = RATES[0].to_owned(), one_of(RATES);
        /// The weight of the L2 penalty.
        weight_decay: f32 = SimilaritySettings::default().optimizer.weight_decay, range(0.0, MAX_NUMBER);
        /// Examples or references of a batch.
        batch: usize = SimilaritySettings::default().batch_size, range(1.0, MAX_NUMBER);
        /// What `batch` counts: examples, or references, each with all its examples.
        batch_by: String = BATCHES[0].0.to_owned(), one_of(BATCHES.map(|(name, _)| name));
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

const RATES: [&str; 2] = ["constant", "falling"];

const OBJECTIVES: [&str; 3] = ["scores", "pairs", "both"];

const BATCHES: [(&str, BatchBy); 2] = [("pair", BatchBy::Pair), ("reference", BatchBy::Standard)];

const METHODS: [Method; 3] = [Method::ADAGRAD, Method::ADAM, Method::Sgd];

impl Learning {
    /// Whether scores are derived from rankings.
    pub(super) fn learns_scores(&self) -> bool {
        self.objective != "pairs"
    }

    /// Whether pairs of rankings are learned.
    pub(super) fn learns_pairs(&self) -> bool {
        self.objective != "scores"
    }

    /// The settings of the training loop.
    pub(super) fn settings(&self) -> SimilaritySettings {
        let defaults = SimilaritySettings::default();
        let method = METHODS.into_iter().find(|method| method.name() == self.optimizer);
        let batch_by = BATCHES.into_iter().find(|(name, _)| *name == self.batch_by);
        SimilaritySettings {
            optimizer: OptimizerSettings {
                method: method.unwrap_or(Method::ADAGRAD),
                learning_rate: self.learning_rate,
                weight_decay: self.weight_decay,
                anchor_decay: self.weight_decay,
                ..defaults.optimizer
            },
            batch_size: self.batch,
            batch_by: batch_by.map(|(_, by)| by).unwrap_or_default(),
            is_rate_falling: self.rate == RATES[1],
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
    pub struct Output {
        /// The model file. Default: `reval.safetensors`.
        file: Option<PathBuf> = None;
        /// The precision of word vectors.
        precision: String = "single".to_owned(), one_of(["single", "8-bit"]);
    }
}

impl RecipeKind for Recipe {
    const NAME: &'static str = "reval";
    const TRAINS: &'static str =
        "ReVal of Gupta et al.: how similar are translation and reference, from 1 to 5?";
    const KEYS: &'static str = KEYS;
    const MODEL_FILE: &'static str = "reval.safetensors";

    fn has_development(&self) -> bool {
        !self.data.development.is_empty()
    }

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<Trained> {
        let model = super::train(self, files, progress)?;
        Ok(Trained { hash: model.hash().to_owned(), notes: model.notes().to_vec() })
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.training.seed
    }

    fn epochs(&mut self) -> Option<&mut usize> {
        Some(&mut self.training.epochs)
    }

    fn read_dependent(&mut self, table: &Table<'_>) -> Result<()> {
        let base = Mix { network: self.network.clone(), ..Mix::default() };
        self.mix = table.value(&["mix"])?.map(|mix| Mix::read(base, &mix)).transpose()?;
        Ok(())
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let refuse = |table: &str, key: &str, reason: &str| Err(SettingError::new(table, key, reason));
        let data = &self.data;
        if data.train.is_empty() && data.scored.is_empty() {
            return refuse("data", "train", "is empty, and so is scored: name rankings or texts with scores");
        }
        for (key, entries) in [("scored", &data.scored), ("development", &data.development)] {
            if entries.iter().any(|entry| entry.bounds().is_none()) {
                return refuse("data", key, "has an entry whose high is not above its low");
            }
        }
        if data.development.is_empty() && self.training.patience.is_some() {
            let reason = "needs [data] development, by which the best epoch is chosen";
            return refuse("training", "patience", reason);
        }
        if self.training.learns_pairs() && data.train.is_empty() {
            return refuse("training", "objective", "needs [data] train: pairs are those of rankings");
        }
        if self.trees.parser.is_some() && !self.trees.files.is_empty() {
            return refuse("trees", "", "needs either parser or files, not both");
        }
        let shapes = std::iter::once(&self.network).chain(self.mix.as_ref().map(|mix| &mix.network));
        let reads_trees = shapes.clone().any(NetworkSizes::reads_trees);
        let has_trees = self.trees.parser.is_some() || !self.trees.files.is_empty();
        if has_trees && !reads_trees {
            return refuse("trees", "", "has no effect: an lstm reads words in their order, without a tree");
        }
        if self.mix.as_ref().is_some_and(|mix| mix.network == self.network) {
            let reason = "must differ from [network]: both learn from the same sentences, and would be the same network";
            return refuse("mix", "network", reason);
        }
        if shapes.clone().any(|sizes| sizes.classes != self.network.classes) {
            return refuse("mix.network", "classes", "must be those of [network]: scores are compared");
        }
        Ok(())
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

impl Recipe {
    /// A path of the recipe; relative paths are in the folder of its data files.
    pub(super) fn beside(&self, path: &Path) -> PathBuf {
        self.origin.folder.join(path)
    }

    /// All networks: the one of `[network]`, then that of `[mix]`.
    pub(super) fn networks(&self) -> impl Iterator<Item = &NetworkSizes> {
        std::iter::once(&self.network).chain(self.mix.as_ref().map(|mix| &mix.network))
    }
}

#[cfg(test)]
mod tests;
