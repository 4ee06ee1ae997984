//! Rows with named fields in place of lines: JSON lines, JSON, CSV, TSV.

use crate::test_dir::TestDir;

const REFERENCES: [&str; 4] =
    ["The cat sat on the mat.", "It said \"no\", and left.", "First line.\nSecond line, with more.", "- What? Me too."];
const OUTPUTS: [&str; 4] =
    ["The cat sat on a mat.", "It said \"no\" and went.", "First line.\nA second line with more.", "- What? I too."];
const OTHERS: [&str; 4] =
    ["A cat was on the mat.", "It left, saying \"no\".", "One line.\nTwo lines.", "- What? And I."];

/// The same texts as lines of files, where line ends are spaces, which no metric tells apart.
fn lines() -> TestDir {
    let text = |lines: [&str; 4]| lines.map(|line| line.replace('\n', " ") + "\n").concat();
    TestDir::with(&[("ref.txt", &text(REFERENCES)), ("out.txt", &text(OUTPUTS)), ("other.txt", &text(OTHERS))])
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A row of JSON for each segment.
fn jsonl(fields: &[(&str, [&str; 4])]) -> String {
    let row = |i: usize| {
        let fields = fields.iter().map(|(name, texts)| format!("{}: {}", json(name), json(texts[i])));
        format!("{{{}}}\n", fields.collect::<Vec<_>>().join(", "))
    };
    (0..4).map(row).collect()
}

fn separated(separator: &str, fields: &[(&str, [&str; 4])]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let names = fields.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    let row = |i: usize| fields.iter().map(|(_, texts)| quoted(texts[i])).collect::<Vec<_>>();
    let rows = [names].into_iter().chain((0..4).map(row));
    rows.map(|row| row.join(separator) + "\r\n").collect()
}

const SCORES: [&str; 8] = ["-m", "bleu", "-m", "chrf", "-f", "tsv", "--level", "both"];

fn score(dir: &TestDir, words: &[&str]) -> String {
    let output = dir.run(&[&["score"], words, &SCORES].concat());
    assert_eq!(output.code, 0, "{words:?}: {}", output.stderr);
    output.stdout
}

/// The scores of the files of lines, with these names.
fn expected(dir: &TestDir, names: &[&str]) -> String {
    let files = ["out.txt", "other.txt"];
    let named = names.iter().flat_map(|name| ["--name", name]);
    let words: Vec<&str> = ["-r", "ref.txt"].into_iter().chain(named).chain(files[..names.len()].to_vec()).collect();
    score(dir, &words)
}

#[test]
fn a_file_of_rows_is_all_that_is_needed() {
    let dir = lines();
    let fields = [("src", ["x"; 4]), ("mt", OUTPUTS), ("ref", REFERENCES), ("score", ["1"; 4])];
    let rows = jsonl(&fields);
    dir.write("out.jsonl", rows.as_bytes());
    dir.write("out.json", format!("[{}]", rows.trim_end().replace('\n', ",\n")).as_bytes());
    dir.write("out.csv", separated(",", &fields).as_bytes());
    dir.write("out.tsv", separated("\t", &fields).as_bytes());
    dir.write("no-ending", rows.as_bytes());
    for file in ["out.jsonl", "out.json", "out.csv", "out.tsv", "no-ending"] {
        assert_eq!(score(&dir, &[file]), expected(&dir, &[file]), "{file}");
    }
    let piped = dir.run_with(&[&["score"], &SCORES[..]].concat(), &rows);
    assert_eq!((piped.stdout, piped.stderr.as_str()), (expected(&dir, &["-"]), ""));
    let lists = REFERENCES.map(|text| format!("{{\"mt\": \"a\", \"refs\": [{0}, {0}]}}\n", json(text))).concat();
    dir.write("lists.jsonl", lists.as_bytes());
    let text = dir.stdout(&["score", "-m", "bleu", "-f", "json", "lists.jsonl"]);
    assert!(text.contains("|refs=2|"), "{text}");
}

#[test]
fn references_and_translations_in_files_of_rows_or_lines() {
    let dir = lines();
    // Syntax of JSON was scored with the texts.
    dir.write("ref.jsonl", jsonl(&[("ref", REFERENCES)]).as_bytes());
    dir.write("hyp.jsonl", jsonl(&[("mt", OUTPUTS)]).as_bytes());
    for reference in ["ref.jsonl", "ref.txt"] {
        assert_eq!(score(&dir, &["-r", reference, "hyp.jsonl"]), expected(&dir, &["hyp.jsonl"]), "{reference}");
    }
    assert_eq!(score(&dir, &["-r", "ref.jsonl", "out.txt"]), expected(&dir, &["out.txt"]));
    let shorter = jsonl(&[("ref", REFERENCES)]).lines().take(3).collect::<Vec<_>>().join("\n");
    dir.write("short.jsonl", shorter.as_bytes());
    let error = dir.error(1, &["score", "-r", "short.jsonl", "out.txt"]);
    assert_eq!(error, "error: short.jsonl has 3 rows but out.txt has 4: every segment needs one\n");
}

#[test]
fn rows_are_joined_by_ids() {
    let dir = lines();
    let ids = ["s1", "s2", "s3", "s4"];
    let reversed = |mut texts: [&'static str; 4]| {
        texts.reverse();
        texts
    };
    dir.write("hyp.jsonl", jsonl(&[("seg", ids), ("mt", OUTPUTS)]).as_bytes());
    dir.write("ref.csv", separated(",", &[("seg", reversed(ids)), ("gold text", reversed(REFERENCES))]).as_bytes());
    let words = ["-r", "ref.csv", "-r", "gold text", "--id", "seg", "hyp.jsonl"];
    assert_eq!(score(&dir, &words), expected(&dir, &["hyp.jsonl"]));
    let error = dir.error(2, &["score", "-r", "ref.csv", "hyp.jsonl", "--id", "sge"]);
    assert_eq!(error, "error: hyp.jsonl: there is no field `sge`, did you mean `seg`? (there are: seg, mt)\n");
}

#[test]
fn several_systems_are_in_one_file() {
    let dir = lines();
    dir.write("wide.jsonl", jsonl(&[("a", OUTPUTS), ("b", OTHERS), ("ref", REFERENCES)]).as_bytes());
    let words = ["--hypothesis", "a", "--hypothesis", "b", "wide.jsonl"];
    assert_eq!(score(&dir, &words), expected(&dir, &["a", "b"]));
    let rows = |system: &'static str, texts| jsonl(&[("engine name", [system; 4]), ("mt", texts), ("ref", REFERENCES)]);
    dir.write("long.jsonl", (rows("a", OUTPUTS) + &rows("b", OTHERS)).as_bytes());
    let words = ["--system", "engine name", "long.jsonl"];
    assert_eq!(score(&dir, &words), expected(&dir, &["a", "b"]));
    let ranking = |words: &[&str]| dir.stdout(&[&["rank", "-m", "chrf", "-f", "tsv"], words].concat());
    let from_lines = ["-r", "ref.txt", "--name", "a", "--name", "b", "out.txt", "other.txt"];
    assert_eq!(ranking(&words), ranking(&from_lines));
    let compared = |words: &[&str]| dir.stdout(&[&["compare", "-m", "chrf", "-f", "tsv"], words].concat());
    assert_eq!(compared(&words), compared(&from_lines));
}

#[test]
fn fields_are_named_where_usual_names_do_not_help() {
    let dir = lines();
    let fields = [("english", OUTPUTS), ("gold", REFERENCES), ("out.text", OTHERS)];
    dir.write("out.csv", separated(",", &fields).as_bytes());
    dir.write("odd", separated(";", &fields).replace(';', ",").as_bytes());
    for file in ["out.csv", "odd"] {
        let words = ["--hypothesis", "english", "--reference", "gold", file];
        assert_eq!(score(&dir, &words), expected(&dir, &[file]), "{file}");
    }
    let error = dir.error(2, &["score", "-r", "ref.txt", "out.csv"]);
    assert_eq!(
        error,
        "error: out.csv: which field has the translations? there are: english, gold, out.text (name it with \
         --hypothesis FIELD; --lines if every line is one text)\n"
    );
    let error = dir.error(2, &["score", "-r", "gold.txt", "--hypothesis", "english", "out.csv"]);
    assert!(error.contains("there is no field `gold.txt`"), "{error}");
    assert!(error.ends_with("; there is no file of that name either\n"), "{error}");
    let error = dir.error(2, &["score", "-r", "ref.txt", "--id", "n", "out.txt"]);
    assert_eq!(error, "error: --id names a field of rows, but no file has rows (JSON lines, JSON, CSV or TSV)\n");
    let error = dir.error(2, &["score", "-r", "ref.txt", "--hypothesis", "out.txt"]);
    assert!(error.contains("translations are named without a flag"), "{error}");
}

#[test]
fn a_file_comes_before_a_field_of_its_name() {
    let dir = lines();
    dir.write("out.jsonl", jsonl(&[("mt", OUTPUTS), ("ref", OTHERS), ("ref.txt", OTHERS)]).as_bytes());
    let output = dir.run(&["score", "-m", "bleu", "-r", "ref.txt", "-f", "tsv", "out.jsonl", "--level", "both"]);
    assert_eq!(
        output.stderr,
        "warning: ref.txt is a file and a field of out.jsonl: the file is read, not the field (./ref.txt names the \
         file without this warning)\n"
    );
    let lines = dir.stdout(&["score", "-m", "bleu", "-r", "ref.txt", "-f", "tsv", "--level", "both", "out.txt"]);
    assert_eq!(output.stdout, lines.replace("out.txt", "out.jsonl"));
    assert_eq!(dir.run(&["score", "-m", "bleu", "-r", "./ref.txt", "-f", "tsv", "out.jsonl"]).stderr, "");
}

#[test]
fn lines_that_are_no_texts_are_refused_with_the_command_that_reads_them() {
    let dir = lines();
    dir.write("array.txt", format!("[{}]\n", OUTPUTS.map(json).join(",\n ")).as_bytes());
    dir.write("quoted.txt", separated(",", &[("1", OUTPUTS), ("2", REFERENCES)]).as_bytes());
    let two = REFERENCES.map(|text| text.replace('\n', " ") + "\t" + &text.replace('\n', " ") + "\n").concat();
    dir.write("two.txt", two.as_bytes());
    for (words, expected) in [
        (
            vec!["-r", "ref.txt", "array.txt"],
            "array.txt looks like JSON, not like one text per line: texts are read from objects, which jq -c '.[] | \
             {mt: .}' array.txt makes of an array of texts; --lines takes every line as one text",
        ),
        (
            vec!["-r", "quoted.txt", "out.txt"],
            "quoted.txt looks like CSV with quotation marks, not like one text per line: name its columns in the first \
             line, such as id,ref, and give the file the ending .csv; --lines takes every line as one text",
        ),
        (
            vec!["-r", "two.txt", "out.txt"],
            "two.txt has 2 tab-separated columns, not one text per line: -r two.txt --references 2 if they are several \
             references of each segment; --lines takes every line as one text",
        ),
        (
            vec!["-r", "ref.txt", "two.txt"],
            "two.txt has 2 tab-separated columns, not one text per line: --tsv two.txt if each is a system, --columns \
             ref,hyp two.txt to say what they are, --hypothesis COLUMN if the first line names them; --lines takes \
             every line as one text",
        ),
    ] {
        let words = [&["score"], &words[..]].concat();
        assert_eq!(dir.error(2, &words), format!("error: {expected}\n"));
    }
    // The commands that the messages name, and the flag that says that the lines are texts.
    score(&dir, &["-r", "two.txt", "--references", "2", "out.txt"]);
    score(&dir, &["-r", "ref.txt", "--tsv", "two.txt"]);
    score(&dir, &["-r", "two.txt", "--lines", "out.txt"]);
    dir.write("json-texts.txt", jsonl(&[("mt", OUTPUTS)]).as_bytes());
    let as_lines = score(&dir, &["-r", "json-texts.txt", "--lines", "json-texts.txt"]);
    assert!(as_lines.contains("\tcorpus\tbleu\t100.0"), "{as_lines}");
}

#[test]
fn columns_are_read_with_their_quotation_and_header() {
    let dir = lines();
    let quoted = |text: &str| match text.contains(['"', '\t', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let rows = |i: usize| format!("{}\t{}\n", quoted(REFERENCES[i]), quoted(OUTPUTS[i]));
    let table = (0..4).map(rows).collect::<String>();
    // As csv and pandas write it.
    dir.write("t.txt", table.as_bytes());
    assert_eq!(score(&dir, &["--columns", "ref,hyp", "t.txt"]), expected(&dir, &["t.txt"]));
    dir.write("marks.txt", b"a b c d \"\"e\"\"\ta b c d \"\"e\"\"\n\"a \"\"b\"\"\"\ta\n");
    let mark = |words: &[&str]| dir.stdout(&[&["score", "-m", "chrf", "-f", "tsv"], words].concat());
    assert_ne!(mark(&["--columns", "ref,hyp", "marks.txt"]), mark(&["--columns", "ref,hyp", "--lines", "marks.txt"]));
    dir.write("header.txt", format!("reference\tsystem-x\n{table}").as_bytes());
    let error = dir.error(2, &["score", "--columns", "ref,hyp", "header.txt"]);
    assert_eq!(
        error,
        "error: header.txt has names of columns in its first line, not texts: add --header; --lines takes every line \
         as one text\n"
    );
    assert_eq!(score(&dir, &["--columns", "ref,hyp", "--header", "header.txt"]), expected(&dir, &["system-x"]));
}

#[test]
fn reports_know_the_documents_of_rows() {
    let dir = lines();
    let fields = [("mt", OUTPUTS), ("ref", REFERENCES), ("doc_id", ["news 1", "news 1", "talk", "talk"])];
    dir.write("out.jsonl", jsonl(&fields).as_bytes());
    let page = dir.stdout(&["score", "-m", "bleu", "-f", "html", "out.jsonl"]);
    assert!(page.contains("news 1") && page.contains("talk"));
}

#[test]
fn rows_come_back_with_scores() {
    let dir = lines();
    let segments = |words: &[&str]| -> Vec<String> {
        let table = dir.stdout(&[&["score", "-r", "ref.txt", "-f", "tsv", "--level", "segment"], words].concat());
        table.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap().to_owned()).collect()
    };
    let numbers = |text: &str, field: &str| -> Vec<f64> {
        let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()[field].as_f64().unwrap();
        text.lines().map(row).collect()
    };
    let parsed = |texts: Vec<String>| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<f64>>();
    dir.write("out.jsonl", jsonl(&[("b", OTHERS), ("mt", OUTPUTS), ("ref", REFERENCES)]).as_bytes());
    let words = ["score", "-m", "chrf", "-m", "ter", "--level", "segment", "-o", "scored.jsonl", "out.jsonl"];
    dir.stdout(&words);
    let scored = String::from_utf8(dir.read("scored.jsonl")).unwrap();
    let kept = String::from_utf8(dir.read("out.jsonl")).unwrap();
    for (line, row) in scored.lines().zip(kept.lines()) {
        assert!(line.starts_with(row.strip_suffix('}').unwrap()), "{line}");
    }
    assert_eq!(numbers(&scored, "chrf"), parsed(segments(&["-m", "chrf", "out.txt"])));
    assert_eq!(numbers(&scored, "ter"), parsed(segments(&["-m", "ter", "out.txt"])));
    let two = ["--hypothesis", "b", "--hypothesis", "mt", "-m", "chrf", "-f", "jsonl", "--level", "segment"];
    let two = dir.stdout(&[&["score"], &two[..], &["--sort", "out.jsonl"]].concat());
    assert_eq!(numbers(&two, "b_chrf"), parsed(segments(&["-m", "chrf", "other.txt"])));
    assert_eq!(numbers(&two, "mt_chrf"), parsed(segments(&["-m", "chrf", "out.txt"])));
    // Systems one below the other, in another order than their segments.
    let id = ["4", "3", "2", "1"];
    let reversed = |mut texts: [&'static str; 4]| {
        texts.reverse();
        texts
    };
    let rows = |system: &'static str, id, texts: [&'static str; 4], references| {
        jsonl(&[("system", [system; 4]), ("id", id), ("mt", texts), ("ref", references)])
    };
    let long = rows("y", id, reversed(OTHERS), reversed(REFERENCES)) + &rows("x", reversed(id), OUTPUTS, REFERENCES);
    let scored = dir.run_with(&["score", "-m", "chrf", "-f", "jsonl", "--level", "segment"], &long);
    let mut expected = parsed(segments(&["-m", "chrf", "other.txt"]));
    expected.reverse();
    expected.extend(parsed(segments(&["-m", "chrf", "out.txt"])));
    assert_eq!(numbers(&scored.stdout, "chrf"), expected);
    let csv = dir.run_with(&["score", "-m", "chrf", "-f", "csv", "--level", "segment", "--components"], &long).stdout;
    assert!(csv.starts_with("system,id,mt,ref,chrf,chrf/"), "{csv}");
    assert!(csv.contains("y,2,\"It left, saying \"\"no\"\".\","), "{csv}");
    let taken = jsonl(&[("mt", OUTPUTS), ("ref", REFERENCES), ("chrf", OTHERS)]);
    let refused = dir.run_with(&["score", "-m", "chrf", "-f", "jsonl", "--level", "segment"], &taken);
    assert_eq!(
        (refused.code, refused.stderr.contains("standard input already has a field `chrf`")),
        (2, true),
        "{}",
        refused.stderr
    );
}

#[test]
fn scored_rows_are_judgements() {
    let dir = TestDir::new();
    let mut csv = "lp,src,mt,ref,score,system\n".to_owned();
    let mut tsv = "score\treference\ttranslation\tsystem\n".to_owned();
    for (system, texts) in [("a", OUTPUTS), ("b", OTHERS)] {
        for (i, text) in texts.iter().enumerate() {
            let (text, reference) = (text.replace('\n', " "), REFERENCES[i].replace('\n', " "));
            let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
            let score = (i * 7 + text.len()) % 5;
            csv += &format!("de-en,s{i},{},{},{score},{system}\n", quoted(&text), quoted(&reference));
            tsv += &format!("{score}\t{}\t{}\t{system}\n", quoted(&reference), quoted(&text));
        }
    }
    dir.write("my.csv", csv.as_bytes());
    dir.write("my.tsv", tsv.as_bytes());
    let words = ["-m", "chrf", "--statistic", "kendall-b", "--statistic", "accuracy", "-f", "tsv", "-n", "10"];
    let table = |file: &str| dir.stdout(&[&["correlate", file], &words[..]].concat());
    let from_csv = table("my.csv");
    assert!(from_csv.contains("my\tde-en\tsegment") && from_csv.contains("\tsystem\t"), "{from_csv}");
    assert_eq!(table("my.tsv"), from_csv.replace("my\tde-en\t", "my\t\t"));
    let pair = dir.error(2, &["correlate", "my.csv", "-m", "chrf", "--pair", "fi-en"]);
    assert!(pair.contains("no judgements for fi-en (there are: de-en)"), "{pair}");
}
