//! The rows of all tables.

use super::models::{Model, TrainingData, pairwise, tree, wmt13};
use super::test_sets::TestSet;
use crate::ReproduceJob;
use tercet::learned::{PairsReading, TrainingSet};
use tercet_learn::networks::{FineTuning, TreeEncoding};

/// Systems or segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Systems,
    Segments,
}

impl Level {
    /// Its name in the titles of tables.
    pub(super) fn name(self) -> &'static str {
        if self == Level::Systems { "systems" } else { "segments" }
    }

    /// The figure of a language pair.
    pub(super) fn figure(self) -> &'static str {
        if self == Level::Systems { "pearson" } else { "tau" }
    }

    /// The column of its average.
    pub(super) fn average(self) -> &'static str {
        if self == Level::Systems { "PAvg" } else { "AVG" }
    }
}

/// What a row is computed by.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// A metric of tercet.
    Metric(String),
    /// A model.
    Model(Model),
    /// Two models: the first scores translations whose reference has up to 20 words, the second all others.
    Mix(Box<[Model; 2]>),
}

impl Task {
    /// The models that have to be trained.
    pub(super) fn models(&self) -> &[Model] {
        match self {
            Task::Metric(_) => &[],
            Task::Model(model) => std::slice::from_ref(model),
            Task::Mix(models) => models.as_slice(),
        }
    }
}

/// A row.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) task: Task,
}

/// The Tree-LSTM and the LSTM that are compared: the same data and sizes.
pub(super) const COMPARED: [[&str; 2]; 2] = [[TREE, "L+Sick(lstm)"], ["pairs(50,150)", "pairs(lstm)"]];

/// The Tree-LSTM of the paper.
pub(super) const TREE: &str = "L+Sick(50,150)";

/// The sets of rankings that are not tests of the ablation.
const OTHER_YEARS: &[&str] = &["wmt13-rr", "wmt14-rr", "wmt16-rr"];

/// The models of the paper, and ours.
pub(super) fn models(test: TestSet) -> Vec<Row> {
    let rankings: &'static [&'static str] = match test {
        TestSet::Wmt12 => &["wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr"],
        TestSet::Wmt14 => &["wmt12-rr", "wmt13-rr", "wmt15-rr", "wmt16-rr"],
        TestSet::Wmt15 => &["wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt16-rr"],
    };
    let ours = || pairwise(rankings);
    let row = |name, model| Row { name, task: Task::Model(model) };
    let with_sick = || wmt13(TrainingSet::L, true);
    vec![
        row("L+Sick(lstm)", Model { encoding: TreeEncoding::Lstm, ..tree(50, 150, with_sick()) }),
        row("L(50,150)", tree(50, 150, wmt13(TrainingSet::L, false))),
        row("LNF(50,150)", tree(50, 150, wmt13(TrainingSet::Lnf, false))),
        row(TREE, tree(50, 150, with_sick())),
        row("XL+Sick(50,150)", tree(50, 150, wmt13(TrainingSet::Xl, true))),
        row("L+Sick(100,150)", tree(100, 150, with_sick())),
        row("L+Sick(100,300)", tree(100, 300, with_sick())),
        Row {
            name: "L+Sick(mix)",
            task: Task::Mix(Box::new([tree(50, 150, with_sick()), tree(100, 150, with_sick())])),
        },
        row("pairs(lstm)", Model { encoding: TreeEncoding::Lstm, ..ours() }),
        row("pairs(50,150)", ours()),
    ]
}

/// Metrics beside which the models stand.
pub(super) fn metrics(settings: &ReproduceJob, level: Level) -> Vec<Row> {
    let row = |name, metric: &str| Row { name, task: Task::Metric(metric.to_owned()) };
    let meteor = settings.with_paraphrases("meteor", "paraphrase");
    match level {
        Level::Systems => vec![
            row("BLEU", "bleu"),
            row("NIST", "nist"),
            row("METEOR", &meteor),
            row("TER", "ter:normalized=yes"),
            row("WER", "wer"),
        ],
        Level::Segments => {
            vec![row("SentBLEU", "sentbleu:tok=moses"), row("METEOR", &meteor), row("TER", "ter:normalized=yes")]
        }
    }
}

/// What the parts of the metric contribute: the Tree-LSTM of the paper with one thing changed.
pub(super) fn ablation() -> Vec<Row> {
    let base = || tree(50, 150, wmt13(TrainingSet::L, true));
    let with_data = |data: TrainingData| Model { data, ..base() };
    let row = |name, model| Row { name, task: Task::Model(model) };
    vec![
        row(TREE, base()),
        row("output gate", Model { output_gate: true, ..base() }),
        row("trees: none (LSTM)", Model { encoding: TreeEncoding::Lstm, ..base() }),
        row("vectors: 10,495 words", Model { few_words: true, ..base() }),
        row("vectors: trained too", Model { fine_tuning: FineTuning::Full, ..base() }),
        row(
            "data: WMT13 fr-en, the ranks that were given",
            with_data(TrainingData {
                pairs: &["fr-en"],
                reading: PairsReading::Refused,
                ..wmt13(TrainingSet::L, true)
            }),
        ),
        row(
            "data: WMT13, shares of wins",
            with_data(TrainingData { reading: PairsReading::ShareOfWins, ..wmt13(TrainingSet::L, true) }),
        ),
        row("data: L and no SICK", with_data(wmt13(TrainingSet::L, false))),
        row("data: XL", with_data(wmt13(TrainingSet::Xl, true))),
        row(
            "data: WMT13 and WMT16, XL",
            with_data(TrainingData { sets: &["wmt13-rr", "wmt16-rr"], ..wmt13(TrainingSet::Xl, true) }),
        ),
        row("objective: pairs of WMT13", pairwise(&["wmt13-rr"])),
        row("objective: pairs of WMT13, WMT14, WMT16", pairwise(OTHER_YEARS)),
        row("… without trees (LSTM)", Model { encoding: TreeEncoding::Lstm, ..pairwise(OTHER_YEARS) }),
        row("… vectors: 10,495 words", Model { few_words: true, ..pairwise(OTHER_YEARS) }),
    ]
}
