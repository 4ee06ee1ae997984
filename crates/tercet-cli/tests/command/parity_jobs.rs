//! The jobs that only the command has, held against the library: results, warnings and errors are the same. The others
//! are in the table of `bindings/python/tests/parity.json`.

use super::test_dir::TestDir;
use super::{derive_scores, reproduce_ruse};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tercet::learned::{DeriveScoresJob, write_derived_scores};
use tercet::progress::Progress;
use tercet::report::Format;
use tercet::warning::Done;
use tercet::{ErrorKind, Result};
use tercet_reproduce::ReproduceJob;

/// Runs a job by the command and in the library, and compares what they give.
fn check<J: DeserializeOwned>(
    dir: &TestDir,
    words: &[&str],
    settings: &Value,
    run: impl Fn(&J) -> Result<Done<String>>,
) {
    let output = dir.run(words);
    let starting =
        |start: &str| -> Vec<&str> { output.stderr.lines().filter_map(|line| line.strip_prefix(start)).collect() };
    match run(&serde_json::from_value(settings.clone()).unwrap()) {
        Ok(done) => {
            assert_eq!((output.code, &output.stdout), (0, &done.result), "{words:?}: {}", output.stderr);
            let said: Vec<String> = done.warnings.iter().map(ToString::to_string).collect();
            let printed = starting("warning: ");
            assert_eq!(printed.len(), said.len(), "{words:?}: {printed:?} {said:?}");
            assert!(printed.iter().zip(&said).all(|(line, text)| line.starts_with(text)), "{printed:?} {said:?}");
        }
        Err(error) => {
            let code = if matches!(error.kind(), ErrorKind::Request | ErrorKind::Unsupported) { 2 } else { 1 };
            let printed = starting("error: ").concat();
            assert_eq!(output.code, code, "{words:?}: {printed}");
            assert!(printed.starts_with(&error.to_string()), "{words:?}: {printed}, not {error}");
        }
    }
}

#[test]
fn scores_are_derived_as_by_the_library() {
    let dir = derive_scores::dir();
    let [rankings, pairs, sick, nothing] = ["rr", "pairs", "SICK_train.txt", "none"].map(|name| dir.path(name));
    let [rankings, pairs, sick, nothing] = [&rankings, &pairs, &sick, &nothing].map(|path| path.to_str().unwrap());
    for (words, settings) in [
        (vec![rankings], json!({"judgements": [rankings]})),
        (vec![rankings, "--set", "xl"], json!({"judgements": [rankings], "settings": {"set": "xl"}})),
        (vec![rankings, "--add", sick], json!({"judgements": [rankings], "add": [sick]})),
        (vec![rankings, "--pair", "cs-en"], json!({"judgements": [rankings], "pairs": ["cs-en"]})),
        (
            vec![rankings, "--minimum-tau", "0.3", "--step", "0.2", "--scope", "at-least"],
            json!({"judgements": [rankings], "settings": {"minimum_tau": 0.3, "step": 0.2, "scope": "at-least"}}),
        ),
        (
            vec![rankings, "--threshold", "4=3", "--equal-outputs", "per-system"],
            json!({"judgements": [rankings], "settings": {"thresholds": [[4, 3.0]], "equal_outputs": "per-system"}}),
        ),
        (vec![pairs, "--from-pairs", "wins"], json!({"judgements": [pairs], "settings": {"pairs": "wins"}})),
        // What cannot be done.
        (vec![pairs], json!({"judgements": [pairs]})),
        (vec![nothing], json!({"judgements": [nothing]})),
        (vec![rankings, "--pair", "de-en"], json!({"judgements": [rankings], "pairs": ["de-en"]})),
        (vec![rankings, "--step", "0"], json!({"judgements": [rankings], "settings": {"step": 0.0}})),
    ] {
        let words = [&["derive-scores", "-f", "json"], &words[..]].concat();
        check(&dir, &words, &settings, |job: &DeriveScoresJob| {
            Ok(job.run(Progress::none())?.map(|scores| write_derived_scores(&scores, Format::Json)))
        });
    }
}

#[test]
fn papers_are_reproduced_as_by_the_library() {
    let dir = reproduce_ruse::dir();
    let [data, nothing, cache] = ["data", "none", "cache"].map(|name| dir.path(name));
    let [data, nothing, cache] = [&data, &nothing, &cache].map(|path| path.to_str().unwrap());
    let glove = format!("average:file={data}/glove50-subset/glove.6B.50d.union.txt");
    let tiny = format!("tiny={glove}");
    for (words, settings) in [
        (
            vec!["ruse", "--data", data, "--encoder", &tiny, "--metric", "components(wer)"],
            json!({"paper": "ruse", "data": data, "encoders": [["tiny", glove]], "metrics": ["components(wer)"]}),
        ),
        // What cannot be done.
        (vec!["ruse", "--data", nothing], json!({"paper": "ruse", "data": nothing})),
        (vec!["ruse", "--data", data, "--seeds", "3"], json!({"paper": "ruse", "data": data, "seeds": 3})),
        (vec!["ruse", "--data", data, "--table", "9"], json!({"paper": "ruse", "data": data, "tables": ["9"]})),
        (vec!["guzman", "--data", data], json!({"paper": "guzman", "data": data})),
        (vec!["reval", "--data", data, "--no-syntax"], json!({"paper": "reval", "data": data, "no_syntax": true})),
    ] {
        let words = [&["reproduce", "-f", "json", "--cache", cache], &words[..]].concat();
        let mut settings = settings;
        settings["cache"] = json!(cache);
        check(&dir, &words, &settings, |job: &ReproduceJob| {
            let done = job.run(&tercet::registry(), Progress::none())?;
            let text = tercet_reproduce::write(&done.result, Format::Json)?;
            Ok(done.map(|_| text))
        });
    }
}
