//! `tercet challenge`: pairs of a good and a damaged translation.

use crate::test_dir::TestDir;
use serde_json::Value;

const PAIRS: &str = "kind\tseverity\tref\tgood\tbad\n\
    number\tcritical\tHe came at 9.\tHe came at 9.\tHe came at 8.\n\
    number\tcritical\t\"He came at 8.\tHe arrived by 8.\tHe came at 9.\n\
    spelling\tminor\tShe left early.\tShe left early.\tShe left eraly.\n";

#[test]
fn accuracies_are_given_by_kind_and_severity() {
    let dir = TestDir::with(&[("pairs.tsv", PAIRS)]);
    let text = dir.stdout(&["challenge", "pairs.tsv", "-m", "chrf", "-m", "ter"]);
    assert!(text.contains("all pairs  3  0.667 [0.208, 0.939]"), "{text}");
    assert!(text.contains("critical   2  0.500 [0.095, 0.905]"), "{text}");
    let json: Value =
        serde_json::from_str(&dir.stdout(&["challenge", "pairs.tsv", "-m", "chrf", "-f", "json"])).unwrap();
    let kinds: Vec<&str> = json.as_array().unwrap().iter().filter_map(|row| row["kind"].as_str()).collect();
    assert_eq!(kinds, ["number", "spelling"]);
    assert_eq!((json[0]["tau"].as_f64(), json[0]["right"].as_u64()), (Some(1.0 / 3.0), Some(2)));
    let csv = dir.stdout(&["challenge", "pairs.tsv", "-m", "chrf", "-o", "-", "-f", "csv"]);
    assert!(
        csv.starts_with("by,kind,severity,metric,n,right,ties,wrong,accuracy,low,high,tau,aces_score\nall,,,chrf,3,2")
    );
    dir.stdout(&["challenge", "pairs.tsv", "-m", "chrf", "-o", "page.html"]);
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(page.contains("tercet challenge: challenge set") && page.contains("\"by\":\"severity\""));
}

#[test]
fn mistakes_say_what_to_type() {
    let dir = TestDir::with(&[("pairs.csv", "original,changed,ref\na b c,a b d,a b c\n")]);
    let error = dir.error(1, &["challenge", "pairs.csv", "-m", "chrf"]);
    assert!(error.contains("which field has the good translations? there are: original, changed, ref"), "{error}");
    let fields = ["--field", "good=original", "--field", "damaged=changed"];
    let text = dir.stdout(&[&["challenge", "pairs.csv", "-m", "chrf"], &fields[..]].concat());
    assert!(text.contains("all pairs  1  1.000"), "{text}");
    let error = dir.error(2, &["challenge", "pairs.csv", "--field", "better=original"]);
    assert!(error.contains("expected NAME=FIELD, where NAME is one of good, damaged, reference"), "{error}");
    let error = dir.error(
        1,
        &[
            "challenge",
            "pairs.csv",
            "-m",
            "chrf",
            "--pair",
            "de-en",
            "--field",
            "good=original",
            "--field",
            "damaged=changed",
        ],
    );
    assert!(error.contains("none of 1 pairs is of de-en"), "{error}");
}
