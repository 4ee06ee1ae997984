//! Tables 1–8: what is run for each row.

use super::experiment::{BI_LSTM, CNN, LSTM, TestSetup, WordChoice};
use super::plan::{PlannedTable, Shown, average_cell, by_language, published};
use super::systems::{PlannedNetwork, four_metrics, meteor, metric_cells, terp};
use crate::plan::CellGroup;
use crate::published::PublishedRow;
use crate::{ReproduceJob, Unit, VectorFile};
use tercet::choice::Choice;
use tercet_learn::loss::Kendall;
use tercet_learn::networks::{Architecture, Cost, Encoding, FineTuning};

/// The four languages of WMT12.
pub(super) const FOUR: [&str; 4] = ["cz", "de", "es", "fr"];

/// Adds a row of a learned system.
fn add(table: &mut PlannedTable, settings: &ReproduceJob, row: &PublishedRow, recipe: &PlannedNetwork) {
    table.add(row.name, recipe.cells(settings, &FOUR, Some(row), Shown::PAIRWISE));
}

/// Adds a row of a metric as it is.
fn add_metric(table: &mut PlannedTable, row: &PublishedRow, metric: &str) {
    let shown = if metric.starts_with("ter") { Shown::METRIC_WITH_TIES } else { Shown::METRIC };
    table.add(row.name, metric_cells(metric.to_owned(), TestSetup::WMT12, &FOUR, Some(row), shown));
}

/// The metrics of section I, which are plain where features are not: BLEU there is lower-cased.
pub(super) fn plain_metrics(settings: &ReproduceJob) -> [(&'static str, String); 4] {
    let metric = |name: &str| name.to_owned();
    [("BLEU", metric("bleu")), ("NIST", metric("nist")), ("TER", terp(settings)), ("METEOR", meteor(settings))]
}

pub(super) fn table_1(settings: &ReproduceJob) -> PlannedTable {
    let mut table = by_language("1", "Kendall's τ on WMT12 for various metrics");
    let (metrics, networks) = published("1").split_at(4);
    for (row, (_, metric)) in metrics.iter().zip(plain_metrics(settings)) {
        add_metric(&mut table, row, &metric);
    }
    networks.iter().for_each(|row| add(&mut table, settings, row, &PlannedNetwork::named(settings, row.name)));
    table
}

pub(super) fn table_2(settings: &ReproduceJob) -> PlannedTable {
    let mut table = by_language("2", "Kendall's τ on WMT12 with BLEUCOMP, a decomposed version of BLEU");
    let (metric, networks) = published("2").split_at(1);
    add_metric(&mut table, &metric[0], "bleu");
    networks.iter().for_each(|row| add(&mut table, settings, row, &PlannedNetwork::named(settings, row.name)));
    table
}

pub(super) fn table_3(settings: &ReproduceJob) -> PlannedTable {
    let title = "Average Kendall's τ on WMT12 for vectors of other collections";
    let columns = ["Alone", "Comb."];
    let ordered_by = ["Alone", "Comb.", "Alone/all", "Comb./all"];
    let mut table = PlannedTable::new("3", title, Unit::TauTimes100, &columns, &ordered_by);
    for (row, file) in published("3").iter().zip(VectorFile::ALL.iter().map(|known| known.value)) {
        let alone = PlannedNetwork::new(settings, Vec::new()).averages(settings, file);
        let combined =
            PlannedNetwork::new(settings, four_metrics(settings)).syntax_if_any(settings).averages(settings, file);
        let mut groups = Vec::new();
        for ((recipe, column), figure) in [alone, combined].iter().zip(columns).zip(&row.figures) {
            groups.extend(recipe.at_sizes(settings, |suffix, source| CellGroup {
                source,
                cells: vec![average_cell(format!("{column}{suffix}"), &FOUR, *figure, Shown::PAIRWISE)],
                note: recipe.note.clone(),
            }));
        }
        table.add(row.name, groups);
    }
    table
}

pub(super) fn table_4(settings: &ReproduceJob) -> PlannedTable {
    let mut table = by_language("4", "Kendall's τ on WMT12 for other architectures");
    for (row, architecture) in published("4").iter().zip(Architecture::VALUES) {
        let mut recipe = PlannedNetwork::full(settings);
        recipe.experiment.architecture = architecture;
        add(&mut table, settings, row, &recipe);
    }
    table
}

pub(super) fn table_5(settings: &ReproduceJob) -> PlannedTable {
    let mut table = by_language("5", "Kendall's τ on WMT12 for other cost functions");
    let kendall = Kendall::default();
    let costs = [Cost::Logistic, Cost::Kendall(kendall), Cost::LogisticThenKendall(kendall)];
    for (row, cost) in published("5").iter().zip(costs) {
        add(&mut table, settings, row, &PlannedNetwork::full(settings).cost(cost));
    }
    table
}

/// 4METRICS, syntactic vectors if there are any, and an encoder that is learned in place of averages.
pub(super) fn encoded(settings: &ReproduceJob, syntax: bool, words: WordChoice) -> PlannedNetwork {
    let recipe = PlannedNetwork::new(settings, four_metrics(settings));
    let recipe = if syntax { recipe.syntax_if_any(settings) } else { recipe };
    recipe.words(settings, words)
}

pub(super) fn table_6(settings: &ReproduceJob) -> PlannedTable {
    let mut table = by_language("6", "Kendall's τ on WMT12 for fine-tuning of word embeddings");
    add(&mut table, settings, &published("6")[0], &PlannedNetwork::full(settings));
    for (row, fine_tuning) in published("6")[1..].iter().zip(FineTuning::VALUES) {
        let words = WordChoice { pretrained: true, encoding: Encoding::Average, fine_tuning, dropout: 0.0 };
        add(&mut table, settings, row, &encoded(settings, true, words));
    }
    table
}

/// The encoders of table 7, in its order; dropout is still to be chosen.
pub(super) const ENCODERS: [(Encoding, bool); 5] =
    [(CNN, true), (CNN, false), (LSTM, true), (BI_LSTM, true), (BI_LSTM, false)];

/// A learned encoder with this dropout.
pub(super) fn with_dropout((encoding, pretrained): (Encoding, bool), dropout: f32) -> WordChoice {
    WordChoice { pretrained, encoding, fine_tuning: FineTuning::Full, dropout }
}

/// Table 7, with the dropout that was chosen for each encoder, and what is to be said of it.
pub(super) fn table_7(settings: &ReproduceJob, chosen: &[(f32, String)]) -> PlannedTable {
    let mut table = by_language("7", "Kendall's τ on WMT12 for learned encoders");
    add(&mut table, settings, &published("7")[0], &PlannedNetwork::full(settings));
    for ((row, encoder), (dropout, note)) in published("7")[1..].iter().zip(ENCODERS).zip(chosen) {
        let recipe = encoded(settings, true, with_dropout(encoder, *dropout)).noted(note);
        add(&mut table, settings, row, &recipe);
    }
    table
}

pub(super) fn table_8(settings: &ReproduceJob, (dropout, note): &(f32, String)) -> PlannedTable {
    let mut table = by_language("8", "Kendall's τ on WMT12 without syntactic vectors");
    let averages = PlannedNetwork::new(settings, four_metrics(settings)).averages(settings, VectorFile::WikiGw50);
    let memory = encoded(settings, false, with_dropout((BI_LSTM, true), *dropout)).noted(note);
    for (row, recipe) in published("8").iter().zip([averages, memory]) {
        add(&mut table, settings, row, &recipe);
    }
    table
}
