//! JSON lines with all systems of a segment in one object, as WMT publishes them since 2025.
//!
//! ```text
//! {"doc_id": "en-cs_#_news_#_12_#_3", "src_text": "…", "refs": {"refA": {"ref": "…"}},
//!  "tgt_text": {"SystemA": "…", "SystemB": "…"},
//!  "scores": {"SystemA": {"human": [{"score": 88, "errors": […], "annotator": "a1"}], "SomeMetric": 0.7}}}
//! ```
//!
//! `scores` has, for each system, its human judgements: a list of them, or an object with such a list under a name;
//! what is not a list of judgements is the score of a metric, and left out. A judgement is a number, or an object with
//! `score`, `errors` (as `marks` describes them) and a rater. The document, its domain and the languages are in
//! `doc_id`, between `_#_`; the whole of it names the segment.

use super::Format;
use super::fields::RATERS;
use super::marks::error_spans;
use super::sets::{RatedOutput, RatedSets};
use crate::error::Result;
use crate::language_pair;
use crate::rows::Row;
use serde_json::{Map, Value};

/// Reads objects with the scores of all systems.
pub(super) struct Documents;

impl Format for Documents {
    fn add(&self, row: &Row, sets: &mut RatedSets) -> Result<()> {
        let text = |name: &str| row.get_value(name).and_then(|value| value.as_str().map(str::to_owned));
        let object = |name: &str| match row.get_value(name).map(std::borrow::Cow::into_owned) {
            Some(Value::Object(object)) => Ok(object),
            _ => Err(row.bad(name, "expected an object with a field for each system")),
        };
        let id = text("doc_id").or_else(|| text("id")).ok_or_else(|| row.bad("doc_id", "expected a text"))?;
        let parts: Vec<&str> = id.split("_#_").collect();
        let (outputs, scores) = (object("tgt_text")?, object("scores")?);
        let references = references(row.get_value("refs").as_deref());
        for (system, of_system) in &scores {
            let Some(output) = outputs.get(system).and_then(Value::as_str) else { continue };
            let field = format!("scores.{system}");
            for judgement in judgements(of_system) {
                let source = text("src_text").or_else(|| text("src"));
                let said = said(judgement, output, source.as_deref()).map_err(|what| row.bad(&field, what))?;
                let rated = RatedOutput {
                    line: row.line(),
                    pair: language_pair::of_locales(parts[0]).unwrap_or_default(),
                    scores: "human".to_owned(),
                    system: Some(system.clone()),
                    id: Some(id.clone()),
                    document: (parts.len() > 2).then(|| parts[..parts.len() - 1].join("_#_")),
                    domain: (parts.len() > 2).then(|| parts[1].to_owned()),
                    source,
                    references: references.clone(),
                    output: Some(output.trim_end().to_owned()),
                    ..said
                };
                sets.add(row.path(), rated)?;
            }
        }
        Ok(())
    }
}

/// The references by name: `{"refA": "…"}`, `{"refA": {"ref": "…"}}`.
fn references(value: Option<&Value>) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::Object(object) => object.get("ref").or_else(|| object.get("text"))?.as_str().map(str::to_owned),
        value => value.as_str().map(str::to_owned),
    };
    match value {
        Some(Value::Object(references)) => {
            references.iter().filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect()
        }
        _ => Vec::new(),
    }
}

/// The judgements of a system by people.
fn judgements(value: &Value) -> Vec<&Value> {
    let is_judgement = |value: &&Value| value.get("score").is_some() || value.get("errors").is_some();
    match value {
        Value::Array(items) => items.iter().filter(|item| is_judgement(item) || item.is_number()).collect(),
        Value::Object(object) if object.contains_key("score") => vec![value],
        Value::Object(object) => object.values().filter(|value| value.is_array()).flat_map(judgements).collect(),
        _ => Vec::new(),
    }
}

/// Score, errors and rater of a judgement.
pub(super) fn said(value: &Value, output: &str, source: Option<&str>) -> Result<RatedOutput, String> {
    let none = Map::new();
    let object = value.as_object().unwrap_or(&none);
    let score = match object.get("score").unwrap_or(value) {
        Value::Number(number) => number.as_f64(),
        Value::Null | Value::Object(_) => None,
        other => return Err(format!("expected a number as the score, found {other}")),
    };
    let errors = ["errors", "error_spans", "spans"].iter().find_map(|name| object.get(*name));
    let errors = errors.map(|errors| error_spans(errors, Some(output.trim_end()), source)).transpose()?;
    let rater = RATERS.iter().find_map(|name| match object.get(*name)? {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    });
    Ok(RatedOutput { score, errors, rater, ..RatedOutput::default() })
}
