//! Scores as other tools write them: COMET's and MetricX's files, and rows of language-model judges.
//!
//! | | recognised by | metric | systems |
//! |---|---|---|---|
//! | `comet-score` | lines `FILE<tab>Segment 0<tab>score: 0.8`, `FILE<tab>score: 0.8` | the file's name | files |
//! | `comet-score --to_json`, also of xCOMET with errors | `{FILE: [{"src", "mt", "COMET", "errors"}]}` | the file's name | files |
//! | `comet-compare --to_json` | `statistical_results`, `translations` | the model's name | `name` |
//! | MetricX | rows with a number as `prediction`; lower is better | the file's name | `system_id`, or the file |
//! | other rows (JSON lines, JSON, CSV, TSV): GEMBA, judges | a score, and a translation or system and id | the file's name | a field, or the file |
//!
//! Rows of one output may be several runs of a judge: fields called `run`, `sample`, `seed`, `trial` and the like tell
//! them apart, or a list of `scores`. Its score is their mean; the runs are kept as ratings, as if each were a rater.
//! Segments are in the order of the file, by number if all ids are numbers.

use crate::error::{Error, Result};
use crate::folder::unpacked_name;
use crate::metric_scores::MetricRun;
use crate::rated::{JudgementFields, ScoredRows, error_spans, parse_scored_rows};
use crate::ratings::{Rating, Ratings};
use crate::{Judgements, Level, Lines, MetricScores};
use serde_json::{Map, Value};

/// Larger scores could overflow when they are added up.
const MAX_SCORE: f64 = 1e200;

/// The formats of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    CometLines,
    Json,
    Rows,
}

impl Tool {
    /// The tool whose format the first line shows.
    pub(super) fn from_first_line(first: &str) -> Option<Tool> {
        let first = first.trim_start_matches('\u{feff}').trim_start();
        let is_comet = first.contains("\tscore: ") || first.contains("\tscore:\t");
        match first.as_bytes().first() {
            _ if is_comet => Some(Tool::CometLines),
            Some(b'{' | b'[') => Some(Tool::Json),
            _ if names_scores(first) => Some(Tool::Rows),
            _ => None,
        }
    }

    pub(super) fn parse(self, lines: &Lines) -> Result<Vec<MetricRun>> {
        match self {
            Tool::CometLines => comet_lines(lines),
            Tool::Json => json(lines),
            Tool::Rows => rows(lines),
        }
    }
}

/// Whether a line has names of columns with scores.
fn names_scores(line: &str) -> bool {
    let separator = if line.contains('\t') { '\t' } else { ',' };
    let names: Vec<String> = line.split(separator).map(|name| name.trim().trim_matches('"').to_lowercase()).collect();
    let has = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
    names.len() > 1
        && has(&["score", "scores", "prediction"])
        && has(&["system", "system_id", "model", "segment", "segment_id", "seg_id", "seg", "id", "mt", "hypothesis"])
        && !names.iter().any(|name| name.parse::<f64>().is_ok())
}

/// The metric that a file is named after: `out/xcomet.json.gz` is `xcomet`.
fn metric_of(lines: &Lines) -> String {
    let name = unpacked_name(lines.path());
    let stem =
        [".jsonl", ".json", ".csv", ".tsv", ".txt", ".out", ".scores"].iter().find_map(|end| name.strip_suffix(end));
    stem.unwrap_or(&name).to_owned()
}

/// Scores of systems, one after another.
#[derive(Default)]
struct Systems {
    names: Vec<String>,
    values: Vec<Vec<Option<f64>>>,
    ratings: Vec<Rating>,
    has_errors: bool,
}

impl Systems {
    fn add(&mut self, name: &str) -> usize {
        self.names.push(name.to_owned());
        self.values.push(Vec::new());
        self.names.len() - 1
    }

    fn into_run(self, metric: String, lines: &Lines) -> Result<MetricRun> {
        let expected = self.values.first().map_or(0, Vec::len);
        if expected == 0 {
            return Err(Error::bad_file(lines.path(), "there are no scores in it"));
        }
        if let Some((name, values)) = self.names.iter().zip(&self.values).find(|(_, values)| values.len() != expected) {
            let (found, first) = (values.len(), &self.names[0]);
            let what = format!("{name} has {found} scores, but {first} has {expected}");
            return Err(Error::bad_file(lines.path(), what));
        }
        let ratings =
            self.has_errors.then(|| Ratings { name: metric.clone(), raters: Vec::new(), ratings: self.ratings });
        let scores = MetricScores { metric, level: Level::Segment, systems: self.names, values: self.values };
        Ok(MetricRun { ratings, ..MetricRun::new(scores) })
    }
}

fn score(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|score: &f64| score.abs() <= MAX_SCORE)
}

fn comet_lines(lines: &Lines) -> Result<Vec<MetricRun>> {
    let mut systems = Systems::default();
    let mut corpus: Vec<(String, f64)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let bad = |what: String| lines.bad(i + 1, what);
        let fields: Vec<&str> = line.split('\t').collect();
        let form = || bad(format!("expected FILE, `Segment N` and `score: X` between tabs, found {line:?}"));
        let (file, segment, written) = match *fields.as_slice() {
            [file, written] => (file, None, written),
            [file, segment, written] => (file, Some(segment), written),
            _ => return Err(form()),
        };
        let written = written.strip_prefix("score:").ok_or_else(form)?;
        let number =
            score(written).ok_or_else(|| bad(format!("expected a number behind `score:`, found {written:?}")))?;
        let Some(segment) = segment else {
            corpus.push((file.to_owned(), number));
            continue;
        };
        let segment = segment.strip_prefix("Segment ").and_then(|text| text.parse::<usize>().ok()).ok_or_else(form)?;
        let is_same = systems.names.last().is_some_and(|last| last == file);
        let system = match segment {
            0 if !is_same => systems.add(file),
            _ => systems.names.len().saturating_sub(1),
        };
        let expected = systems.values.get(system).map_or(0, Vec::len);
        if segment != expected || systems.names.get(system).is_none_or(|name| name != file) {
            return Err(bad(format!("expected segment {expected} of {file}, found {segment}")));
        }
        systems.values[system].push(Some(number));
    }
    let metric = metric_of(lines);
    if systems.names.is_empty() {
        let (names, values) = corpus.into_iter().map(|(name, score)| (name, vec![Some(score)])).unzip();
        return Ok(vec![MetricRun::new(MetricScores { metric, level: Level::System, systems: names, values })]);
    }
    // The scores of files are the means of their segments, rounded to four decimals.
    Ok(vec![systems.into_run(metric, lines)?])
}

/// COMET's objects, or else rows.
fn json(lines: &Lines) -> Result<Vec<MetricRun>> {
    let is_object = lines.text().trim_start_matches('\u{feff}').trim_start().starts_with('{');
    let whole = is_object.then(|| serde_json::from_str::<Map<String, Value>>(lines.text()).ok()).flatten();
    match whole {
        Some(object) if object.contains_key("translations") && object.contains_key("statistical_results") => {
            comparison(&object, lines)
        }
        Some(object) if !object.is_empty() && object.values().all(is_of_comet) => comet_object(&object, lines),
        _ => rows(lines),
    }
}

fn is_of_comet(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.first().is_some_and(|item| item.get("COMET").is_some()))
}

fn comet_object(object: &Map<String, Value>, lines: &Lines) -> Result<Vec<MetricRun>> {
    let mut systems = Systems::default();
    for (file, items) in object {
        let system = systems.add(file);
        for (segment, item) in items.as_array().into_iter().flatten().enumerate() {
            let field = |name: &str| format!("{file}.{segment}.{name}");
            let bad =
                |name: &str, what: String| Error::bad_file(lines.path(), format!("field `{}`: {what}", field(name)));
            let number = item.get("COMET").and_then(Value::as_f64).filter(|score| score.abs() <= MAX_SCORE);
            let number = number.ok_or_else(|| bad("COMET", "expected a number".to_owned()))?;
            systems.values[system].push(Some(number));
            if let Some(errors) = item.get("errors") {
                let text = |name: &str| item.get(name).and_then(Value::as_str);
                let errors = error_spans(errors, text("mt"), text("src")).map_err(|what| bad("errors", what))?;
                systems.has_errors = true;
                systems.ratings.push(Rating { system, segment, rater: None, score: Some(number), errors });
            }
        }
    }
    Ok(vec![systems.into_run(metric_of(lines), lines)?])
}

fn comparison(object: &Map<String, Value>, lines: &Lines) -> Result<Vec<MetricRun>> {
    let bad = |what: String| Error::bad_file(lines.path(), what);
    let mut systems = Systems::default();
    for (place, translation) in object["translations"].as_array().into_iter().flatten().enumerate() {
        let name = translation.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| bad(format!("field `translations.{place}.name`: expected a text")))?;
        let system = systems.add(name);
        let scores = translation.get("scores").and_then(Value::as_array);
        for (segment, score) in scores.into_iter().flatten().enumerate() {
            let field = || format!("field `translations.{place}.scores.{segment}`: expected a number, found {score}");
            let number = score.as_f64().filter(|score| score.abs() <= MAX_SCORE).ok_or_else(|| bad(field()))?;
            systems.values[system].push(Some(number));
        }
    }
    let model =
        object.get("model").and_then(Value::as_str).and_then(|model| model.rsplit('/').find(|part| !part.is_empty()));
    let metric = model.map_or_else(|| metric_of(lines), str::to_owned);
    Ok(vec![systems.into_run(metric, lines)?])
}

/// Rows of scores.
fn rows(lines: &Lines) -> Result<Vec<MetricRun>> {
    let ScoredRows { judgements, has_ids, is_prediction } = parse_scored_rows(lines, &JudgementFields::default())?;
    if judgements.is_empty() {
        return Err(Error::bad_file(lines.path(), "there are no scores in it"));
    }
    let run = |judgements: Judgements| run_of(judgements, has_ids, is_prediction, lines);
    Ok(judgements.into_iter().map(run).collect())
}

fn run_of(mut judgements: Judgements, has_ids: bool, is_prediction: bool, lines: &Lines) -> MetricRun {
    let mut order: Vec<usize> = (0..judgements.segments.len()).collect();
    let numbers: Option<Vec<u64>> = judgements.segments.iter().map(|name| name.parse().ok()).collect();
    if let Some(numbers) = numbers {
        order.sort_by_key(|&segment| numbers[segment]);
    }
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let metric = metric_of(lines);
    let values = judgements.scores.pop().map(|scores| scores.values).unwrap_or_default();
    let values = values.iter().map(|of| order.iter().map(|&segment| of[segment]).collect()).collect();
    let ratings = judgements.ratings.pop().map(|mut ratings| {
        ratings.name.clone_from(&metric);
        ratings.ratings.iter_mut().for_each(|rating| rating.segment = place[rating.segment]);
        ratings.sort();
        ratings
    });
    let systems = match judgements.systems.as_slice() {
        [only] if only.is_empty() => vec![lines.path().display().to_string()],
        _ => judgements.systems,
    };
    let segments = if has_ids { order.iter().map(|&of| judgements.segments[of].clone()).collect() } else { Vec::new() };
    let scores = MetricScores { metric, level: Level::Segment, systems, values };
    MetricRun { pair: judgements.pair, ratings, segments, lower_is_better: is_prediction, ..MetricRun::new(scores) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_metric_scores;
    use std::path::Path;

    fn read(name: &str, text: &str) -> Result<Vec<MetricRun>> {
        parse_metric_scores(&Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn a_judge_may_have_several_runs() {
        let text = "{\"id\": 2, \"system\": \"a\", \"score\": 80, \"run\": 1}\n\
                    {\"id\": 2, \"system\": \"a\", \"score\": 90, \"run\": 2}\n\
                    {\"id\": 1, \"system\": \"a\", \"score\": 70, \"run\": 1}\n";
        let runs = read("gemba-da.jsonl", text).unwrap();
        assert_eq!(
            (runs[0].scores.metric.as_str(), &runs[0].segments),
            ("gemba-da", &vec!["1".to_owned(), "2".to_owned()])
        );
        assert_eq!(runs[0].scores.values, [[Some(70.0), Some(85.0)]]);
        let ratings = runs[0].ratings.as_ref().unwrap();
        assert_eq!((ratings.raters.len(), ratings.ratings.len(), ratings.ratings[2].segment), (2, 3, 1));
        let listed =
            "{\"id\": 1, \"system\": \"a\", \"scores\": [1, 2]}\n{\"id\": 2, \"system\": \"a\", \"scores\": [3]}\n";
        assert_eq!(read("j.jsonl", listed).unwrap()[0].scores.values, [[Some(1.5), Some(3.0)]]);
    }

    #[test]
    fn errors_name_file_line_and_field() {
        let message = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        let first = "a\tSegment 0\tscore: 1\n";
        assert_eq!(message("c", &format!("{first}a\tSegment 2\tscore: 1\n")), "c:2: expected segment 1 of a, found 2");
        assert_eq!(
            message("c", &format!("{first}a\tSegment 1\tscore: x\n")),
            "c:2: expected a number behind `score:`, found \" x\""
        );
        assert_eq!(
            message("c", &format!("{first}a\tSegment 1\tscore: 1\nb\tSegment 0\tscore: 1\n")),
            "c: b has 1 scores, but a has 2"
        );
        assert_eq!(message("c.json", "{\"f\": [{\"COMET\": \"x\"}]}"), "c.json: field `f.0.COMET`: expected a number");
        assert_eq!(
            message(
                "c.json",
                "{\"model\": \"m\", \"statistical_results\": [], \"translations\": [{\"name\": \"a\", \
                 \"scores\": [null]}]}"
            ),
            "c.json: field `translations.0.scores.0`: expected a number, found null"
        );
        assert_eq!(
            message(
                "m.jsonl",
                "{\"hypothesis\": \"a\", \"prediction\": 1}\n{\"hypothesis\": \"a\", \"prediction\": \"b\"}\n"
            ),
            "m.jsonl:2: field `prediction`: expected a number, or NA for none, found \"b\""
        );
    }
}
