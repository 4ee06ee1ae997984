//! ReVal: Gupta, Orăsan & van Genabith (EMNLP 2015), *ReVal: A Simple and Effective Machine Translation Evaluation
//! Metric Based on Recurrent Neural Networks*, and their submission to WMT15. Tables of WMT12, WMT14 and WMT15.
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
//! A model is trained once for all test sets. The systems of WMT15 are scored by the outputs that were ranked, the only
//! ones there are.

mod agreement;
mod experiments;
mod human;
mod models;
mod parsed;
mod results;
mod tables;
mod test_sets;
mod trainings;

use crate::plan::wanted;
use crate::{ReproduceJob, Reproduction};
use experiments::Experiments;
use results::PlannedTable;
use std::path::PathBuf;
use tables::Level;
use tercet::Result;
use tercet::metrics::Registry;
use tercet::progress::Progress;
use test_sets::{TableName, TestSet};

/// What the papers are called.
const PAPER: &str = "Gupta, Orăsan & van Genabith (2015): ReVal, A Simple and Effective Machine Translation Evaluation \
                     Metric Based on Recurrent Neural Networks";

/// Returns an error for tables that cannot be computed; the files that are needed.
pub(crate) fn check(job: &ReproduceJob) -> Result<Vec<PathBuf>> {
    // The ablation compares all words with few.
    let few = job.tables()?.contains(&TableName::Ablation).then(|| job.subset());
    Ok([job.vector_file()].into_iter().chain(few).collect())
}

/// Computes the tables again. `progress` advances by runs.
pub(crate) fn reproduce(settings: &ReproduceJob, registry: &Registry, progress: Progress<'_>) -> Result<Reproduction> {
    let mut planned = Vec::new();
    for table in settings.tables::<TableName>()? {
        match table.test() {
            Some(set) => planned.extend(results::tables(settings, set)),
            None => planned.push(results::ablation_table()),
        }
    }
    let mut experiments = Experiments::new(settings, registry, progress);
    experiments.run(&wanted(&planned, settings.seeds()))?;
    let fill = |table: PlannedTable| {
        let sets = TestSet::ALL.into_iter().flat_map(|set| [(set, Level::Systems), (set, Level::Segments)]);
        let name = |(set, level): &(TestSet, Level)| format!("{} {}", set.name(), level.name());
        let compared = sets.into_iter().find(|about| name(about) == table.result.table);
        let mut result = table.fill(|task| experiments.figures(task));
        result.notes = compared.map_or(Vec::new(), |(set, level)| results::comparisons(&experiments, set, level));
        result
    };
    let tables = planned.into_iter().map(fill).collect();
    Ok(Reproduction { paper: PAPER.to_owned(), tables, notes: notes() })
}

/// What holds for all tables.
fn notes() -> Vec<String> {
    vec![
        "models of the paper are trained on WMT13 (cs-en, de-en, es-en, fr-en), `pairs` on all years of WMT12 to \
         WMT16 but the tested one; mean ± standard deviation over seeds"
            .to_owned(),
        "rankings of WMT13 cs-en, de-en and es-en are recovered from pairs; the paper had these rankings and those of \
         ru-en"
            .to_owned(),
        "95% intervals: draws of judgements (all of a segment together), people's scores as expected wins, 1000 draws"
            .to_owned(),
        "empty cells of the papers are not in the text that was at hand, or there are none".to_owned(),
    ]
}
