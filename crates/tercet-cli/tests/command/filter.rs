//! `tercet filter`, with a small model of random weights that reads sources.

use super::test_dir::{CommandOutput, TestDir};
use serde_json::Value;

/// The small model.
fn metric() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tercet/tests/compatibility");
    format!("siamese:model={folder}/siamese-multilingual.safetensors")
}

const SOURCES: &str = "кот сидел\nкот\nкот сидел\n\nсел кот\n";
const TARGETS: &str = "the cat sat\nкот\nthe cat sat\nthe mat\na cat\n";

fn corpus() -> TestDir {
    TestDir::with(&[("src", SOURCES), ("tgt", TARGETS)])
}

fn summary(output: &CommandOutput) -> Value {
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).unwrap()
}

fn read(dir: &TestDir, name: &str) -> String {
    String::from_utf8(dir.read(name)).unwrap()
}

#[test]
fn pairs_of_lines_are_kept_with_scores_and_dropped_with_reasons() {
    let (dir, metric) = (corpus(), metric());
    let words = ["filter", "-q", "-m", &metric, "-s", "src", "tgt", "-o", "kept.tsv", "--dropped", "gone.jsonl"];
    let found = summary(&dir.run(&[&words[..], &["-f", "json"]].concat()));
    assert_eq!((&found["pairs"], &found["kept"]), (&Value::from(5), &Value::from(2)));
    assert_eq!(found["dropped"], serde_json::json!([["empty", 1], ["copy", 1], ["duplicate", 1]]));
    let kept = read(&dir, "kept.tsv");
    let rows: Vec<Vec<&str>> = kept.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["score", "source", "target"]);
    assert_eq!(
        (rows.len(), &rows[1][1..], &rows[2][1..]),
        (3, &["кот сидел", "the cat sat"][..], &["сел кот", "a cat"][..])
    );
    assert!(rows[1][0].parse::<f64>().is_ok());
    let gone: Vec<Value> = read(&dir, "gone.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reasons: Vec<_> =
        gone.iter().map(|row| (row["line"].as_u64().unwrap(), row["reason"].as_str().unwrap())).collect();
    assert_eq!(reasons, [(2, "copy"), (3, "duplicate"), (4, "empty")]);
    assert_eq!(gone[0]["target"], "кот");
    // The score is that of `tercet score` without references.
    let scored = dir.run(&[
        "score",
        "-q",
        "--no-checks",
        "-l",
        "en",
        "-m",
        &metric,
        "-s",
        "src",
        "tgt",
        "--level",
        "segment",
        "-f",
        "tsv",
    ]);
    let of_first = scored.stdout.lines().nth(1).unwrap().split('\t').nth(3).unwrap().parse::<f64>().unwrap();
    let with_language = ["filter", "-q", "-l", "en", "-m", &metric, "-s", "src", "tgt", "-o", "kept.tsv"];
    assert_eq!(dir.run(&with_language).code, 0);
    let kept = read(&dir, "kept.tsv");
    let score: f64 = kept.lines().nth(1).unwrap().split('\t').next().unwrap().parse().unwrap();
    assert_eq!(score, of_first);
}

#[test]
fn two_files_of_lines_are_written_and_a_share_is_the_limit() {
    let (dir, metric) = (corpus(), metric());
    let words = ["filter", "-q", "-m", &metric, "-s", "src", "tgt", "--keep", "0.2", "-o", "t", "--output-source", "s"];
    let output = dir.run(&words);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.starts_with("pairs      5 100.00 %\nkept       1  20.00 %\n"), "{}", output.stdout);
    assert!(output.stdout.contains("\nlowest score kept: "), "{}", output.stdout);
    assert_eq!((read(&dir, "s").lines().count(), read(&dir, "t").lines().count()), (1, 1));
    assert!(!dir.path("t.verdicts").exists());
}

#[test]
fn rows_keep_their_fields_and_need_no_model_without_scores() {
    let rows = "{\"id\": 1, \"src\": \"кот\", \"tgt\": \"a cat\"}\n{\"id\": 2, \"src\": null, \"tgt\": \"a cat\"}\n";
    let dir = TestDir::with(&[("pairs.jsonl", rows), ("pairs.csv", "source,target,n\nкот,a cat,7\nкот,a cat,8\n")]);
    let run = |words: &[&str]| dir.run(&[&["filter", "-q", "--ignore", "score"], words].concat());
    assert_eq!(
        run(&["pairs.jsonl", "-o", "kept.jsonl"]).stdout,
        "pairs      2 100.00 %\nkept       1  50.00 %\nempty      1  50.00 %\n"
    );
    assert_eq!(read(&dir, "kept.jsonl"), "{\"id\": 1, \"src\": \"кот\", \"tgt\": \"a cat\"}\n");
    assert_eq!(run(&["pairs.csv", "-o", "kept.csv", "--dropped", "gone.csv"]).code, 0);
    assert_eq!(read(&dir, "kept.csv"), "source,target,n\nкот,a cat,7\n");
    assert_eq!(read(&dir, "gone.csv"), "line,reason,score,source,target\n3,duplicate,,кот,a cat\n");
    assert_eq!(run(&["pairs.csv", "--target", "n", "-o", "kept.csv"]).code, 0);
    assert_eq!(read(&dir, "kept.csv").lines().count(), 3);
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let (dir, metric) = (corpus(), metric());
    let words = |more: &[&'static str]| -> Vec<String> {
        let words = ["filter", "-q", "-m", &metric, "-s", "src", "tgt", "-o", "kept.tsv"];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    };
    let run = |more: &[&'static str]| {
        let words = words(more);
        dir.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(run(&[]).code, 0);
    let whole = read(&dir, "kept.tsv");
    std::fs::remove_file(dir.path("kept.tsv")).unwrap();
    dir.write("kept.tsv.verdicts", b"tercet filter 1 0\n");
    let refused = run(&[]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("kept.tsv.verdicts is from a run that was stopped: go on with --resume"));
    let other = run(&["--resume"]);
    assert!(other.stderr.contains("the run before was with other files or settings"), "{}", other.stderr);
    std::fs::remove_file(dir.path("kept.tsv.verdicts")).unwrap();
    assert_eq!(run(&["--resume"]).code, 0);
    assert_eq!(read(&dir, "kept.tsv"), whole);
}

#[test]
fn what_cannot_be_met_is_refused() {
    let dir = corpus();
    dir.write("short", "кот\n".as_bytes());
    let message = |words: &[&str]| {
        let output = dir.run(&[&["filter", "-q"], words].concat());
        assert_ne!(output.code, 0, "{words:?}");
        output.stderr
    };
    assert!(message(&["-s", "src", "-"]).contains("pairs are read three times"));
    assert!(message(&["-s", "src", "tgt", "-o", "tgt"]).contains("would overwrite tgt"));
    assert!(message(&["-s", "src", "tgt", "-o", "kept"]).contains("pairs are written as .jsonl, .csv or .tsv"));
    assert!(message(&["-s", "src", "tgt", "--dropped", "gone"]).contains("--dropped: pairs are written as"));
    assert!(message(&["-s", "short", "tgt", "--ignore", "score"]).contains("it ends after 1 lines, and tgt goes on"));
    assert!(message(&["-s", "src", "tgt", "-m", "chrf"]).contains("needs references"));
    assert!(message(&["-s", "src", "tgt", "--keep", "2"]).contains("a share of pairs"));
    assert!(message(&["-s", "src", "tgt", "--ignore", "score", "--keep", "0.5"]).contains("keep needs scores"));
}

#[cfg(feature = "columns")]
#[test]
fn columns_are_filtered_with_all_their_columns() {
    use std::fs::File;
    use tercet_columns::{Format, TableReader, TextColumn, write_texts};
    let (dir, metric) = (TestDir::new(), metric());
    let columns = [
        ("id", vec![Some("1"), Some("2"), Some("3")]),
        ("source", vec![Some("кот"), None, Some("сел кот")]),
        ("target", vec![Some("a cat"), Some("a cat"), Some("the cat")]),
    ];
    write_texts(File::create(dir.path("pairs.parquet")).unwrap(), Format::Parquet, &columns).unwrap();
    let words = ["filter", "-q", "-m", &metric, "pairs.parquet", "-o", "kept.parquet", "--dropped", "gone.tsv"];
    let output = dir.run(&words);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(read(&dir, "gone.tsv"), "line\treason\tscore\tsource\ttarget\n2\tempty\t\t\ta cat\n");
    let mut kept = TableReader::open(&dir.path("kept.parquet")).unwrap();
    assert_eq!(kept.columns(), ["id", "source", "target", "score"]);
    let id = TextColumn::find(&kept, "id").unwrap();
    let batch = kept.next_batch().unwrap().unwrap();
    assert_eq!(id.texts(&batch).unwrap(), ["1", "3"]);
    assert!(batch.numbers("score").unwrap().iter().all(|score| score.is_finite()));
}
