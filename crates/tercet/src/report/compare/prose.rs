//! The report for a terminal: a verdict in words, then segments with their texts.

use super::marked::{Unit, marked, unmarked};
use super::{ComparisonContents, letter};
use crate::report::terminal::{Style, Terminal};
use crate::scoring::{Corpus, Side, SystemComparison};
use crate::text::{display_width, visible};

/// The width of a line where there is no terminal, and the widest and narrowest that is used.
const COLUMNS: usize = 100;
const NARROWEST: usize = 40;
/// The widths of the columns before texts: the segment's number, then the label.
const INDENT: usize = 6;
const LABEL: usize = 5;

pub(super) fn write(compared: &SystemComparison, corpus: &Corpus<'_>, shown: ComparisonContents) -> String {
    let [a, b] = [0, 1].map(|system: usize| visible(&compared.systems[system]));
    let mut text = format!(
        "A  {a}\nB  {b}\n\n{}\n{}\n",
        shown.terminal.styled(Style::Strong, &verdict(compared, shown)),
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
    let remarks: String = compared.remarks.iter().map(|remark| format!("{remark}\n")).collect();
    text + &format!("\n{remarks}{}\n{}\n", test(compared), visible(&compared.signature))
}

/// Which system is better, or that there is no clear difference; with interval and p-value.
pub(super) fn verdict(compared: &SystemComparison, shown: ComparisonContents) -> String {
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
        Some(_) => (format!("{name} is better"), "it", decimals_beside_half(low, shown.decimals)),
        None => ("no clear difference".to_owned(), name, shown.decimals),
    };
    format!(
        "By {metric}, {claim}: {preferred} is preferred with a probability of {:.decimals$} \
         (95% interval {low:.decimals$} to {high:.decimals$}); p = {:.4}.",
        for_leader(compared.mean),
        compared.p_value
    )
}

/// At least `decimals`, and as many as show that a probability is not one half: "A is better … 0.50" contradicts itself.
fn decimals_beside_half(p: f64, decimals: usize) -> usize {
    const MOST: usize = 6;
    let is_half = |decimals: usize| format!("{p:.decimals$}") == format!("{:.decimals$}", 0.5);
    (decimals..decimals.max(MOST)).find(|&decimals| !is_half(decimals)).unwrap_or(decimals.max(MOST))
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
fn example(
    compared: &SystemComparison,
    corpus: &Corpus<'_>,
    segment: usize,
    shown: ComparisonContents,
) -> String {
    let decimals = shown.decimals;
    let [a, b] = [0, 1].map(|system: usize| corpus.systems()[system].hypotheses[segment]);
    let [a, b] = marked(a, b);
    let p = compared.probabilities[segment];
    let mut text = format!("{:>5} p(A better) = {p:.decimals$}\n", segment + 1);
    let [style_a, style_b] =
        if p > 0.5 { [Style::Better, Style::Worse] } else { [Style::Worse, Style::Better] };
    text += &wrapped("A", &a, style_a, shown.terminal);
    text += &wrapped("B", &b, style_b, shown.terminal);
    for reference in &corpus.references()[segment] {
        text += &wrapped("ref", &unmarked(reference), Style::Strong, shown.terminal);
    }
    text
}

/// Wraps a text into lines, the first with a label; what differs has the style.
fn wrapped(label: &str, units: &[Unit], style: Style, terminal: Terminal) -> String {
    let room = terminal.width.unwrap_or(COLUMNS).clamp(NARROWEST, COLUMNS) - INDENT - LABEL;
    let mut lines = vec![String::new()];
    let mut used = 0;
    let all =
        units.iter().flat_map(|unit| pieces(&unit.text, room).into_iter().map(move |piece| (unit, piece)));
    for (unit, (word, starts_unit)) in all {
        let (gap, width) = (usize::from(starts_unit && unit.starts && used > 0), display_width(&word));
        let word = if unit.differs { terminal.styled(style, &word) } else { word };
        if used + gap + width > room {
            lines.push(word);
            used = width;
            continue;
        }
        let line = lines.last_mut().expect("there is a line");
        line.push_str(&" ".repeat(gap));
        line.push_str(&word);
        used += gap + width;
    }
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let line = |(label, line): (&str, String)| {
        let written = format!("{:INDENT$}{label:<LABEL$}{line}", "");
        format!("{}\n", written.trim_end())
    };
    labels.zip(lines).map(line).collect()
}

/// A word, or pieces of one wider than a line; each with whether it starts the word.
fn pieces(word: &str, room: usize) -> Vec<(String, bool)> {
    if display_width(word) <= room {
        return vec![(word.to_owned(), true)];
    }
    word.chars().enumerate().map(|(i, c)| (c.to_string(), i == 0)).collect()
}
