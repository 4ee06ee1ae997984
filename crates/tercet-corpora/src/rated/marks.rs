//! Marked errors as the tools write them in JSON.
//!
//! | | start, end | end | without a place | |
//! |---|---|---|---|---|
//! | mt-metrics-eval, xCOMET, COMET's data | `start`, `end` | behind the last character | `-1` or none | `severity`, `category`, `is_source_error` |
//! | ESA of Appraise and WMT24, Pearmut | `start_i`, `end_i` | the last character | `"missing"` | `severity`, `error_type` or `category` |
//! | lists `[start, end, severity, category]` | | behind the last character | `-1` | |
//!
//! An object with the list as `errors`, and texts that hold such JSON, are read as well. What is behind the end of the
//! text, as an end that counts white space there, is cut off.

use crate::ratings::{ErrorSpan, MarkedText, Severity};
use serde_json::Value;
use std::ops::Range;

/// The texts that errors are marked in, if they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MarkedTexts<'t> {
    pub(super) output: Option<&'t str>,
    pub(super) source: Option<&'t str>,
}

/// The errors in a value, whose places are in this output and source, or what was expected in place of it.
pub fn error_spans(value: &Value, output: Option<&str>, source: Option<&str>) -> Result<Vec<ErrorSpan>, String> {
    read(value, MarkedTexts { output, source })
}

fn read(value: &Value, texts: MarkedTexts<'_>) -> Result<Vec<ErrorSpan>, String> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) if matches!(text.trim(), "" | "None" | "nan" | "null") => Ok(Vec::new()),
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(value @ (Value::Array(_) | Value::Object(_))) => read(&value, texts),
            _ => Err(format!("expected a list of marked errors in JSON, found {}", shown(text))),
        },
        Value::Object(object) => match object.get("errors") {
            Some(errors) => read(errors, texts),
            None => Err("expected a list of marked errors, found an object without `errors`".to_owned()),
        },
        Value::Array(items) => items.iter().map(|item| error(item, texts)).collect(),
        other => Err(format!("expected a list of marked errors, found {other}")),
    }
}

/// The start of a text, for messages.
pub(super) fn shown(text: &str) -> String {
    let start: String = text.chars().take(20).collect();
    format!("{start:?}")
}

fn error(value: &Value, texts: MarkedTexts<'_>) -> Result<ErrorSpan, String> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    match value {
        Value::Array(items) if items.len() >= 2 => {
            let place = place(&items[0], &items[1], false)?;
            let span = ErrorSpan {
                side: MarkedText::Output,
                place: place.and_then(|place| within(place, texts.output)),
                severity: Severity::named(&text(items.get(2))),
                category: text(items.get(3)),
            };
            Ok(span)
        }
        Value::Object(object) => {
            let is_source = object.get("is_source_error").and_then(Value::as_bool).unwrap_or(false);
            let side = if is_source { MarkedText::Source } else { MarkedText::Output };
            let (start, end, is_inclusive) = match (object.get("start_i"), object.get("end_i")) {
                (Some(start), Some(end)) => (start, end, true),
                _ => match (object.get("start"), object.get("end")) {
                    (Some(start), Some(end)) => (start, end, false),
                    _ => return Err(format!("expected `start` and `end` of a marked error, found {}", brief(value))),
                },
            };
            let marked_in = if is_source { texts.source } else { texts.output };
            let place = place(start, end, is_inclusive)?.and_then(|place| within(place, marked_in));
            let category = ["category", "error_type", "type"].iter().find_map(|name| object.get(*name)?.as_str());
            let category = category.unwrap_or_default().trim().to_owned();
            Ok(ErrorSpan { side, place, severity: Severity::named(&text(object.get("severity"))), category })
        }
        other => Err(format!("expected a marked error, found {}", brief(other))),
    }
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    text.chars().take(40).collect()
}

/// The characters from start to end; `None` if the error has no place.
fn place(start: &Value, end: &Value, is_inclusive: bool) -> Result<Option<Range<usize>>, String> {
    let number = |value: &Value| match value {
        Value::Null => Ok(None),
        Value::String(text) if matches!(text.as_str(), "missing" | "None" | "") => Ok(None),
        Value::Number(_) => {
            let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= -1.0 && *number < 1e9);
            match number {
                Some(number) if number < 0.0 => Ok(None),
                Some(number) => Ok(Some(number as usize)),
                None => Err(format!("expected the number of a character, found {value}")),
            }
        }
        other => Err(format!("expected the number of a character, found {}", brief(other))),
    };
    let (Some(start), Some(end)) = (number(start)?, number(end)?) else { return Ok(None) };
    let end = end + usize::from(is_inclusive);
    match start <= end {
        true => Ok(Some(start..end)),
        false => Err(format!("a marked error ends before it starts: {start} to {end}")),
    }
}

/// The part of a place that is in its text; `None` if there is none.
fn within(place: Range<usize>, text: Option<&str>) -> Option<Range<usize>> {
    let end = text.map_or(place.end, |text| text.chars().count().min(place.end));
    (place.start < end).then_some(place.start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn marks_of_all_tools_are_read() {
        let read = |value: Value| error_spans(&value, Some("abcdef"), Some("xy")).unwrap();
        let span =
            |side, place, severity, category: &str| ErrorSpan { side, place, severity, category: category.to_owned() };
        let (output, source) = (MarkedText::Output, MarkedText::Source);
        let errors = json!({"errors": [
            {"start": 1, "end": 3, "severity": "major", "category": "Accuracy", "is_source_error": false},
            {"start": 0, "end": 9, "severity": "minor", "category": null, "is_source_error": true},
        ]});
        let expected = [
            span(output, Some(1..3), Some(Severity::Major), "Accuracy"),
            span(source, Some(0..2), Some(Severity::Minor), ""),
        ];
        assert_eq!(read(errors.clone()), expected);
        assert_eq!(read(Value::String(errors.to_string())), expected);
        assert_eq!(
            read(json!([
                {"start_i": 1, "end_i": 3, "severity": "undecided", "error_type": "x"},
                {"start_i": "missing", "end_i": "missing", "severity": "minor"}
            ])),
            [span(output, Some(1..4), None, "x"), span(output, None, Some(Severity::Minor), "")]
        );
        assert_eq!(
            read(json!([[5, 9, "critical", "c"], [-1, -1, "minor", "d"], [6, 8, "minor"]])),
            [
                span(output, Some(5..6), Some(Severity::Critical), "c"),
                span(output, None, Some(Severity::Minor), "d"),
                span(output, None, Some(Severity::Minor), ""),
            ]
        );
        assert!(read(json!("")).is_empty() && read(json!("[]")).is_empty() && read(Value::Null).is_empty());
    }

    #[test]
    fn other_values_are_refused() {
        let message = |value: Value| error_spans(&value, None, None).unwrap_err();
        assert_eq!(message(json!("no")), "expected a list of marked errors in JSON, found \"no\"");
        assert_eq!(message(json!([[3, 1, "minor"]])), "a marked error ends before it starts: 3 to 1");
        assert_eq!(message(json!([{"start": 0.5, "end": 1}])), "expected the number of a character, found 0.5");
        assert_eq!(message(json!([{"end": 1}])), "expected `start` and `end` of a marked error, found {\"end\":1}");
        assert_eq!(message(json!([7])), "expected a marked error, found 7");
        assert!(message(json!({"a": 1})).contains("without `errors`"));
    }
}
