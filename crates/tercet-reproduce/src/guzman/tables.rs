//! Tables 1–8: what is run for each row.

use super::experiment::{BI_LSTM, CNN, LSTM, Test, WordChoice};
use super::plan::{CellGroup, PlannedTable, Shown, average_cell};
use super::published::*;
use super::systems::{Recipe, bleu_components, four_metrics, meteor, metric_cells, terp};
use crate::{ReproduceJob, VectorFile};
use tercet::choice::Choice;
use tercet::learned::Feature;
use tercet::metrics::pairwise::FOUR_METRICS;
use tercet_learn::loss::Kendall;
use tercet_learn::networks::{Architecture, Cost, Encoding, FineTuning};

/// The four languages of WMT12.
pub(super) const FOUR: [&str; 4] = ["cz", "de", "es", "fr"];

/// A row of a learned system.
fn row(settings: &ReproduceJob, published: &PublishedRow, recipe: &Recipe) -> Vec<CellGroup> {
    recipe.cells(settings, &FOUR, Some(published.figures), Shown::PAIRWISE)
}

/// A row of a metric as it is.
fn metric_row(published: &PublishedRow, metric: &str) -> Vec<CellGroup> {
    let shown = if metric.starts_with("ter") { Shown::METRIC_WITH_TIES } else { Shown::METRIC };
    metric_cells(metric.to_owned(), Test::WMT12, &FOUR, Some(published.figures), shown)
}

/// The metrics of section I, which are plain where features are not: BLEU there is lower-cased.
pub(super) fn plain_metrics(settings: &ReproduceJob) -> [(&'static str, String); 4] {
    let metric = |name: &str| name.to_owned();
    [("BLEU", metric("bleu")), ("NIST", metric("nist")), ("TER", terp(settings)), ("METEOR", meteor(settings))]
}

pub(super) fn table_1(settings: &ReproduceJob) -> PlannedTable {
    let mut table = PlannedTable::by_language("1", "Kendall's τ on WMT12 for various metrics");
    for (published, (_, metric)) in TABLE_1.iter().zip(plain_metrics(settings)) {
        table.add(published, metric_row(published, &metric));
    }
    let nothing = || Recipe::new(settings, Vec::new());
    let four = || Recipe::new(settings, four_metrics(settings));
    let recipes = [
        nothing().syntax(settings),
        nothing().averages(settings, VectorFile::WikiGw50),
        four(),
        four().syntax(settings),
        four().averages(settings, VectorFile::WikiGw50),
        four().syntax(settings).averages(settings, VectorFile::WikiGw50),
    ];
    for (published, recipe) in TABLE_1[4..].iter().zip(&recipes) {
        table.add(published, row(settings, published, recipe));
    }
    table
}

pub(super) fn table_2(settings: &ReproduceJob) -> PlannedTable {
    let mut table = PlannedTable::by_language("2", "Kendall's τ on WMT12 with BLEUCOMP, a decomposed version of BLEU");
    table.add(&TABLE_2[0], metric_row(&TABLE_2[0], "bleu"));
    let parts = || Recipe::new(settings, bleu_components());
    let bleu = Recipe::new(settings, vec![Feature::score(FOUR_METRICS[0])]);
    let recipes = [
        parts(),
        parts().syntax(settings),
        parts().averages(settings, VectorFile::WikiGw50),
        parts().syntax(settings).averages(settings, VectorFile::WikiGw50),
        bleu.syntax(settings).averages(settings, VectorFile::WikiGw50),
    ];
    for (published, recipe) in TABLE_2[1..].iter().zip(&recipes) {
        table.add(published, row(settings, published, recipe));
    }
    table
}

pub(super) fn table_3(settings: &ReproduceJob) -> PlannedTable {
    let mut table = PlannedTable::by_language("3", "Average Kendall's τ on WMT12 for vectors of other collections");
    table.columns = ALONE_AND_COMBINED.map(str::to_owned).to_vec();
    table.ordered_by = ["Alone", "Comb.", "Alone/all", "Comb./all"].map(str::to_owned).to_vec();
    for (published, file) in TABLE_3.iter().zip(VectorFile::ALL.iter().map(|known| known.value)) {
        let alone = Recipe::new(settings, Vec::new()).averages(settings, file);
        let combined = Recipe::new(settings, four_metrics(settings)).syntax_if_any(settings).averages(settings, file);
        let mut groups = Vec::new();
        for ((recipe, column), figure) in [alone, combined].iter().zip(ALONE_AND_COMBINED).zip(published.figures) {
            groups.extend(recipe.at_sizes(settings, |suffix, source| CellGroup {
                source,
                cells: vec![average_cell(format!("{column}{suffix}"), &FOUR, Some(*figure), Shown::PAIRWISE)],
                note: recipe.note.clone(),
            }));
        }
        table.add(published, groups);
    }
    table
}

pub(super) fn table_4(settings: &ReproduceJob) -> PlannedTable {
    let mut table = PlannedTable::by_language("4", "Kendall's τ on WMT12 for other architectures");
    for (published, architecture) in TABLE_4.iter().zip(Architecture::VALUES) {
        table.add(published, row(settings, published, &Recipe::full(settings).architecture(architecture)));
    }
    table
}

pub(super) fn table_5(settings: &ReproduceJob) -> PlannedTable {
    let mut table = PlannedTable::by_language("5", "Kendall's τ on WMT12 for other cost functions");
    let kendall = Kendall::default();
    let costs = [Cost::Logistic, Cost::Kendall(kendall), Cost::LogisticThenKendall(kendall)];
    for (published, cost) in TABLE_5.iter().zip(costs) {
        table.add(published, row(settings, published, &Recipe::full(settings).cost(cost)));
    }
    table
}

/// 4METRICS, syntactic vectors if there are any, and an encoder that is learned in place of averages.
pub(super) fn encoded(settings: &ReproduceJob, syntax: bool, words: WordChoice) -> Recipe {
    let recipe = Recipe::new(settings, four_metrics(settings));
    let recipe = if syntax { recipe.syntax_if_any(settings) } else { recipe };
    recipe.words(settings, words)
}

pub(super) fn table_6(settings: &ReproduceJob) -> PlannedTable {
    let mut table = PlannedTable::by_language("6", "Kendall's τ on WMT12 for fine-tuning of word embeddings");
    table.add(&TABLE_6[0], row(settings, &TABLE_6[0], &Recipe::full(settings)));
    for (published, fine_tuning) in TABLE_6[1..].iter().zip(FineTuning::VALUES) {
        let words = WordChoice { pretrained: true, encoding: Encoding::Average, fine_tuning, dropout: 0.0 };
        table.add(published, row(settings, published, &encoded(settings, true, words)));
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
    let mut table = PlannedTable::by_language("7", "Kendall's τ on WMT12 for learned encoders");
    table.add(&TABLE_7[0], row(settings, &TABLE_7[0], &Recipe::full(settings)));
    for ((published, encoder), (dropout, note)) in TABLE_7[1..].iter().zip(ENCODERS).zip(chosen) {
        let recipe = encoded(settings, true, with_dropout(encoder, *dropout)).noted(note);
        table.add(published, row(settings, published, &recipe));
    }
    table
}

pub(super) fn table_8(settings: &ReproduceJob, (dropout, note): &(f32, String)) -> PlannedTable {
    let mut table = PlannedTable::by_language("8", "Kendall's τ on WMT12 without syntactic vectors");
    let averages = Recipe::new(settings, four_metrics(settings)).averages(settings, VectorFile::WikiGw50);
    let memory = encoded(settings, false, with_dropout((BI_LSTM, true), *dropout)).noted(note);
    for (published, recipe) in TABLE_8.iter().zip([averages, memory]) {
        table.add(published, row(settings, published, &recipe));
    }
    table
}
