//! The data block of the page: one JSON object.
//!
//! ```text
//! {version, command, remarks: […], origins: [[what, file]],
//!  systems: [name], segments: n,
//!  metrics: [{title, signature, lower_is_better, decimals, scores: [{score, low?, high?, wins?, agree?, rank, group?,
//! components?}]}],
//!  test?: {text}, pairs: [{metric, a, b, delta, p, adjusted?, significant, differing, agree?}],
//!  texts?: {sources?: […], references: [[…]], outputs: [system][segment]},
//!  segment_scores: [metric][system][segment],
//!  groupings: [{name, values: [distinct], of: [segment → index], is_requested}],
//!  marks: [{title, kinds: [{code, name, meaning}], segments?: […], runs: [system][segment]}],
//!  comparison?: {metric, signature, verdict, remarks, wins: [of A, of B, undecided], probabilities}, agreement?: {…},
//! spans?: {…}, challenge?: {…}, paper: {text, latex, bibtex}}
//! ```
//!
//! Scores of segments are integers, the score times 10 to the power of the metric's `decimals`, `null` for one that is
//! not finite: half the size of decimal fractions. The list of a system is empty for a metric without scores of
//! segments. `probabilities` are those that A is better, times 10,000.

use super::{PageContents, SegmentGrouping, agreement_data, challenge_data, paper, spans_data};
use crate::compare::{DECIMALS, remarks, verdict};
use crate::metrics::{self, Direction};
use crate::scoring::{AlignedSegment, Cell, Column, Corpus, Evaluation, MarkedMetric, Pairs, SystemComparison};
use crate::table::{PLAIN, percent, titles};
use serde_json::{Value, json};

/// Decimals of probabilities.
const PROBABILITY_DECIMALS: usize = 2;

pub(super) fn data(contents: &PageContents<'_>) -> Value {
    let of_scores = contents.evaluation.and_then(|evaluation| evaluation.gate.as_ref());
    let gate = of_scores.or(contents.comparison.and_then(|compared| compared.gate.as_ref()));
    let remarks = gate.map(ToString::to_string).into_iter();
    let remarks = remarks.chain(contents.remarks.iter().map(ToString::to_string));
    let of_alignment = contents.corpus.and_then(alignment);
    let mut data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": contents.command,
        "remarks": remarks.collect::<Vec<_>>(),
        "origins": contents.origins,
        "groupings": contents.groupings.iter().chain(&of_alignment).map(grouping).collect::<Vec<_>>(),
        "marks": contents.marks.iter().map(marks).collect::<Vec<_>>(),
        "paper": paper::describe(contents),
    });
    if let Some(evaluation) = contents.evaluation {
        let columns = &evaluation.columns;
        let titles = titles(evaluation, &PLAIN);
        data["systems"] = json!(evaluation.systems);
        data["segments"] = json!(evaluation.segments);
        data["metrics"] = (0..columns.len()).map(|number| metric(evaluation, number, &titles[number])).collect();
        data["segment_scores"] = columns.iter().map(segment_scores).collect();
        data["pairs"] = pairs(evaluation);
        data["resample_by"] = json!(evaluation.resample_by);
        if let Some((test, how)) = evaluation.test.as_ref().zip(evaluation.describe_resampling()) {
            let holm = if test.holm { ", Holm's correction" } else { "" };
            data["test"] = json!({"text": format!("{how}{holm}")});
        }
    }
    if let Some(corpus) = contents.corpus {
        data["texts"] = texts(corpus);
    }
    if let Some(compared) = contents.comparison {
        data["comparison"] = comparison(compared);
    }
    if let Some(agreement) = contents.agreement {
        data["agreement"] = agreement_data::agreement(agreement);
    }
    if let Some(spans) = contents.spans {
        data["spans"] = spans_data::spans(spans);
    }
    if let Some(challenge) = contents.challenge {
        data["challenge"] = challenge_data::challenge(challenge);
    }
    data
}

fn metric(evaluation: &Evaluation, number: usize, title: &str) -> Value {
    let column = &evaluation.columns[number];
    let ranking = evaluation.ranking(number);
    let is_tested = evaluation.test.as_ref().is_some_and(|test| test.pairs == Pairs::All);
    let score = |(system, cell): (usize, &Cell)| {
        let place = ranking.iter().find(|place| place.system == system).expect("all systems are ranked");
        let mut object = json!({"score": cell.score, "rank": place.rank});
        if is_tested {
            object["group"] = json!(place.group);
        }
        if let Some(interval) = &cell.interval {
            (object["low"], object["high"]) = (json!(interval.low), json!(interval.high));
        }
        if let Some(wins) = cell.wins {
            object["wins"] = json!(wins);
        }
        if let Some(agree) = cell.people_agree {
            object["agree"] = json!(percent(agree, &PLAIN));
        }
        if !cell.components.is_empty() {
            let parts = cell.components.iter();
            object["components"] = parts.map(|part| json!([part.name, part.value])).collect();
        }
        object
    };
    json!({
        "title": title,
        "signature": column.signature,
        "lower_is_better": column.direction == Direction::LowerIsBetter,
        "decimals": column.scale.decimals(),
        "scores": column.cells.iter().enumerate().map(score).collect::<Vec<_>>(),
    })
}

fn segment_scores(column: &Column) -> Value {
    let factor = 10f64.powi(column.scale.decimals() as i32);
    let number = |score: &f64| match (score * factor).round() {
        score if score.is_finite() => json!(score as i64),
        _ => Value::Null,
    };
    let of_system = |cell: &Cell| cell.segments.iter().map(number).collect::<Value>();
    column.cells.iter().map(of_system).collect()
}

fn pairs(evaluation: &Evaluation) -> Value {
    let pair = |found: &crate::scoring::PairedResult| {
        let mut object = json!({
            "metric": found.column,
            "a": found.system,
            "b": found.baseline,
            "delta": found.delta,
            "p": found.p_value,
            "significant": found.is_significant(),
            "differing": found.differing_segments,
        });
        if let Some(p) = found.adjusted {
            object["adjusted"] = json!(p);
        }
        if let Some(agree) = found.people_agree {
            object["agree"] = json!(percent(agree, &PLAIN));
        }
        object
    };
    evaluation.comparisons.iter().map(pair).collect()
}

fn texts(corpus: &Corpus<'_>) -> Value {
    let outputs: Vec<&[&str]> = corpus.systems().iter().map(|system| system.hypotheses.as_slice()).collect();
    let mut texts = json!({"references": corpus.references(), "outputs": outputs});
    if let Some(sources) = corpus.sources() {
        texts["sources"] = json!(sources);
    }
    texts
}

/// How the outputs of each segment were matched with references, if they had lines of their own: what is worst of all
/// systems.
fn alignment(corpus: &Corpus<'_>) -> Option<SegmentGrouping> {
    const WORST_FIRST: [&str; 5] =
        ["no translation", "added sentences", "several references", "several sentences", "one to one"];
    let kind = |one: &AlignedSegment| match one {
        AlignedSegment { sentences: 0, .. } => 0,
        AlignedSegment { added: 1.., .. } => 1,
        one if one.last_reference > one.first_reference => 2,
        AlignedSegment { sentences: 2.., .. } => 3,
        _ => 4,
    };
    let mut worst = vec![WORST_FIRST.len() - 1; corpus.len()];
    for one in corpus.alignment()? {
        worst[one.segment - 1] = worst[one.segment - 1].min(kind(one));
    }
    let values = worst.into_iter().map(|kind| WORST_FIRST[kind].to_owned()).collect();
    Some(SegmentGrouping { name: "alignment".to_owned(), values, is_requested: false })
}

/// The distinct values in the order of their first segment, and the value of each segment.
fn grouping(grouping: &SegmentGrouping) -> Value {
    let mut values: Vec<&str> = Vec::new();
    let mut places = foldhash::HashMap::default();
    let of: Vec<usize> = grouping
        .values
        .iter()
        .map(|value| {
            *places.entry(value.as_str()).or_insert_with(|| {
                values.push(value);
                values.len() - 1
            })
        })
        .collect();
    json!({"name": grouping.name, "values": values, "of": of, "is_requested": grouping.is_requested})
}

fn marks(marked: &MarkedMetric) -> Value {
    let kind = |kind: &metrics::MarkKind| {
        let code = kind.code.to_string();
        json!({"code": code, "name": kind.name, "meaning": kind.meaning})
    };
    let mut object = json!({
        "title": marked.title,
        "kinds": marked.kinds.iter().map(kind).collect::<Vec<_>>(),
        "runs": marked.runs,
    });
    if let Some(segments) = &marked.segments {
        object["segments"] = json!(segments);
    }
    object
}

fn comparison(compared: &SystemComparison) -> Value {
    let probability = |p: &f64| (p * 1e4).round() as i64;
    json!({
        "metric": compared.metric,
        "signature": compared.signature,
        "verdict": verdict(compared, PROBABILITY_DECIMALS),
        "remarks": remarks(compared, DECIMALS),
        "wins": [compared.wins, compared.losses, compared.undecided],
        "probabilities": compared.probabilities.iter().map(probability).collect::<Vec<_>>(),
    })
}
