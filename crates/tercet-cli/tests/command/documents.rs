//! Scores of documents: `--level document`, and where the names of documents come from.

use crate::test_dir::TestDir;

const REFERENCES: [&str; 4] =
    ["The cat sat on the mat.", "It rained all day long.", "A bird sang in the old tree.", "Two dogs ran away."];
const OUTPUTS: [&str; 4] =
    ["The cat sat on a mat.", "It rained the whole day.", "A bird sang in an old tree.", "Two dogs were running."];

/// The segments of the documents `x` and `y`.
const DOCUMENTS: [&str; 4] = ["x", "y", "x", "x"];

fn lines(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("{text}\n")).collect()
}

fn files() -> TestDir {
    TestDir::with(&[("ref.txt", &lines(&REFERENCES)), ("a.txt", &lines(&OUTPUTS)), ("ids.txt", &lines(&DOCUMENTS))])
}

/// Document and score of each line of TSV.
fn scores(tsv: &str) -> Vec<(&str, &str)> {
    let fields = tsv.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    fields.map(|fields| (fields[1], fields[3])).collect()
}

const LEVEL: [&str; 7] = ["score", "-m", "bleu", "-f", "tsv", "--level", "document"];

fn documents(dir: &TestDir, words: &[&str]) -> String {
    let output = dir.run(&[&LEVEL[..], words].concat());
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{words:?}");
    output.stdout
}

/// The score of these segments as a text of their own.
fn alone(segments: &[usize]) -> String {
    let of = |texts: [&str; 4]| lines(&segments.iter().map(|&i| texts[i]).collect::<Vec<_>>());
    let dir = TestDir::with(&[("ref.txt", &of(REFERENCES)), ("a.txt", &of(OUTPUTS))]);
    let output = dir.run(&["score", "-m", "bleu", "-f", "tsv", "-r", "ref.txt", "a.txt"]);
    scores(&output.stdout)[0].1.to_owned()
}

#[test]
fn the_score_of_a_document_is_that_of_its_segments_as_a_text() {
    let dir = files();
    let found = documents(&dir, &["-r", "ref.txt", "--document-ids", "ids.txt", "a.txt"]);
    let (x, y) = (alone(&[0, 2, 3]), alone(&[1]));
    assert_eq!(found, format!("system\tdocument\tmetric\tscore\na.txt\tx\tbleu\t{x}\na.txt\ty\tbleu\t{y}\n"));
}

#[test]
fn documents_are_named_by_a_file_a_field_or_sgml() {
    let dir = files();
    let expected = documents(&dir, &["-r", "ref.txt", "--document-ids", "ids.txt", "a.txt"]);
    let row = |(i, name): (usize, &str)| {
        format!(
            "{}\n",
            serde_json::json!({"mt": OUTPUTS[i], "ref": REFERENCES[i], "talk": DOCUMENTS[i], "doc_id": name})
        )
    };
    let rows: String = DOCUMENTS.into_iter().enumerate().map(row).collect();
    dir.write("rows.jsonl", rows.as_bytes());
    assert_eq!(scores(&documents(&dir, &["rows.jsonl"])), scores(&expected));
    assert_eq!(scores(&documents(&dir, &["--document", "talk", "rows.jsonl"])), scores(&expected));
    let other = documents(&dir, &["--document-ids", "a.txt", "rows.jsonl"]);
    assert_eq!(scores(&other).iter().map(|(name, _)| *name).collect::<Vec<_>>(), OUTPUTS);

    let sgml = |set: &str, name: &str, texts: [&str; 4]| {
        let segment = |i: usize| format!("<seg id=\"{i}\">{}</seg>\n", texts[i]);
        let document = |id: &str, of: &[usize]| {
            let segments: String = of.iter().map(|&i| segment(i)).collect();
            format!("<doc docid=\"{id}\" sysid=\"{name}\">\n{segments}</doc>\n")
        };
        format!("<{set} setid=\"s\">\n{}{}</{set}>\n", document("x", &[0, 2, 3]), document("y", &[1]))
    };
    dir.write("ref.sgm", sgml("refset", "ref", REFERENCES).as_bytes());
    dir.write("a.sgm", sgml("tstset", "a", OUTPUTS).as_bytes());
    assert_eq!(scores(&documents(&dir, &["-r", "ref.sgm", "a.sgm"])), scores(&expected));
}

#[test]
fn every_document_and_system_has_a_row() {
    let dir = files();
    dir.write("b.txt", lines(&REFERENCES).as_bytes());
    let common = ["score", "-r", "ref.txt", "-m", "chrf", "--level", "document", "--document-ids", "ids.txt"];
    let written = |format: &str| dir.run(&[&common[..], &["-f", format, "a.txt", "b.txt"]].concat()).stdout;
    let text = written("text");
    let rows: Vec<Vec<&str>> = text.lines().take(5).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["document", "system", "segments", "chrF2"]);
    let named: Vec<_> = rows[1..].iter().map(|row| row[..3].join(" ")).collect();
    assert_eq!(named, ["x a.txt 3", "x b.txt 3", "y a.txt 1", "y b.txt 1"]);
    assert_eq!(rows[2][3], "100.00");
    assert_eq!(written("jsonl").lines().count(), 4);
    assert_eq!(written("csv").lines().next(), Some("system,document,metric,score"));
    let json: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
    assert_eq!(json[1]["documents"][1], serde_json::json!({"document": "y", "segments": 1, "score": 100.0}));
}

#[test]
fn documents_without_names_and_flags_without_effect_are_errors() {
    let dir = files();
    dir.write("short.txt", b"x\ny\n");
    dir.write("gap.txt", b"x\n\nx\nx\n");
    dir.write("a.scores", b"1\n2\n");
    let refused = [
        (&["-r", "ref.txt", "a.txt"][..], "--document-ids FILE"),
        (&["-r", "ref.txt", "--document-ids", "short.txt", "a.txt"], "short.txt has 2 lines"),
        (&["-r", "ref.txt", "--document-ids", "gap.txt", "a.txt"], "segment 2 has no name of its document"),
        (&["-r", "ref.txt", "--document-ids", "ids.txt", "--level", "system", "a.txt"], "changes nothing without"),
        (&["--scores", "a.scores"], "have no documents"),
        (&["-r", "ref.txt", "--document-ids", "ids.txt", "--document", "talk", "a.txt"], "cannot be used with"),
    ];
    for (words, expected) in refused {
        let level = if words.contains(&"--level") { &[][..] } else { &["--level", "document"] };
        let output = dir.run(&[&["score"], level, words].concat());
        assert_ne!(output.code, 0, "{words:?}");
        assert!(output.stderr.contains(expected), "{words:?}: {}", output.stderr);
        assert_eq!(output.stdout, "", "{words:?}");
    }
}
