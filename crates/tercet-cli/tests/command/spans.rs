//! `tercet spans`: errors that metrics and people mark.

use crate::test_dir::TestDir;
use serde_json::Value;

const JUDGED: &str = "id\tsystem\trater\tmt\tref\tspans\n\
    1\ta\tann\tthe big house\tthe small house\t[[4, 7, \"major\", \"x\"]]\n\
    1\ta\tben\tthe big house\tthe small house\t[[0, 7, \"minor\", \"x\"]]\n\
    2\ta\tann\t\"Over\tUnder\t[[0, 5, \"minor\", \"x\"]]\n";

#[test]
fn marks_of_metrics_and_files_are_compared_with_people() {
    let dir = TestDir::with(&[("judged.tsv", JUDGED)]);
    let words = ["spans", "judged.tsv", "-m", "ter", "-n", "20"];
    let text = dir.stdout(&words);
    for row in ["TER ", "(another rater)", "(everything)", "(nothing)"] {
        assert!(text.contains(row), "{text}");
    }
    let xcomet = "{\"a\": [\
        {\"mt\": \"the big house\", \"COMET\": 1, \"errors\": [{\"start\": 4, \"end\": 7, \"severity\": \"major\"}]}, \
        {\"mt\": \"\\\"Over\", \"COMET\": 1, \"errors\": []}]}";
    dir.write("xcomet.json", xcomet.as_bytes());
    let words = ["spans", "judged.tsv", "--spans", "xcomet.json", "-n", "20"];
    let json: Value = serde_json::from_str(&dir.stdout(&[&words[..], &["-f", "json"]].concat())).unwrap();
    assert_eq!((json[0]["metric"].as_str(), json[0]["precision"].as_f64()), (Some("xcomet"), Some(1.0)));
    assert_eq!(json[0]["severity_precision"].as_f64(), Some(0.75));
    dir.stdout(&[&words[..], &["-o", "page.html"]].concat());
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(page.contains("\"mark\":\"major\"") && page.contains("Where people and metrics differ most"));
    let error = dir.error(2, &["spans", "judged.tsv", "-m", "chrf"]);
    assert!(error.contains("chrf marks no words of translations (metrics that do:"), "{error}");
    dir.write("plain.csv", b"mt,ref,score\na,b,1\n");
    let error = dir.error(1, &["spans", "plain.csv", "-m", "ter"]);
    assert!(error.contains("there must be errors that people marked in outputs"), "{error}");
}
