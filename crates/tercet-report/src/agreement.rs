//! Agreement of metrics with human judgements: one table per set, level and statistic.
//!
//! Tables have a row per metric, the best average first, and a column per language pair: values with both ends of their
//! 95% interval (over systems, where systems are judged) and, if metrics were tested against each other, the cluster as
//! a superscript; Markdown and LaTeX print the best cluster (or value) in bold. Where ties are calibrated, a second
//! table has the thresholds and what they tie.
//!
//! JSON: an array of `{set, pair, level, statistic, metric, value, low, high, n}` with `level` `segment` or `system`,
//! `pair` `all` where language pairs are pooled, `n` the number of judgements or items behind the value, `null` for
//! what is not defined; after these nine `grouping` (`none`, `item`, `system`), `human`, `cluster`, `ahead_of` (the
//! metrics below it, each with the p-value of the difference) and the metric's `signature`; then `systems_low`,
//! `systems_high` (at system level the ends of the interval by draws of systems; `low` and `high` are those by draws of
//! segments, where there are segments), and `tie_threshold`, `tied_pairs`, `human_tied_pairs`, `pairs` where ties are
//! calibrated. JSON lines: the same objects, one per line. TSV: the same names as a header, numbers with 17 significant
//! digits, nothing where JSON has `null`. CSV: the same. With averages over all tables, each metric has two further
//! rows
//! of set and pair `all` without a level: `average-rank` and `average-value`, `n` being the number of tables' columns.

mod ties;

use super::p_value;
use super::table::{self, Marks, PLAIN, Table};
use super::{Format, Terminal, latex, markdown, records, text};
use crate::corpora::Level;
use crate::meta_evaluation::{
    Agreement, AgreementCeiling, AgreementReport, IntervalKind, MIN_SYSTEMS, OverallRow, POOLED, StatisticName, Test,
};
use crate::statistics::Grouping;
use serde_json::{Value, json};

/// Decimals of values in tables.
const DECIMALS: usize = 3;

/// Writes the agreement of metrics with human judgements; `terminal` applies to text.
pub fn write_agreement(report: &AgreementReport, format: Format, terminal: Terminal) -> String {
    let notes = notes(report);
    match format {
        Format::Text => text::write(tables(report, &PLAIN), &signatures(report, &PLAIN), &notes, terminal),
        Format::Markdown => {
            markdown::write(&tables(report, &markdown::MARKS), &signatures(report, &markdown::MARKS), &notes)
        }
        Format::Latex => latex::write(&tables(report, &latex::MARKS), &signatures(report, &PLAIN), &notes),
        Format::Json | Format::Jsonl | Format::Tsv | Format::Csv => {
            let rows = report.agreements.iter().map(|of| serde_json::to_value(of).expect("names and numbers"));
            let rows: Vec<Value> = rows.chain(overall_rows(report)).collect();
            records::write(&rows, &COLUMNS, format)
        }
    }
}

/// The columns of TSV and CSV.
const COLUMNS: [&str; 19] = [
    "set",
    "pair",
    "level",
    "statistic",
    "metric",
    "value",
    "low",
    "high",
    "n",
    "grouping",
    "human",
    "cluster",
    "signature",
    "systems_low",
    "systems_high",
    "tie_threshold",
    "tied_pairs",
    "human_tied_pairs",
    "pairs",
];

/// One table per set, level and statistic.
pub(super) fn tables(report: &AgreementReport, marks: &Marks) -> Vec<Table> {
    let mut groups: Vec<Vec<&Agreement>> = Vec::new();
    let same = |a: &Agreement, b: &Agreement| {
        (&a.set, a.level, &a.human) == (&b.set, b.level, &b.human) && a.statistic == b.statistic
    };
    for agreement in &report.agreements {
        match groups.iter_mut().find(|group| same(group[0], agreement)) {
            Some(group) => group.push(agreement),
            None => groups.push(vec![agreement]),
        }
    }
    let mut tables: Vec<Table> = groups.iter().flat_map(|group| group_tables(group, marks)).collect();
    if report.job.p_values {
        tables.extend(p_tables(report, marks));
    }
    tables.extend(overall_table(report, marks));
    tables
}

/// The average rank and value of each metric over all columns of the tables.
fn overall_table(report: &AgreementReport, marks: &Marks) -> Option<Table> {
    let by = report.job.overall.as_ref()?;
    let rows = report.overall(by);
    let shares = match by.as_slice() {
        [] => "all with the same weight".to_owned(),
        by => {
            let names: Vec<&str> = by.iter().map(|attribute| attribute.name()).collect();
            format!("weights shared equally by {}", names.join(", then "))
        }
    };
    let tasks = rows.first().map_or(0, |row| row.tasks);
    let cells = |row: &OverallRow| {
        vec![(marks.escape)(&row.metric), format!("{:.2}", row.rank), format!("{:.DECIMALS$}", row.value)]
    };
    Some(Table {
        caption: Some(format!("overall: averages over {tasks} columns of the tables, {shares}")),
        header: ["metric", "rank", "value"].map(str::to_owned).to_vec(),
        rows: rows.iter().map(cells).collect(),
        numbers_from: 1,
    })
}

/// The same as rows of the machine-readable formats.
fn overall_rows(report: &AgreementReport) -> Vec<Value> {
    let Some(by) = &report.job.overall else { return Vec::new() };
    let row = |statistic: &str, of: &OverallRow, value: f64| {
        json!({
            "set": POOLED,
            "pair": POOLED,
            "level": null,
            "statistic": statistic,
            "metric": of.metric,
            "value": value,
            "n": of.tasks,
        })
    };
    let rows = report.overall(by);
    rows.iter().flat_map(|of| [row("average-rank", of, of.rank), row("average-value", of, of.value)]).collect()
}

/// The p-values of one language pair: "row is better than column".
fn p_tables(report: &AgreementReport, marks: &Marks) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let tested = report.agreements.iter().filter(|agreement| agreement.cluster.is_some());
    let groups = tested.collect::<Vec<_>>();
    let same = |a: &&Agreement, b: &&Agreement| {
        (&a.set, &a.pair, a.level, &a.human) == (&b.set, &b.pair, b.level, &b.human) && a.statistic == b.statistic
    };
    for group in groups.chunk_by(same) {
        let mut order = group.to_vec();
        order.sort_by_key(|agreement| std::cmp::Reverse(agreement.ahead_of.len()));
        let cell = |row: &Agreement, column: &Agreement| {
            let found = row.ahead_of.iter().find(|(metric, _)| *metric == column.metric);
            let draws = if report.job.test == Test::Williams { usize::MAX } else { report.job.resamples };
            found.map_or(String::new(), |(_, p)| (marks.escape)(&p_value::cell_of_draws(*p, DECIMALS, draws)))
        };
        let row = |row: &&Agreement| {
            let cells = order.iter().map(|column| cell(row, column));
            std::iter::once((marks.escape)(&row.metric)).chain(cells).collect()
        };
        let heads = order.iter().map(|agreement| (marks.escape)(&agreement.metric));
        let caption = format!("{}, {}: p-values", caption(group[0]), group[0].pair);
        tables.push(Table {
            caption: Some((marks.escape)(&caption)),
            header: std::iter::once("ahead".to_owned()).chain(heads).collect(),
            rows: order.iter().map(row).collect(),
            numbers_from: 1,
        });
    }
    tables
}

/// Distinct names in order of appearance.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

/// The values, and the thresholds where ties are calibrated.
fn group_tables(group: &[&Agreement], marks: &Marks) -> Vec<Table> {
    let pairs = distinct(group.iter().map(|agreement| agreement.pair.as_str()));
    let mut metrics = distinct(group.iter().map(|agreement| agreement.metric.as_str()));
    let find = |metric: &str, pair: &str| {
        group.iter().copied().find(|agreement| agreement.metric == metric && agreement.pair == pair)
    };
    let single: Vec<&str> = pairs.iter().copied().filter(|pair| *pair != POOLED).collect();
    let average = |metric: &str| {
        let sum: Option<f64> = single.iter().map(|pair| Some(find(metric, pair)?.value)).sum();
        sum.map(|sum| sum / single.len() as f64).filter(|mean| !mean.is_nan())
    };
    metrics.sort_by(|a, b| average(b).partial_cmp(&average(a)).unwrap_or(std::cmp::Ordering::Equal));
    let with_average = single.len() > 1;
    let row = |metric: &&str| {
        let cells = pairs.iter().map(|pair| find(metric, pair).map_or(String::new(), |of| cell(of, group, marks)));
        let mean = with_average.then(|| average(metric).map_or(String::new(), |mean| format!("{mean:.DECIMALS$}")));
        std::iter::once((marks.escape)(metric)).chain(cells).chain(mean).collect()
    };
    let mut rows: Vec<Vec<String>> = metrics.iter().map(row).collect();
    let n = |pair: &&str| group.iter().find(|of| of.pair == **pair).map_or(String::new(), |of| of.n.to_string());
    let counts = std::iter::once("n".to_owned()).chain(pairs.iter().map(n));
    rows.push(counts.chain(with_average.then(String::new)).collect());
    let heads = pairs.iter().map(|pair| if pair.is_empty() { "value".to_owned() } else { (marks.escape)(pair) });
    let header = std::iter::once("metric".to_owned()).chain(heads).chain(with_average.then(|| "average".to_owned()));
    let values =
        Table { caption: Some((marks.escape)(&caption(group[0]))), header: header.collect(), rows, numbers_from: 1 };
    std::iter::once(values).chain(ties::table(group, &metrics, marks)).collect()
}

fn caption(agreement: &Agreement) -> String {
    let by = match agreement.statistic.grouping {
        Grouping::None => "",
        _ if agreement.statistic.name == StatisticName::PairwiseDifferencePearson => match agreement.statistic.grouping
        {
            Grouping::Item => ", of differences within segments",
            _ => ", of differences within systems",
        },
        Grouping::System => ", averaged over systems",
        Grouping::Item => ", averaged over segments",
    };
    format!(
        "{}, {} level: {} with {}{by}",
        agreement.set,
        agreement.level,
        agreement.statistic.label(),
        agreement.human
    )
}

fn cell(agreement: &Agreement, group: &[&Agreement], marks: &Marks) -> String {
    if agreement.value.is_nan() {
        return "-".to_owned();
    }
    let mut text = format!("{:.DECIMALS$}", agreement.value);
    let of_pair = group.iter().filter(|other| other.pair == agreement.pair);
    let best = match agreement.cluster {
        Some(cluster) => cluster == 1,
        None => of_pair.clone().count() > 1 && of_pair.clone().all(|other| other.value <= agreement.value),
    };
    if best {
        text = (marks.best)(text);
    }
    if let Some((low, high)) = shown_interval(agreement) {
        text += &table::interval(low, high, DECIMALS);
    }
    text + &agreement.cluster.map_or(String::new(), |cluster| (marks.raised)(cluster))
}

/// The interval in tables: at system level the one over systems, since the one over segments is narrow for any few
/// systems.
fn shown_interval(agreement: &Agreement) -> Option<(f64, f64)> {
    match agreement.level {
        Level::System => agreement.over_systems,
        _ => agreement.low.zip(agreement.high).filter(|(low, _)| !low.is_nan()),
    }
}

/// The signature of each metric; of one that depends on the target language, with the pairs of the other signatures.
pub(super) fn signatures(report: &AgreementReport, marks: &Marks) -> Vec<(String, String)> {
    let mut signatures: Vec<(&str, String, String)> = Vec::new();
    for agreement in &report.agreements {
        let Agreement { metric, signature, pair, .. } = agreement;
        let mut of_metric = signatures.iter().filter(|(known, _, _)| known == metric).peekable();
        let title = match of_metric.peek() {
            None => (marks.escape)(metric),
            Some(_) => (marks.escape)(&format!("{metric} {pair}")),
        };
        if of_metric.all(|(_, _, known)| known != signature) {
            signatures.push((metric, title, signature.clone()));
        }
    }
    signatures.into_iter().map(|(_, title, signature)| (title, signature)).collect()
}

pub(super) fn notes(report: &AgreementReport) -> Vec<String> {
    let mut notes = Vec::new();
    let any = |present: fn(&Agreement) -> bool| report.agreements.iter().any(present);
    let (seed, draws) = (report.job.seed, report.job.resamples);
    if any(|agreement| agreement.value.is_nan()) {
        notes.push("-: not defined, since scores are too few (in every group) or all alike".to_owned());
    }
    let of_pearson = match report.job.interval {
        IntervalKind::Fisher => "Pearson: Fisher's transformation; others: ",
        IntervalKind::Student => "Pearson: Student's t; others: ",
        IntervalKind::Bootstrap | IntervalKind::None => "",
    };
    let is_system = |agreement: &Agreement| agreement.level == Level::System;
    if any(|agreement| agreement.level != Level::System && agreement.low.is_some()) {
        notes.push(format!("[low, high]: 95% interval ({of_pearson}{draws} draws of segments, seed {seed})"));
    }
    if any(|agreement| agreement.over_systems.is_some()) {
        notes.push(format!(
            "[low, high] at system level: 95% interval over systems, of what other systems could have given \
             ({of_pearson}{draws} draws of systems, seed {seed}); json and tsv also have that over segments"
        ));
    }
    let lacks = |of: &Agreement| is_system(of) && of.over_systems.is_none() && !of.value.is_nan();
    if report.job.interval != IntervalKind::None && report.agreements.iter().any(lacks) {
        notes.push(format!(
            "no interval at system level: fewer than {MIN_SYSTEMS} systems, or all draws of them give the same value"
        ));
    }
    notes.extend(report.ceilings.iter().map(ceiling_note));
    notes.extend(ties::notes(&report.agreements));
    if any(|agreement| agreement.cluster.is_some()) {
        let how = match report.job.test {
            Test::Williams => "Williams's test".to_owned(),
            Test::Pairs => format!("permutation of pairs, {draws} draws, seed {seed}"),
            Test::Scores => format!("PERM-BOTH by scores, {draws} draws, seed {seed}"),
            Test::Auto | Test::None => {
                format!("PERM-BOTH, by pairs where ties count, else by scores, {draws} draws, seed {seed}")
            }
        };
        notes.push(format!("raised figures: significance clusters, p ≤ {} ({how})", report.job.alpha));
        notes.extend(ties::cluster_note(&report.agreements));
    }
    notes
}

/// How far identical outputs of several systems, judged each on their own, let a metric agree.
fn ceiling_note(of: &AgreementCeiling) -> String {
    let (about, ceiling) = (format!("{} {}", of.set, of.pair), &of.ceiling);
    let equal = 100.0 * ceiling.equal.unwrap_or_default();
    format!(
        "{}: scores ({}) of identical outputs correlate at {:.3} ({} pairs, {equal:.0}% equal): noise holds the \
         Pearson of any metric over segments below about {:.3}",
        about.trim_end(),
        of.human,
        ceiling.reliability,
        ceiling.n,
        ceiling.ceiling
    )
}
