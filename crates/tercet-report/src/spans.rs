//! Agreement of spans, as `tercet spans` prints it.
//!
//! Text, Markdown and LaTeX: a table for each set and kind of ratings. The other formats have a row for each metric,
//! with the fields of [`COLUMNS`]; JSON has the title and the signature too.

use super::table::{Marks, PLAIN, Table, interval};
use super::{Format, Terminal, latex, markdown, records, text};
use crate::meta_evaluation::spans::{PrecisionRecall, SpanAgreement, SpanMarker, SpansReport};
use serde_json::{Map, Value, json};

const DECIMALS: usize = 3;

const COLUMNS: [&str; 30] = [
    "set",
    "pair",
    "human",
    "marker",
    "metric",
    "outputs",
    "human_spans",
    "spans",
    "precision",
    "recall",
    "f1",
    "low",
    "high",
    "severity_precision",
    "severity_recall",
    "severity_f1",
    "severity_low",
    "severity_high",
    "matched_precision",
    "matched_recall",
    "matched_f1",
    "matched_low",
    "matched_high",
    "matched_severity_precision",
    "matched_severity_recall",
    "matched_severity_f1",
    "matched_severity_low",
    "matched_severity_high",
    "mean_f1",
    "mean_severity_f1",
];

/// Writes the agreement of spans; `terminal` applies to text.
pub fn write_spans(report: &SpansReport, format: Format, terminal: Terminal) -> String {
    let written = |marks: &Marks, write_table: &dyn Fn(&Table, &mut String)| {
        let one = |table: &Table| {
            let mut text = String::new();
            write_table(table, &mut text);
            text
        };
        span_tables(report, marks).iter().map(one).collect::<Vec<_>>().join("\n")
    };
    match format {
        Format::Text => written(&PLAIN, &|table, text| text::write_table(&terminal.fit(table.clone()), text)),
        Format::Markdown => written(&markdown::MARKS, &markdown::write_table),
        Format::Latex => written(&latex::MARKS, &latex::write_table),
        _ => records::write(&report.agreements.iter().map(row).collect::<Vec<_>>(), &COLUMNS, format),
    }
}

/// A row with all figures.
fn row(of: &SpanAgreement) -> Value {
    let mut row = Map::new();
    let mut add = |name: &str, value: Value| _ = row.insert(name.to_owned(), value);
    let names = [("set", &of.set), ("pair", &of.pair), ("human", &of.human)];
    names.into_iter().for_each(|(name, value)| add(name, json!(value)));
    add("marker", json!(of.marker));
    add("metric", json!(of.metric));
    add("title", json!(of.title));
    add("signature", json!(of.signature));
    for (name, count) in [("outputs", of.outputs), ("human_spans", of.human_spans), ("spans", of.spans)] {
        add(name, json!(count));
    }
    let parts = [
        ("", Some(of.characters)),
        ("severity_", of.with_severity),
        ("matched_", Some(of.matched)),
        ("matched_severity_", of.matched_severity),
    ];
    for (before, part) in parts {
        let PrecisionRecall { precision, recall, f1, low, high } = part.unwrap_or_default();
        let figures = [("precision", precision), ("recall", recall), ("f1", f1), ("low", low), ("high", high)];
        figures.into_iter().for_each(|(name, value)| add(&format!("{before}{name}"), json!(value)));
    }
    add("mean_f1", json!(of.mean_f1));
    add("mean_severity_f1", json!(of.mean_f1_severity));
    Value::Object(row)
}

/// A table for each set and kind of ratings.
pub(super) fn span_tables(report: &SpansReport, marks: &Marks) -> Vec<Table> {
    let of = |found: &SpanAgreement| (found.set.clone(), found.pair.clone(), found.human.clone());
    report.agreements.chunk_by(|one, other| of(one) == of(other)).map(|of_set| table(of_set, marks)).collect()
}

fn table(of_set: &[SpanAgreement], marks: &Marks) -> Table {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.DECIMALS$}"));
    let with_ends = |of: Option<PrecisionRecall>| {
        let ends = of.and_then(|of| of.low.zip(of.high)).map(|(low, high)| interval(low, high, DECIMALS));
        number(of.and_then(|of| of.f1)) + &ends.unwrap_or_default()
    };
    let row = |found: &SpanAgreement| {
        let name = match found.marker {
            SpanMarker::Metric => (marks.escape)(&found.title),
            other => format!("({other})"),
        };
        vec![
            name,
            found.spans.to_string(),
            number(found.characters.precision),
            number(found.characters.recall),
            with_ends(Some(found.characters)),
            with_ends(found.with_severity),
            with_ends(Some(found.matched)),
            number(Some(found.mean_f1)),
        ]
    };
    let first = &of_set[0];
    let name = [first.set.as_str(), first.pair.as_str()].join(" ");
    let about = format!("{}: {}", name.trim_end(), first.human);
    let header = ["spans", "precision", "recall", "F1", "F1 severity", "F1 matched", "mean F1"];
    Table {
        caption: Some((marks.escape)(&format!(
            "{about}, {} outputs with {} spans by people",
            first.outputs, first.human_spans
        ))),
        header: std::iter::once((marks.escape)(&about)).chain(header.map(str::to_owned)).collect(),
        rows: of_set.iter().map(row).collect(),
        numbers_from: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_the_figures() {
        let of = |f1| PrecisionRecall { precision: Some(0.5), recall: None, f1, low: Some(0.25), high: Some(0.75) };
        let found = SpanAgreement {
            set: "s".to_owned(),
            pair: "de-en".to_owned(),
            human: "mqm".to_owned(),
            marker: SpanMarker::Metric,
            metric: "ter".to_owned(),
            title: "TER".to_owned(),
            signature: "ter".to_owned(),
            outputs: 7,
            human_spans: 3,
            spans: 4,
            characters: of(Some(0.5)),
            with_severity: None,
            matched: of(Some(0.125)),
            matched_severity: None,
            mean_f1: 0.25,
            mean_f1_severity: None,
        };
        let report = SpansReport { agreements: vec![found], ..SpansReport::default() };
        let written = |format| write_spans(&report, format, Terminal::default());
        let text = written(Format::Text);
        assert!(text.contains("s de-en: mqm  spans"), "{text}");
        assert!(text.contains("TER               4      0.500       -  0.500 [0.250, 0.750]"), "{text}");
        assert!(written(Format::Json).contains("\"matched_f1\": 0.125"));
        assert!(written(Format::Csv).starts_with("set,pair,human,marker,metric,outputs,human_spans,spans,precision"));
        assert!(written(Format::Tsv).lines().nth(1).unwrap().starts_with("s\tde-en\tmqm\tmetric\tter\t7\t3\t4\t0.5"));
        assert!(written(Format::Latex).contains("F1 severity"));
    }
}
