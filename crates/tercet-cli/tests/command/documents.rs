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

/// 60 documents of four segments; in every third one, all segments of `b` have a mistake.
fn in_documents() -> TestDir {
    let line = |i: usize| format!("we counted {i} birds near the old boat");
    let reference: String = (0..240).map(|i| format!("{}\n", line(i))).collect();
    let a: String =
        (0..240).map(|i| format!("{}\n", line(i).replace(" old", if i % 5 == 0 { "" } else { " old" }))).collect();
    let b = |i: usize| if (i / 4).is_multiple_of(3) { line(i).replace("counted", "count") } else { line(i) };
    let b: String = (0..240).map(|i| format!("{}\n", b(i))).collect();
    let ids: String = (0..240).map(|i| format!("d{}\n", i / 4)).collect();
    TestDir::with(&[("ref", &reference), ("a", &a), ("b", &b), ("ids", &ids)])
}

#[test]
fn tests_draw_whole_documents_and_say_so() {
    let dir = in_documents();
    let run = |command: &str, words: &[&str]| {
        let before = [command, "-q", "-r", "ref", "-m", "chrf", "-f", "json"];
        let text = dir.stdout(&[&before[..], words, &["a", "b"]].concat());
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let by = ["--resample-by", "document", "--document-ids", "ids"];
    for command in ["score", "rank"] {
        let tests: &[&str] = if command == "score" { &["--ci", "--paired", "bs"] } else { &[] };
        let (single, whole) = (run(command, tests), run(command, &[tests, &by].concat()));
        let find = |found: &serde_json::Value| {
            let of_b = found.as_array().unwrap().iter().find(|one| one["system"] == "b").unwrap().clone();
            (of_b["interval"]["half_width"].as_f64().unwrap(), of_b["signature"].to_string(), of_b["score"].clone())
        };
        let ((narrow, before, score), (wide, after, same)) = (find(&single), find(&whole));
        // Four segments with the same mistake are as one: the interval is about twice as wide.
        assert!((1.6..2.4).contains(&(wide / narrow)), "{command}: {narrow} {wide}");
        assert_eq!(score, same);
        assert!(!before.contains("draws=") && after.contains("|draws=documents|seed=12345|"), "{after}");
    }
    let (single, whole) = (run("compare", &[]), run("compare", &by));
    let width = |found: &serde_json::Value| {
        found["overall"]["high"].as_f64().unwrap() - found["overall"]["low"].as_f64().unwrap()
    };
    assert!(width(&whole) > 1.2 * width(&single), "{} {}", width(&single), width(&whole));
    assert_eq!(whole["overall"]["resample_by"], "document");
    assert!(whole["overall"]["p"].as_f64() > single["overall"]["p"].as_f64());
    let paired = |test: &str| run("score", &[&["--paired", test, "-n", "999"][..], &by].concat());
    for test in ["bs", "ar"] {
        let of_b = &paired(test)[1]["comparisons"][0];
        assert_eq!(of_b["resample_by"], "document", "{of_b}");
    }
    let text =
        dir.stdout(&[&["score", "-q", "-r", "ref", "-m", "chrf", "--paired", "ar"][..], &by, &["a", "b"]].concat());
    assert!(text.contains("paired approximate randomisation of documents, 10000 trials"), "{text}");
    // A gate draws documents too: what cannot be excluded is a larger loss.
    let bound = |words: &[&str]| {
        let gate = ["--no-worse-than", "a", "--margin", "50"];
        let found = run("score", &[&gate[..], words].concat());
        found[1]["gate"][0]["bound"].as_f64().unwrap()
    };
    assert!(bound(&by) < bound(&[]), "{} {}", bound(&by), bound(&[]));
}

#[test]
fn few_documents_are_warned_of_and_missing_ones_refused() {
    let dir = files();
    dir.write("b.txt", lines(&REFERENCES).as_bytes());
    let run =
        |words: &[&str]| dir.run(&[&["rank", "-r", "ref.txt", "-m", "bleu"][..], words, &["a.txt", "b.txt"]].concat());
    let few = run(&["--resample-by", "document", "--document-ids", "ids.txt"]);
    assert!(few.code == 0 && few.stderr.contains("warning: only 2 documents: with so few, intervals of"), "{few:?}");
    let none = run(&["--resample-by", "document"]);
    assert!(none.code == 2 && none.stderr.contains("nothing says which document"), "{none:?}");
    let unused = run(&["--document-ids", "ids.txt"]);
    assert!(unused.code == 2 && unused.stderr.contains("--document-ids changes nothing"), "{unused:?}");
    let unused = dir.run(&["score", "-r", "ref.txt", "-m", "bleu", "--resample-by", "document", "a.txt"]);
    assert_eq!(unused.code, 2, "{unused:?}");
}

#[test]
fn documents_are_a_column_or_end_at_empty_lines() {
    let dir = files();
    let expected = documents(&dir, &["-r", "ref.txt", "--document-ids", "ids.txt", "a.txt"]);
    let rows = (0..4).map(|i| format!("{}\t{}\t{}\n", DOCUMENTS[i], REFERENCES[i], OUTPUTS[i]));
    dir.write("table.tsv", rows.collect::<String>().as_bytes());
    let found = documents(&dir, &["--columns", "doc,ref,hyp=a.txt", "table.tsv"]);
    assert_eq!(found, expected);
    let with_gap = |texts: [&str; 4]| format!("\n{}\n\n\n{}\n", texts[..2].join("\n"), texts[2..].join("\n"));
    dir.write("ref.gap", with_gap(REFERENCES).as_bytes());
    dir.write("a.gap", with_gap(OUTPUTS).as_bytes());
    dir.write("ids.gap", b"1\n1\n2\n2\n");
    let by_ids = documents(&dir, &["-r", "ref.txt", "--document-ids", "ids.gap", "--name", "a", "a.txt"]);
    assert_eq!(documents(&dir, &["--blank-lines", "-r", "ref.gap", "--name", "a", "a.gap"]), by_ids);
    let plain = dir.stdout(&["score", "-m", "bleu", "-f", "tsv", "-r", "ref.txt", "--name", "a", "a.txt"]);
    let words = ["score", "-m", "bleu", "-f", "tsv", "--blank-lines", "-r", "ref.gap", "--name", "a", "a.gap"];
    assert_eq!(dir.stdout(&words), plain);
    dir.write("a.gap", format!("{}\n\n{}\n", OUTPUTS[..1].join("\n"), OUTPUTS[1..].join("\n")).as_bytes());
    let wrong = dir.run(&words);
    assert!(wrong.code == 1 && wrong.stderr.contains("document 1 of a.gap has 1 lines, but 2 in ref.gap"), "{wrong:?}");
}

#[test]
fn outputs_with_lines_of_their_own_are_aligned() {
    let dir = files();
    let joined = format!("Here you are:\n\n{}", OUTPUTS.join(" "));
    dir.write("long.txt", joined.as_bytes());
    let table = ["--align", "--alignment", "table.tsv"];
    let run = |words: &[&str]| dir.run(&[&["score", "-m", "bleu", "-m", "chrf", "-r", "ref.txt"][..], words].concat());
    let refused = run(&["long.txt"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    let found = run(&[&table[..], &["-f", "json", "--level", "both", "long.txt"]].concat());
    assert_eq!(found.code, 0, "{found:?}");
    let warning = "warning: long.txt: 1 sentence fits no reference and was added to a segment; the first: segment 1";
    assert!(found.stderr.contains(warning), "{}", found.stderr);
    let json: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert!(json[0]["signature"].as_str().unwrap().contains("|refs=1|align=1|"), "{json}");
    assert_eq!((&json[0]["alignment"][0]["added"], &json[0]["alignment"][0]["sentences"]), (&1.into(), &2.into()));
    let rows = String::from_utf8(dir.read("table.tsv")).unwrap();
    let header =
        "system\tsegment\tdocument\tfirst_reference\tlast_reference\tfirst_line\tlast_line\tsentences\tadded\t";
    assert!(rows.starts_with(header), "{rows}");
    assert!(rows.lines().nth(2).unwrap().starts_with("long.txt\t2\t\t2\t2\t3\t3\t1\t0\t0."), "{rows}");
    // Without the first sentence, the scores are those of the same lines.
    dir.write("long.txt", OUTPUTS.join(" ").as_bytes());
    let scores = |words: &[&str]| {
        let before = ["score", "-q", "-m", "bleu", "-m", "chrf", "-f", "tsv", "--name", "x", "-r", "ref.txt"];
        dir.stdout(&[&before[..], words].concat())
    };
    assert_eq!(scores(&["--align", "long.txt"]), scores(&["a.txt"]));
    for command in ["rank", "compare"] {
        let words = [command, "-q", "-m", "chrf", "--align", "-r", "ref.txt", "-f", "json", "long.txt", "a.txt"];
        let json: serde_json::Value = serde_json::from_str(&dir.stdout(&words)).unwrap();
        let one = if command == "rank" { &json[0] } else { &json };
        assert!(one["signature"].as_str().unwrap().contains("align=1"), "{json}");
    }
    let page = run(&["-q", "--align", "-o", "page.html", "long.txt", "a.txt"]);
    assert_eq!(page.code, 0, "{page:?}");
    assert!(String::from_utf8(dir.read("page.html")).unwrap().contains("\"one to one\""));
    let refused = run(&["--align", "--alignment", "table.txt", "long.txt"]);
    assert!(refused.code == 2 && refused.stderr.contains("endings are .tsv, .csv, .json and .jsonl"), "{refused:?}");
}

#[test]
fn aligned_outputs_may_be_rows_and_sgml_with_documents_of_their_own() {
    let dir = files();
    let row = |name: &str, text: String| format!("{}\n", serde_json::json!({"doc_id": name, "mt": text}));
    let of_x = format!("{} {}\n\n{}", OUTPUTS[0], OUTPUTS[2], OUTPUTS[3]);
    dir.write("out.jsonl", (row("y", OUTPUTS[1].to_owned()) + &row("x", of_x)).as_bytes());
    let reference = |i: usize| serde_json::json!({"doc_id": DOCUMENTS[i], "ref": REFERENCES[i]}).to_string() + "\n";
    dir.write("ref.jsonl", (0..4).map(reference).collect::<String>().as_bytes());
    let scores = |words: &[&str]| {
        let before = ["score", "-q", "-m", "chrf", "-f", "tsv", "--level", "document", "--name", "x"];
        dir.stdout(&[&before[..], words].concat())
    };
    let expected = scores(&["-r", "ref.txt", "--document-ids", "ids.txt", "a.txt"]);
    assert_eq!(scores(&["--align", "-r", "ref.jsonl", "out.jsonl"]), expected);
    let with_ids = ["--align", "-r", "ref.txt", "--document-ids", "ids.txt", "out.jsonl"];
    assert_eq!(scores(&with_ids), expected);
    dir.write("out.jsonl", row("x", OUTPUTS[0].to_owned()).as_bytes());
    let missing = dir.run(&[&["score", "-m", "chrf"][..], &with_ids].concat());
    assert!(missing.code == 1 && missing.stderr.contains("out.jsonl has no text of the document y"), "{missing:?}");
    let sgml = |kind: &str, segments: &[&str]| {
        let of = |(i, text): (usize, &&str)| format!("<seg id=\"{}\">{text}</seg>\n", i + 1);
        let segments: String = segments.iter().enumerate().map(of).collect();
        format!(
            "<{kind} setid=\"t\" srclang=\"de\" trglang=\"en\">\n<doc docid=\"d\" sysid=\"s\">\n{segments}</doc>\n\
             </{kind}>\n"
        )
    };
    dir.write("ref.sgm", sgml("refset", &REFERENCES).as_bytes());
    dir.write("out.sgm", sgml("tstset", &[&OUTPUTS.join(" ")]).as_bytes());
    let found = scores(&["--align", "-r", "ref.sgm", "out.sgm"]);
    assert!(found.lines().nth(1).unwrap().starts_with("x\td\tchrf\t"), "{found}");
    let beside = dir.run(&["score", "-m", "chrf", "--align", "out.jsonl"]);
    assert!(beside.code == 2 && beside.stderr.contains("--align needs references in files of their own"), "{beside:?}");
}
