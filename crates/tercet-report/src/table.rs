//! Tables independent of their output format.

use super::p_value::{self, P_DECIMALS};
use super::terminal::Style;
use super::{Contents, gate, markdown, text};
use crate::metrics::{Direction, PeopleAgree};
use crate::scoring::{Column, Evaluation, Pairs};
use tercet_text::visible;

/// Decimals of components of a score.
const PART_DECIMALS: usize = 2;

/// A table. Columns before `numbers_from` are names, aligned left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// A line above the table.
    pub caption: Option<String>,
    /// The titles of the columns.
    pub header: Vec<String>,
    /// As many cells in each row as there are columns.
    pub rows: Vec<Vec<String>>,
    /// The first column that is aligned to the right.
    pub numbers_from: usize,
}

impl Table {
    /// A table of columns that start with their titles, all aligned left.
    pub fn from_columns(columns: &[Vec<String>]) -> Self {
        let row = |i: usize| columns.iter().map(|column| column[i].clone()).collect();
        let lines = columns.first().map_or(1, Vec::len);
        Table { caption: None, header: row(0), rows: (1..lines).map(row).collect(), numbers_from: columns.len() }
    }

    /// Aligned columns for a terminal, without the caption.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        text::write_table(self, &mut text);
        text
    }

    /// A Markdown table, without the caption.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        markdown::write_table(self, &mut text);
        text
    }
}

/// How a format writes highlighted cells, special symbols and names.
pub struct Marks {
    /// Marks the best score of a column.
    pub best: fn(String) -> String,
    /// Escapes what a name holds.
    pub escape: fn(&str) -> String,
    /// After a score that is significantly better than the baseline's, worse, or neither.
    pub better: &'static str,
    /// After a score that is significantly worse.
    pub worse: &'static str,
    /// After a score that is neither better nor worse.
    pub neither: &'static str,
    /// After the title of a metric whose lower scores are better.
    pub lower_is_better: &'static str,
    /// The title of differences.
    pub delta: &'static str,
    /// A raised number.
    pub raised: fn(usize) -> String,
}

/// How cells are marked in plain text.
pub const PLAIN: Marks = Marks {
    best: |cell| cell,
    escape: |text| visible(text).into_owned(),
    better: " ▲",
    worse: " ▼",
    // As wide as the marks, so that scores stay below each other.
    neither: "  ",
    lower_is_better: "↓",
    delta: "Δ",
    raised: raised_figures,
};

/// On a terminal with colours.
pub const COLOURED: Marks = Marks {
    best: |cell| Style::Strong.on(&cell),
    better: " \u{1b}[32m▲\u{1b}[0m",
    worse: " \u{1b}[31m▼\u{1b}[0m",
    ..PLAIN
};

/// A number in superscript digits.
pub fn raised_figures(number: usize) -> String {
    const FIGURES: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|figure| FIGURES[usize::from(figure - b'0')]).collect()
}

/// The tables of an evaluation.
pub fn tables(evaluation: &Evaluation, contents: Contents, marks: &Marks) -> Vec<Table> {
    let mut tables = Vec::new();
    if contents.systems {
        tables.push(system_table(evaluation, contents, marks));
        if contents.components {
            tables.extend(
                evaluation.columns.iter().filter_map(|column| component_table(evaluation, column, contents, marks)),
            );
        }
    }
    if contents.documents {
        tables.push(document_table(evaluation, contents, marks));
    }
    if contents.segments {
        tables.push(segment_table(evaluation, contents, marks));
    }
    if !evaluation.comparisons.is_empty() {
        tables.push(comparison_table(evaluation, contents, marks));
    }
    tables.extend(evaluation.gate.as_ref().map(|gate| gate::table(gate, marks)));
    tables
}

/// The signature of each column title.
pub fn signatures(evaluation: &Evaluation) -> Vec<(String, String)> {
    let titles = titles(evaluation, &PLAIN);
    titles.into_iter().zip(evaluation.columns.iter().map(|column| column.signature.clone())).collect()
}

/// The header of each metric's column: its title, or the metric as requested if two share a title.
pub fn titles(evaluation: &Evaluation, marks: &Marks) -> Vec<String> {
    let columns = &evaluation.columns;
    let title = |column: &Column| {
        let shared = columns.iter().filter(|other| other.title == column.title).count() > 1;
        (marks.escape)(if shared { &column.metric } else { &column.title })
    };
    columns.iter().map(title).collect()
}

/// The headings of its columns.
pub fn headings(evaluation: &Evaluation, marks: &Marks) -> impl Iterator<Item = String> {
    let arrow = |column: &Column| match column.direction {
        Direction::HigherIsBetter => String::new(),
        Direction::LowerIsBetter => format!(" {}", marks.lower_is_better),
    };
    titles(evaluation, marks).into_iter().zip(&evaluation.columns).map(move |(title, column)| title + &arrow(column))
}

/// Decimals of a column. They do not depend on the scores: 0.2331 for a BLEU of 0.23 would read as one of 23.3.
fn decimals(column: &Column, contents: Contents) -> usize {
    contents.decimals.unwrap_or(column.scale.decimals())
}

/// Both ends of an interval.
pub fn interval(low: f64, high: f64, decimals: usize) -> String {
    format!(" [{low:.decimals$}, {high:.decimals$}]")
}

fn system_table(evaluation: &Evaluation, contents: Contents, marks: &Marks) -> Table {
    let cell = |(number, column): (usize, &Column), system: usize| {
        let cell = &column.cells[system];
        let decimals = decimals(column, contents);
        let mut text = format!("{:.decimals$}", cell.score);
        if column.best() == Some(cell.score) {
            text = (marks.best)(text);
        }
        if let Some(ends) = &cell.interval {
            text += &interval(ends.low, ends.high, decimals);
        }
        text + significance_mark(evaluation, number, system, marks)
    };
    let rows = evaluation.systems.iter().enumerate().map(|(system, name)| {
        let cells = evaluation.columns.iter().enumerate().map(|column| cell(column, system));
        std::iter::once((marks.escape)(name)).chain(cells).collect()
    });
    Table {
        caption: None,
        header: std::iter::once("system".to_owned()).chain(headings(evaluation, marks)).collect(),
        rows: rows.collect(),
        numbers_from: 1,
    }
}

/// The name of the system that all others are tested against; `None` if there is no test, or one of all pairs.
fn baseline(evaluation: &Evaluation) -> Option<&str> {
    match evaluation.test.as_ref().map(|test| &test.pairs) {
        Some(Pairs::Against(name)) => Some(name),
        _ => None,
    }
}

/// Whether a system is significantly better or worse than the baseline. A column without such systems has no marks.
fn significance_mark(evaluation: &Evaluation, column: usize, system: usize, marks: &Marks) -> &'static str {
    let mut significant =
        evaluation.comparisons.iter().filter(|of| of.column == column && of.is_significant()).peekable();
    if baseline(evaluation).is_none() || significant.peek().is_none() {
        return "";
    }
    let sign = evaluation.columns[column].direction.sign();
    match significant.find(|of| of.system == system) {
        Some(found) if sign * found.delta > 0.0 => marks.better,
        Some(_) => marks.worse,
        None => marks.neither,
    }
}

/// What the intervals and marks of the table of systems mean.
pub fn notes(evaluation: &Evaluation, contents: Contents, marks: &Marks) -> Vec<String> {
    let mut notes = Vec::new();
    let mut cells = evaluation.columns.iter().flat_map(|column| &column.cells);
    if contents.systems && cells.any(|cell| cell.interval.is_some()) {
        let unit = evaluation.resample_by;
        notes.push(format!("[low, high]: 95% interval of the score, by bootstrap resampling of {unit}s"));
    }
    let any = evaluation.comparisons.iter().any(|comparison| comparison.is_significant());
    if let Some(baseline) = baseline(evaluation).filter(|_| contents.systems && any) {
        let (better, worse) = (marks.better.trim_start(), marks.worse.trim_start());
        notes.push(format!("{better} significantly better than {baseline}, {worse} worse (p < 0.05)"));
    }
    if evaluation.comparisons.iter().any(|comparison| comparison.people_agree.is_some()) {
        notes.push((marks.escape)(PEOPLE_AGREE));
    } else if contents.systems && evaluation.systems.len() == 2 && evaluation.comparisons.is_empty() {
        notes.extend(differences(evaluation, contents).iter().map(|note| (marks.escape)(note)));
    }
    notes
}

/// How often people agree: `64% (55–72)`.
pub(super) fn percent(found: PeopleAgree, marks: &Marks) -> String {
    (marks.escape)(&(found.percent() + &found.interval().unwrap_or_default()))
}

/// What a column of these shares means.
pub(super) const PEOPLE_AGREE: &str = "agree: the share of pairs of systems with such a difference in which \
     people prefer the one with the \
     better \
     score (95% interval)";

/// What the difference of two systems means by each metric, where there is no test.
fn differences(evaluation: &Evaluation, contents: Contents) -> Vec<String> {
    let titles = titles(evaluation, &PLAIN);
    let note = |(number, column): (usize, &Column)| {
        let [best, next] = evaluation.order(number)[..] else { return None };
        let found = column.cells[best].people_agree?;
        let (decimals, title) = (decimals(column, contents), &titles[number]);
        let delta = column.cells[best].score - column.cells[next].score;
        let [best, next] = [best, next].map(|system| &evaluation.systems[system]);
        Some(format!("{best} against {next}: {delta:+.decimals$} {title}, {found}"))
    };
    evaluation.columns.iter().enumerate().filter_map(note).collect()
}

fn component_table(evaluation: &Evaluation, column: &Column, contents: Contents, marks: &Marks) -> Option<Table> {
    let parts = &column.cells.first()?.components;
    if parts.is_empty() {
        return None;
    }
    let decimals = contents.decimals.unwrap_or(PART_DECIMALS);
    let row = |i: usize| {
        let values = || column.cells.iter().map(|cell| cell.components[i].value);
        // Counts have no decimals.
        let decimals = if values().all(|value| value.fract() == 0.0) { 0 } else { decimals };
        let values = values().map(|value| format!("{value:.decimals$}"));
        std::iter::once((marks.escape)(&parts[i].name)).chain(values).collect()
    };
    let systems = evaluation.systems.iter().map(|name| (marks.escape)(name));
    Some(Table {
        caption: Some(format!("parts of {}", (marks.escape)(&column.title))),
        header: std::iter::once("part".to_owned()).chain(systems).collect(),
        rows: (0..parts.len()).map(row).collect(),
        numbers_from: 1,
    })
}

fn segment_table(evaluation: &Evaluation, contents: Contents, marks: &Marks) -> Table {
    let segments =
        evaluation.columns.first().and_then(|column| column.cells.first()).map_or(0, |cell| cell.segments.len());
    let mut rows = Vec::with_capacity(segments * evaluation.systems.len());
    for segment in 0..segments {
        for (system, name) in evaluation.systems.iter().enumerate() {
            let score = |column: &Column| {
                let decimals = decimals(column, contents);
                format!("{:.decimals$}", column.cells[system].segments[segment])
            };
            let mut row = vec![(segment + 1).to_string(), (marks.escape)(name)];
            row.extend(evaluation.columns.iter().map(score));
            rows.push(row);
        }
    }
    let header = ["segment".to_owned(), "system".to_owned()];
    Table {
        caption: None,
        header: header.into_iter().chain(headings(evaluation, marks)).collect(),
        rows,
        numbers_from: 2,
    }
}

fn document_table(evaluation: &Evaluation, contents: Contents, marks: &Marks) -> Table {
    let mut rows = Vec::with_capacity(evaluation.documents.len() * evaluation.systems.len());
    for (place, document) in evaluation.documents.iter().enumerate() {
        for (system, name) in evaluation.systems.iter().enumerate() {
            let score = |column: &Column| {
                let decimals = decimals(column, contents);
                format!("{:.decimals$}", column.cells[system].documents[place])
            };
            let mut row = vec![(marks.escape)(&document.name), (marks.escape)(name), document.segments.to_string()];
            row.extend(evaluation.columns.iter().map(score));
            rows.push(row);
        }
    }
    let header = ["document", "system", "segments"].map(str::to_owned);
    let header = header.into_iter().chain(headings(evaluation, marks)).collect();
    Table { caption: None, header, rows, numbers_from: 2 }
}

fn comparison_table(evaluation: &Evaluation, contents: Contents, marks: &Marks) -> Table {
    let titles = titles(evaluation, marks);
    let adjusted = evaluation.comparisons.iter().any(|comparison| comparison.adjusted.is_some());
    let agree = evaluation.comparisons.iter().any(|comparison| comparison.people_agree.is_some());
    let rows = evaluation.comparisons.iter().map(|comparison| {
        let name = |system: usize| (marks.escape)(&evaluation.systems[system]);
        let mut row = vec![titles[comparison.column].clone(), name(comparison.system), name(comparison.baseline)];
        let decimals = decimals(&evaluation.columns[comparison.column], contents);
        row.push(format!("{:+.decimals$}", comparison.delta));
        row.push(p_value::cell(comparison.p_value, P_DECIMALS));
        row.extend(comparison.adjusted.map(|p| p_value::cell(p, P_DECIMALS)));
        row.push(if comparison.is_significant() { "*".to_owned() } else { String::new() });
        if agree {
            row.push(comparison.people_agree.map_or(String::new(), |found| percent(found, marks)));
        }
        row
    });
    let mut header: Vec<String> = ["metric", "system", "against", marks.delta, "p"].map(str::to_owned).to_vec();
    if adjusted {
        header.push("p (Holm)".to_owned());
    }
    header.push(String::new());
    if agree {
        header.push("agree".to_owned());
    }
    Table {
        caption: evaluation.describe_test().map(|text| (marks.escape)(&text)),
        header,
        rows: rows.collect(),
        numbers_from: 3,
    }
}
