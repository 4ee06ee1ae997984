//! Files that are damaged, too large, or not files at all.

use crate::test_dir::{CommandOutput, TestDir};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::process::{Command, Stdio};

/// A file of one byte repeated, which unpacks to more than the usual limit.
fn bomb(byte: u8) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..260 {
        encoder.write_all(&vec![byte; 1 << 20]).unwrap();
    }
    encoder.finish().unwrap()
}

/// Runs a line of the shell, in which `tercet` is the command.
#[cfg(unix)]
fn shell(dir: &TestDir, line: &str) -> CommandOutput {
    let tercet = assert_cmd::cargo::cargo_bin("tercet");
    let line = format!("tercet() {{ '{}' \"$@\"; }}; {line}", tercet.display());
    let mut command = Command::new("bash");
    command.args(["-c", &line]).current_dir(dir.path(".")).stdin(Stdio::null());
    let output = command.output().unwrap();
    CommandOutput {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_small_file_that_unpacks_to_much_is_refused_with_the_flag_that_allows_it() {
    let dir = TestDir::with(&[("ref", "a\n"), ("hyp", "a\n")]);
    dir.write("bomb.gz", &bomb(b'\n'));
    let message = "cannot read bomb.gz: it unpacks to more than 256 MiB, which is the limit for compressed files";
    for words in [
        ["score", "-r", "bomb.gz", "hyp"].as_slice(),
        &["compare", "-r", "ref", "hyp", "bomb.gz"],
        &["tokenize", "bomb.gz"],
    ] {
        let error = dir.error(1, words);
        assert_eq!(error, format!("error: {message} (a larger limit: --max-unpacked SIZE)\n"), "{words:?}");
    }
    dir.write("line.gz", &bomb(b'1'));
    let error = dir.error(1, &["score", "-m", "meteor:paraphrase=line.gz", "-r", "ref", "hyp"]);
    assert!(error.contains("cannot read line.gz: it unpacks to more than 256 MiB"), "{error}");
    let error = dir.error(1, &["sacrebleu", "ref", "-i", "bomb.gz"]);
    assert!(error.contains(&format!("{message} (unpack it first")), "{error}");
    let error = dir.error(1, &["score", "--max-unpacked", "1M", "-r", "bomb.gz", "hyp"]);
    assert!(error.contains("it unpacks to more than 1 MiB"), "{error}");
    let error = dir.error(1, &["score", "--max-unpacked", "1G", "-r", "bomb.gz", "hyp"]);
    assert!(error.contains("has 1 line but bomb.gz has 272629760"), "{error}");
    let error = dir.error(2, &["score", "--max-unpacked", "much", "-r", "ref", "hyp"]);
    assert!(error.contains("expected a number of bytes, as in 500M or 10G"), "{error}");
}

/// A frame of zstd of the text `one\n`, one raw block, with its checksum.
const FRAME: [u8; 17] = [0x28, 0xb5, 0x2f, 0xfd, 0x24, 4, 0x21, 0, 0, b'o', b'n', b'e', b'\n', 0, 0, 0, 0];

#[test]
fn a_zstd_file_with_a_wrong_checksum_is_refused() {
    let dir = TestDir::with(&[("hyp", "one\n")]);
    dir.write("ref.zst", &FRAME);
    let error = dir.error(1, &["score", "-r", "ref.zst", "hyp"]);
    let message = "cannot read ref.zst: the zstd data is damaged, cut off, or followed by something else";
    assert_eq!(error, format!("error: {message}\n"));
}

#[cfg(unix)]
#[test]
fn pipes_are_read_once_and_refused_where_once_is_not_enough() {
    let dir = TestDir::with(&[("ref", "the cat sat on the mat\n"), ("hyp", "the cat sat on a mat\n")]);
    let plain = dir.stdout(&["score", "-m", "bleu", "-r", "ref", "-f", "tsv", "--name", "a", "hyp"]);
    let piped = shell(&dir, "tercet score -m bleu -r <(cat ref) -f tsv --name a <(gzip -c hyp)");
    assert_eq!((piped.stdout, piped.stderr.as_str()), (plain, ""));
    let again = "it is a pipe or a device, but has to be read more than once (write its content to a file first)\n";
    for line in [
        "tercet score -m meteor:paraphrase=<(cat ref) -r ref hyp",
        "tercet correlate -m bleu <(cat ref)",
        "tercet systems <(cat ref)",
        "mkfifo pipe; tercet score -r pipe hyp pipe",
    ] {
        let output = shell(&dir, line);
        assert_eq!(output.code, 1, "{line}: {}", output.stderr);
        assert!(output.stderr.ends_with(again), "{line}: {}", output.stderr);
    }
}

#[cfg(unix)]
#[test]
fn devices_without_end_are_refused() {
    let dir = TestDir::with(&[("ref", "a\n"), ("hyp", "a\n")]);
    for line in [
        "tercet score -r /dev/zero hyp",
        "tercet score -r ref - < /dev/zero",
        "tercet tokenize /dev/urandom",
        "tercet score -m meteor:function_words=/dev/zero -r ref hyp",
        "tercet sacrebleu ref -i /dev/zero",
        "tercet sacrebleu ref < /dev/zero",
        "tercet meteor --stdio -m exact < /dev/zero",
        "tercet score --scores /dev/zero",
        #[cfg(feature = "learned")]
        "tercet parse -m /dev/zero ref",
        #[cfg(feature = "learned")]
        "tercet train /dev/zero",
    ] {
        let output = shell(&dir, line);
        assert_ne!(output.code, 0, "{line}");
        assert!(output.stderr.contains("device"), "{line}: {}", output.stderr);
    }
    assert!(dir.error(1, &["score", "-r", "/dev/null", "hyp"]).contains("/dev/null is empty"));
}

#[test]
fn messages_repeat_little_of_a_long_word() {
    let dir = TestDir::with(&[("scores", &"é".repeat(1_000_000))]);
    let error = dir.error(1, &["score", "--scores", "scores"]);
    assert!(error.starts_with("error: scores:1: ") && error.contains('…'), "{}", error.len());
    assert!(error.chars().count() < 4_100, "{}", error.len());
}

#[test]
fn numbers_beyond_memory_are_refused() {
    let dir = TestDir::with(&[("ref", "a b c d\n"), ("hyp", "a b c d\n")]);
    let error = |words: &[&str]| {
        let output = dir.run(words);
        assert!(matches!(output.code, 1 | 2 | 17), "{words:?}: {}", output.stderr);
        output.stderr
    };
    let huge = "9000000000000000000";
    assert!(error(&["sacrebleu", "ref", "-nr", huge, "-i", "hyp"]).contains("expected 9000000000000000000 fields"));
    let many = "9000000000000000000 resamples are too many (at most 100000000 for";
    assert!(error(&["sacrebleu", "ref", "-i", "hyp", "-ci", "-cin", huge]).contains(many));
    for words in [["--paired-bs", "--paired-bs-n"], ["--paired-ar", "--paired-ar-n"]] {
        dir.write("other", b"a b c\n");
        let error = error(&["sacrebleu", "ref", "-i", "hyp", "other", words[0], words[1], huge]);
        assert!(error.contains("9000000000000000000 resamples are too many (at most 50000000 for"), "{error}");
    }
    let words = ["score", "-r", "ref", "--paired", "bs", "-n", "4000000000", "hyp", "other"];
    assert!(error(&words).contains("4000000000 is not in 1..=10000000"));
}

#[cfg(unix)]
#[test]
fn threads_that_cannot_start_are_an_error() {
    let dir = TestDir::with(&[("ref", "a b c d\n"), ("hyp", "a b c d\n")]);
    // No memory for the stacks of so many threads.
    let output = shell(&dir, "ulimit -v 1500000; tercet score -r ref --threads 1024 hyp");
    assert_eq!(output.code, 1, "{}", output.stderr);
    let message = "error: cannot start 1024 threads (give --threads a smaller number): ";
    assert!(output.stderr.starts_with(message), "{}", output.stderr);
}

#[test]
fn an_empty_paraphrase_table_is_refused() {
    let dir = TestDir::with(&[("ref", "a\n"), ("hyp", "a\n"), ("table", "")]);
    let error = dir.error(1, &["score", "-m", "meteor:paraphrase=table", "-r", "ref", "hyp"]);
    assert_eq!(error, "error: table: no paraphrases in it: the file is empty\n");
}

#[cfg(unix)]
#[test]
fn results_never_replace_what_is_read_under_any_name() {
    let dir = TestDir::with(&[("ref", "a\n"), ("hyp", "a\n")]);
    std::fs::hard_link(dir.path("ref"), dir.path("hard")).unwrap();
    std::os::unix::fs::symlink(dir.path("ref"), dir.path("link")).unwrap();
    for output in ["ref", "hard", "link", "./ref"] {
        let error = dir.error(2, &["score", "-r", "ref", "hyp", "-o", output]);
        assert_eq!(error, "error: --output would overwrite ref, which is read\n", "{output}");
    }
    assert_eq!(dir.read("ref"), b"a\n");
}

#[cfg(feature = "learned")]
#[test]
fn a_model_that_cannot_be_written_is_found_before_training() {
    let dir = crate::train::dir();
    std::fs::create_dir(dir.path("folder")).unwrap();
    std::fs::create_dir(dir.path("taken.checkpoint")).unwrap();
    std::fs::hard_link(dir.path("vectors.txt"), dir.path("hard")).unwrap();
    for (model, reason) in [
        ("nowhere/model", "there is no folder nowhere"),
        ("folder", "that is a folder"),
        ("/proc/self/model", "No such file or directory"),
        ("taken", "cannot be written to taken.checkpoint: that is not a file"),
        ("recipe.toml", "that is the recipe"),
        ("vectors.txt", "the recipe reads vectors.txt"),
        ("hard", "the recipe reads vectors.txt"),
        ("wmt13-rr/references/newstest2013-ref.en", "the recipe reads wmt13-rr"),
    ] {
        let output = dir.run(&["train", "recipe.toml", "-o", model, "--force"]);
        assert!(output.code == 2 && output.stderr.contains(reason), "{model}: {}", output.stderr);
    }
    assert_eq!(dir.run(&["train", "recipe.toml", "-o", "model", "--force", "-q"]).code, 0);
}

#[cfg(feature = "learned")]
#[test]
fn sizes_beyond_memory_and_paths_in_a_recipe() {
    let dir = crate::train::dir();
    let recipe = String::from_utf8(dir.read("recipe.toml")).unwrap();
    let with = |text: String| {
        dir.write("sub/recipe.toml", text.as_bytes());
        dir.run(&["train", "sub/recipe.toml", "--data", ".", "-o", "model", "-q"])
    };
    let output = with(format!("{recipe}[network]\nhidden = 1000000000000\n"));
    assert!(output.stderr.contains("expected 1 at least, 10000 at most"), "{}", output.stderr);
    assert_eq!(with(recipe).code, 0);
    // The model knows its files as they were written, not where they are on this machine.
    let model = String::from_utf8_lossy(&dir.read("model")).into_owned();
    let folder = dir.path("").canonicalize().unwrap();
    assert!(model.contains("./vectors.txt") && !model.contains(folder.to_str().unwrap()));
    // Elsewhere its files are found beside it.
    dir.write("elsewhere/here", b"the cat\n");
    let words = ["-m", "pairwise:model=../model", "-r", "here", "here"];
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin("tercet"))
        .arg("score")
        .args(words)
        .current_dir(dir.path("elsewhere"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(feature = "learned")]
#[test]
fn sentences_without_words_are_given_back() {
    let dir = TestDir::with(&[("trees", "(())\n(ROOT (S (NP (NN a)) (VP (VBZ b))))\n(())\n"), ("none", "(())\n")]);
    let parsed = dir.stdout(&["parse", "--trees", "trees", "-o", "-"]);
    let lines: Vec<&str> = parsed.lines().collect();
    assert!(lines.len() == 3 && lines[0] == "(())" && lines[2] == "(())" && lines[1].starts_with("(ROOT "), "{parsed}");
    let table = dir.stdout(&["parse", "--trees", "trees", "--evaluate"]);
    assert!(table.starts_with("trees  1 trees "), "{table}");
    assert!(dir.error(1, &["parse", "--trees", "none", "--evaluate"]).contains("no trees"));
}

/// Files as Windows writes them: lines end with a carriage return too. (A byte order mark is a part of the first line,
/// as
/// for other tools, and a warning.)
#[test]
fn line_ends_of_windows_change_nothing() {
    let dir = TestDir::with(&[
        ("ref", "the cat sat\nit rained all day\n"),
        ("hyp", "a cat sat\nit rained\n"),
        ("gate.toml", "fail_if = [\"chrf < 10\"]\n"),
        ("ref.win", "the cat sat\r\nit rained all day\r\n"),
        ("hyp.win", "a cat sat\r\nit rained\r\n"),
        ("gate.win.toml", "fail_if = [\"chrf < 10\"]\r\n"),
        ("rows.csv", "hypothesis,reference\r\na cat sat,the cat sat\r\n\"it rained\",it rained all day\r\n"),
        ("pairs.tsv", "a cat sat\tthe cat sat\r\nit rained\tit rained all day\r\n"),
    ]);
    let flags = ["-q", "-m", "bleu", "-m", "chrf", "-m", "ter", "-m", "eed", "--level", "segment", "-f", "tsv"];
    let with = |words: &[&str]| {
        let out = dir.stdout(&[&["score"], words, &flags[..]].concat());
        out.lines().map(|line| line.split_once('\t').map_or("", |(_, scores)| scores).to_owned()).collect::<Vec<_>>()
    };
    let expected = with(&["-r", "ref", "--gate", "gate.toml", "hyp"]);
    assert!(expected.len() > 2, "{expected:?}");
    assert_eq!(with(&["-r", "ref.win", "--gate", "gate.win.toml", "hyp.win"]), expected);
    assert_eq!(with(&["--columns", "hyp,ref", "pairs.tsv"]), expected);
    assert_eq!(with(&["rows.csv"]), expected);
}

/// Paths of Windows: names of systems are those of the files, and the value of an option may have `:` and `\\`.
#[test]
fn paths_of_windows_are_read_as_paths() {
    assert_eq!(tercet::corpora::system_of_file(r"C:\out\new system.txt.gz"), "new system");
    let dir = TestDir::with(&[("ref", "a\n"), ("hyp", "a\n")]);
    let error = dir.error(1, &["score", "-r", "ref", "-m", r"meteor:data=C:\Program Files\meteor", "hyp"]);
    assert!(error.contains(r"C:\Program Files\meteor"), "{error}");
}

/// The first thread has the stack that `ulimit -s` gives it; commands run on another one.
#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough() {
    let dir = TestDir::with(&[("ref", "a cat sat\n"), ("hyp", "a cat\n")]);
    let output = shell(&dir, "ulimit -s 64; tercet score -q -r ref -m meteor hyp");
    assert_eq!(output.code, 0, "{output:?}");
}

/// `RAYON_NUM_THREADS` is limited as `--threads` is.
#[cfg(target_os = "linux")]
#[test]
fn a_variable_does_not_start_thousands_of_threads() {
    let dir = TestDir::with(&[("ref", "a cat sat\n"), ("hyp", "a cat\n")]);
    // Each thread takes more than 2 MB of addresses.
    let output = shell(&dir, "ulimit -v 8000000; RAYON_NUM_THREADS=4000 tercet score -q -r ref -m bleu hyp");
    assert_eq!(output.code, 0, "{output:?}");
}
