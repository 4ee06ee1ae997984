//! What is run: a network trained and tested, or a metric as it is.

use super::sets::SetName;
use super::settings::Limits;
use crate::{VectorFile, plan};
use tercet::learned::{Feature, Scope};
use tercet_learn::networks::{Activation, Architecture, Cost, Encoding, FineTuning, Gate, PairSettings};
use tercet_learn::optimizer::OptimizerSettings;

/// Pairs of the development set.
pub(super) const DEVELOPMENT: usize = 5_000;

/// Numbers of a random word vector, filters, units of a memory: the smallest the article tried, and as many as
/// WIKI-GW50.
pub(super) const UNITS: usize = 50;

/// Words per window of the convolution.
const FILTER_LENGTH: usize = 3;

/// Sentence vectors that are ready before training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Vectors {
    Syntax,
    /// Averages of the vectors of a file, of which so many percent of the words are kept, most frequent first.
    Averages {
        file: VectorFile,
        percent: u8,
    },
    /// Those of a sentence encoder that is given, by its place in the settings.
    Encoder(usize),
}

impl Vectors {
    pub(super) fn averages(file: VectorFile) -> Self {
        Vectors::Averages { file, percent: 100 }
    }
}

/// An encoder that is learned with the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WordChoice {
    /// Where E starts: WIKI-GW50, or random.
    pub(super) pretrained: bool,
    pub(super) encoding: Encoding,
    pub(super) fine_tuning: FineTuning,
    pub(super) dropout: f32,
}

pub(super) const CNN: Encoding =
    Encoding::Convolution { filters: UNITS, length: FILTER_LENGTH, pooling: None, activation: Activation::Tanh };
pub(super) const LSTM: Encoding = Encoding::Lstm { units: UNITS, gate: Gate::Hard };
pub(super) const BI_LSTM: Encoding = Encoding::BidirectionalLstm { units: UNITS, gate: Gate::Hard };

/// What a network or a metric is tested on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TestSetup {
    pub(super) set: SetName,
    /// Whether systems are scored too, and segments by absolute scores.
    pub(super) absolute: bool,
}

impl TestSetup {
    pub(super) const WMT12: TestSetup = TestSetup { set: SetName::Wmt12, absolute: false };

    pub(super) fn scope(self) -> Scope {
        if self.absolute { Scope::AllOutputs } else { Scope::Judged }
    }

    /// What decides when training stops: never the test set itself.
    pub(super) fn development(self) -> SetName {
        if self.set == SetName::Wmt14 { SetName::Wmt12 } else { SetName::Wmt14 }
    }
}

/// A network, how it is trained, and on what it is tested.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Experiment {
    pub(super) features: Vec<Feature>,
    pub(super) vectors: Vec<Vectors>,
    /// Vectors of which it sees no more than the cosine with the reference's, as a feature.
    pub(super) cosines: Vec<Vectors>,
    pub(super) words: Option<WordChoice>,
    pub(super) architecture: Architecture,
    pub(super) cost: Cost,
    pub(super) optimizer: OptimizerSettings,
    /// Learned from.
    pub(super) train: &'static [SetName],
    /// Judgements per language pair; all if not said.
    pub(super) size: Option<usize>,
    pub(super) limits: Limits,
    pub(super) test: TestSetup,
}

/// H, as in the article.
pub(super) const HIDDEN: usize = 4;

impl Experiment {
    /// The loop.
    pub(super) fn training(&self, seed: u64) -> PairSettings {
        PairSettings {
            cost: self.cost,
            epochs: self.limits.epochs,
            patience: Some(if self.size.is_none() { self.limits.for_all() } else { self.limits }.patience),
            optimizer: self.optimizer,
            seed,
            ..PairSettings::default()
        }
    }

    /// The sets it needs.
    pub(super) fn sets(&self) -> Vec<(SetName, Scope)> {
        let mut sets: Vec<(SetName, Scope)> = self.train.iter().map(|set| (*set, Scope::Judged)).collect();
        sets.push((self.test.development(), Scope::Judged));
        sets.push((self.test.set, self.test.scope()));
        sets
    }

    /// Whether it is given the same inputs as another, so that they can be shared.
    pub(super) fn shares_inputs(&self, other: &Experiment) -> bool {
        let words = |experiment: &Experiment| experiment.words.map(|words| words.pretrained);
        self.features == other.features
            && (&self.vectors, &self.cosines) == (&other.vectors, &other.cosines)
            && words(self) == words(other)
            && (self.words.is_none() || (self.train, self.test) == (other.train, other.test))
    }
}

/// Something to run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// Once for each seed.
    Learned(Box<Experiment>),
    /// Once: the metric, written `name:key=value`.
    Metric { metric: String, test: TestSetup },
    /// Once: the cosine of these vectors with the reference's, as a metric.
    Cosine { vectors: Vectors, test: TestSetup },
}

impl plan::Task for Task {
    fn is_learned(&self) -> bool {
        matches!(self, Task::Learned(_))
    }

    fn detail(&self) -> &'static str {
        match self {
            Task::Learned(experiment) if experiment.size.is_none() => ", all judgements",
            _ => "",
        }
    }
}

impl Task {
    /// What it is tested on.
    pub(super) fn test(&self) -> TestSetup {
        match self {
            Task::Learned(experiment) => experiment.test,
            Task::Metric { test, .. } | Task::Cosine { test, .. } => *test,
        }
    }

    /// The network, if it is one.
    pub(super) fn experiment(&self) -> Option<&Experiment> {
        match self {
            Task::Learned(experiment) => Some(experiment),
            Task::Metric { .. } | Task::Cosine { .. } => None,
        }
    }

    /// The sets it needs as networks see them.
    pub(super) fn sets(&self) -> Vec<(SetName, Scope)> {
        let test = self.test();
        self.experiment().map_or_else(|| vec![(test.set, test.scope())], Experiment::sets)
    }
}
