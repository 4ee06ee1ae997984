//! The JSON export of Label Studio: a list of tasks with their annotations.
//!
//! `data` has the texts under usual names. Each of `annotations` is what one person (`completed_by`) said: its
//! `result` is a list of values. A `number` or a `rating` is the score; `labels` (and `hypertextlabels`) are marked
//! errors with `start`, `end` (behind the last character) and labels, of which the names of severities are the severity
//! and others the category; `to_name` says in which text they are: one that is called as the source in `data`, or the
//! translation. `choices` whose item is a number are a score too. An annotation that was cancelled is left out.

use super::Format;
use super::marks::shown;
use super::sets::{RatedOutput, RatedSets};
use crate::error::Result;
use crate::ratings::{ErrorSpan, MarkedText, Severity};
use crate::rows::{FieldRole, Row, is_usual_name};
use serde_json::{Map, Value};

/// Reads tasks of Label Studio.
pub(super) struct LabelStudio;

impl Format for LabelStudio {
    fn add(&self, row: &Row, sets: &mut RatedSets) -> Result<()> {
        let (data, annotations) = (row.get_value("data"), row.get_value("annotations"));
        let Some(Value::Object(data)) = data.as_deref() else {
            return Err(row.bad("data", "expected an object with the texts"));
        };
        let Some(Value::Array(annotations)) = annotations.as_deref() else {
            return Err(row.bad("annotations", "expected a list"));
        };
        let task = row.get_value("id").map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        let id = text_of(data, FieldRole::Id).or(task);
        let Some(output) = text_of(data, FieldRole::Hypothesis) else {
            return Err(row.bad("data", "expected a translation under a usual name, such as `mt` or `hypothesis`"));
        };
        let source = text_of(data, FieldRole::Source);
        for (place, annotation) in annotations.iter().enumerate() {
            if annotation.get("was_cancelled").and_then(Value::as_bool) == Some(true) {
                continue;
            }
            let field = format!("annotations.{place}.result");
            let Some(Value::Array(results)) = annotation.get("result") else {
                return Err(row.bad(&field, "expected a list"));
            };
            let said = said(results, data, &output, source.as_deref()).map_err(|what| row.bad(&field, what))?;
            let rated = RatedOutput {
                line: row.line(),
                pair: data.get("lp").and_then(Value::as_str).unwrap_or_default().to_owned(),
                scores: "score".to_owned(),
                system: text_of(data, FieldRole::System),
                only_system: "translation".to_owned(),
                id: id.clone(),
                document: text_of(data, FieldRole::Document),
                domain: data.get("domain").and_then(Value::as_str).map(str::to_owned),
                source: source.clone(),
                references: text_of(data, FieldRole::Reference)
                    .map(|text| ("ref0".to_owned(), text))
                    .into_iter()
                    .collect(),
                output: Some(output.clone()),
                rater: rater(annotation.get("completed_by")),
                ..said
            };
            sets.add(row.path(), rated)?;
        }
        Ok(())
    }
}

/// The text of a task under a usual name of a role.
fn text_of(data: &Map<String, Value>, role: FieldRole) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.trim_end().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    data.iter().filter(|(name, _)| is_usual_name(name, role)).find_map(|(_, value)| text(value))
}

/// The person: a number, or an object with an address or a number.
fn rater(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(object) => rater(object.get("email").or_else(|| object.get("id"))),
        _ => None,
    }
}

/// Score and errors of an annotation.
fn said(
    results: &[Value],
    data: &Map<String, Value>,
    output: &str,
    source: Option<&str>,
) -> Result<RatedOutput, String> {
    let (mut score, mut errors) = (None, None);
    for result in results {
        let Some(Value::Object(value)) = result.get("value") else { continue };
        let number = ["number", "rating"].iter().find_map(|name| value.get(*name)).and_then(Value::as_f64);
        let chosen = || value.get("choices")?.as_array()?.first()?.as_str()?.trim().parse::<f64>().ok();
        if let Some(number) = number.or_else(chosen).filter(|number| number.is_finite()) {
            score = Some(number);
        }
        let labels = ["labels", "hypertextlabels"].iter().find_map(|name| value.get(*name)?.as_array());
        if let Some(labels) = labels {
            let to = result.get("to_name").and_then(Value::as_str).unwrap_or_default();
            let is_source = is_usual_name(to, FieldRole::Source)
                || data.get(to).and_then(Value::as_str).is_some_and(|text| Some(text) == source && text != output);
            let side = if is_source { MarkedText::Source } else { MarkedText::Output };
            let text = if is_source { source.unwrap_or_default() } else { output };
            errors.get_or_insert_with(Vec::new).push(error(value, labels, side, text)?);
        }
    }
    // A form that has labels and no score marks errors even where there are none.
    let has_errors = errors.is_some() || score.is_none();
    Ok(RatedOutput { score, errors: has_errors.then(|| errors.unwrap_or_default()), ..RatedOutput::default() })
}

fn error(value: &Map<String, Value>, labels: &[Value], side: MarkedText, text: &str) -> Result<ErrorSpan, String> {
    let number = |name: &str| match value.get(name).and_then(Value::as_u64) {
        Some(number) => Ok((number as usize).min(text.chars().count())),
        None => Err(format!("expected `{name}` of a label as the number of a character, found {}", found(value, name))),
    };
    let (start, end) = (number("start")?, number("end")?);
    let names: Vec<&str> = labels.iter().filter_map(Value::as_str).collect();
    let severity = names.iter().find_map(|name| Severity::named(name));
    let categories: Vec<&str> = names.iter().filter(|name| Severity::named(name).is_none()).copied().collect();
    Ok(ErrorSpan { side, place: (start < end).then_some(start..end), severity, category: categories.join("/") })
}

fn found(value: &Map<String, Value>, name: &str) -> String {
    value.get(name).map_or("nothing".to_owned(), |value| shown(&value.to_string()))
}
