//! The report for a terminal: a verdict in words, then segments with their texts.

use super::marked::marked;
use super::{ComparisonContents, letter};
use crate::explained::meaning_of_brackets;
use crate::marked_text::{Unit, explained, unmarked, without_marks, wrapped};
use crate::scoring::{Corpus, Side, SystemComparison};
use crate::terminal::Style;
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
    text + &format!("\n{remarks}{}\n{}\n", test(compared), visible(&compared.signature))
}

/// What to know about the verdict, a sentence each: what brackets mean, what other metrics say, and whether the
/// language is another one.
pub fn remarks(compared: &SystemComparison, decimals: usize) -> Vec<String> {
    let fitted = |language: &String| {
        format!(
            "The probabilities were fitted to judgements of translations into English (news, WMT12–16); for {language} \
             they are only a rough guide."
        )
    };
    let brackets = compared.threshold.map(meaning_of_brackets);
    let others = compared.others.iter().map(|other| verdict(other, decimals));
    brackets.into_iter().chain(others).chain(compared.other_language.as_ref().map(fitted)).collect()
}

/// Which system is better, or that there is no clear difference; with interval and p-value.
pub fn verdict(compared: &SystemComparison, decimals: usize) -> String {
    let metric = &compared.metric;
    let Some(leader) = compared.leader() else {
        return format!(
            "By {metric}, no clear difference: each is preferred as often as the other (p = {:.4}).",
            compared.p_value
        );
    };
    let for_leader = |p: f64| if leader == Side::A { p } else { 1.0 - p };
    let ends = [compared.interval.low, compared.interval.high].map(for_leader);
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let name = letter(leader);
    let (claim, preferred, decimals) = match compared.clear_leader() {
        Some(_) => (format!("{name} is better"), "it", decimals_beside_half(low, decimals)),
        None => ("no clear difference".to_owned(), name, decimals),
    };
    format!(
        "By {metric}, {claim}: {preferred} is preferred with a probability of {:.decimals$} \
         (95% interval {low:.decimals$} to {high:.decimals$}); p = {:.4}.",
        for_leader(compared.mean),
        compared.p_value
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
    format!(
        "interval: {} bootstrap resamples; p: {} random exchanges of A and B, two-sided; {seed}",
        compared.request.interval.samples, compared.request.test.samples
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
            text += &without_marks(&line, &reference, shown.terminal);
        }
        return text;
    }
    for (i, units) in marked(lines[0], lines[1]).iter().enumerate() {
        text += &write(labels[i], units, styles[i]);
    }
    for reference in references {
        text += &write("ref", &unmarked(reference), Style::Strong);
    }
    text
}
