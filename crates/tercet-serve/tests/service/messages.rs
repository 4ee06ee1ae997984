//! What answers have beside results: warnings, and what is wrong with a request.

use super::start;
use serde_json::{Value, json};
use tercet_serve::Settings;

/// Two systems of sixteen segments, with further entries.
fn request(more: Value) -> Value {
    let lines: Vec<String> = (0..16).map(|i| format!("the cat number {i} sat on the mat")).collect();
    let worse: Vec<String> = (0..16).map(|i| format!("cat {i} sits on mat")).collect();
    let mut request = json!({
        "references": lines,
        "systems": [{"name": "a", "hypotheses": lines}, {"name": "b", "hypotheses": worse}],
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn too_few_segments_are_a_warning_as_of_the_command() {
    const TESTS: &str = "only 16 segments: with so few, p-values of resampling tests are too small";
    const INTERVALS: &str = "only 16 segments: too few for reliable intervals";
    let server = start(Settings::default());
    for (path, more, expected) in [
        ("/v1/score", json!({"metrics": ["chrf"], "paired": "bs"}), Some(TESTS)),
        ("/v1/score", json!({"metrics": ["chrf"], "confidence": true}), Some(INTERVALS)),
        ("/v1/score", json!({"metrics": ["chrf"]}), None),
        ("/v1/compare", json!({"metric": "chrf"}), Some(INTERVALS)),
        ("/v1/rank", json!({"metrics": ["chrf"]}), Some(TESTS)),
    ] {
        let body = request(more);
        let answer = server.post(path, &body);
        let field = answer.field("tercet-warnings").unwrap_or_default();
        assert_eq!(field.contains(expected.unwrap_or("only 16")), expected.is_some(), "{path}: {field}");
        let stream = server.stream(path, &body).text(200);
        let warnings: Vec<Value> = stream
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter(|line| line["event"] == "warning")
            .map(|line| line["text"].clone())
            .collect();
        assert_eq!(warnings.contains(&json!(expected)), expected.is_some(), "{path}: {warnings:?}");
    }
}

#[test]
fn mistakes_are_told_in_words_of_json() {
    let server = start(Settings::default());
    let message = |status: u16, body: &Value| {
        let answer: Value = serde_json::from_str(&server.post("/v1/score", body).text(status)).unwrap();
        answer["error"]["message"].as_str().unwrap().to_owned()
    };
    for (entry, value, expected) in [
        ("resamples", json!("many"), "expected a whole number from 0"),
        ("resamples", json!(-1), "expected a whole number from 0"),
        ("seed", json!(-1), "expected a whole number from 0, \"none\" or null"),
        ("seed", json!("some"), "expected a whole number from 0, \"none\" or null"),
        ("metrics", json!("bleu"), "expected a list"),
        ("metrics", json!([["bleu"]]), "invalid type: list"),
        ("paired", json!("t"), "unknown paired test `t` (known: bs, ar)"),
        ("systems", json!([5]), "expected an object at line"),
    ] {
        let found = message(400, &request(json!({entry: value})));
        assert!(found.contains(expected), "{entry}: {found}");
    }
    let nothing = json!({"references": [], "systems": [{"name": "a", "hypotheses": []}]});
    assert_eq!(message(422, &nothing), "there is no segment to score: references and hypotheses are empty");
}

#[test]
fn a_random_seed_is_asked_for_as_of_the_command() {
    let server = start(Settings::default());
    for seed in [json!("none"), json!(null)] {
        let body = request(json!({"metrics": ["chrf"], "confidence": true, "resamples": 20, "seed": seed}));
        assert!(!server.text("/v1/score", &body).contains("seed=12345"));
    }
}

#[test]
fn bytes_of_all_answers_are_counted() {
    let server = start(Settings::default());
    let body = request(json!({"metrics": ["chrf"]}));
    let answers = [
        server.get("/v1/health"),
        server.get("/nothing"),
        server.post("/v1/score", &body),
        server.stream("/v1/score", &body),
    ];
    let sent: usize = answers.iter().map(|answer| answer.body.len()).sum();
    assert_eq!(server.figure("tercet_response_bytes_total"), sent as f64);
}
