use crate::test_dir::TestDir;
use serde_json::Value;

/// Sentences that have no words in common, so that each fits its own reference only.
fn sentences(count: usize) -> Vec<String> {
    const WORDS: [&str; 12] = [
        "kettle", "harbour", "pencil", "orchard", "window", "thunder", "saddle", "lantern", "pepper", "violin",
        "marble", "needle",
    ];
    let word = |i: usize, k: usize| format!("{}{}", WORDS[(i * 7 + k * 5) % 12], i % 97 * 31 + k);
    let sentence = |i: usize| (0..7).map(|k| word(i, k)).collect::<Vec<_>>().join(" ") + &format!(" number{i}");
    (0..count).map(sentence).collect()
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What is found in these outputs, as JSON.
fn check(dir: &TestDir, words: &[&str]) -> Value {
    serde_json::from_str(&dir.stdout(&[&["check", "-f", "json"], words].concat())).unwrap()
}

/// The kinds with their lines.
fn kinds(checked: &Value) -> Vec<(String, u64)> {
    let one = |found: &Value| (found["kind"].as_str().unwrap().to_owned(), found["line"].as_u64().unwrap());
    checked["findings"].as_array().unwrap().iter().map(one).collect()
}

/// The kinds of one output with its reference and source.
fn kinds_of(output: &str, reference: &str, source: &str) -> Vec<String> {
    let dir = TestDir::with(&[("out", output), ("ref", reference), ("src", source)]);
    kinds(&check(&dir, &["--lines", "-r", "ref", "-s", "src", "out"])).into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn an_inserted_line_is_named_where_it_was_inserted() {
    let lines = sentences(3004);
    let mut moved = lines.clone();
    moved.insert(1499, "a line that nobody has asked for".to_owned());
    moved.pop();
    let dir = TestDir::with(&[("ref", &text(&lines)), ("hyp", &text(&moved))]);
    let checked = check(&dir, &["-r", "ref", "hyp"]);
    let found = checked["findings"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{checked:#}");
    assert_eq!((&found[0]["kind"], &found[0]["last"]), (&"misaligned".into(), &3004.into()));
    assert!(found[0]["reason"].as_str().unwrap().ends_with("line 1500 looks inserted"), "{checked:#}");
    let scored = dir.run(&["score", "-r", "ref", "-m", "chrf", "hyp"]);
    assert!(scored.stderr.contains("hyp: lines 1500 to 3004 fit the references 1 line earlier"), "{}", scored.stderr);
}

#[test]
fn a_dropped_line_that_was_made_up_for_later_is_a_window() {
    let lines = sentences(600);
    let mut moved = lines.clone();
    moved.remove(200);
    moved.insert(399, "a line that nobody has asked for".to_owned());
    let dir = TestDir::with(&[("ref", &text(&lines)), ("hyp", &text(&moved))]);
    let checked = check(&dir, &["-r", "ref", "--kind", "misaligned", "hyp"]);
    let found = &checked["findings"][0];
    assert_eq!((&found["line"], &found["fits"]), (&201.into(), &202.into()), "{checked:#}");
    assert!(found["reason"].as_str().unwrap().ends_with("the translation of line 201 looks dropped"), "{checked:#}");
    let last = found["last"].as_u64().unwrap();
    assert!((398..=400).contains(&last), "{checked:#}");
}

#[test]
fn many_lines_dropped_at_once_are_found_at_any_distance() {
    let lines = sentences(500);
    let mut moved = lines.clone();
    moved.drain(100..140);
    moved.extend(sentences(40));
    let dir = TestDir::with(&[("ref", &text(&lines)), ("hyp", &text(&moved))]);
    let checked = check(&dir, &["-r", "ref", "--kind", "misaligned", "hyp"]);
    assert_eq!(checked["findings"][0]["line"], 101, "{checked:#}");
    assert_eq!(checked["findings"][0]["fits"], 141, "{checked:#}");
}

#[test]
fn what_language_models_put_around_translations_is_found() {
    let (reference, source) = ("We reached the island before noon.", "Wir erreichten die Insel vor dem Mittag.");
    for (output, kind) in [
        ("I'm sorry, but I cannot translate this.", "refusal"),
        ("Als KI-Sprachmodell kann ich diesen Text nicht übersetzen.", "refusal"),
        ("Je suis désolé, mais je ne peux pas traduire cette phrase.", "refusal"),
        ("Lo siento, no puedo traducir este texto.", "refusal"),
        ("Não posso traduzir este texto.", "refusal"),
        ("Mi dispiace, non posso tradurre questo testo.", "refusal"),
        ("Sorry, ik kan deze tekst niet vertalen.", "refusal"),
        ("Извините, я не могу перевести этот текст.", "refusal"),
        ("对不起，我无法翻译这段文字。", "refusal"),
        ("申し訳ありませんが、この文は翻訳できません。", "refusal"),
        ("Translation: We reached the island before noon.", "label"),
        ("Here is the English translation: We reached the island.", "label"),
        ("{\"translation\": \"We reached the island before noon.\"}", "json"),
        ("```We reached the island before noon.```", "code-fence"),
        ("**We reached the island before noon.**", "markdown"),
        ("\"We reached the island before noon.\"", "quotes"),
        ("<think>Insel is island.</think> We reached it before noon.", "reasoning"),
        ("We reached the island before noon.</s>", "special-token"),
        ("We rea@@ ched the is@@ land before noon.", "subword-marks"),
        ("▁We ▁reached ▁the ▁island ▁before ▁noon.", "subword-marks"),
        ("We reached &quot;the island&quot; before noon.", "html-entity"),
        ("We reached the islandâ€™s shore before noon.", "mojibake"),
        ("We reached the the the the the the the island before noon.", "repetition"),
        ("Wir erreichten die Insel vor dem Mittag.", "copy-of-source"),
        ("", "empty-output"),
    ] {
        let found = kinds_of(&format!("{output}\n"), &format!("{reference}\n"), &format!("{source}\n"));
        assert!(found.iter().any(|found| found == kind), "{output}: {found:?}");
    }
    assert_eq!(
        kinds_of("We got to the island before twelve.\n", &format!("{reference}\n"), &format!("{source}\n")),
        [""; 0]
    );
}

#[test]
fn what_says_translation_where_nothing_else_does_is_about_the_translation() {
    let (reference, source) = ("We reached the island before noon.", "Wir erreichten die Insel vor dem Mittag.");
    for (output, kind) in [
        ("I'd rather not translate that.", "refusal"),
        ("Sorry, there is no translation of this.", "refusal"),
        ("We reached the island before noon. The translation is free.", "comment"),
    ] {
        assert_eq!(kinds_of(&format!("{output}\n"), &format!("{reference}\n"), &format!("{source}\n")), [kind]);
    }
    let (reference, source) = ("I cannot translate it.", "Ich kann es nicht übersetzen.");
    assert_eq!(kinds_of("I am unable to translate it.\n", reference, source), [""; 0]);
}

#[test]
fn titles_and_names_may_stay_as_they_are_and_sentences_may_not() {
    let title = "The Overland Diary of James Pritchard\n";
    let dir = TestDir::with(&[("src", title), ("out", title), ("ref", "Reisetagebuch eines Siedlers im Westen\n")]);
    assert_eq!(kinds(&check(&dir, &["-s", "src", "--kind", "copy-of-source", "out"])), []);
    let found = kinds(&check(&dir, &["-s", "src", "-r", "ref", "--kind", "copy-of-source", "out"]));
    assert_eq!(found, [("copy-of-source".to_owned(), 1)]);
}

#[test]
fn what_source_and_reference_have_is_expected() {
    let source = "Der Brief an {name} kostet 62,50 €: https://post.example/x, mail@post.example, <b>5 mg</b>";
    let reference = "The letter to {name} costs €62.50: https://post.example/x, mail@post.example, <b>5 mg</b>";
    let good = "A letter to {name} is €62.50: https://post.example/x, mail@post.example, <b>5 mg</b>";
    assert_eq!(kinds_of(good, reference, source), [""; 0]);
    for (from, to, kind) in [
        ("{name}", "{nom}", "placeholder"),
        ("62.50", "26.50", "number"),
        ("example/x", "example/y", "url"),
        ("mail@", "male@", "email"),
        ("5 mg", "5 g", "unit"),
    ] {
        let found = kinds_of(&good.replace(from, to), reference, source);
        assert_eq!(found, [kind], "{to}");
    }
}

#[test]
fn outputs_are_checked_without_references_too() {
    let dir = TestDir::with(&[
        ("src", "Das Haus hat 47 Zimmer.\nWir gehen morgen mit den Kindern und der Oma in den Zoo.\n"),
        ("out", "The house has 74 rooms.\nWir gehen morgen mit den Kindern und der Oma in den Zoo.\n"),
    ]);
    let found = kinds(&check(&dir, &["-s", "src", "-l", "en", "out"]));
    assert_eq!(found, [("number".to_owned(), 1), ("copy-of-source".to_owned(), 2)]);
    let found = kinds(&check(&dir, &["-l", "en", "--kind", "other-language", "out"]));
    assert_eq!(found, [("other-language".to_owned(), 2)]);
}

#[test]
fn one_refusal_in_a_third_of_the_lines_and_one_output_for_all_are_said_before_scoring() {
    let mut lines = sentences(30);
    let reference = text(&lines);
    lines.iter_mut().step_by(3).for_each(|line| *line = "I cannot translate this sentence into English.".to_owned());
    let same = vec![lines[1].clone(); 30];
    let dir = TestDir::with(&[("ref", &reference), ("a", &text(&lines)), ("b", &text(&same))]);
    let scored = dir.run(&["score", "-r", "ref", "-m", "chrf", "a", "b"]);
    let expected = "warning: a: 10 of 30 lines (the first is line 1) are refusals, not translations";
    assert!(scored.stderr.contains(expected), "{}", scored.stderr);
    assert!(scored.stderr.contains("b: all 30 lines are the same: is it the right file?"), "{}", scored.stderr);
    let quiet = dir.run(&["score", "-r", "ref", "-m", "chrf", "--no-checks", "a", "b"]);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn a_few_lines_of_a_large_text_do_not_make_it_tokenized() {
    let mut lines = sentences(4000);
    let reference = text(&lines);
    lines.iter_mut().step_by(30).for_each(|line| *line += " .");
    let dir = TestDir::with(&[("ref", &reference), ("few", &text(&lines))]);
    assert_eq!(dir.run(&["score", "-r", "ref", "-m", "chrf", "few"]).stderr, "");
    lines.iter_mut().step_by(7).for_each(|line| *line += " .");
    dir.write("many", text(&lines).as_bytes());
    let scored = dir.run(&["score", "-r", "ref", "-m", "chrf", "many"]);
    assert!(scored.stderr.contains("looks tokenized"), "{}", scored.stderr);
}

#[test]
fn kinds_shares_and_summaries_choose_what_is_listed() {
    let lines = sentences(20);
    let mut outputs = lines.clone();
    outputs[3] = String::new();
    outputs[5] = format!("\"{}\"", outputs[5]);
    outputs[6] = format!("\"{}\"", outputs[6]);
    let dir = TestDir::with(&[("ref", &text(&lines)), ("out", &text(&outputs))]);
    let found = |words: &[&str]| kinds(&check(&dir, &[&["-r", "ref", "out"], words].concat()));
    let all = [("empty-output".to_owned(), 4), ("quotes".to_owned(), 6), ("quotes".to_owned(), 7)];
    assert_eq!(found(&["--ignore", "same-as-reference"]), all);
    assert_eq!(found(&["--kind", "empty-output,misaligned"]), all[..1]);
    assert_eq!(found(&["--ignore", "empty-output", "--ignore", "same-as-reference"]), all[1..]);
    assert_eq!(found(&["--min-share", "0.1", "--ignore", "same-as-reference"]), all[1..]);
    let summary = check(&dir, &["-r", "ref", "--summary", "--kind", "quotes", "out"]);
    assert_eq!((summary["findings"].as_array().unwrap().len(), &summary["summary"][0]["lines"]), (0, &2.into()));
    assert_eq!(summary["summary"][0]["share"], 0.1);
    let tsv = dir.stdout(&["check", "-r", "ref", "-f", "tsv", "--kind", "empty-output", "out"]);
    let rows: Vec<&str> = tsv.lines().collect();
    assert_eq!(rows[0], "text\tline\tlast\tseverity\tkind\treason\tfits\texample\trole");
    assert_eq!(rows[1..], ["out\t4\t4\terror\tempty-output\tempty\t\t\tsystem"]);
    let jsonl = dir.stdout(&["check", "-r", "ref", "-f", "jsonl", "--kind", "quotes", "out"]);
    assert_eq!(jsonl.lines().count(), 2);
}

#[test]
fn strict_fails_for_errors_and_warnings_and_not_for_notes() {
    let lines = sentences(20);
    let mut outputs = lines.clone();
    outputs.iter_mut().for_each(|line| *line = line.replace("number", "count of "));
    let dir = TestDir::with(&[("ref", &text(&lines)), ("good", &text(&outputs)), ("again", &text(&outputs))]);
    let twice = dir.run(&["check", "-r", "ref", "--strict", "good", "again"]);
    assert_eq!((twice.code, twice.stderr.as_str()), (0, ""));
    assert!(twice.stdout.contains("20 of 20 lines are those of good"), "{}", twice.stdout);
    outputs[4] = "**bold**".to_owned();
    dir.write("bad", text(&outputs).as_bytes());
    let failed = dir.run(&["check", "-r", "ref", "--strict", "--kind", "markdown", "bad"]);
    assert_eq!((failed.code, failed.stderr.as_str()), (3, "check failed: markdown in bad (1 lines)\n"));
    assert!(failed.stdout.contains("bad   5     warning   markdown"), "{}", failed.stdout);
    assert_eq!(dir.run(&["check", "-r", "ref", "--kind", "markdown", "bad"]).code, 0);
}

#[test]
fn rows_with_named_fields_are_checked_with_what_they_have() {
    let dir = TestDir::with(&[
        ("all.jsonl", "{\"mt\": \"**Yes**\", \"ref\": \"Yes\"}\n{\"mt\": \"\", \"ref\": \"No\\nnever\"}\n"),
        ("alone.csv", "output\n\"**Yes**\"\n\"two\nlines\"\n"),
    ]);
    let expected = [("markdown".to_owned(), 1), ("empty-output".to_owned(), 2)];
    assert_eq!(kinds(&check(&dir, &["all.jsonl"])), expected);
    assert_eq!(kinds(&check(&dir, &["alone.csv"])), expected[..1]);
}

/// The table of kinds is that of the library.
#[test]
fn the_documentation_names_every_kind_with_its_severity() {
    use tercet::choice::Choice;
    use tercet::scoring::CheckKind;
    let page = include_str!("../../../../docs/checks.md");
    for kind in CheckKind::ALL {
        let row = format!("| `{}` | {} | {} |", kind.name, kind.value.severity(), kind.about());
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn settings_that_cannot_be_met_are_errors() {
    let dir = TestDir::with(&[("a", "x\n"), ("two", "x\ny\n")]);
    for (words, expected) in [
        (&["--min-share", "2", "a"][..], "min_share: expected a share of lines, from 0 to 1, found 2"),
        (&["--max-length-ratio", "1", "a"], "max_length_ratio: expected a number above 1, found 1"),
        (&["--kind", "json", "--ignore", "json", "a"], "json is among the kinds, and ignored: leave one out"),
        (&["--kind", "jsn", "a"], "invalid value 'jsn'"),
        (&["--no-checks", "a"], "--no-checks leaves nothing to do"),
        (&["-f", "html", "a"], "-f html is written by"),
    ] {
        let error = dir.error(2, &[&["check"], words].concat());
        assert!(error.contains(expected), "{error}");
    }
    let error = dir.error(1, &["check", "-r", "two", "a"]);
    assert!(error.contains("every file must have one line per segment"), "{error}");
}
