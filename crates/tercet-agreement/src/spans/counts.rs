//! What the spans of a metric and of a person have in common in one output.

use crate::corpora::{ErrorSpan, MarkedText, Severity};
use std::ops::Range;

/// A span in the output, as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    /// Its characters.
    pub(super) place: Range<usize>,
    /// How bad it is, if that is known.
    pub(super) severity: Option<Class>,
}

/// Severities as they are compared: a critical error is a major one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Minor,
    Major,
}

/// Counts of one output, or sums of many. Halves of characters and shares of spans make them fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SpanCounts {
    /// Outputs, counted once for each rater.
    pub(super) outputs: f64,
    /// Characters that people marked.
    pub(super) human: f64,
    /// Characters that the metric marked.
    pub(super) marked: f64,
    /// Characters that both marked.
    pub(super) both: f64,
    /// The same, a half for each with another severity.
    pub(super) both_severity: f64,
    /// Spans of people.
    pub(super) human_spans: f64,
    /// Spans of the metric.
    pub(super) marked_spans: f64,
    /// The credits of matched spans of people, and of the metric.
    pub(super) matched: [f64; 2],
    /// The same with severities.
    pub(super) matched_severity: [f64; 2],
    /// F1 of the output.
    pub(super) f1: f64,
    /// The same with severities.
    pub(super) f1_severity: f64,
}

/// The errors that have a place in the output and are more than a matter of taste.
pub(super) fn marked(errors: &[ErrorSpan]) -> Vec<Marked> {
    let of = |error: &ErrorSpan| {
        let class = match error.severity {
            Some(Severity::Neutral) => return None,
            Some(Severity::Minor) => Some(Class::Minor),
            Some(Severity::Major | Severity::Critical) => Some(Class::Major),
            None => None,
        };
        let place = error.place.clone().filter(|place| error.side == MarkedText::Output && !place.is_empty())?;
        Some(Marked { place, severity: class })
    };
    errors.iter().filter_map(of).collect()
}

impl SpanCounts {
    /// Compares the spans of one output of so many characters.
    pub(super) fn of(human: &[Marked], metric: &[Marked], length: usize) -> SpanCounts {
        let (of_human, of_metric) = (characters(human, length), characters(metric, length));
        let mut counts = SpanCounts {
            outputs: 1.0,
            human_spans: human.len() as f64,
            marked_spans: metric.len() as f64,
            matched: matched(human, metric, false),
            matched_severity: matched(human, metric, true),
            ..SpanCounts::default()
        };
        for (human, metric) in of_human.into_iter().zip(of_metric) {
            counts.human += f64::from(u8::from(human.is_some()));
            counts.marked += f64::from(u8::from(metric.is_some()));
            if let (Some(human), Some(metric)) = (human, metric) {
                counts.both += 1.0;
                counts.both_severity += credit(human, metric);
            }
        }
        counts.f1 = of_output(counts.both, counts.human, counts.marked);
        counts.f1_severity = of_output(counts.both_severity, counts.human, counts.marked);
        counts
    }

    /// Adds the counts of other outputs.
    pub(super) fn add(&mut self, other: &SpanCounts) {
        self.outputs += other.outputs;
        self.human += other.human;
        self.marked += other.marked;
        self.both += other.both;
        self.both_severity += other.both_severity;
        self.human_spans += other.human_spans;
        self.marked_spans += other.marked_spans;
        for side in 0..2 {
            self.matched[side] += other.matched[side];
            self.matched_severity[side] += other.matched_severity[side];
        }
        self.f1 += other.f1;
        self.f1_severity += other.f1_severity;
    }
}

/// A half for another severity, or for one that is not known.
fn credit(one: Option<Class>, other: Option<Class>) -> f64 {
    if one == other { 1.0 } else { 0.5 }
}

/// The highest severity of each character; `None` where nothing is marked.
fn characters(spans: &[Marked], length: usize) -> Vec<Option<Option<Class>>> {
    let mut characters = vec![None; length];
    for span in spans {
        let end = span.place.end.min(length);
        for character in &mut characters[span.place.start.min(end)..end] {
            *character = (*character).max(Some(span.severity));
        }
    }
    characters
}

/// F1 of an output as WMT23 defined it: where nothing is marked, the side that marks nothing is right.
fn of_output(both: f64, human: f64, marked: f64) -> f64 {
    match (human > 0.0, marked > 0.0) {
        (true, true) => 2.0 * both / (human + marked),
        (false, false) => 1.0,
        _ => 0.0,
    }
}

/// The sums of credits over spans of people and over spans of the metric. Spans are matched one to one, those with the
/// largest Dice coefficient first (of equal ones the first in the text); the credit of a span is the share of it that
/// is in its partner, with severities a half of that if they differ.
fn matched(human: &[Marked], metric: &[Marked], with_severity: bool) -> [f64; 2] {
    let mut candidates = Vec::new();
    for (i, one) in human.iter().enumerate() {
        for (j, other) in metric.iter().enumerate() {
            let (start, end) = (one.place.start.max(other.place.start), one.place.end.min(other.place.end));
            if start < end {
                let factor = if with_severity { credit(one.severity, other.severity) } else { 1.0 };
                let common = (end - start) as f64 * factor;
                let dice = common / (one.place.len() + other.place.len()) as f64;
                candidates.push((dice, common, i, j));
            }
        }
    }
    candidates.sort_by(|a, b| {
        let starts = |&(.., i, j): &(f64, f64, usize, usize)| (human[i].place.start, metric[j].place.start, i, j);
        b.0.total_cmp(&a.0).then_with(|| starts(a).cmp(&starts(b)))
    });
    let (mut used, mut used_by_metric) = (vec![false; human.len()], vec![false; metric.len()]);
    let mut sums = [0.0; 2];
    for (_, common, i, j) in candidates {
        if !used[i] && !used_by_metric[j] {
            (used[i], used_by_metric[j]) = (true, true);
            sums[0] += common / human[i].place.len() as f64;
            sums[1] += common / metric[j].place.len() as f64;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(place: Range<usize>, severity: Option<Class>) -> Marked {
        Marked { place, severity }
    }

    #[test]
    fn characters_with_another_severity_count_half() {
        let human = [span(0..4, Some(Class::Major)), span(8..10, Some(Class::Minor))];
        let metric = [span(2..9, Some(Class::Major))];
        let counts = SpanCounts::of(&human, &metric, 10);
        assert_eq!((counts.human, counts.marked, counts.both, counts.both_severity), (6.0, 7.0, 3.0, 2.5));
        assert_eq!((counts.f1, counts.f1_severity), (6.0 / 13.0, 5.0 / 13.0));
        let overlapping = [span(0..4, Some(Class::Minor)), span(2..6, Some(Class::Major))];
        let counts = SpanCounts::of(&overlapping, &[span(0..6, Some(Class::Major))], 6);
        assert_eq!((counts.human, counts.both_severity), (6.0, 5.0), "the highest severity of a character counts");
    }

    #[test]
    fn each_span_has_at_most_one_partner() {
        let human = [span(0..10, None)];
        let metric = [span(0..4, None), span(5..10, None)];
        let counts = SpanCounts::of(&human, &metric, 10);
        assert_eq!(counts.matched, [0.5, 1.0]);
        assert_eq!(counts.both, 9.0);
        let severe = [span(0..4, Some(Class::Major)), span(5..10, Some(Class::Minor))];
        let counts = SpanCounts::of(&[span(0..10, Some(Class::Major))], &severe, 10);
        assert_eq!(counts.matched_severity, [0.4, 1.0], "the partner with the right severity");
    }

    #[test]
    fn outputs_without_errors_are_right_if_nothing_is_marked() {
        let f1 = |human: &[Marked], metric: &[Marked]| SpanCounts::of(human, metric, 5).f1;
        let some = [span(0..2, None)];
        assert_eq!((f1(&[], &[]), f1(&some, &[]), f1(&[], &some), f1(&some, &some)), (1.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn errors_without_a_place_or_of_taste_are_not_compared() {
        let error =
            |place: Option<Range<usize>>, severity, side| ErrorSpan { side, place, severity, ..Default::default() };
        let errors = [
            error(Some(1..2), Some(Severity::Critical), MarkedText::Output),
            error(Some(1..2), Some(Severity::Neutral), MarkedText::Output),
            error(None, Some(Severity::Major), MarkedText::Output),
            error(Some(1..2), Some(Severity::Major), MarkedText::Source),
        ];
        assert_eq!(marked(&errors), [span(1..2, Some(Class::Major))]);
    }
}
