//! Large files in one pass, and runs that go on after an interruption.

use crate::test_dir::TestDir;

const WORDS: [&str; 24] = [
    "river", "harbour", "winter", "seldom", "carried", "letters", "between", "quiet", "villages", "before", "morning",
    "lantern", "copper", "travels", "without", "baskets", "painted", "bridges", "towards", "measure", "slowly",
    "orchard", "thunder", "stones",
];

/// Sentences that are all different, as references and as outputs with some other words.
fn sentences(count: usize) -> (Vec<String>, Vec<String>) {
    let mut state = 7u32;
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        WORDS[(state >> 16) as usize % WORDS.len()]
    };
    let reference = |i: usize, words: &mut dyn FnMut() -> &'static str| {
        // Words of its own tell a line from all others.
        let words: Vec<String> = (0..14).map(|k| format!("{}{}", words(), if k % 2 == 0 { i } else { 0 })).collect();
        format!("The {} number {i} ends.", words.join(" "))
    };
    let references: Vec<String> = (0..count).map(|i| reference(i, &mut word)).collect();
    let outputs = references.iter().enumerate().map(|(i, line)| line.replace(WORDS[i % 24], WORDS[(i + 5) % 24]));
    let outputs = outputs.collect();
    (references, outputs)
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn jsonl(references: &[String], outputs: &[String]) -> String {
    let row = |(i, (reference, output)): (usize, (&String, &String))| {
        format!("{{\"id\": \"s{i}\", \"mt\": \"{output}\", \"ref\": \"{reference}\"}}\n")
    };
    references.iter().zip(outputs).enumerate().map(row).collect()
}

fn csv(references: &[String], outputs: &[String]) -> String {
    let rows = references.iter().zip(outputs).map(|(reference, output)| format!("\"{output}\",{reference}\n"));
    std::iter::once("mt,ref\n".to_owned()).chain(rows).collect()
}

/// As many sentences as make a large file.
const MANY: usize = 75_000;

/// A folder with the sentences in all formats.
fn texts(count: usize) -> TestDir {
    let (references, outputs) = sentences(count);
    let other: Vec<String> = outputs.iter().map(|line| line.replace("The", "A")).collect();
    TestDir::with(&[
        ("ref.txt", &lines(&references)),
        ("out.txt", &lines(&outputs)),
        ("other.txt", &lines(&other)),
        ("out.jsonl", &jsonl(&references, &outputs)),
        ("out.csv", &csv(&references, &outputs)),
    ])
}

/// What the command writes into a file.
fn written(dir: &TestDir, words: &[&str], file: &str) -> String {
    let output = dir.run(&[&["score", "-q"], words, &["-o", file]].concat());
    assert_eq!(output.code, 0, "{words:?}: {}", output.stderr);
    assert_eq!(output.stdout, "");
    String::from_utf8(dir.read(file)).unwrap()
}

#[test]
fn one_pass_gives_the_bytes_of_texts_in_memory() {
    let dir = texts(60);
    let metrics = ["-m", "bleu", "-m", "chrf:word_order=2"];
    for words in [
        &["-r", "ref.txt", "-f", "json", "out.txt", "other.txt"][..],
        &["-r", "ref.txt", "-f", "tsv", "--components", "--fail-if", "bleu < 1", "out.txt"],
        &["-r", "ref.txt", "-f", "text", "--sort", "out.txt", "other.txt"],
        &["-r", "ref.txt", "-r", "other.txt", "-f", "tsv", "--level", "segment", "out.txt", "other.txt"],
        &["-r", "ref.txt", "-f", "csv", "--level", "both", "--name", "x", "--name", "y", "out.txt", "other.txt"],
        &["-r", "ref.txt", "-f", "jsonl", "--level", "both", "--sort", "other.txt", "out.txt"],
        &["-r", "ref.txt", "-s", "other.txt", "-f", "jsonl", "--level", "segment", "out.txt"],
        &["-f", "jsonl", "--level", "segment", "out.jsonl"],
        &["-f", "csv", "--level", "segment", "out.jsonl"],
        &["-f", "csv", "--level", "segment", "out.csv"],
        &["-f", "csv", "--level", "segment", "--hypothesis", "mt", "--hypothesis", "ref", "-r", "ref", "out.csv"],
        &["-r", "ref.txt", "-f", "tsv", "--level", "segment", "out.jsonl", "out.csv"],
        &["-r", "ref.txt", "-f", "markdown", "out.jsonl", "other.txt"],
    ] {
        let words = [words, &metrics].concat();
        let expected = written(&dir, &words, "expected");
        assert_eq!(written(&dir, &[&words[..], &["--resume"]].concat(), "found"), expected, "{words:?}");
        assert!(!dir.path("found.resume").exists());
    }
}

#[test]
fn rows_of_several_systems_are_scored_in_one_pass() {
    let (references, outputs) = sentences(40);
    let row = |system: &str, i: usize, output: &str| {
        format!("{{\"system\": \"{system}\", \"id\": {i}, \"mt\": \"{output}\", \"ref\": \"{}\"}}\n", references[i])
    };
    let rows: String = (0..40).map(|i| row("a", i, &outputs[i]) + &row("b", 39 - i, &outputs[i])).collect();
    let dir = TestDir::with(&[("out.jsonl", &rows)]);
    for words in [&["-f", "json", "out.jsonl"][..], &["-f", "jsonl", "--level", "segment", "out.jsonl"]] {
        let words = [words, &["-m", "chrf", "-m", "ter", "--no-checks"]].concat();
        let expected = written(&dir, &words, "expected");
        assert_eq!(written(&dir, &[&words[..], &["--resume"]].concat(), "found"), expected, "{words:?}");
    }
    let words = ["score", "-m", "chrf", "--level", "segment", "-f", "tsv", "-o", "x", "--resume", "out.jsonl"];
    let error = dir.error(2, &words);
    assert_eq!(error, "error: --resume: these files have to be in memory to be joined\n");
}

#[test]
fn large_files_have_the_same_scores() {
    let dir = texts(MANY);
    assert!(dir.path("out.txt").metadata().unwrap().len() > 9 << 20);
    // References in one column are read into memory.
    let expected = written(&dir, &["-m", "bleu", "-r", "ref.txt", "--references", "1", "out.txt"], "expected");
    let expected = expected.replace("out.txt", "SYSTEM ");
    for (words, name) in [(&["-r", "ref.txt", "out.txt"][..], "out.txt"), (&["out.jsonl"], "out.jsonl")] {
        let found = written(&dir, &[&["-m", "bleu"], words].concat(), "found");
        let number = |text: &str| text.lines().nth(1).and_then(|line| line.split(' ').next_back()?.parse::<f64>().ok());
        assert!(number(&found).is_some(), "{found}");
        assert_eq!(number(&found), number(&expected), "{name}");
    }
    let output = std::fs::read(dir.path("out.csv")).unwrap();
    let piped = dir.run_with(&["score", "-q", "-m", "bleu", "-f", "tsv", "-"], &String::from_utf8(output).unwrap());
    let of_file = dir.stdout(&["score", "-q", "-m", "bleu", "-f", "tsv", "out.csv"]);
    assert_eq!((piped.code, piped.stdout), (0, of_file.replace("out.csv", "-")));
}

#[test]
fn lines_displaced_far_behind_the_start_are_noticed() {
    let (references, mut outputs) = sentences(MANY);
    outputs.insert(60_000, "This line is one too many.".to_owned());
    outputs.truncate(MANY);
    let dir = TestDir::with(&[("out.jsonl", &jsonl(&references, &outputs))]);
    let output = dir.run(&["score", "-m", "wer", "out.jsonl"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stderr.contains("lines 60001 to 75000"), "{}", output.stderr);
    assert_eq!(output.stderr.matches("warning").count(), 1, "{}", output.stderr);
}

#[test]
fn large_files_whose_rows_have_another_order_are_joined_by_ids() {
    let (references, outputs) = sentences(MANY);
    let row = |(i, text): (usize, &String)| format!("{{\"id\": \"s{i}\", \"ref\": \"{text}\"}}\n");
    let backwards: String = references.iter().enumerate().rev().map(row).collect();
    let dir = TestDir::with(&[("out.jsonl", &jsonl(&references, &outputs)), ("ref.jsonl", &backwards)]);
    let expected = dir.stdout(&["score", "-q", "-m", "wer", "-f", "tsv", "out.jsonl"]);
    assert_eq!(dir.stdout(&["score", "-q", "-m", "wer", "-f", "tsv", "-r", "ref.jsonl", "out.jsonl"]), expected);
    let words = ["score", "-m", "wer", "-r", "ref.jsonl", "--resume", "-o", "x", "out.jsonl"];
    let error = dir.error(1, &words);
    assert!(error.contains("the id `s74999` is not that of the same segment in out.jsonl"), "{error}");
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let dir = texts(MANY);
    for (input, flags) in [
        (&["out.jsonl"][..], &["-f", "jsonl", "--level", "segment"][..]),
        (&["-r", "ref.txt", "out.txt"], &["-f", "tsv", "--level", "both"]),
        (&["out.csv"], &["-f", "json"]),
    ] {
        let words = [input, flags, &["-m", "ter", "-m", "bleu"]].concat();
        let expected = written(&dir, &words, "expected");
        let resumed = [&["score"], &words[..], &["--resume", "-o", "found"]].concat();
        let program = assert_cmd::cargo::cargo_bin("tercet");
        let mut child = std::process::Command::new(program)
            .current_dir(dir.path(""))
            .args(&resumed)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let size = || dir.path("found.resume").metadata().map_or(0, |about| about.len());
        // The first batch is behind the key.
        while size() < 2000 || dir.read("found.resume").len() < 2500 {
            assert!(child.try_wait().unwrap().is_none(), "the command ended before it could be killed");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!dir.path("found").exists());
        let output = dir.run(&resumed);
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(output.stderr.contains("going on with what found.resume has"), "{}", output.stderr);
        assert!(String::from_utf8(dir.read("found")).unwrap() == expected, "{words:?}");
        assert!(!dir.path("found.resume").exists());
        std::fs::remove_file(dir.path("found")).unwrap();
    }
}

#[test]
fn a_run_does_not_go_on_from_another() {
    let dir = texts(20);
    let words = |metric: &'static str| ["score", "-m", metric, "-o", "x.json", "--resume", "-r", "ref.txt", "out.txt"];
    dir.write("x.json.resume", b"tercet scores 1\nsomething");
    let expected = "error: x.json.resume cannot be gone on from: ";
    assert!(dir.error(1, &words("bleu")).starts_with(expected));
    assert!(!dir.path("x.json").exists());
    std::fs::remove_file(dir.path("x.json.resume")).unwrap();
    for (more, expected) in [
        (&["--resume", "out.jsonl"][..], "error: the following required arguments were not provided:"),
        (&["-o", "-", "--resume", "out.jsonl"], "error: --resume needs a file with -o"),
        (&["-o", "x", "--resume", "-"], "error: --resume needs files, which - is not"),
        (&["-o", "x", "--resume", "--confidence", "out.jsonl"], "error: --resume cannot be used with --confidence"),
        (&["-o", "x", "--resume", "-m", "nist", "out.jsonl"], "error: --resume: nist needs the references of all"),
    ] {
        let error = dir.error(2, &[&["score"], more].concat());
        assert!(error.starts_with(expected), "{error}");
    }
}

/// The largest memory that the command held, in MiB.
#[cfg(target_os = "linux")]
fn peak(dir: &TestDir, words: &[&str]) -> u64 {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("tercet"))
        .current_dir(dir.path(""))
        .args(words)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        peak = peak.max(size.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    peak >> 10
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_file() {
    let (references, outputs) = sentences(MANY);
    for (name, text) in [("x.jsonl", jsonl(&references, &outputs)), ("x.csv", csv(&references, &outputs))] {
        let header = if name == "x.csv" { "mt,ref\n" } else { "" };
        let rows = text.strip_prefix(header).unwrap();
        let dir = TestDir::with(&[(name, &text), (&format!("4{name}"), &(header.to_owned() + &rows.repeat(4)))]);
        let words = ["score", "-q", "-m", "wer", "--level", "segment", "-f", "csv", "--threads", "2"];
        let added = (3 * rows.len()) as u64 >> 20;
        let one = peak(&dir, &[&words[..], &[name]].concat());
        let four = peak(&dir, &[&words[..], &[&format!("4{name}")]].concat());
        assert!(four < one + added, "{name}: {one} MiB for one, {four} MiB for four times as many rows");
    }
}
