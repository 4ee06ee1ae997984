//! Paired tests and intervals in tables: what is marked, and what is warned about.

use crate::test_dir::TestDir;
use serde_json::Value;

/// `count` lines of which the first `errors` have a mistake.
fn text(count: usize, errors: usize) -> String {
    let line = |i: usize| format!("we {} {i} birds near the old boat\n", if i < errors { "counts" } else { "counted" });
    (0..count).map(line).collect()
}

fn dir(count: usize, good: usize, bad: usize) -> TestDir {
    TestDir::with(&[("ref", &text(count, 0)), ("good", &text(count, good)), ("bad", &text(count, bad))])
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn one_segment_that_differs_is_not_significant() {
    let dir = dir(400, 0, 1);
    let words = ["score", "-r", "ref", "-m", "bleu", "-m", "ter", "--paired", "ar", "-n", "500"];
    let run = dir.run(&[&words[..], &["-f", "json", "good", "bad"]].concat());
    let comparison = &json(&run.stdout)[2]["comparisons"][0];
    assert!(comparison["delta"].as_f64().unwrap() < 0.0);
    assert_eq!((&comparison["p"], &comparison["differing_segments"]), (&1.0.into(), &1.into()));
    assert!(
        run.stderr.contains(
            "warning: good and bad differ in few of the 400 segments (1 by BLEU, 1 by TER): p-values rest on \
             these alone"
        ),
        "{}",
        run.stderr
    );
    let quiet = dir.run(&[&words[..], &["-q", "good", "bad"]].concat());
    assert!(quiet.stderr.is_empty() && !quiet.stdout.contains('▼'), "{quiet:?}");
    assert!(!quiet.stdout.contains("  *"), "{}", quiet.stdout);
}

#[test]
fn sacrebleu_keeps_its_own_p_value() {
    // sacreBLEU 2.6.0 leaves out trials that equal the difference: 1 / 501.
    let dir = dir(400, 0, 1);
    let words = ["sacrebleu", "ref", "-i", "good", "bad", "-m", "bleu", "--paired-ar", "--paired-ar-n", "500"];
    let run = dir.run(&words);
    assert!(run.stdout.contains("\"p_value\": 0.001996007984031936"), "{run:?}");
}

#[test]
fn many_segments_that_differ_are_marked_in_the_main_table() {
    let dir = dir(60, 0, 50);
    let words = ["score", "-r", "ref", "-m", "bleu", "-m", "ter", "--paired", "ar", "-n", "200"];
    let run = dir.run(&[&words[..], &["good", "bad"]].concat());
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[1] == "good    100.00     0.00", "{}", run.stdout);
    assert!(lines[2].starts_with("bad ") && lines[2].matches(" ▼").count() == 2, "{}", run.stdout);
    assert!(run.stdout.contains("\n▲ significantly better than good, ▼ worse (p < 0.05)\n"), "{}", run.stdout);
    assert!(!run.stderr.contains("differ in few"), "{}", run.stderr);
    let markdown = dir.stdout(&[&words[..], &["-f", "markdown", "--baseline", "bad", "good", "bad"]].concat());
    assert!(markdown.contains("| good | **100.00** ▲ | **0.00** ▲ |"), "{markdown}");
    let latex = dir.stdout(&[&words[..], &["-f", "latex", "good", "bad"]].concat());
    assert!(latex.contains("$^{-}$ \\\\\n") && latex.contains("% $^{+}$ significantly better than good"), "{latex}");
}

#[test]
fn tables_show_both_ends_of_intervals() {
    let dir = dir(60, 10, 50);
    let words = ["score", "-r", "ref", "-m", "chrf", "--confidence", "-n", "100", "good"];
    let found = json(&dir.stdout(&[&words[..], &["-f", "json"]].concat()));
    let number = |value: &Value| value.as_f64().unwrap();
    let interval = &found[0]["interval"];
    let shown = format!(
        "good    {:.2} [{:.2}, {:.2}]\n",
        number(&found[0]["score"]),
        number(&interval["low"]),
        number(&interval["high"])
    );
    let text = dir.stdout(&words);
    assert!(text.contains(&shown) && text.contains("\n[low, high]: 95% interval of the score, by bootstrap"), "{text}");
}

#[test]
fn the_same_metric_has_the_same_decimals_always() {
    let dir = TestDir::with(&[("ref", "one two three four five six\n"), ("bad", "seven eight nine ten one two\n")]);
    let row = |words: &[&str]| {
        let text = dir.stdout(&[&["score", "-r", "ref", "-q"], words, &["bad"]].concat());
        text.lines().nth(1).unwrap().split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let decimals = |score: &str| score.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let metrics = ["-m", "bleu:smooth=floor", "-m", "nist", "-m", "meteor", "-m", "sentbleu", "-m", "cer"];
    let found = row(&metrics);
    assert_eq!(found.iter().map(|score| decimals(score)).collect::<Vec<_>>(), [2, 2, 4, 4, 2], "{found:?}");
    let found = row(&[&metrics[..], &["-w", "3"]].concat());
    assert!(found.iter().all(|score| decimals(score) == 3), "{found:?}");
    dir.write("comet", b"85.2\n");
    dir.write("bleu.tsv", b"system\tsegment\tmetric\tscore\nx\t1\tbleu\t0.5\n");
    assert!(dir.stdout(&["score", "--scores", "comet"]).contains("85.2000\n"));
    assert!(dir.stdout(&["score", "--scores", "bleu.tsv"]).contains(" 0.50\n"));
}

#[test]
fn pairs_of_given_scores_are_those_of_systems_for_each_metric() {
    let mut table = String::from("system\tsegment\tmetric\tscore\n");
    for (place, system) in ["a", "b", "c"].iter().enumerate() {
        for metric in ["x", "y", "z"] {
            (1..=40).for_each(|i| table += &format!("{system}\t{i}\t{metric}\t{}\n", 2 * place + i % 3));
        }
    }
    let dir = TestDir::with(&[("scores.tsv", &table)]);
    let words = ["score", "--scores", "scores.tsv", "--paired", "bs", "--all-pairs", "--correction", "holm"];
    let messages = |resamples: &str| dir.run(&[&words[..], &["-n", resamples]].concat()).stderr;
    assert!(messages("59").contains("adjusted for 3 pairs of systems"), "{}", messages("59"));
    assert!(!messages("60").contains("can be significant"), "{}", messages("60"));
}
