//! `--explain`: words without a good partner.

use super::test_dir::TestDir;
use serde_json::Value;

const REFERENCES: &str = "The committee approved the new budget on Tuesday in Prague.\nHe likes football.\n";
const GOOD: &str = "The committee approved the new budget on Tuesday in Prague.\nHe likes football.\n";
const BAD: &str = "The committee approved a giraffe on Tuesday in Prague.\nHe likes violins.\n";

fn texts() -> TestDir {
    TestDir::with(&[("ref", REFERENCES), ("good", GOOD), ("bad", BAD)])
}

#[test]
fn score_marks_words_without_a_partner_in_both_lines() {
    let found = texts().run(&["score", "-m", "siamese", "-m", "chrf", "--explain", "-r", "ref", "bad", "good", "-q"]);
    assert_eq!(found.code, 0, "{}", found.stderr);
    let lines: Vec<&str> = found.stdout.lines().collect();
    assert_eq!(lines[0], "bad");
    assert!(lines[1].starts_with("    1 Siamese ") && lines[1].contains("  chrF2 "), "{}", lines[1]);
    assert_eq!(lines[2], "      hyp  The committee approved a [giraffe] on Tuesday in Prague.");
    assert!(lines[3].starts_with("      ref  The committee approved the ") && lines[3].contains("budget] on Tuesday"));
    assert_eq!(lines[5], "      hyp  He likes [violins].");
    assert_eq!(lines[6], "      ref  He likes [football].");
    assert_eq!(lines[8], "good");
    assert!(!lines[9..16].iter().any(|line| line.contains('[')), "{}", found.stdout);
    let same = "(no marks: both have the same words)";
    assert_eq!(lines[15..17], ["      ref  He likes football.", &format!("           {same}")]);
    assert!(
        found.stdout.contains("\n[…]: words whose most similar word on the other side has a similarity below 0.4"),
        "{}",
        found.stdout
    );
}

#[test]
fn the_worst_segments_come_first_if_some_are_asked_for() {
    let run = |top: &str| {
        texts().run(&["score", "-m", "siamese", "--explain", "--top", top, "-r", "ref", "bad", "-q", "-f", "tsv"])
    };
    let (one, both) = (run("1").stdout, run("7").stdout);
    assert_eq!((one.lines().count(), both.lines().count()), (2, 3), "{both}");
    assert!(both.starts_with(&one));
    let row: Vec<&str> = one.lines().nth(1).unwrap().split('\t').collect();
    assert!(one.starts_with("system\tsegment\tsiamese\treference\thypothesis_unmatched\treference_unmatched\n"));
    let (hypothesis, reference) = if row[1] == "1" { ("giraffe", "budget") } else { ("violins", "football") };
    assert!(row[3] == "1" && row[4] == hypothesis && row[5].ends_with(reference), "{one}");
    let score = |line: usize| both.lines().nth(line).unwrap().split('\t').nth(2).unwrap().parse::<f64>().unwrap();
    assert!(score(1) <= score(2));
}

#[test]
fn json_has_bytes_partners_and_similarities() {
    let found = texts().run(&["score", "-m", "siamese", "--explain", "-r", "ref", "bad", "-q", "-f", "json"]);
    let all: Value = serde_json::from_str(&found.stdout).unwrap();
    let words = all[0]["hypothesis_words"].as_array().unwrap();
    let giraffe = words.iter().find(|word| word["word"] == "giraffe").unwrap();
    assert_eq!((giraffe["start"].as_u64(), giraffe["end"].as_u64()), (Some(25), Some(32)));
    assert_eq!(giraffe["matched"], false);
    assert!(giraffe["similarity"].as_f64().unwrap() < 0.4);
    assert_eq!(words[1]["partner"], 1);
    assert_eq!((&all[0]["segment"], &all[0]["reference"]), (&Value::from(1), &Value::from(1)));
    assert!(all[0]["scores"]["siamese"].is_f64() && all[0]["reference_words"].is_array());
    let lines = texts().run(&["score", "-m", "siamese", "--explain", "-r", "ref", "bad", "-q", "-f", "jsonl"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(lines.lines().next().unwrap()).unwrap(), all[0]);
}

#[test]
fn compare_marks_each_system_beside_its_reference() {
    let run = |format: &str| {
        texts().run(&["compare", "-m", "siamese", "--explain", "-r", "ref", "good", "bad", "-q", "-f", format])
    };
    let text = run("text").stdout;
    let b = "      B    The committee approved a [giraffe] on Tuesday in Prague.\n      ref  The committee approved ";
    assert!(text.contains(b), "{text}");
    assert!(text.contains("      A    He likes football.\n      ref  He likes football.\n"), "{text}");
    assert!(
        text.contains("\n[…]: words whose most similar word on the other side has a similarity below 0.4"),
        "{text}"
    );
    let markdown = run("markdown").stdout;
    assert!(markdown.contains("reference of B") && markdown.contains("giraffe"), "{markdown}");
    let tsv = run("tsv").stdout;
    assert!(
        tsv.starts_with(
            "segment\tp_a\tbetter\ta_unmatched\ta_reference_unmatched\tb_unmatched\tb_reference_unmatched\n"
        )
    );
    assert!(tsv.lines().nth(2).unwrap().ends_with("\ta\t\t\tviolins\tfootball"), "{tsv}");
    let json: Value = serde_json::from_str(&run("json").stdout).unwrap();
    assert!(json["segments"][0]["explanation_a"]["hypothesis_words"][0]["matched"].as_bool().unwrap());
    let lines = run("jsonl").stdout;
    let line: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    assert_eq!(line["explanation_b"], json["segments"][1]["explanation_b"]);
}

#[test]
fn metrics_that_do_not_tell_are_refused() {
    let dir = texts();
    for (words, titles) in
        [(["score", "-m", "bleu", "-m", "chrf"].as_slice(), "BLEU, chrF2"), (&["compare", "-m", "ter", "good"], "TER")]
    {
        let found = dir.run(&[words, &["--explain", "-r", "ref", "bad"]].concat());
        let expected = format!(
            "error: {titles}: cannot tell which words have a partner; of tercet's metrics only siamese can (use it by \
             -m siamese; -f html marks words by METEOR and TER)\n"
        );
        assert_eq!((found.code, found.stderr), (2, expected));
    }
    let found = dir.run(&["score", "-m", "siamese", "--top", "3", "-r", "ref", "bad"]);
    assert!(found.code == 2 && found.stderr.contains("--explain"), "{}", found.stderr);
}

#[test]
fn without_a_metric_the_one_that_tells_is_used_even_if_the_language_is_not_certain() {
    let dir = texts();
    for name in ["ref", "a", "b"] {
        dir.write(name, b"Good morning.\n");
    }
    for command in [["score", "a"].as_slice(), &["compare", "a", "b"]] {
        let found = dir.run(&[command, &["--explain", "-r", "ref", "-q"]].concat());
        assert!(found.code == 0 && found.stdout.contains("Siamese"), "{found:?}");
    }
}
