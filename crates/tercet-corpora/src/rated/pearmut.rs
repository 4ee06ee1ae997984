//! The log of a Pearmut campaign: DA, ESA, MQM and contrastive ESA, in which several systems are judged side by side.
//!
//! A line is what one person said of one document: `user_id`, `item` (a list of segments with `src`, `tgt` by system,
//! perhaps `ref` and `item_id`) and `annotation` (a list of the same length: by system, `score` and `error_spans`). The
//! first versions have one segment in a line, and its number as `item_i`. Items of the welcome page, of attention
//! checks and of the end (`item_i` is `welcome_0`, `random_0`, `goodbye_0`) and those with `validation` are left out.

use super::Format;
use super::documents::said;
use super::sets::{RatedOutput, RatedSets};
use crate::error::Result;
use crate::rows::Row;
use serde_json::Value;
use std::borrow::Cow;

/// Reads a Pearmut log.
pub(super) struct Pearmut;

impl Format for Pearmut {
    fn add(&self, row: &Row, sets: &mut RatedSets) -> Result<()> {
        let number = row.get_value("item_i").map(|number| match number.as_ref() {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let is_check = |number: &String| ["welcome_", "random_", "goodbye_"].iter().any(|of| number.starts_with(of));
        if number.as_ref().is_some_and(is_check) {
            return Ok(());
        }
        let rater = row.get_value("user_id").and_then(|user| user.as_str().map(str::to_owned));
        let annotations = listed(row.get_value("annotation"));
        let items = listed(row.get_value("item"));
        if !items.is_empty() && items.len() != annotations.len() {
            let what = format!("expected {} annotations, one for each item, found {}", items.len(), annotations.len());
            return Err(row.bad("annotation", what));
        }
        for (place, annotation) in annotations.iter().enumerate() {
            let item = items.get(place).cloned().unwrap_or_default();
            if annotation.is_null() || item.get("validation").is_some() {
                continue;
            }
            let Some(by_system) = annotation.as_object() else {
                return Err(row.bad("annotation", "expected an object with a field for each system"));
            };
            let text = |name: &str| item.get(name).and_then(Value::as_str).map(|text| text.trim_end().to_owned());
            let id = match item.get("item_id") {
                Some(Value::String(id)) => Some(id.clone()),
                Some(Value::Number(id)) => Some(id.to_string()),
                _ if items.is_empty() || text("src").is_none() => {
                    number.as_ref().map(|number| format!("{number}.{place}"))
                }
                _ => None,
            };
            for (system, judgement) in by_system {
                let output = item.get("tgt").and_then(|outputs| outputs.get(system)).and_then(Value::as_str);
                let source = text("src");
                let field = format!("annotation.{place}.{system}");
                let said = match output {
                    Some(output) => said(judgement, output, source.as_deref()),
                    None => said_without_text(judgement),
                };
                let said = said.map_err(|what| row.bad(&field, what))?;
                let rated = RatedOutput {
                    line: row.line(),
                    scores: "score".to_owned(),
                    system: Some(system.clone()),
                    id: id.clone(),
                    document: (items.len() > 1).then(|| number.clone()).flatten(),
                    references: text("ref").map(|text| ("ref0".to_owned(), text)).into_iter().collect(),
                    output: output.map(|output| output.trim_end().to_owned()),
                    source,
                    rater: rater.clone(),
                    ..said
                };
                sets.add(row.path(), rated)?;
            }
        }
        Ok(())
    }
}

/// The items of a list, or the only one.
fn listed(value: Option<Cow<'_, Value>>) -> Vec<Value> {
    match value.map(Cow::into_owned) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(other) => vec![other],
    }
}

/// A judgement of an output whose text the log does not have.
fn said_without_text(judgement: &Value) -> Result<RatedOutput, String> {
    let said = said(judgement, "", None)?;
    let spans = judgement.get("error_spans");
    let errors = spans.map(|spans| super::marks::error_spans(spans, None, None)).transpose()?;
    Ok(RatedOutput { errors, ..said })
}
