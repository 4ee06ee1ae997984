//! What raters marked, in the files `human-scores/SRC-TGT.NAME.seg.rating` of mt-metrics-eval.
//!
//! `SYSTEM<tab>JSON[<tab>RATER]` on each line, grouped by system, a line for each segment: `{"errors": [{"start": 0,
//! "end": 4, "category": "…", "severity": "minor", "is_source_error": false}]}`, or `None` for a segment that was not
//! rated. The rater is called as the file if the line does not say.

use crate::error::Result;
use crate::names::Names;
use crate::rated::error_spans;
use crate::ratings::mqm_score;
use crate::{Judgements, Lines, Rating, Ratings};
use serde_json::Value;

pub fn parse(lines: &Lines, name: &str, set: &Judgements) -> Result<Ratings> {
    let mut next = vec![0; set.systems.len()];
    let (mut raters, mut ratings) = (Names::default(), Vec::new());
    for (i, line) in lines.iter().enumerate() {
        let bad = |what: String| lines.bad(i + 1, what);
        let fields: Vec<&str> = line.split('\t').collect();
        let (system, rating, rater) = match *fields.as_slice() {
            [system, rating] => (system, rating, name),
            [system, rating, rater] => (system, rating, rater),
            _ => {
                return Err(bad(format!(
                    "expected a system, a rating and perhaps a rater, found {} fields",
                    fields.len()
                )));
            }
        };
        let Some(system) = set.systems.iter().position(|known| known == system) else {
            return Err(bad(format!("no system is called `{system}` (known: {})", set.systems.join(", "))));
        };
        let segment = next[system];
        next[system] += 1;
        if segment == set.segments.len() {
            return Err(bad(format!("expected {} ratings of {}, found more", set.segments.len(), set.systems[system])));
        }
        if rating == "None" {
            continue;
        }
        let texts = set.texts.as_ref();
        let output = texts.and_then(|texts| texts.outputs[system][segment].as_deref());
        let source = texts.and_then(|texts| texts.sources.as_ref()).map(|sources| sources[segment].as_str());
        let value: Value = serde_json::from_str(rating)
            .map_err(|error| bad(format!("field `rating`: expected JSON or None, found {error}")))?;
        let errors = error_spans(&value, output, source).map_err(|what| bad(format!("field `rating`: {what}")))?;
        let rater = Some(raters.place(rater));
        ratings.push(Rating { system, segment, rater, score: Some(mqm_score(&errors)), errors });
    }
    if let Some(system) = next.iter().position(|&count| count > 0 && count < set.segments.len()) {
        let (found, expected) = (next[system], set.segments.len());
        return Err(
            lines.bad(lines.len(), format!("expected {expected} ratings of {}, found {found}", set.systems[system]))
        );
    }
    let mut ratings = Ratings { name: name.to_owned(), raters: raters.into_vec(), ratings };
    ratings.sort();
    Ok(ratings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;
    use std::path::Path;

    #[test]
    fn a_line_is_a_rating_of_a_segment() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let set = Judgements { systems: names(&["a", "b"]), segments: names(&["1", "2"]), ..Judgements::default() };
        let read =
            |text: &str| parse(&Lines::from_bytes(Path::new("r"), text.as_bytes().to_vec()).unwrap(), "mqm", &set);
        let error = r#"{"errors": [{"start": 1, "end": 3, "severity": "major", "category": "x"}]}"#;
        let ratings = read(&format!("b\tNone\nb\t{error}\tann\na\t{{\"errors\": []}}\na\tNone\n")).unwrap();
        assert_eq!(ratings.raters, ["ann", "mqm"]);
        let said: Vec<_> = ratings.ratings.iter().map(|of| (of.system, of.segment, of.score)).collect();
        assert_eq!(said, [(0, 0, Some(0.0)), (1, 1, Some(-5.0))]);
        assert_eq!(ratings.ratings[1].errors[0].severity, Some(Severity::Major));
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(message("c\tNone\n"), "r:1: no system is called `c` (known: a, b)");
        assert_eq!(message("a\tNone\n"), "r:1: expected 2 ratings of a, found 1");
        assert_eq!(message("a\tNone\na\tNone\na\tNone\n"), "r:3: expected 2 ratings of a, found more");
        assert!(message("a\t{\n").starts_with("r:1: field `rating`: expected JSON or None, found EOF"));
        assert_eq!(message("a\t{\"errors\": [1]}\n"), "r:1: field `rating`: expected a marked error, found 1");
    }
}
