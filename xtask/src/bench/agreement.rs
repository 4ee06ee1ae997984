//! Checks that both tools print the same numbers.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// sacreBLEU prints four decimals.
const TOLERANCE: f64 = 1e-4;

/// METEOR prints all digits; the last bit of a power depends on the Java.
const METEOR_TOLERANCE: f64 = 1e-12;

/// How two outputs are compared.
#[derive(Clone, Copy, Debug)]
pub enum Agreement {
    /// The scores in sacreBLEU's JSON and in that of `tercet score`, in the order of systems.
    Scores,
    /// Equal lines, except for the version at the end of a signature.
    SameLines,
    /// METEOR's quiet output, one number, and the score in the JSON of `tercet score`.
    LastNumber,
    /// Nothing to compare.
    Unchecked,
}

/// Fails if the outputs differ.
pub fn check(agreement: Agreement, theirs: &str, ours: &str) -> Result<()> {
    match agreement {
        Agreement::Unchecked => Ok(()),
        Agreement::SameLines => {
            first_difference(theirs, ours).map_or(Ok(()), |difference| bail!("{difference}"))
        }
        Agreement::Scores => {
            same_scores(&their_scores(&parse(theirs)?), &our_scores(&parse(ours)?), TOLERANCE)
        }
        Agreement::LastNumber => {
            let theirs = theirs.trim().parse().with_context(|| format!("not a number: {theirs}"))?;
            same_scores(&[theirs], &our_scores(&parse(ours)?), METEOR_TOLERANCE)
        }
    }
}

fn same_scores(theirs: &[f64], ours: &[f64], tolerance: f64) -> Result<()> {
    let close = theirs.iter().zip(ours).all(|(a, b)| (a - b).abs() <= tolerance);
    if theirs.is_empty() || theirs.len() != ours.len() || !close {
        bail!("scores differ: theirs {theirs:?}, ours {ours:?}");
    }
    Ok(())
}

fn first_difference(theirs: &str, ours: &str) -> Option<String> {
    let unversioned = |line: &'_ str| line.split("|version:").next().map(str::to_owned);
    let (mut theirs, mut ours) = (theirs.lines(), ours.lines());
    for number in 1.. {
        match (theirs.next(), ours.next()) {
            (None, None) => break,
            (Some(a), Some(b)) if unversioned(a) == unversioned(b) => {}
            (a, b) => {
                let shown = |line: Option<&str>| line.unwrap_or("(nothing more)").to_owned();
                return Some(format!("line {number} differs\ntheirs: {}\nours:   {}", shown(a), shown(b)));
            }
        }
    }
    None
}

fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("not JSON: {text}"))
}

/// One system: an object with `score`. Several: an array of objects with `system` and the metrics.
fn their_scores(output: &Value) -> Vec<f64> {
    if let Some(score) = output["score"].as_f64() {
        return vec![score];
    }
    let systems = output.as_array().into_iter().flatten().filter_map(Value::as_object);
    let fields = systems.flat_map(|system| system.iter().filter(|(key, _)| *key != "system"));
    fields.filter_map(|(_, value)| number(value)).collect()
}

fn our_scores(output: &Value) -> Vec<f64> {
    let entries = output.as_array().into_iter().flatten();
    entries.filter_map(|entry| number(&entry["score"])).collect()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_found_in_both_forms() {
        let ours =
            r#"[{"system":"a","metric":"bleu","score":35.11691},{"system":"b","metric":"bleu","score":2}]"#;
        let several = r#"[{"system":"a","BLEU":"35.1169"},{"system":"b","BLEU":"2.0000"}]"#;
        assert!(check(Agreement::Scores, several, ours).is_ok());
        assert!(check(Agreement::Scores, &several.replace("2.0000", "2.0010"), ours).is_err());
        let one = r#"{"name":"BLEU","score":2.0,"signature":"x"}"#;
        assert!(check(Agreement::Scores, one, r#"[{"score":2.00004}]"#).is_ok());
        assert!(check(Agreement::Scores, "[]", "[]").is_err());
    }

    #[test]
    fn one_number_is_compared_to_its_last_digits() {
        let ours = r#"[{"system":"a","metric":"meteor","score":0.2713539694954813}]"#;
        assert!(check(Agreement::LastNumber, "0.2713539694954813\n", ours).is_ok());
        assert!(check(Agreement::LastNumber, "0.27135396949\n", ours).is_err());
        assert!(check(Agreement::LastNumber, "", ours).is_err());
    }

    #[test]
    fn lines_are_compared_but_for_the_version() {
        assert!(check(Agreement::SameLines, "x|version:2", "x|version:3\n").is_ok());
        let error = check(Agreement::SameLines, "a\n35.1", "a\n35.2").unwrap_err();
        assert_eq!(error.to_string(), "line 2 differs\ntheirs: 35.1\nours:   35.2");
        assert!(check(Agreement::SameLines, "a\n", "").is_err());
    }
}
