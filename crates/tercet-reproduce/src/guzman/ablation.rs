//! What is missing to the published level: paraphrase tables, which TER it was, training data, another metric, words
//! with a vector, what vectors say that the network does not find, and how two equal outputs are decided. Not a table
//! of the article.

use super::experiment::{Task, TestSetup, Vectors};
use super::plan::{PlannedTable, Shown, by_language, language_cells};
use super::sets::SetName;
use super::settings::PER_LANGUAGE;
use super::systems::{PLAIN_TER, PlannedNetwork, WMT13, four_metrics, meteor, metric_cells};
use super::tables::FOUR;
use crate::plan::CellGroup;
use crate::{ReproduceJob, VectorFile};
use tercet::learned::Feature;
use tercet_learn::loss::Kendall;
use tercet_learn::networks::Cost;

/// The network with averages of word vectors.
const WITH_AVERAGES: &str = "4METRICS+WIKI-GW50";

const MORE_YEARS: &[SetName] = &[SetName::Wmt13, SetName::Wmt15, SetName::Wmt16];

pub(super) fn ablation(settings: &ReproduceJob) -> PlannedTable {
    let mut table = by_language("ablation", "What is missing to the published level (ours, not the paper's)");
    table.result.ordered_by.clear();
    paraphrases(settings, &mut table);
    plain_ter(settings, &mut table);
    sizes(settings, &mut table);
    add(&mut table, "4METRICS+CHRF", &PlannedNetwork::named(settings, "4METRICS+CHRF"), Shown::PAIRWISE);
    for percent in [25, 50, 100] {
        let mut recipe = PlannedNetwork::named(settings, WITH_AVERAGES);
        recipe.experiment.vectors = vec![Vectors::Averages { file: VectorFile::WikiGw50, percent }];
        let name = format!("4METRICS+WIKI-GW50, {percent}% of its words, most frequent first");
        add(&mut table, &name, &recipe, Shown::PAIRWISE);
    }
    larger_steps(settings, &mut table);
    cosines(settings, &mut table);
    let kendall = Cost::Kendall(Kendall { tie_weight: 1.0, ..Kendall::default() });
    let literal = PlannedNetwork::named(settings, WITH_AVERAGES).cost(kendall);
    add(&mut table, "4METRICS+WIKI-GW50, Kendall's cost with ties at full weight", &literal, Shown::PAIRWISE);
    let four = PlannedNetwork::new(settings, four_metrics(settings));
    add(&mut table, "4METRICS, equal outputs decided by the bias", &four, Shown::only(""));
    add(&mut table, "4METRICS, equal outputs tied", &four, Shown::only(" antisymmetric"));
    table
}

fn paraphrases(settings: &ReproduceJob, table: &mut PlannedTable) {
    let without = ReproduceJob { paraphrase: None, ..settings.clone() };
    let plain = PlannedNetwork::new(settings, four_metrics(&without));
    add(table, "4METRICS, METEOR and TERp-A from the binary", &plain, Shown::PAIRWISE);
    let mut with_table = PlannedNetwork::new(settings, four_metrics(settings));
    if settings.paraphrase.is_none() {
        with_table.missing = Some("needs METEOR's paraphrase table (give paraphrase-en.gz)".to_owned());
    }
    add(table, "4METRICS, METEOR and TERp-A with METEOR's paraphrase table", &with_table, Shown::PAIRWISE);
}

/// Plain TER, which ties often, in place of TERp-A.
fn plain_ter(settings: &ReproduceJob, table: &mut PlannedTable) {
    let plain = metric_cells(PLAIN_TER.to_owned(), TestSetup::WMT12, &FOUR, None, Shown::METRIC_WITH_TIES);
    table.add("plain TER", plain);
    let mut features = four_metrics(settings);
    features[2] = Feature::score(PLAIN_TER);
    add(table, "4METRICS with plain TER", &PlannedNetwork::new(settings, features), Shown::PAIRWISE);
}

/// Learning rate and penalty ten times the article's.
fn larger_steps(settings: &ReproduceJob, table: &mut PlannedTable) {
    for name in [WITH_AVERAGES, "4METRICS+SYNTAX25", "4METRICS+SYNTAX25+WIKI-GW50"] {
        let mut recipe = PlannedNetwork::named(settings, name);
        let optimizer = &mut recipe.experiment.optimizer;
        (optimizer.learning_rate, optimizer.weight_decay) = (0.1, 1e-3);
        let name = format!("{name}, η 0.1 and λ 0.001 in place of 0.01 and 0.0001");
        add(table, &name, &recipe, Shown::PAIRWISE);
    }
}

/// The cosine of a translation's vector with the reference's needs no learning: what the vectors themselves say, alone
/// and beside the four metrics.
fn cosines(settings: &ReproduceJob, table: &mut PlannedTable) {
    for name in ["WIKI-GW50", "SYNTAX25"] {
        let recipe = PlannedNetwork::named(settings, name);
        let vectors = recipe.experiment.vectors[0];
        let source = match &recipe.missing {
            Some(why) => Err(why.clone()),
            None => Ok(Task::Cosine { vectors, test: TestSetup::WMT12 }),
        };
        let cells = language_cells(&FOUR, "", None, Shown::METRIC_WITH_TIES);
        table.add(&format!("cosine of {name} alone"), vec![CellGroup { source, cells, note: None }]);
    }
    for (name, recipe) in [
        ("4METRICS+cosine of WIKI-GW50", WITH_AVERAGES),
        ("4METRICS+cosine of SYNTAX25", "4METRICS+SYNTAX25"),
        ("4METRICS+cosines of both", "4METRICS+SYNTAX25+WIKI-GW50"),
    ] {
        add(table, name, &PlannedNetwork::named(settings, recipe).by_cosines(), Shown::PAIRWISE);
    }
}

fn sizes(settings: &ReproduceJob, table: &mut PlannedTable) {
    let meteor = meteor(settings);
    for (name, train, size) in [
        ("2,500 judgements per language of WMT13", WMT13, Some(2_500)),
        ("10,000 judgements per language of WMT13", WMT13, Some(PER_LANGUAGE)),
        ("all of WMT13", WMT13, None),
        ("all of WMT13, WMT15 and WMT16", MORE_YEARS, None),
    ] {
        let mut recipe = PlannedNetwork::new(settings, four_metrics(settings));
        (recipe.experiment.train, recipe.experiment.size) = (train, size);
        let absent = train.iter().find(|set| !settings.data.join(set.name()).is_dir());
        recipe.missing = absent.map(|set| format!("needs the judgements in {}", set.name()));
        add(table, &format!("4METRICS, trained on {name}"), &recipe, Shown::PAIRWISE);
    }
    table.result.notes.push(format!("METEOR is `{}`", meteor.split('=').next().unwrap_or_default()));
}

/// A row at the size that the recipe has.
fn add(table: &mut PlannedTable, name: &str, recipe: &PlannedNetwork, shown: Shown) {
    let cells = language_cells(&FOUR, "", None, shown);
    let source = recipe.source(recipe.experiment.size);
    table.add(name, vec![CellGroup { source, cells, note: recipe.note.clone() }]);
}
