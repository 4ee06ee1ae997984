//! Scores by sources: with a small model of random weights that can use them.

use super::test_dir::{CommandOutput, TestDir};
use serde_json::Value;

/// The small model.
fn metric(options: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tercet/tests/compatibility");
    format!("siamese:model={folder}/siamese-multilingual.safetensors{options}")
}

fn texts() -> TestDir {
    TestDir::with(&[
        ("src", "кот сидел\nсел кот\n"),
        ("ref", "the cat sat on the mat\nthe mat\n"),
        ("a", "the cat sat\na mat\n"),
        ("b", "on the cat\nthe cat.\n"),
    ])
}

/// The score of the first system, and the signature.
fn scored(output: &CommandOutput) -> (f64, String) {
    assert_eq!(output.code, 0, "{}", output.stderr);
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    (json[0]["score"].as_f64().unwrap(), json[0]["signature"].as_str().unwrap().to_owned())
}

#[test]
fn translations_are_scored_by_references_by_sources_and_by_both() {
    let (dir, metric) = (texts(), metric(""));
    let run = |more: &[&str]| {
        let words = [&["score", "-q", "-m", &metric, "-f", "json"], more, &["a"]].concat();
        scored(&dir.run(&words))
    };
    let (by_reference, of_reference) = run(&["-r", "ref"]);
    let (by_source, of_source) = run(&["-s", "src"]);
    let (by_both, of_both) = run(&["-r", "ref", "-s", "src"]);
    assert!(by_reference != by_source && by_source != by_both && by_reference != by_both);
    assert!(of_reference.contains("|refs=1|") && !of_reference.contains("src="), "{of_reference}");
    assert!(of_source.contains("way=source") && of_source.contains("|refs=0|src=yes|"), "{of_source}");
    assert!(of_both.contains("|refs=1|src=yes|"), "{of_both}");
}

#[test]
fn systems_and_candidates_are_ranked_by_sources() {
    let (dir, metric) = (texts(), metric(""));
    let ranked = dir.stdout(&["rank", "-q", "-m", &metric, "-s", "src", "a", "b"]);
    assert!(ranked.contains("refs=0|src=yes"), "{ranked}");
    dir.write("nbest", "0 ||| the cat sat\n0 ||| on the cat\n1 ||| a mat\n1 ||| the cat.\n".as_bytes());
    let best = dir.stdout(&["rank", "-q", "-m", &metric, "--nbest", "nbest", "-s", "src", "-f", "json"]);
    let json: Value = serde_json::from_str(&best).unwrap();
    assert!(json[0]["signature"].as_str().unwrap().contains("refs=0|src=yes"), "{best}");
}

#[test]
fn metrics_that_need_references_say_so() {
    let dir = texts();
    for more in [["-m", "chrf"].as_slice(), &["-m", &metric(""), "-m", "bleu"]] {
        let error = dir.error(2, &[&["score", "-s", "src", "a"], more].concat());
        assert!(error.contains("no reference given"), "{error}");
    }
    let old = metric("").replace("-multilingual", "");
    let error = dir.error(2, &["score", "-m", &old, "-s", "src", "a"]);
    assert!(error.contains("needs references: its model has learned nothing about sources"), "{error}");
    let error = dir.error(2, &["score", "-m", &metric(""), "-s", "src", "--explain", "a"]);
    assert!(error.contains("words are shown beside those of references"), "{error}");
}

#[test]
fn another_script_is_an_error_and_an_untested_language_a_warning() {
    let dir = texts();
    let run = |language: &str| dir.run(&["score", "-m", &metric(""), "-s", "src", "-l", language, "a"]);
    let thai = run("th");
    assert_eq!(thai.code, 2);
    assert!(thai.stderr.contains("its encoder has never seen the script of Thai"), "{}", thai.stderr);
    let czech = run("cs").stderr;
    assert!(czech.contains("nobody has tested it for Czech"), "{czech}");
}

#[test]
fn two_systems_are_compared_by_sources() {
    let (dir, metric) = (texts(), metric(""));
    let text = dir.stdout(&["compare", "-q", "-m", &metric, "-s", "src", "a", "b"]);
    assert!(text.contains("|refs=0|src=yes|bs=1000|"), "{text}");
    assert!(text.contains("src  кот сидел") && !text.contains("ref  "), "{text}");
    let table = dir.stdout(&["compare", "-q", "-m", &metric, "-s", "src", "-f", "markdown", "a", "b"]);
    assert!(table.contains("| A | B | source |"), "{table}");
    let explained = dir.run(&["compare", "-q", "--explain", "-m", &metric, "-s", "src", "a", "b"]);
    assert!(explained.code != 0 && explained.stderr.contains("without references there are only scores"));
    assert_ne!(dir.run(&["compare", "-q", "-m", "chrf", "-s", "src", "a", "b"]).code, 0);
}

#[test]
fn a_signature_without_references_is_refused_where_they_are_needed() {
    let dir = texts();
    let refused = dir.run(&["score", "-q", "-m", "chrf|refs=0", "-r", "ref", "a"]);
    assert!(refused.code != 0 && refused.stderr.contains("chrf needs references"), "{}", refused.stderr);
}
