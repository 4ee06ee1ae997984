//! The report for a terminal: a verdict in words, then segments with their texts.

use super::marked::marked;
use super::{ComparisonContents, gate, letter};
use crate::explained::meaning_of_brackets;
use crate::marked_text::{Unit, beside_marks, explained, unmarked, wrapped};
use crate::metrics::Scale;
use crate::p_value::{P_DECIMALS, relation};
use crate::scoring::{Corpus, ResampleBy, Side, SystemComparison};
use crate::table::PLAIN;
use crate::terminal::Style;
use crate::text::write_table;
use tercet_text::visible;

pub(super) fn write(compared: &SystemComparison, corpus: &Corpus<'_>, shown: ComparisonContents) -> String {
    let [a, b] = [0, 1].map(|system: usize| visible(&compared.systems[system]));
    let mut text = format!(
        "A  {a}\nB  {b}\n\n{}\n{}\n",
        shown.terminal.styled(Style::Strong, &verdict(compared, shown.decimals)),
        wins(compared, shown)
    );
    for side in [Side::A, Side::B] {
        let segments = compared.clearest(side, shown.top);
        if segments.is_empty() {
            continue;
        }
        text += &format!("\nWhere {} is most clearly better:\n", letter(side));
        for segment in segments {
            text += &example(compared, corpus, segment, shown);
        }
    }
    let remarks: String = remarks(compared, shown.decimals).iter().map(|remark| format!("{remark}\n")).collect();
    if let Some(found) = &compared.gate {
        let table = gate::table(found, &PLAIN);
        text += &format!("\n{}\n", table.caption.as_deref().unwrap_or_default());
        write_table(&shown.terminal.fit(table), &mut text);
    }
    text + &format!("\n{remarks}{}\n{}\n", test(compared), visible(&compared.signature))
}

/// What to know about the verdict, a sentence each: what brackets mean, what other metrics say and whether they
/// contradict, and what the probabilities were fitted to.
pub fn remarks(compared: &SystemComparison, decimals: usize) -> Vec<String> {
    let brackets = compared.threshold.map(meaning_of_brackets);
    let others = compared.others.iter().map(|other| verdict(other, decimals));
    let agree = std::iter::once(compared).chain(&compared.others).filter_map(people_agree);
    brackets.into_iter().chain(others).chain(agree).chain(contradiction(compared)).chain(fitted_to(compared)).collect()
}

/// What the difference of the scores means: `A has 0.60 chrF2 more than B: people agree in 64% of such pairs (55–72).`
fn people_agree(compared: &SystemComparison) -> Option<String> {
    let ([a, b], found) = compared.scores.zip(compared.people_agree)?;
    let decimals = if a.abs().max(b.abs()) <= 1.0 { Scale::One } else { Scale::Hundred }.decimals();
    let metric = &compared.metric;
    Some(format!("A {a:.decimals$}, B {b:.decimals$} {metric}, a difference of {:+.decimals$}: {found}.", a - b))
}

/// What to do where another metric clearly prefers the other system.
fn contradiction(compared: &SystemComparison) -> Option<String> {
    let leader = compared.clear_leader()?;
    let contradicts = |other: &&SystemComparison| other.clear_leader().is_some_and(|of_other| of_other != leader);
    let others: Vec<&str> = compared.others.iter().filter(contradicts).map(|other| other.metric.as_str()).collect();
    (!others.is_empty()).then(|| {
        let verb = if others.len() == 1 { "contradicts" } else { "contradict" };
        format!(
            "{} {verb} {}: do not rely on either; read the segments where A and B differ most, or ask people.",
            others.join(" and "),
            compared.metric
        )
    })
}

/// What the probabilities were fitted to, and where they are wrong.
fn fitted_to(compared: &SystemComparison) -> Option<String> {
    let fitted = "The probabilities were fitted to judgements of translations into English (news, WMT12–16);";
    match &compared.other_language {
        Some(language) => Some(format!("{fitted} for {language} they are only a rough guide.")),
        None if compared.fitted_to_recent => {
            Some("The probabilities were fitted to judgements of translations into English of 2019 to 2021.".to_owned())
        }
        None => compared.fitted_to_wmt.then(|| format!("{fitted} for newer systems they are too high.")),
    }
}

/// Which system is better, or that there is no clear difference; with interval and p-value.
pub fn verdict(compared: &SystemComparison, decimals: usize) -> String {
    let metric = &compared.metric;
    let Some(leader) = compared.leader() else {
        return format!(
            "By {metric}, no clear difference: each is preferred as often as the other (p {}).",
            relation(compared.p_value, P_DECIMALS)
        );
    };
    let for_leader = |p: f64| if leader == Side::A { p } else { 1.0 - p };
    let ends = [compared.interval.low, compared.interval.high].map(for_leader);
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let (name, p_value) = (letter(leader), relation(compared.p_value, P_DECIMALS));
    if compared.clear_leader().is_none() {
        return format!(
            "By {metric}, no clear difference: {name} is preferred with a probability between {low:.decimals$} and \
             {high:.decimals$} (95% interval); p {p_value}."
        );
    }
    let decimals = decimals_beside_half(low, decimals);
    format!(
        "By {metric}, {name} is better: it is preferred with a probability of {:.decimals$} \
         (95% interval {low:.decimals$} to {high:.decimals$}); p {p_value}.",
        for_leader(compared.mean)
    )
}

/// At least `decimals`, and as many as show that a probability is not one half: "A is better … 0.50" contradicts
/// itself.
fn decimals_beside_half(p: f64, decimals: usize) -> usize {
    const MAX_SHOWN: usize = 6;
    let is_half = |decimals: usize| format!("{p:.decimals$}") == format!("{:.decimals$}", 0.5);
    (decimals..decimals.max(MAX_SHOWN)).find(|&decimals| !is_half(decimals)).unwrap_or(decimals.max(MAX_SHOWN))
}

fn wins(compared: &SystemComparison, shown: ComparisonContents) -> String {
    let decimals = shown.decimals;
    format!(
        "Of {} segments, A wins {}, B wins {}, undecided {}: a share of {:.decimals$} for A.",
        compared.probabilities.len(),
        compared.wins,
        compared.losses,
        compared.undecided,
        compared.share_of_wins()
    )
}

/// How interval and p-value were computed.
pub(super) fn test(compared: &SystemComparison) -> String {
    let seed = compared.request.test.seed.map_or("no seed".to_owned(), |seed| format!("seed {seed}"));
    let (resamples, trials) = (compared.request.interval.samples, compared.request.test.samples);
    let [drawn, exchanged] = match compared.request.by {
        ResampleBy::Segment => ["", ""],
        ResampleBy::Document => [" of documents", " in whole documents"],
    };
    format!(
        "interval: {resamples} bootstrap resamples{drawn}; p: {trials} random exchanges of A and B{exchanged}, \
         two-sided; {seed}"
    )
}

/// A segment: its number and probability, both texts, its references.
fn example(compared: &SystemComparison, corpus: &Corpus<'_>, segment: usize, shown: ComparisonContents) -> String {
    let decimals = shown.decimals;
    let p = compared.probabilities[segment];
    let mut text = format!("{:>5} p(A better) = {p:.decimals$}\n", segment + 1);
    let styles = if p > 0.5 { [Style::Better, Style::Worse] } else { [Style::Worse, Style::Better] };
    let labels = ["A", "B"];
    let write = |label: &str, units: &[Unit], style: Style| wrapped(label, units, style, shown.terminal);
    let lines = [0, 1].map(|system: usize| corpus.systems()[system].hypotheses[segment]);
    let references = &corpus.references()[segment];
    if let Some(explanations) = compared.explanations.get(&segment) {
        for (i, explanation) in explanations.iter().enumerate() {
            let reference = references[explanation.reference];
            let line = explained(lines[i], &explanation.hypothesis_words);
            let reference = explained(reference, &explanation.reference_words);
            text += &write(labels[i], &line, styles[i]);
            text += &write("ref", &reference, styles[i]);
            text += &beside_marks(&line, &reference, &explanation.differences, shown.terminal);
        }
        return text;
    }
    for (i, units) in marked(lines[0], lines[1]).iter().enumerate() {
        text += &write(labels[i], units, styles[i]);
    }
    for reference in references {
        text += &write("ref", &unmarked(reference), Style::Strong);
    }
    if let (Some(sources), true) = (corpus.sources(), references.is_empty()) {
        text += &write("src", &unmarked(sources[segment]), Style::Strong);
    }
    text
}
