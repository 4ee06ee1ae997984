//! Lines of hundreds of kilobytes, and tables with thousands of names: no command takes minutes or gigabytes for them.

use crate::test_dir::TestDir;
use std::time::{Duration, Instant};

/// Far more than any of these commands takes, and far less than they took when time grew with the square of a line.
const MAX_TIME: Duration = Duration::from_secs(120);

/// Scores one line and returns the score and the warnings.
fn score(metric: &str, hypothesis: &str, reference: &str) -> (f64, Vec<String>) {
    let dir = TestDir::with(&[("hyp", hypothesis), ("ref", reference)]);
    let start = Instant::now();
    let output = dir.run(&["score", "hyp", "-r", "ref", "-m", metric, "-f", "tsv"]);
    assert!(start.elapsed() < MAX_TIME, "{metric}: {:?}", start.elapsed());
    assert_eq!(output.code, 0, "{output:?}");
    let line = output.stdout.lines().find(|line| line.starts_with("hyp")).expect("a line of scores");
    let score = line.split('\t').find_map(|field| field.parse::<f64>().ok());
    let warnings = output.stderr.lines().filter(|line| line.contains("warning"));
    (score.unwrap_or_else(|| panic!("{line}")), warnings.map(str::to_owned).collect())
}

#[test]
fn words_with_many_followers_are_matched_at_once() {
    let line = |first: usize| (first..first + 90_000).map(|i| format!("the w{i:x} ")).collect::<String>();
    let (line, other) = (line(0), line(1));
    for metric in ["bleu", "sentbleu", "nist", "chrf++"] {
        let (score, warnings) = score(metric, &line, &other);
        assert!(score > 0.9, "{metric} {score}");
        assert_eq!(warnings, [""; 0], "{metric}");
    }
}

#[test]
fn a_search_that_is_cut_short_is_a_warning() {
    let (_, warnings) = score("character", &"b a ".repeat(20_000), &"a b ".repeat(20_000));
    assert_eq!(
        warnings,
        ["warning: CharacTER: 1 segment is so long that the search was cut short; its score may be worse than by \
             the definition"]
    );
}

#[test]
fn comparing_two_systems_warns_as_scoring_does() {
    let (line, other) = ("b a ".repeat(20_000), "a b ".repeat(20_000));
    let dir = TestDir::with(&[("a", &line), ("b", &other), ("ref", &format!("c {other}"))]);
    let output = dir.run(&["compare", "a", "b", "-r", "ref", "-m", "character"]);
    assert!(output.stderr.contains("warning: CharacTER: 2 segments are so long"), "{output:?}");
}

#[test]
fn long_lines_that_are_alike_are_compared_in_full() {
    let line: String = (0..150_000).map(|i| format!("w{i:x} ")).collect();
    let (rate, warnings) = score("wer", &line, &format!("x y {line}"));
    assert!(rate > 0.0 && rate < 0.01, "{rate}");
    assert_eq!(warnings, [""; 0]);
}

/// A table of direct assessment with these rows: system and segment.
fn table(rows: impl Iterator<Item = (usize, usize)>) -> TestDir {
    let row = |(system, segment): (usize, usize)| format!("en-de newstest s{system}.0 {segment} 0.{system}\n");
    let rows: String = rows.map(row).collect();
    TestDir::with(&[("DA-seglevel.csv", &format!("LP DATA SYSTEM SID HUMAN\n{rows}"))])
}

#[test]
fn a_table_with_a_system_and_a_segment_of_its_own_in_every_row_is_refused() {
    // Its systems times its segments would take gigabytes.
    let output = table((1..9000).map(|i| (i, i))).run(&["systems", "DA-seglevel.csv"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stderr.contains("names 8999 systems and 8999 segments but scores almost none of them"),
        "{output:?}"
    );
}

#[test]
fn thousands_of_systems_are_refused() {
    let dir = table((1..=1200).flat_map(|i| [(i, 1), (i, 2)]));
    let output = dir.run(&["systems", "DA-seglevel.csv"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("has 1200 systems, and at most 1000 can be compared"), "{output:?}");
}
