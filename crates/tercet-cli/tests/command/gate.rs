//! Gates: exit codes, the line that says why, and what is written beside the result.

use crate::test_dir::TestDir;
use serde_json::Value;

/// `count` lines of which the first `errors` have a mistake.
fn text(errors: usize) -> String {
    let line = |i: usize| format!("we {} {i} birds near the old boat\n", if i < errors { "counts" } else { "counted" });
    (0..60).map(line).collect()
}

fn dir() -> TestDir {
    TestDir::with(&[("ref", &text(0)), ("old", &text(3)), ("new", &text(30)), ("near", &text(4))])
}

const SCORE: [&str; 6] = ["score", "-q", "-r", "ref", "-m", "chrf"];

#[test]
fn a_gate_that_fails_ends_with_3_and_one_line_after_the_result() {
    let dir = dir();
    let run = dir.run(&[&SCORE[..], &["--fail-if", "chrf < 96", "old", "new"]].concat());
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stdout.starts_with("system") && run.stdout.contains("the gate failed\n"), "{}", run.stdout);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.starts_with("the gate failed in 1 of 2 checks: `chrf < 96`: new has 9"), "{}", run.stderr);
    let passed = dir.run(&["score", "-r", "ref", "-m", "chrf", "--fail-if", "chrf < 50", "old", "new"]);
    assert_eq!((passed.code, passed.stderr.as_str()), (0, "the gate passed: 2 checks\n"));
    let quiet = dir.run(&[&SCORE[..], &["--fail-if", "chrf < 50", "old"]].concat());
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
}

#[test]
fn a_system_that_may_be_worse_than_the_margin_fails() {
    let dir = dir();
    let code = |words: &[&str]| dir.run(&[&SCORE[..], words].concat()).code;
    assert_eq!(code(&["--no-worse-than", "old", "old", "new"]), 3);
    assert_eq!(code(&["--no-worse-than", "old", "old", "near"]), 0);
    assert_eq!(code(&["--no-worse-than", "old", "--margin", "0.01", "old", "near"]), 3);
    assert_eq!(code(&["--no-worse-than", "old", "--margin", "20", "-n", "100", "--seed", "3", "old", "new"]), 0);
    assert_eq!(code(&["--fail-if", "chrf < chrf(old) p<0.05", "old", "near"]), 0);
    assert_eq!(code(&["--fail-if", "chrf < chrf(old) p<0.05", "old", "new"]), 3);
}

#[test]
fn json_has_directions_verdicts_and_warnings() {
    let dir = dir();
    let words = ["score", "-q", "-r", "ref", "-m", "chrf", "-m", "ter", "--paired", "bs", "-f", "json"];
    let run = dir.run(&[&words[..], &["--fail-if", "ter(new) > ter(old) p<0.05", "old", "new"]].concat());
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&found[0]["higher_is_better"], &found[1]["higher_is_better"]), (&true.into(), &false.into()));
    assert_eq!(found[2]["comparisons"][0]["significant"], true);
    let check = &found[3]["gate"][0];
    assert_eq!((&check["passed"], &check["baseline"], &check["alpha"]), (&false.into(), &"old".into(), &0.05.into()));
    assert_eq!(check["p"], found[3]["comparisons"][0]["p"]);
    assert!(found[0]["gate"].as_array().unwrap().is_empty(), "{}", run.stdout);
    dir.write("short", b"we counted 1 bird\n");
    let run = dir.run(&["score", "-q", "-r", "short", "-m", "bleu", "--confidence", "-f", "jsonl", "short"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let kinds: Vec<&str> =
        found["warnings"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["few_segments"]);
}

#[test]
fn warnings_about_another_system_are_left_out() {
    let dir = dir();
    dir.write("empty", text(0).replacen("we counted 0 birds near the old boat", "", 1).as_bytes());
    let json = dir.stdout(&["score", "-q", "-r", "ref", "-m", "chrf", "-f", "json", "old", "empty"]);
    let found: Value = serde_json::from_str(&json).unwrap();
    let of = |system: usize| found[system]["warnings"].to_string();
    assert!(of(1).contains("empty_hypotheses") && !of(0).contains("empty_hypotheses"), "{json}");
}

#[test]
fn a_file_has_the_same_gate_and_flags_add_to_it() {
    let dir = dir();
    dir.write("gate.toml", b"fail_if = [\"chrf < 50\"]\nno_worse_than = \"old\"\nmargin = 0.01\n");
    let run = |words: &[&str]| dir.run(&[&SCORE[..], &["--gate", "gate.toml"], words, &["old", "near"]].concat());
    assert_eq!(run(&[]).code, 3);
    assert_eq!(run(&["--margin", "5"]).code, 0);
    let failed = run(&["--margin", "5", "--fail-if", "chrf(near) < 100"]);
    assert!(failed.code == 3 && failed.stderr.contains("1 of 4 checks"), "{failed:?}");
    let error = |text: &str| {
        dir.write("gate.toml", text.as_bytes());
        let failed = run(&[]);
        assert_eq!(failed.stdout, "");
        failed.stderr
    };
    assert!(error("margin = 1\nfail = []\n").contains("gate.toml:2: unknown key fail (known: fail_if"));
    assert!(error("\nmargin = \"1\"\n").contains("gate.toml:2: margin: expected a number"));
    assert!(error("fail_if = \"bleu<3\"\n").contains("gate.toml:1: fail_if: expected a list of conditions"));
    assert!(error("").contains("gate.toml: there is no gate in it"));
}

#[test]
fn conditions_that_cannot_be_read_are_misuse_before_anything_is_scored() {
    let dir = dir();
    let run = dir.run(&["score", "-r", "no-such-file", "-m", "chrf", "--fail-if", "chrf(new < 3", "old"]);
    let place = "error: `chrf(new < 3` is not a condition: at character 10, `< 3`, expected ) after the name";
    assert!(run.code == 2 && run.stderr.starts_with(place), "{run:?}");
    let error = |words: &[&str]| {
        let run = dir.run_under(&[("GITHUB_STEP_SUMMARY", "")], &[&SCORE[..], words].concat(), "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        run.stderr
    };
    assert!(error(&["--fail-if", "bleu < 3", "old"]).contains("there is no metric bleu (there are: chrf)"));
    assert!(error(&["--no-worse-than", "x", "old", "new"]).contains("there is no system x (there are: old, new)"));
    assert!(error(&["--no-worse-than", "old", "old"]).contains("no system besides old"));
    assert!(error(&["--margin", "1", "old"]).contains("margin changes nothing without no_worse_than"));
    assert!(error(&["--junit", "x.xml", "old"]).contains("--junit needs a gate"));
    assert!(error(&["--step-summary", "old"]).contains("GITHUB_STEP_SUMMARY does not name a file"));
    assert!(error(&["--fail-if", "chrf < 3", "--junit", "ref", "old"]).contains("would overwrite ref"));
}

#[test]
fn junit_and_the_summary_of_a_step_are_written_beside_the_result() {
    let dir = dir();
    dir.write("summary.md", b"before\n");
    let words = ["--fail-if", "chrf < 96", "--junit", "gate.xml", "--step-summary", "-f", "json", "old", "new"];
    let run = dir.run_under(&[("GITHUB_STEP_SUMMARY", "summary.md")], &[&SCORE[..], &words].concat(), "");
    assert_eq!(run.code, 3, "{run:?}");
    let xml = String::from_utf8(dir.read("gate.xml")).unwrap();
    assert!(xml.contains("<testsuite name=\"gate\" tests=\"2\" failures=\"1\">"), "{xml}");
    assert!(xml.contains("<testcase classname=\"tercet.chrF2\" name=\"`chrf &lt; 96`: old\"/>"), "{xml}");
    assert!(xml.contains("<failure type=\"gate\" message=\"`chrf &lt; 96`: new has 9"), "{xml}");
    let summary = String::from_utf8(dir.read("summary.md")).unwrap();
    assert!(summary.starts_with("before\n### Translation scores: the gate failed\n\n| system |"), "{summary}");
    assert!(summary.contains("| failed | \\`chrf &lt; 96\\`: new has"), "{summary}");
}

#[test]
fn a_page_says_whether_the_gate_passed() {
    let dir = dir();
    let run = dir.run(&[&SCORE[..], &["--fail-if", "chrf < 96", "-o", "page.html", "old", "new"]].concat());
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{run:?}");
    assert!(page.contains("the gate failed in 1 of 2 checks: `chrf "), "{}", run.stderr);
}

#[test]
fn rank_and_compare_have_the_gates_of_score() {
    let dir = dir();
    let of_rank = |words: &[&str]| {
        let before = ["rank", "-r", "ref", "-m", "chrf", "--no-checks"];
        dir.run(&[&before[..], words, &["old", "new"]].concat())
    };
    let failed = of_rank(&["--fail-if", "chrf < 96", "--junit", "gate.xml"]);
    assert!(failed.code == 3 && failed.stdout.contains("\nthe gate failed\n"), "{failed:?}");
    let in_score = dir.run(&[&SCORE[..], &["--fail-if", "chrf < 96", "old", "new"]].concat());
    assert_eq!(failed.stderr, in_score.stderr);
    assert!(String::from_utf8(dir.read("gate.xml")).unwrap().contains("failures=\"1\""));
    assert_eq!(of_rank(&["--no-worse-than", "old"]).code, 3);
    assert_eq!(of_rank(&["--no-worse-than", "old", "--margin", "20"]).code, 0);
    let json: Value = serde_json::from_str(&of_rank(&["-q", "--fail-if", "chrf < 96", "-f", "json"]).stdout).unwrap();
    assert_eq!((&json[1]["system"], &json[1]["gate"][0]["passed"]), (&"new".into(), &false.into()));
    assert!(json[0]["warnings"].is_array() && json[0]["higher_is_better"] == true, "{json}");
    let of_compare = |words: &[&str]| {
        let before = ["compare", "-r", "ref", "-m", "chrf", "--no-checks"];
        dir.run(&[&before[..], words, &["old", "new"]].concat())
    };
    let failed = of_compare(&["--no-worse-than", "old", "--junit", "gate.xml"]);
    let why = "the gate failed in 1 of 1 check: probability: new has 0.";
    assert!(failed.code == 3 && failed.stderr.starts_with(why), "{failed:?}");
    assert!(failed.stdout.contains("\nthe gate failed\ngate    found\nfailed  probability: new has 0."), "{failed:?}");
    let junit = String::from_utf8(dir.read("gate.xml")).unwrap();
    assert!(junit.contains("classname=\"tercet.probability\""), "{junit}");
    assert_eq!(of_compare(&["--fail-if", "probability(new) < 0.1"]).code, 0);
    let tested = of_compare(&["-q", "--fail-if", "probability(new) < probability(old) p<0.05", "-f", "json"]);
    let json: Value = serde_json::from_str(&tested.stdout).unwrap();
    assert_eq!((tested.code, &json["gate"][0]["p"]), (3, &json["overall"]["p"]));
    let unknown = of_compare(&["--fail-if", "chrf < 3"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("there is no metric chrf (there are: probability)"));
    dir.write("summary.md", b"");
    let words = ["--fail-if", "probability(new) < 0.1", "--step-summary"];
    let before = ["compare", "-q", "-r", "ref", "-m", "chrf", "--no-checks"];
    let words = [&before[..], &words, &["old", "new"]].concat();
    assert_eq!(dir.run_under(&[("GITHUB_STEP_SUMMARY", "summary.md")], &words, "").code, 0);
    let summary = String::from_utf8(dir.read("summary.md")).unwrap();
    assert!(summary.starts_with("### Translation scores: the gate passed\n\n| system | preferred |"), "{summary}");
    let page = of_compare(&["--no-worse-than", "old", "-o", "page.html"]);
    assert_eq!(page.code, 3);
    assert!(String::from_utf8(dir.read("page.html")).unwrap().contains("the gate failed in 1 of 1 check"));
    let of_candidates = dir.run(&["rank", "--mbr", "--fail-if", "chrf < 3", "old", "new"]);
    assert_eq!(of_candidates.code, 2, "{of_candidates:?}");
}

#[test]
fn with_strict_warnings_fail_the_gate() {
    let dir = dir();
    dir.write("empty", text(0).replacen("we counted 0 birds near the old boat", "", 1).as_bytes());
    let run =
        |command: &str, words: &[&str]| dir.run(&[&[command, "-r", "ref", "-m", "chrf", "--strict"], words].concat());
    for (command, systems) in [("score", &["empty"][..]), ("rank", &["old", "empty"]), ("compare", &["old", "empty"])] {
        let failed = run(command, systems);
        let warnings = failed.stderr.lines().filter(|line| line.starts_with("warning: ")).count();
        let last = failed.stderr.lines().last().unwrap();
        assert!(warnings > 0 && failed.code == 3, "{command}: {failed:?}");
        assert!(last.starts_with(&format!("the gate failed in {warnings} of {warnings} check")), "{last}");
        assert!(last.contains("no warnings: empty"), "{last}");
    }
    let passed = run("score", &["old"]);
    assert_eq!((passed.code, passed.stderr.as_str()), (0, "the gate passed: 1 check\n"));
    assert_eq!(run("score", &["-q", "empty", "--junit", "gate.xml"]).code, 3);
    let junit = String::from_utf8(dir.read("gate.xml")).unwrap();
    assert!(junit.contains("classname=\"tercet.texts\" name=\"no warnings: empty"), "{junit}");
    dir.write("gate.toml", b"strict = true\n");
    assert_eq!(dir.run(&[&SCORE[..], &["--gate", "gate.toml", "empty"]].concat()).code, 3);
    // A file that is called a reference, and is scored.
    dir.write("ref.2", text(1).as_bytes());
    assert_eq!(run("score", &["-q", "old", "ref.2"]).code, 3);
}

#[test]
fn given_scores_pass_gates_too() {
    let dir = dir();
    let scores = |shift: f64| (0..60).map(|i| format!("{}\n", f64::from(i % 7) + shift)).collect::<String>();
    dir.write("a", scores(0.0).as_bytes());
    dir.write("b", scores(-0.5).as_bytes());
    let code = |words: &[&str]| dir.run(&[&["score", "-q", "--scores"], words, &["a", "b"]].concat()).code;
    assert_eq!(code(&["--no-worse-than", "a"]), 3);
    assert_eq!(code(&["--no-worse-than", "a", "--margin", "0.6"]), 0);
    assert_eq!(code(&["--fail-if", "score < score(a)"]), 3);
}

#[cfg(feature = "columns")]
#[test]
fn tables_pass_gates_too() {
    let example = |name: &str| format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let run = |words: &[&str], table: &str| {
        TestDir::new().run(&[&["score", "-q", "-m", "chrf"], words, &[&example(table)]].concat())
    };
    let rows = ["--system", "system", "--hypothesis", "mt", "-r", "reference"];
    let failed = run(&[&rows[..], &["--fail-if", "chrf < 70"]].concat(), "rows.arrow");
    assert!(failed.code == 3 && failed.stderr.contains("1 of 2 checks"), "{failed:?}");
    let refused = run(&[&rows[..], &["--no-worse-than", "a"]].concat(), "rows.arrow");
    assert!(refused.code == 2 && refused.stderr.contains("give each system a column"), "{refused:?}");
    let columns = ["--hypothesis", "a", "--hypothesis", "b", "-r", "reference"];
    let code = |baseline: &str| run(&[&columns[..], &["--no-worse-than", baseline]].concat(), "systems.parquet").code;
    assert_eq!((code("a"), code("b")), (3, 0));
}
