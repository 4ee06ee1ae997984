//! ReVal: Gupta, Orăsan & van Genabith (EMNLP 2015), *ReVal: A Simple and Effective Machine Translation Evaluation Metric Based on
//! Recurrent Neural Networks*, and their submission to WMT15. Tables of WMT12, WMT14 and WMT15.
//!
//! | | the papers | here |
//! |---|---|---|
//! | training | WMT13, five language pairs | WMT13, four (`models.rs`) |
//! | word vectors | GloVe, 300 dimensions | GloVe 6B, 50 dimensions |
//! | trees | Stanford's parser | tercet's parser |
//! | epochs | 10 | 10; 6 for models that learn from pairs, which the paper has not |
//! | runs | one | seeds 1 to n: mean and standard deviation |
//! | people's scores of systems | official | official for WMT15, else expected wins (`human.rs`) |
//!
//! A model is trained once for all test sets. The systems of WMT15 are scored by the outputs that were ranked, the only ones there
//! are.

mod agreement;
mod experiments;
mod human;
mod models;
mod parsed;
mod published;
mod results;
mod settings;
mod tables;
mod test_sets;
mod trainings;

pub use settings::{Settings, TableName};
pub use test_sets::TestSet;

use crate::Reproduction;
use experiments::{Experiment, Experiments};
use tercet::Result;
use tercet::metrics::Registry;
use tercet::progress::Progress;

/// What the papers are called.
const PAPER: &str = "Gupta, Orăsan & van Genabith (2015): ReVal, A Simple and Effective Machine Translation Evaluation Metric Based on \
                     Recurrent Neural Networks";

/// Computes the tables again. `progress` advances by runs.
pub fn reproduce(settings: &Settings, registry: &Registry, progress: Progress<'_>) -> Result<Reproduction> {
    settings.check()?;
    let mut experiments = Experiments::new(settings, registry, progress);
    let mut wanted: Vec<Experiment> = Vec::new();
    for table in settings.wanted() {
        let tasks = match table {
            TableName::Test(set) => results::tasks(&experiments, set),
            TableName::Ablation => results::ablation_tasks(),
        };
        for task in tasks {
            if !wanted.contains(&task) {
                wanted.push(task);
            }
        }
    }
    experiments.run(&wanted)?;
    let mut tables = Vec::new();
    for table in settings.wanted() {
        match table {
            TableName::Test(set) => tables.extend(results::tables(&experiments, set)),
            TableName::Ablation => tables.push(results::ablation_table(&experiments)),
        }
    }
    let damaged = experiments.finished.damaged.sorted();
    Ok(Reproduction { paper: PAPER.to_owned(), tables, notes: notes(), damaged })
}

/// What holds for all tables.
fn notes() -> Vec<String> {
    vec![
        "models of the paper are trained on WMT13 (cs-en, de-en, es-en, fr-en), `pairs` on all years of WMT12 to WMT16 but the tested one; mean ± standard deviation over seeds"
            .to_owned(),
        "rankings of WMT13 cs-en, de-en and es-en are recovered from pairs; the paper had these rankings and those of ru-en".to_owned(),
        "95% intervals: draws of judgements (all of a segment together), people's scores as expected wins, 1000 draws".to_owned(),
        "empty cells of the papers are not in the text that was at hand, or there are none".to_owned(),
    ]
}
