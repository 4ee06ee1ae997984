//! What holds for all tables.

use super::experiment::{Task, Vectors};
use super::experiment_cache::ExperimentCache;
use super::sets::SetName;
use crate::VectorFile;
use crate::plan::PlannedRuns;
use tercet::learned::Scope;

/// The notes below all tables.
pub(super) fn notes(shared: &ExperimentCache<'_>, wanted: &[PlannedRuns<Task>]) -> Vec<String> {
    let mut notes = Vec::new();
    let learned = || wanted.iter().filter_map(|one| one.task.experiment());
    if learned().next().is_none() {
        return notes;
    }
    let settings = shared.settings;
    notes.push(format!(
        "trained on WMT13 (10,000 judgements per language, or all in the columns /all), stopped by 5,000 judgements \
         of WMT14 (of WMT12 where WMT14 is the test) after {} epochs without a new best ({} for all), of {} at \
         most (learned encoders: {} of {}); mean ± standard deviation over seeds; the article trained on \
         WMT11 for 10,000 epochs",
        settings.ready().patience,
        settings.ready().for_all().patience,
        settings.ready().epochs,
        settings.encoded().patience,
        settings.encoded().epochs
    ));
    notes.extend(learned().find_map(|experiment| identical(shared, experiment.test.scope())));
    let averages = Vectors::averages(VectorFile::WikiGw50);
    if let Some(with) = learned().find(|experiment| experiment.vectors.contains(&averages)) {
        notes.extend(coverage(shared, averages, with.test.scope()));
    }
    notes.push(match settings.paraphrase {
        Some(_) => "METEOR has the paraphrase table that was given".to_owned(),
        None => "METEOR has no paraphrase table (give paraphrase-en.gz)".to_owned(),
    });
    notes
}

/// How many judgements of WMT12 are of two equal outputs.
fn identical(shared: &ExperimentCache<'_>, scope: Scope) -> Option<String> {
    let set = shared.known_set(SetName::Wmt12, scope)?;
    let (same, all) = set.identical();
    Some(format!(
        "{same} of {all} judgements of WMT12 ({:.2}%) are of two outputs with the same text: they, and others with the \
         same features, are decided by the bias of f(a, b, r), a coin toss; all other pairs by both orders of a and b",
        100.0 * same as f64 / all as f64
    ))
}

/// How many words of newstest2012's reference have a vector.
fn coverage(shared: &ExperimentCache<'_>, averages: Vectors, scope: Scope) -> Option<String> {
    let reference = &shared.known_set(SetName::Wmt12, scope)?.reference;
    let lines: Vec<&str> = reference.iter().map(String::as_str).collect();
    let share = shared.encoder(averages).coverage(&lines)?.share();
    Some(format!(
        "WIKI-GW50 has a vector for {:.1}% of the tokens of the reference of WMT12 (for all 400,000 words, give the \
         whole file of GloVe as wiki-gw50)",
        100.0 * share
    ))
}
