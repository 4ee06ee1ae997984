//! Guzmán, Joty, Màrquez & Nakov (2017), *Machine Translation Evaluation with Neural Networks*: tables 1–9.
//!
//! | | the article | here |
//! |---|---|---|
//! | test | WMT12, strict τ of all judgements | the same |
//! | training | WMT11, about 10,000 judgements per language | WMT13, 10,000 drawn per language, or all |
//! | development | 5,000 of WMT13 | 5,000 of WMT14; of WMT12 where table 9 tests on WMT14 |
//! | epochs, ready vectors | 10,000 | up to 10,000, ended after 200 without a new best (22 with all judgements) |
//! | epochs, learned encoders | 10,000 | up to 15, ended after 3 without a new best |
//! | runs | one | seeds 1 to n: mean and standard deviation |
//!
//! WMT11 cannot be had. A seed names the judgements that are drawn, the initial weights, and the order of examples.
//! What decides between two translations is in `agreement.rs`.
//!
//! Learned encoders (tables 6–8) have 50 filters of length 3, or 50 units, the smallest that the article tried. Their
//! dropout is chosen for each by the development τ of seed 1.
//!
//! NIST weighs n-grams by their counts in the references. As a feature it sees those of the judged segments (where
//! table 9 scores all outputs, those of all outputs); the row NIST, like `tercet correlate`, sees those of the whole
//! set.

mod ablation;
mod absolute;
mod agreement;
mod ahead;
mod beyond;
mod execute;
mod experiment;
mod experiment_cache;
mod inputs;
mod notes;
mod plan;
mod run;
mod sets;
mod settings;
mod systems;
mod tables;

use settings::TableName;
pub(crate) use settings::check;

use crate::plan::{PlannedRuns, Task as _, wanted};
use crate::{ReproduceJob, Reproduction};
use execute::execute;
use experiment::Task;
use experiment_cache::ExperimentCache;
use plan::PlannedTable;
use tables::{ENCODERS, encoded, with_dropout};
use tercet::Result;
use tercet::metrics::Registry;
use tercet::progress::Progress;

/// Dropout rates that are tried, of those of the article (0.75 is left out for time).
const DROPOUTS: [f32; 3] = [0.0, 0.25, 0.5];

/// What the article is called.
const PAPER: &str = "Guzmán, Joty, Màrquez & Nakov (2017): Machine Translation Evaluation with Neural Networks";

/// Computes the tables again. `progress` advances by runs.
pub(crate) fn reproduce(settings: &ReproduceJob, registry: &Registry, progress: Progress<'_>) -> Result<Reproduction> {
    let mut shared = ExperimentCache::new(settings, registry, progress)?;
    let planned = planned(&mut shared)?;
    let wanted = wanted(&planned, settings.seeds());
    execute(&mut shared, &wanted)?;
    let figures = |task: &Task| shared.finished.figures(&shared.key(task), &task.seeds(settings.seeds()));
    let tables = planned.into_iter().map(|table| table.fill(figures)).collect();
    Ok(Reproduction { paper: PAPER.to_owned(), tables, notes: notes::notes(&shared, &wanted) })
}

/// All tables that are asked for.
fn planned(shared: &mut ExperimentCache<'_>) -> Result<Vec<PlannedTable>> {
    let settings = shared.settings;
    let mut planned = Vec::new();
    for table in settings.tables::<TableName>()? {
        match table {
            TableName::Table1 => planned.push(tables::table_1(settings)),
            TableName::Table2 => planned.push(tables::table_2(settings)),
            TableName::Table3 => planned.push(tables::table_3(settings)),
            TableName::Table4 => planned.push(tables::table_4(settings)),
            TableName::Table5 => planned.push(tables::table_5(settings)),
            TableName::Table6 => planned.push(tables::table_6(settings)),
            TableName::Table7 => {
                let chosen = dropouts(shared, true, &ENCODERS)?;
                planned.push(tables::table_7(settings, &chosen));
            }
            TableName::Table8 => {
                let chosen = dropouts(shared, false, &ENCODERS[3..4])?;
                planned.push(tables::table_8(settings, &chosen[0]));
            }
            TableName::Table9 => planned.extend(absolute::table_9(settings)),
            TableName::Ablation => planned.push(ablation::ablation(settings)),
            TableName::Beyond => planned.extend(beyond::beyond(settings)?),
        }
    }
    Ok(planned)
}

/// The dropout of each encoder, by the development τ of seed 1 at the smaller size, and what is to be said of it.
fn dropouts(
    shared: &mut ExperimentCache<'_>,
    syntax: bool,
    encoders: &[(tercet_learn::networks::Encoding, bool)],
) -> Result<Vec<(f32, String)>> {
    let settings = shared.settings;
    let size = settings.sizes().into_iter().find(|(_, _, asked)| *asked).and_then(|(_, size, _)| size);
    let mut wanted = Vec::new();
    for &encoder in encoders {
        for dropout in DROPOUTS {
            let recipe = encoded(settings, syntax, with_dropout(encoder, dropout));
            if let (true, Ok(task)) = (recipe.is_possible(), recipe.source(size)) {
                wanted.push(PlannedRuns { task, name: format!("dropout {dropout}"), seeds: vec![1] });
            }
        }
    }
    execute(shared, &wanted)?;
    let chosen = |encoder: &(_, bool)| {
        let development = |dropout: f32| {
            let task = encoded(settings, syntax, with_dropout(*encoder, dropout)).source(size).ok()?;
            shared.finished.find(&shared.key(&task), 1)?.get("development").copied()
        };
        best_dropout(DROPOUTS.map(|dropout| (dropout, development(dropout))))
    };
    Ok(encoders.iter().map(chosen).collect())
}

/// The first of the best, and what is to be said of it.
fn best_dropout(tried: [(f32, Option<f64>); 3]) -> (f32, String) {
    let mut best: Option<(f32, f64)> = None;
    for (dropout, value) in tried {
        if let Some(value) = value.filter(|value| !value.is_nan())
            && best.is_none_or(|(_, known)| value > known)
        {
            best = Some((dropout, value));
        }
    }
    let tried = DROPOUTS.map(|dropout| dropout.to_string()).join(", ");
    let dropout = best.map_or(DROPOUTS[0], |(dropout, _)| dropout);
    (dropout, format!("dropout {dropout}, by the development τ of seed 1 among {tried}"))
}

#[cfg(test)]
mod tests;
