//! Table 9: absolute scores, at segment and system level, on WMT12 and WMT14.
//!
//! The article's figures are missing from the text we have; section 6.1 says that absolute scores are 0.9–1.2 above
//! pairwise decisions, averages 0.3 above zeros. The system is that of table 1. On WMT14 training is stopped by WMT12.

use super::experiment::TestSetup;
use super::plan::{PlannedTable, Shown};
use super::sets::SetName;
use super::systems::{PlannedNetwork, metric_cells};
use super::tables::plain_metrics;
use crate::ReproduceJob;
use crate::Unit;

/// A part of the table: what is tested on what.
struct Section {
    title: &'static str,
    set: SetName,
    systems: bool,
}

const SECTIONS: [Section; 4] = [
    Section { title: "WMT12, segments (strict τ)", set: SetName::Wmt12, systems: false },
    Section { title: "WMT12, systems (Spearman's ρ)", set: SetName::Wmt12, systems: true },
    Section { title: "WMT14, segments (τ of WMT14)", set: SetName::Wmt14, systems: false },
    Section { title: "WMT14, systems (Pearson's r)", set: SetName::Wmt14, systems: true },
];

/// What section 6.1 says in words.
const IN_WORDS: &str = "the article's figures are missing from its text; section 6.1 has absolute scores 0.9–1.2 above \
                        pairwise decisions, and averages 0.3 above zeros";

pub(super) fn table_9(settings: &ReproduceJob) -> Vec<PlannedTable> {
    SECTIONS.iter().map(|section| planned(settings, section)).collect()
}

fn planned(settings: &ReproduceJob, section: &Section) -> PlannedTable {
    let languages = section.set.languages();
    let test = TestSetup { set: section.set, absolute: true };
    let unit = if section.systems { Unit::Coefficient } else { Unit::TauTimes100 };
    let (title, columns) = (format!("Absolute scores: {}", section.title), [languages, &["AVG"]].concat());
    let mut table = PlannedTable::new("9", &title, unit, &columns, &["AVG", "AVG/all"]);
    let mut recipe = PlannedNetwork::full(settings);
    recipe.experiment.test = test;
    if section.set == SetName::Wmt14 {
        recipe = recipe.noted("training stopped by a sample of WMT12, not of WMT14");
    }
    for (name, shown) in networks(section) {
        let name = format!("{}: {name}", section.title);
        table.add(&name, recipe.cells(settings, languages, None, shown));
    }
    let shown = if section.systems { Shown::only(" systems") } else { Shown::METRIC };
    for (name, metric) in plain_metrics(settings) {
        let name = format!("{}: {name}", section.title);
        table.add(&name, metric_cells(metric, test, languages, None, shown));
    }
    table.result.notes.extend((section.set == SetName::Wmt12 && !section.systems).then(|| IN_WORDS.to_owned()));
    table
}

/// The ways a network decides, with the figures they have.
fn networks(section: &Section) -> Vec<(&'static str, Shown)> {
    let averages = "NNRK absolute (averages)";
    match (section.set, section.systems) {
        (_, true) => vec![(averages, Shown::only(" systems averages"))],
        (SetName::Wmt12, false) => vec![
            ("NNRK pairwise", Shown::PAIRWISE),
            ("NNRK absolute (zeros)", Shown::ZEROS),
            (averages, Shown::AVERAGES),
        ],
        (_, false) => vec![("NNRK pairwise", Shown::PAIRWISE), (averages, Shown::AVERAGES)],
    }
}
