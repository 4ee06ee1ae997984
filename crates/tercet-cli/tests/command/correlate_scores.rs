//! `tercet correlate --scores`: scores from files.

use crate::correlate::{assessments, json, rankings};
use crate::test_dir::TestDir;
use serde_json::Value;

#[test]
fn scores_from_a_file_stand_beside_computed_ones() {
    let dir = assessments();
    dir.write("worse.txt", b"1\n3\n2\n5\n4\n");
    let found = json(&dir.stdout(&[
        "correlate",
        "da",
        "--scores",
        "worse.txt",
        "--lower-is-better",
        "worse.txt",
        "-m",
        "chrf",
        "--statistic",
        "kendall",
        "-f",
        "json",
    ]));
    let value = |metric: &str| {
        found.as_array().unwrap().iter().find(|of| of["metric"] == metric).unwrap()["value"].as_f64().unwrap()
    };
    assert!((value("worse.txt") - 0.6).abs() < 1e-12);
    assert!((value("chrf") - 1.0).abs() < 1e-12);
}

#[test]
fn the_systems_of_a_file_that_has_none_of_the_judged_ones_are_named() {
    let dir = TestDir::with(&[
        (
            "ad-seg-scores-de-en.csv",
            "SYS SID RAW.SCR Z.SCR N\na 1 40 0.4 1\na 2 20 0.2 1\nb 1 30 0.3 1\nb 2 10 0.1 1\n",
        ),
        ("m.seg.score", "other 0.1\nother 0.2\nlast 0.1\nlast 0.3\n"),
    ]);
    let run = dir.run(&["correlate", ".", "--scores", "m.seg.score"]);
    let cause = "m was skipped: its file has scores of other, …, and scores for none of the systems of";
    assert!(run.code != 0 && run.stderr.contains(cause), "{run:?}");
}

#[test]
fn segments_of_a_file_are_found_by_their_number() {
    let dir = TestDir::with(&[
        (
            "ad-seg-scores-de-en.csv",
            "SYS SID RAW.SCR Z.SCR N\na 4 40 0.4 1\na 2 20 0.2 1\na 3 30 0.3 1\na 1 10 0.1 1\n",
        ),
        ("m.seg.score", "a 0.1\na 0.2\na 0.3\na 0.4\na 0.5\n"),
    ]);
    let found = json(&dir.stdout(&[
        "correlate",
        "ad-seg-scores-de-en.csv",
        "--scores",
        "m.seg.score",
        "--statistic",
        "pearson",
        "--level",
        "segment",
        "--human",
        "z",
        "-f",
        "json",
    ]));
    assert!((found[0]["value"].as_f64().unwrap() - 1.0).abs() < 1e-12, "{found}");
    dir.write("m.seg.score", b"a 0.1\na 0.2\na 0.3\n");
    let error = dir.error(1, &["correlate", "ad-seg-scores-de-en.csv", "--scores", "m.seg.score"]);
    assert!(
        error
            .contains("m has 3 scores for each system, but ad-seg-scores-de-en de-en has 4 segments, numbered up to 4"),
        "{error}"
    );
}

#[test]
fn an_error_rate_of_our_own_comes_back_from_a_submission_with_its_sign() {
    let dir = assessments();
    dir.stdout(&[
        "score",
        "-r",
        "da/newstest.reference.de-en",
        "-m",
        "ter",
        "--submission",
        "out",
        "--lang-pair",
        "de-en",
        "--test-set",
        "newstest",
        "--name",
        "mt-system",
        "da/newstest.mt-system.de-en",
    ]);
    let value = |arguments: &[&str]| {
        let common = ["correlate", "da", "--statistic", "pearson", "-f", "json"];
        json(&dir.stdout(&[&common[..], arguments].concat()))[0]["value"].as_f64().unwrap()
    };
    let computed = value(&["-m", "ter"]);
    assert!(computed > 0.9);
    assert!((value(&["--scores", "out/ter.seg.score.gz"]) - computed).abs() < 1e-12);
}

#[test]
fn system_scores_alone_are_enough() {
    let dir = TestDir::with(&[
        ("DA-syslevel.csv", "LP HUMAN SYSTEM\ncs-en 0.3 a\ncs-en 0.1 b\ncs-en -0.2 c\n"),
        ("m.sys.score", "a 30\nb 20\nc 25\n"),
    ]);
    let found = json(&dir.stdout(&["correlate", "DA-syslevel.csv", "--scores", "m.sys.score", "-f", "json"]));
    let accuracy = found.as_array().unwrap().iter().find(|of| of["statistic"] == "accuracy").unwrap();
    assert!((accuracy["value"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    let (low, high) = (accuracy["low"].as_f64().unwrap(), accuracy["high"].as_f64().unwrap());
    assert!(low < 2.0 / 3.0 && high > 2.0 / 3.0, "systems are drawn: {low} {high}");
}

#[test]
fn files_of_scores_may_name_systems_by_their_files() {
    let dir = rankings();
    for (system, text) in [
        ("good", "The bakery opens at five.\nWe missed the last train.\nIt rained all night long.\n"),
        ("fair", "x\nWe missed the final train.\nIt was raining all night long.\n"),
        ("bad", "Bakery is open five.\nThe train we miss it.\nAll night was the rain.\n"),
    ] {
        dir.write(&format!("out/{system}.txt"), text.as_bytes());
    }
    dir.write("ref", b"The bakery opens at five.\nWe missed the last train.\nIt rained all night long.\n");
    dir.stdout(&[
        "score",
        "-r",
        "ref",
        "-m",
        "chrf",
        "-f",
        "tsv",
        "--level",
        "both",
        "-o",
        "chrf.tsv",
        "out/good.txt",
        "out/fair.txt",
        "out/bad.txt",
    ]);
    let run =
        |arguments: &[&str]| json(&dir.stdout(&[&["correlate", "wmt99-rr", "-f", "json"][..], arguments].concat()));
    let (read, computed) = (run(&["--scores", "chrf.tsv"]), run(&["-m", "chrf"]));
    let tau = |found: &Value| {
        found.as_array().unwrap().iter().find(|of| of["statistic"] == "tau-wmt14").unwrap()["value"].clone()
    };
    assert_eq!(tau(&read), tau(&computed));
}

#[test]
fn a_folder_after_scores_is_the_judgements() {
    let dir = rankings();
    let mut scores = String::from("system\tsegment\tmetric\tscore\n");
    for (system, score) in [("good", 2), ("fair", 1), ("bad", 0)] {
        (1..=3).for_each(|segment| scores += &format!("{system}\t{segment}\tx\t{score}\n"));
    }
    dir.write("x.tsv", scores.as_bytes());
    let usual = dir.run(&["correlate", "wmt99-rr", "--scores", "x.tsv", "--tau", "wmt12", "-f", "json"]);
    let other = dir.run(&["correlate", "--tau", "wmt12", "-f", "json", "--scores", "x.tsv", "wmt99-rr"]);
    assert_eq!(usual.code, 0, "{}", usual.stderr);
    assert_eq!((usual.stdout, usual.stderr), (other.stdout, other.stderr));
    let error = dir.error(2, &["correlate", "--scores", "x.tsv"]);
    assert!(error.contains("name a folder or file of human judgements"), "{error}");
}
