//! Sentences for a paper about agreement with human judgements.

use super::paper::{Form, list};
use super::papers::{PERM_BOTH, TIES};
use crate::corpora::Level;
use crate::meta_evaluation::{Agreement, AgreementReport, Test};
use crate::metrics::Paper;

/// With what agreement was measured, how, and how metrics were compared.
pub(super) fn agreement(report: &AgreementReport, form: &Form) -> String {
    let mut sentences: Vec<String> = Vec::new();
    for (judged, statistics) in measured(report) {
        let statistics: Vec<String> = statistics.iter().map(|label| statistic(label, form)).collect();
        sentences.push(format!("{} is measured by {}.", (form.escape)(&judged), list(&statistics)));
    }
    let test = match uses_perm_both(report) {
        true => format!("Metrics were compared by PERM-BOTH {}, with", (form.cite)(&[PERM_BOTH])),
        false => "Intervals and tests have".to_owned(),
    };
    sentences.push(format!("{test} {} draws, seed {}.", report.job.resamples, report.job.seed));
    sentences.join(" ")
}

/// What was judged, and the statistics of it.
fn measured(report: &AgreementReport) -> Vec<(String, Vec<String>)> {
    let mut rows: Vec<(Vec<&Agreement>, String)> = Vec::new();
    for found in &report.agreements {
        let label = found.statistic.label();
        let is_row = |(of, known): &&mut (Vec<&Agreement>, String)| {
            *known == label && (&of[0].set, of[0].level, &of[0].human) == (&found.set, found.level, &found.human)
        };
        match rows.iter_mut().find(is_row) {
            Some((of, _)) => of.push(found),
            None => rows.push((vec![found], label)),
        }
    }
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for (of, label) in rows {
        let judged = judged(&of);
        match all.iter_mut().find(|(known, _)| *known == judged) {
            Some((_, statistics)) => statistics.push(label),
            None => all.push((judged, vec![label])),
        }
    }
    all
}

/// The level, the judgements, their language pairs and numbers.
fn judged(of: &[&Agreement]) -> String {
    let level = if of[0].level == Level::System { "System" } else { "Segment" };
    let mut pairs: Vec<(&str, usize)> = Vec::new();
    for found in of {
        if pairs.iter().all(|(pair, _)| *pair != found.pair) {
            pairs.push((&found.pair, found.n));
        }
    }
    let n = pairs[0].1;
    let names: Vec<&str> = pairs.iter().map(|(pair, _)| *pair).filter(|pair| !pair.is_empty()).collect();
    let size = match (names.len(), pairs.iter().all(|(_, other)| *other == n)) {
        (0, _) => format!("n = {n}"),
        (1, _) => format!("{}; n = {n}", names[0]),
        (_, true) => format!("{}; n = {n} each", names.join(", ")),
        (_, false) => {
            let each: Vec<String> = pairs.iter().map(|(pair, n)| format!("{pair}: n = {n}")).collect();
            each.join(", ")
        }
    };
    format!("{level}-level agreement with the human judgements {} of {} ({size})", of[0].human, of[0].set)
}

/// A statistic as papers call it.
fn statistic(label: &str, form: &Form) -> String {
    let name = match label {
        "pearson" => "Pearson's correlation",
        "spearman" => "Spearman's rank correlation",
        "kendall-b" => "Kendall's tau-b",
        "kendall-c" => "Kendall's tau-c",
        "accuracy" => "pairwise accuracy",
        other => other,
    };
    let paper = if counts_ties(label) { format!(" {}", (form.cite)(&[TIES])) } else { String::new() };
    format!("{}{paper}", (form.escape)(name))
}

/// The papers of statistics and tests.
pub(super) fn papers_of_agreement(report: &AgreementReport) -> Vec<&'static Paper> {
    let ties = report.agreements.iter().any(|found| counts_ties(&found.statistic.label()));
    let test = uses_perm_both(report);
    ties.then_some(&TIES).into_iter().chain(test.then_some(&PERM_BOTH)).collect()
}

/// Whether a statistic is one of those that give credit for ties.
fn counts_ties(label: &str) -> bool {
    label.starts_with("acc-23") || label.starts_with("tau-23")
}

fn uses_perm_both(report: &AgreementReport) -> bool {
    let is_tested = report.agreements.iter().any(|found| found.cluster.is_some());
    is_tested && matches!(report.job.test, Test::None | Test::Auto | Test::Scores)
}
