//! Agreement of raters, as `tercet raters` prints it.
//!
//! Two tables for each kind of judgement in text, Markdown and LaTeX: α with its interval and the ceilings, then the
//! raters. JSON and JSON lines: an object for each kind of judgement, with its raters. TSV and CSV: a row for each
//! rater, `set pair name rater n mean deviation common pearson tau difference alpha_without outlier`; the others are in
//! JSON.

use super::table::{Marks, PLAIN, Table};
use super::{Format, Terminal, latex, markdown, records, text};
use crate::meta_evaluation::raters::{Ceiling, RaterStatistics, RatersReport};
use serde::Serialize;

const COLUMNS: [&str; 13] = [
    "set",
    "pair",
    "name",
    "rater",
    "n",
    "mean",
    "deviation",
    "common",
    "pearson",
    "tau",
    "difference",
    "alpha_without",
    "outlier",
];

/// Writes the agreement of raters; `terminal` applies to text.
pub fn write_raters(reports: &[RatersReport], format: Format, terminal: Terminal) -> String {
    match format {
        Format::Text => tables(reports, &PLAIN, &|table, text| text::write_table(&terminal.fit(table.clone()), text)),
        Format::Markdown => tables(reports, &markdown::MARKS, &markdown::write_table),
        Format::Latex => tables(reports, &latex::MARKS, &latex::write_table),
        Format::Json | Format::Jsonl => records::write(reports, &[], format),
        Format::Tsv | Format::Csv => records::write(&rows(reports), &COLUMNS, format),
    }
}

/// A rater of a table.
#[derive(Serialize)]
struct Row<'a> {
    set: &'a str,
    pair: &'a str,
    name: &'a str,
    #[serde(flatten)]
    rater: &'a RaterStatistics,
}

fn rows<'r>(reports: &'r [RatersReport]) -> Vec<Row<'r>> {
    let of_raters = reports.iter().flat_map(|report| report.raters.iter().map(move |rater| (report, rater)));
    let row = |(report, rater): (&'r RatersReport, &'r RaterStatistics)| Row {
        set: &report.set,
        pair: &report.pair,
        name: &report.name,
        rater,
    };
    of_raters.map(row).collect()
}

fn tables(reports: &[RatersReport], marks: &Marks, write_table: &dyn Fn(&Table, &mut String)) -> String {
    let one = |report: &RatersReport| {
        let mut text = String::new();
        write_table(&overview(report, marks), &mut text);
        if !report.raters.is_empty() {
            text.push('\n');
            write_table(&raters(report, marks), &mut text);
        }
        text
    };
    reports.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn overview(report: &RatersReport, marks: &Marks) -> Table {
    let mut rows = vec![["outputs".to_owned(), format!("{}, {} by several raters", report.outputs, report.shared)]];
    if let Some(alpha) = report.alpha {
        let interval = report.low.zip(report.high).map(|(low, high)| format!(" [{low:.3}, {high:.3}]"));
        rows.push(["Krippendorff's alpha".to_owned(), format!("{alpha:.3}{}", interval.unwrap_or_default())]);
    }
    if let Some(spread) = report.spread {
        rows.push(["deviation of scores of one output".to_owned(), format!("{spread:.3}")]);
    }
    let ceiling = |of: &Ceiling, what: &str| {
        let equal = of.equal.map(|share| format!(", {:.0}% equal", 100.0 * share)).unwrap_or_default();
        format!("{:.3} (reliability {:.3}, {} {what}{equal})", of.ceiling, of.reliability, of.n)
    };
    if let Some(of) = &report.by_raters {
        rows.push(["highest Pearson, by raters".to_owned(), ceiling(of, "outputs")]);
    }
    if let Some(of) = &report.by_identical {
        rows.push(["highest Pearson, by identical outputs".to_owned(), ceiling(of, "pairs")]);
    }
    let name = [report.set.as_str(), report.pair.as_str()].join(" ");
    Table {
        caption: None,
        header: vec![(marks.escape)(&format!("{}: {}", name.trim_end(), report.name)), String::new()],
        rows: rows.into_iter().map(|row| row.map(|cell| (marks.escape)(&cell)).to_vec()).collect(),
        numbers_from: 2,
    }
}

fn raters(report: &RatersReport, marks: &Marks) -> Table {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let row = |rater: &RaterStatistics| {
        let outlier: Vec<&str> = rater.outlier.iter().map(|outlier| outlier.name()).collect();
        vec![
            (marks.escape)(&rater.rater),
            outlier.join(", "),
            rater.n.to_string(),
            number(Some(rater.mean)),
            number(Some(rater.deviation)),
            rater.common.to_string(),
            number(rater.pearson),
            number(rater.tau),
            number(rater.difference),
            number(rater.alpha_without),
        ]
    };
    let header =
        ["rater", "outlier", "n", "mean", "deviation", "common", "pearson", "tau", "difference", "alpha without"];
    Table {
        caption: None,
        header: header.map(str::to_owned).to_vec(),
        rows: report.raters.iter().map(row).collect(),
        numbers_from: 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta_evaluation::raters::Outlier;

    #[test]
    fn every_format_has_the_raters() {
        let rater = RaterStatistics {
            rater: "ann".to_owned(),
            n: 30,
            mean: -1.5,
            deviation: 0.25,
            common: 30,
            pearson: Some(0.5),
            tau: None,
            difference: Some(-0.125),
            alpha_without: Some(0.75),
            outlier: vec![Outlier::Stricter],
        };
        let ceiling = Ceiling { reliability: 0.25, ceiling: 0.5, n: 40, equal: Some(0.5) };
        let report = RatersReport {
            set: "s".to_owned(),
            pair: "de-en".to_owned(),
            name: "mqm".to_owned(),
            outputs: 60,
            shared: 30,
            alpha: Some(0.5),
            low: Some(0.25),
            high: Some(0.75),
            spread: Some(1.0),
            by_raters: None,
            by_identical: Some(ceiling),
            raters: vec![rater],
        };
        let written = |format| write_raters(std::slice::from_ref(&report), format, Terminal::default());
        let text = written(Format::Text);
        assert!(text.contains("Krippendorff's alpha                   0.500 [0.250, 0.750]"), "{text}");
        assert!(text.contains("0.500 (reliability 0.250, 40 pairs, 50% equal)"), "{text}");
        assert!(text.contains("ann    stricter  30  -1.500"), "{text}");
        assert!(written(Format::Json).contains("\"alpha_without\": 0.75"));
        let tsv = written(Format::Tsv);
        assert_eq!(
            tsv.lines().nth(1).unwrap(),
            "s\tde-en\tmqm\tann\t30\t-1.5000000000000000\t0.25000000000000000\t30\t0.50000000000000000\t\t\
             -0.12500000000000000\t0.75000000000000000\tstricter"
        );
    }
}
