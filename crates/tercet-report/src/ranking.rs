//! Systems in the order of their scores, as `tercet rank` prints them: a view of an [`Evaluation`] with a paired test
//! of all pairs.
//!
//! Text, Markdown and LaTeX have one table in which the orders by several metrics are side by side. JSON: an array with
//! an object for each metric and system, metric by metric, best first: `{rank, group, wins, …}` and then what
//! `tercet score` writes for a system (`system`, `metric`, `title`, `signature`, `higher_is_better`, `score`,
//! `interval`, `comparisons`, `gate`, `warnings`);
//! `wins` is null where it is not known. JSON lines: the same objects, one per line. TSV: a header and the columns
//! `metric rank group system score low high wins`, numbers with 17 significant digits, `-` for what is not known. CSV:
//! the same.

use super::table::{Marks, PLAIN, Table, headings, interval, percent, signatures, titles};
use super::{Contents, Format, Terminal, csv, gate, json, latex, markdown, text, tsv};
use crate::scoring::{Evaluation, RankedSystem};
use crate::warning::Warning;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

/// Decimals of probabilities.
const PROBABILITY_DECIMALS: usize = 2;

/// Writes the order of systems by each metric; `decimals` (`None`: those usual for the metric) applies to text,
/// Markdown and LaTeX, `terminal` to text.
pub fn write_ranking(
    evaluation: &Evaluation,
    warnings: &[Warning],
    format: Format,
    decimals: Option<usize>,
    terminal: Terminal,
) -> String {
    let (signatures, notes) = (signatures(evaluation), notes(evaluation));
    match format {
        Format::Text => text::write(tables(evaluation, decimals, &PLAIN), &signatures, &notes, terminal),
        Format::Markdown => markdown::write(&tables(evaluation, decimals, &markdown::MARKS), &signatures, &notes),
        Format::Latex => latex::write(&tables(evaluation, decimals, &latex::MARKS), &signatures, &notes),
        Format::Json => format!("{:#}\n", Value::Array(objects(evaluation, warnings).collect())),
        Format::Jsonl => objects(evaluation, warnings).map(|object| format!("{object}\n")).collect(),
        Format::Tsv => {
            let header = "metric\trank\tgroup\tsystem\tscore\tlow\thigh\twins\n".to_owned();
            places(evaluation).fold(header, |text, (column, place)| text + &line(evaluation, column, place))
        }
        Format::Csv => csv::from_tsv(&write_ranking(evaluation, warnings, Format::Tsv, decimals, terminal)),
    }
}

/// The systems in order, and the gate if there is one.
fn tables(evaluation: &Evaluation, decimals: Option<usize>, marks: &Marks) -> Vec<Table> {
    let gate = evaluation.gate.as_ref().map(|found| gate::table(found, marks));
    std::iter::once(table(evaluation, decimals, marks)).chain(gate).collect()
}

/// Every system by every metric, metric by metric.
fn places(evaluation: &Evaluation) -> impl Iterator<Item = (usize, RankedSystem)> {
    let columns = 0..evaluation.columns.len();
    columns.flat_map(|column| evaluation.ranking(column).into_iter().map(move |place| (column, place)))
}

fn objects<'e>(evaluation: &'e Evaluation, warnings: &'e [Warning]) -> impl Iterator<Item = Value> + 'e {
    places(evaluation).map(move |(column, place)| {
        let wins = evaluation.columns[column].cells[place.system].wins;
        let mut object = Map::new();
        object.insert("rank".to_owned(), json!(place.rank));
        object.insert("group".to_owned(), json!(place.group));
        object.insert("wins".to_owned(), json!(wins));
        let scored = json::object(evaluation, Contents::default(), column, place.system, false);
        object.extend(scored.as_object().cloned().unwrap_or_default());
        json::with_warnings(Value::Object(object), evaluation, Some(warnings))
    })
}

fn line(evaluation: &Evaluation, column: usize, place: RankedSystem) -> String {
    let (system, column) = (&evaluation.systems[place.system], &evaluation.columns[column]);
    let cell = &column.cells[place.system];
    let or_none = |number: Option<f64>| number.map_or("-".to_owned(), tsv::digits);
    let ends = cell.interval.as_ref();
    let fields = [
        tsv::field(&column.metric),
        place.rank.to_string(),
        place.group.to_string(),
        tsv::field(system),
        tsv::digits(cell.score),
        or_none(ends.map(|ends| ends.low)),
        or_none(ends.map(|ends| ends.high)),
        or_none(cell.wins),
    ];
    format!("{}\n", fields.join("\t"))
}

/// A row for each place; for each metric the system in this place, its group, score and probability of winning.
fn table(evaluation: &Evaluation, decimals: Option<usize>, marks: &Marks) -> Table {
    let titles = titles(evaluation, marks);
    let headings: Vec<String> = headings(evaluation, marks).collect();
    let mut columns = vec![right("rank", ranks(evaluation).iter().map(usize::to_string))];
    for (number, column) in evaluation.columns.iter().enumerate() {
        let ranking = evaluation.ranking(number);
        let decimals = decimals.unwrap_or(column.scale.decimals());
        let cells = || ranking.iter().map(|place| &column.cells[place.system]);
        let names = ranking.iter().map(|place| (marks.escape)(&evaluation.systems[place.system]));
        let title = if titles.len() > 1 { format!("by {}", titles[number]) } else { "system".to_owned() };
        columns.push(std::iter::once(title).chain(names).collect());
        columns.push(right("group", ranking.iter().map(|place| place.group.to_string())));
        let score = |score: f64, ends: Option<String>| format!("{score:.decimals$}{}", ends.unwrap_or_default());
        columns.push(right(
            &headings[number],
            cells().map(|cell| {
                score(cell.score, cell.interval.as_ref().map(|ends| interval(ends.low, ends.high, decimals)))
            }),
        ));
        if let Some(wins) = cells().map(|cell| cell.wins).collect::<Option<Vec<f64>>>() {
            columns.push(right("wins", wins.iter().map(|wins| format!("{wins:.PROBABILITY_DECIMALS$}"))));
        }
        if cells().any(|cell| cell.people_agree.is_some()) {
            let shown = cells().map(|cell| cell.people_agree.map_or(String::new(), |found| percent(found, marks)));
            columns.push(right("agree", shown));
        }
    }
    Table::from_columns(&columns)
}

/// The rank in each row: equal scores share one. Where the metrics share different ones, the number of the row.
fn ranks(evaluation: &Evaluation) -> Vec<usize> {
    let of_metric = |number| evaluation.ranking(number).iter().map(|place| place.rank).collect::<Vec<_>>();
    let mut metrics = (0..evaluation.columns.len()).map(of_metric);
    let first = metrics.next().unwrap_or_default();
    if metrics.all(|ranks| ranks == first) { first } else { (1..=evaluation.systems.len()).collect() }
}

/// A column with its header, aligned to the right.
pub(super) fn right(header: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    let cells: Vec<String> = std::iter::once(header.to_owned()).chain(cells).collect();
    let width = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
    cells.into_iter().map(|cell| " ".repeat(width - cell.width()) + &cell).collect()
}

/// What the columns mean.
fn notes(evaluation: &Evaluation) -> Vec<String> {
    let unit = evaluation.resample_by;
    let mut notes = vec![format!("[low, high]: 95% interval of the score, by bootstrap resampling of {unit}s")];
    if let Some((test, how)) = evaluation.test.as_ref().zip(evaluation.describe_resampling()) {
        let holm = if test.holm { ", Holm's correction" } else { "" };
        notes.push(format!("group: systems that do not differ significantly, p < 0.05 ({how}{holm})"));
    }
    if evaluation.columns.iter().any(|column| column.cells.iter().any(|cell| cell.wins.is_some())) {
        notes.push(
            "wins: the mean probability that people prefer its translation to that of another system here; fitted to \
             news into English of WMT12–16, for newer systems too far from 0.5"
                .to_owned(),
        );
    }
    if evaluation.columns.iter().any(|column| column.cells.iter().any(|cell| cell.people_agree.is_some())) {
        notes.push(
            "agree: the share of pairs of systems with such a difference in which people prefer the one with \
             the better score (95% interval); the difference is that to the next system"
                .to_owned(),
        );
    }
    notes
}
