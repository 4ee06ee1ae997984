//! JSON, as one array or one object per line.
//!
//! JSON: an array with an object for each system and metric, `{system, metric, title, signature, higher_is_better,
//! score, segments?: […], alignment?: [{segment, document?, first_reference, last_reference, first_line, last_line,
//! sentences, added, similarity}], documents?: [{document, segments, score, components?}], interval?: {mean, low, high,
//! half_width}, components?: {…}, segment_components?: [{…}], comparisons?: [{baseline, test, resamples, seed, delta,
//! resample_by?, p, p_holm?, significant, differing_segments, people_agree?}], gate?: [{rule, passed, limit?,
//! baseline?,
//! baseline_score?, delta?, p?, alpha?, margin?, bound?, people_agree?, text}], people_agree?: {share, low?, high?},
//! warnings?: [{kind, …, text}]}`; `metric` is the name as requested, `title` the usual spelling, the test as `bs` or
//! `ar`. `people_agree` of a comparison is the share of pairs of systems with such a difference in which people prefer
//! the one with the better score, with its 95% interval; that of a system is about the difference to the system that
//! comes next by this metric. An object has the warnings about its system, its metric and all texts.
//!
//! JSON lines: at system level the same objects, one per line; at segment level a line for each segment, `{system,
//! segment, metric, score, components?}` with the segment numbered from 1; at document level one for each document,
//! `{system, document, segments, metric, score, components?}` with the number of its segments.

use super::Contents;
use crate::metrics::{Component, Direction};
use crate::scoring::{AlignedSegment, Column, Evaluation, GateCheck, GateResult, PairedResult, ResampleBy};
use crate::warning::Warning;
use serde_json::{Map, Value, json};

/// A warning as an object: its kind and fields, and the sentence as `text`.
pub fn warning_object(warning: &Warning) -> Value {
    let mut object = serde_json::to_value(warning).expect("a warning can be written");
    object["text"] = json!(warning.to_string());
    object
}

/// The warnings as a list of objects.
pub fn warning_objects(warnings: &[Warning]) -> Value {
    warnings.iter().map(warning_object).collect()
}

pub(super) fn write(evaluation: &Evaluation, warnings: Option<&[Warning]>, contents: Contents) -> String {
    let object = |(c, s)| with_warnings(object(evaluation, contents, c, s, true), evaluation, warnings);
    let objects: Vec<Value> = cells(evaluation).map(object).collect();
    let mut text = serde_json::to_string_pretty(&objects).expect("numbers and strings can be written");
    text.push('\n');
    text
}

pub(super) fn write_lines(evaluation: &Evaluation, warnings: Option<&[Warning]>, contents: Contents) -> String {
    let mut text = String::new();
    for (c, s) in cells(evaluation) {
        let column = &evaluation.columns[c];
        if contents.documents {
            for i in 0..column.cells[s].documents.len() {
                text += &document(evaluation, column, s, i).to_string();
                text.push('\n');
            }
        }
        if contents.segments {
            for i in 0..column.cells[s].segments.len() {
                text += &segment(&evaluation.systems[s], column, s, i).to_string();
                text.push('\n');
            }
        }
        if contents.systems {
            let object = object(evaluation, contents, c, s, false);
            text += &with_warnings(object, evaluation, warnings).to_string();
            text.push('\n');
        }
    }
    text
}

/// The score of a segment, from 0.
pub(super) fn segment_score(name: &str, column: &Column, i: usize, score: f64) -> Value {
    json!({"system": name, "segment": i + 1, "metric": column.metric, "score": score})
}

fn segment(name: &str, column: &Column, system: usize, i: usize) -> Value {
    let cell = &column.cells[system];
    let mut object = segment_score(name, column, i, cell.segments[i]);
    if let Some(parts) = cell.segment_components.get(i) {
        object["components"] = by_name(parts);
    }
    object
}

fn document(evaluation: &Evaluation, column: &Column, system: usize, i: usize) -> Value {
    let (document, cell) = (&evaluation.documents[i], &column.cells[system]);
    let mut object = json!({
        "system": evaluation.systems[system],
        "document": document.name,
        "segments": document.segments,
        "metric": column.metric,
        "score": cell.documents[i],
    });
    if let Some(parts) = cell.document_components.get(i) {
        object["components"] = by_name(parts);
    }
    object
}

fn by_name(parts: &[Component]) -> Value {
    Value::Object(parts.iter().map(|part| (part.name.clone(), json!(part.value))).collect())
}

/// Every (column, system), system by system.
pub(super) fn cells(evaluation: &Evaluation) -> impl Iterator<Item = (usize, usize)> {
    let columns = evaluation.columns.len();
    (0..evaluation.systems.len()).flat_map(move |system| (0..columns).map(move |column| (column, system)))
}

pub(super) fn object(
    evaluation: &Evaluation,
    contents: Contents,
    column: usize,
    system: usize,
    with_segments: bool,
) -> Value {
    let of_metric = &evaluation.columns[column];
    let Column { metric, title, signature, direction, cells, .. } = of_metric;
    let cell = &cells[system];
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_owned(), value);
    };
    put("system", json!(evaluation.systems[system]));
    put("metric", json!(metric));
    put("title", json!(title));
    put("signature", json!(signature));
    put("higher_is_better", json!(*direction == Direction::HigherIsBetter));
    put("score", json!(cell.score));
    if let Some(interval) = &cell.interval {
        let (mean, low, high, half_width) = (interval.mean, interval.low, interval.high, interval.half_width);
        put("interval", json!({"mean": mean, "low": low, "high": high, "half_width": half_width}));
    }
    if let Some(found) = cell.people_agree {
        put("people_agree", json!(found));
    }
    if contents.components {
        put("components", by_name(&cell.components));
    }
    let of_this = |comparison: &&PairedResult| comparison.column == column && comparison.system == system;
    let comparisons: Vec<Value> =
        evaluation.comparisons.iter().filter(of_this).map(|comparison| compared(evaluation, comparison)).collect();
    if !comparisons.is_empty() {
        put("comparisons", Value::Array(comparisons));
    }
    if let Some(gate) = &evaluation.gate {
        let name = &evaluation.systems[system];
        let is_same =
            |of_check: &Option<String>, own: &String| of_check.as_ref().is_none_or(|of_check| of_check == own);
        let of_this = |check: &&GateCheck| is_same(&check.metric, metric) && is_same(&check.system, name);
        put("gate", gate.checks.iter().filter(of_this).map(checked).collect());
    }
    if contents.documents && with_segments {
        let one = |i| without(document(evaluation, of_metric, system, i), &["system", "metric"]);
        put("documents", (0..cell.documents.len()).map(one).collect());
    }
    if with_segments && contents.segments {
        put("segments", json!(cell.segments));
        let name = &evaluation.systems[system];
        let own = evaluation.alignment.iter().filter(|one| one.system == *name);
        let own: Vec<Value> = own.map(aligned).collect();
        if !own.is_empty() {
            put("alignment", Value::Array(own));
        }
        if contents.components {
            put("segment_components", cell.segment_components.iter().map(|parts| by_name(parts)).collect());
        }
    }
    Value::Object(object)
}

/// The check without what its object says already.
fn checked(check: &GateCheck) -> Value {
    let object = serde_json::to_value(check).expect("names and numbers can be written");
    without(object, &["metric", "title", "system", "score"])
}

/// What a segment was made of, without the system.
fn aligned(segment: &AlignedSegment) -> Value {
    without(serde_json::to_value(segment).expect("names and numbers can be written"), &["system"])
}

/// An object without these fields.
fn without(mut object: Value, names: &[&str]) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|key, _| !names.contains(&key.as_str()));
    }
    object
}

/// With the warnings about this system and metric, or about all texts.
pub(super) fn with_warnings(mut object: Value, evaluation: &Evaluation, warnings: Option<&[Warning]>) -> Value {
    let Some(warnings) = warnings else { return object };
    let of_another = |warning: &Value, field: &str, known: &[&str]| {
        let name = warning[field].as_str().filter(|name| known.contains(name));
        name.is_some_and(|name| object[field] != *name)
    };
    let systems: Vec<&str> = evaluation.systems.iter().map(String::as_str).collect();
    let metrics: Vec<&str> = evaluation.columns.iter().map(|column| column.metric.as_str()).collect();
    let is_of_this =
        |warning: &Value| !of_another(warning, "system", &systems) && !of_another(warning, "metric", &metrics);
    let warnings = warnings.iter().map(warning_object).filter(is_of_this).collect();
    object["warnings"] = warnings;
    object
}

/// All checks of a gate.
pub(super) fn gate(gate: &GateResult) -> Value {
    let object = |check| serde_json::to_value(check).expect("names and numbers can be written");
    gate.checks.iter().map(object).collect()
}

fn compared(evaluation: &Evaluation, comparison: &PairedResult) -> Value {
    let mut object = json!({
        "baseline": evaluation.systems[comparison.baseline],
        "test": evaluation.test.as_ref().map(|paired| paired.test.name()),
        "resamples": evaluation.test.as_ref().map(|paired| paired.resampling.samples),
        "seed": evaluation.test.as_ref().and_then(|paired| paired.resampling.seed),
        "delta": comparison.delta,
        "p": comparison.p_value,
        "significant": comparison.is_significant(),
        "differing_segments": comparison.differing_segments,
    });
    if evaluation.resample_by == ResampleBy::Document {
        object["resample_by"] = json!(evaluation.resample_by);
    }
    if let Some(p) = comparison.adjusted {
        object["p_holm"] = json!(p);
    }
    if let Some(found) = comparison.people_agree {
        object["people_agree"] = json!(found);
    }
    object
}
