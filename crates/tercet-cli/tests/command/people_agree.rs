//! What a difference of scores means in terms of people, wherever two systems are compared.

use crate::test_dir::TestDir;
use serde_json::Value;

/// `count` lines of which the first `errors` have a mistake.
fn text(errors: usize) -> String {
    let line = |i: usize| format!("we {} {i} birds near the old boat\n", if i < errors { "counts" } else { "counted" });
    (0..60).map(line).collect()
}

fn dir() -> TestDir {
    TestDir::with(&[("ref", &text(0)), ("old", &text(30)), ("new", &text(3))])
}

/// The shares are numbers in order, the systems differ, and the share is more than chance.
fn check(agree: &Value) {
    let [low, share, high] = ["low", "share", "high"].map(|field| agree[field].as_f64().unwrap());
    assert!(0.5 < low && low <= share && share <= high && high < 1.0, "{agree}");
}

#[test]
fn all_commands_say_in_which_share_of_such_pairs_people_agree() {
    let dir = dir();
    let metrics = ["-q", "-r", "ref", "-m", "chrf", "old", "new"];
    let run = |command: &str, further: &[&str]| dir.stdout(&[&[command], &metrics[..], further].concat());
    let text = run("score", &[]);
    assert!(text.contains("\nnew against old: +") && text.contains(" chrF2, people agree in "), "{text}");
    let text = run("score", &["--paired", "bs"]);
    assert!(text.contains("  agree\n") && text.contains("\nagree: the share of pairs"), "{text}");
    let text = run("rank", &[]);
    assert!(text.contains("  agree\n") && text.contains("that to the next system"), "{text}");
    let compare = ["compare", "-q", "-r", "ref", "-m", "chrf", "old", "new"];
    let text = dir.stdout(&compare);
    assert!(text.contains("\nA 9") && text.contains(": people agree in "), "{text}");
    let gate = dir.run(&[&["score"], &metrics[..], &["--fail-if", "chrf(new) > chrf(old)"]].concat());
    assert!(gate.stderr.contains("; people agree in "), "{}", gate.stderr);

    let json = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let scored = json(run("score", &["--paired", "bs", "-f", "json", "--fail-if", "chrf(new) < chrf(old)"]));
    check(&scored[1]["comparisons"][0]["people_agree"]);
    check(&scored[1]["people_agree"]);
    check(&scored[1]["gate"][0]["people_agree"]);
    // The last system has no next one.
    assert!(scored[0].get("people_agree").is_none(), "{}", scored[0]);
    check(&json(dir.stdout(&[&compare[..], &["-f", "json"]].concat()))["overall"]["people_agree"]);
    let page = dir.stdout(&[&["score"], &metrics[..], &["-f", "html"]].concat());
    assert!(page.contains("\"agree\":\""), "the page has the shares");
}

#[test]
fn a_larger_difference_on_more_segments_is_agreed_with_more_often() {
    let dir = dir();
    dir.write("near", text(29).as_bytes());
    let share = |better: &str| {
        let text = dir.stdout(&["score", "-q", "-r", "ref", "-m", "chrf", "-f", "json", "old", better]);
        let found: Value = serde_json::from_str(&text).unwrap();
        found[1]["people_agree"]["share"].as_f64().unwrap()
    };
    assert!(share("near") < share("new"), "{} {}", share("near"), share("new"));
}

#[test]
fn scores_of_other_tools_have_published_curves() {
    let rows =
        ["a,1,wmt22-comet-da,0.80", "a,2,wmt22-comet-da,0.82", "b,1,wmt22-comet-da,0.81", "b,2,wmt22-comet-da,0.83"];
    let own = ["a,1,mine,1", "a,2,mine,2", "b,1,mine,3", "b,2,mine,4"];
    let table = [&["system,segment,metric,score"][..], &rows, &own, &[""]].concat().join("\n").replace(',', "\t");
    let dir = TestDir::with(&[("scores.tsv", &table)]);
    let text = dir.stdout(&["score", "-q", "--scores", "scores.tsv"]);
    // Kocmi et al. (2024): one point of 100 is 91%.
    assert!(text.contains("b against a: +0.0100 wmt22-comet-da, people agree in 91% of such pairs\n"), "{text}");
    assert!(!text.contains("mine, people agree"), "{text}");
}
