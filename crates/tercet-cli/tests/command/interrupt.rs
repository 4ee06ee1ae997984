//! Ctrl-C, and how much is printed where there is no terminal.

use crate::test_dir::{CommandOutput, TestDir};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The command with the default effect of Ctrl-C, which jobs in the background of a shell ignore, and tests in them
/// too.
fn interruptible() -> Command {
    let program = assert_cmd::cargo::cargo_bin("tercet");
    let default_signal = "--default-signal=INT";
    if Command::new("env").args([default_signal, "true"]).status().is_ok_and(|status| status.success()) {
        let mut command = Command::new("env");
        command.arg(default_signal).arg(program);
        return command;
    }
    Command::new(program)
}

/// Starts the command, presses Ctrl-C once it has run for a while, and waits for its end.
fn interrupted(dir: &TestDir, words: &[&str]) -> CommandOutput {
    let mut command = interruptible();
    command.current_dir(dir.path("")).args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none(), "the command ended before Ctrl-C: {:?}", output(child));
    let pressed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(pressed.success());
    let end = Instant::now() + Duration::from_secs(120);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("Ctrl-C had no effect: {:?}", output(child));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    output(child)
}

fn output(child: Child) -> CommandOutput {
    let output = child.wait_with_output().unwrap();
    CommandOutput {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn files(dir: &TestDir) -> Vec<String> {
    let entries = std::fs::read_dir(dir.path("")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn texts() -> TestDir {
    let lines = |ending: &str| (0..400).map(|i| format!("line {i} of a text {ending}\n")).collect::<String>();
    TestDir::with(&[("ref", &lines("in full")), ("a", &lines("in part")), ("b", &lines("full"))])
}

#[test]
fn scoring_stops_without_a_result() {
    let dir = texts();
    let words = ["score", "-r", "ref", "a", "b", "--paired", "ar", "--resamples", "10000000", "-o", "out"];
    let output = interrupted(&dir, &words);
    assert_eq!((output.code, output.stdout.as_str()), (130, ""), "{output:?}");
    assert!(output.stderr.ends_with("error: stopped\n"), "{output:?}");
    assert_eq!(files(&dir), ["a", "b", "ref"]);
}

#[test]
fn scoring_stops_inside_of_a_long_line() {
    // Letters without any pattern: lines that are alike are compared at once.
    let letter =
        |i: usize| char::from(b'a' + ((i as u32).wrapping_mul(2_654_435_761).rotate_right(13) ^ i as u32) as u8 % 23);
    let line = |first: usize| (first..first + 1_000_000).map(letter).chain(['\n']).collect::<String>();
    let text = |first: usize| (0..8).map(|i| line(first + 31 * i)).collect::<String>();
    let dir = TestDir::with(&[("ref", &text(0)), ("a", &text(5_000_000))]);
    let start = Instant::now();
    let output = interrupted(&dir, &["score", "-r", "ref", "a", "-m", "cer", "-o", "out", "--no-checks"]);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!((output.code, output.stdout.as_str()), (130, ""), "{output:?}");
    assert!(output.stderr.ends_with("error: stopped\n"), "{output:?}");
    assert_eq!(files(&dir), ["a", "ref"]);
}

#[test]
fn choosing_among_candidates_stops_without_a_result() {
    let list: String = (0..4_000).map(|i| format!("0 ||| candidate {i} of a long list of texts\n")).collect();
    let dir = TestDir::with(&[("list", &list)]);
    let output = interrupted(&dir, &["rank", "--nbest", "list", "-m", "chrf", "-o", "out"]);
    assert_eq!((output.code, output.stdout.as_str()), (130, ""), "{output:?}");
    assert_eq!(files(&dir), ["list"]);
}

#[cfg(feature = "learned")]
#[test]
fn parsing_stops_without_a_file() {
    let dir = TestDir::new();
    dir.write("text", "The dog saw the cat on the mat .\n".repeat(400_000).as_bytes());
    let output = interrupted(&dir, &["parse", "text", "-o", "out"]);
    assert_eq!(output.code, 130, "{output:?}");
    assert_eq!(files(&dir), ["text"]);
}

#[cfg(feature = "learned")]
#[test]
fn a_command_that_waits_for_input_ends_at_once() {
    let dir = TestDir::new();
    let mut command = interruptible();
    command.current_dir(dir.path("")).args(["parse", "-", "-o", "out"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let input = child.stdin.take(); // stays open
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
    assert_eq!(files(&dir), Vec::<String>::new());
}

#[test]
fn short_work_prints_no_progress_where_there_is_no_terminal() {
    let dir = texts();
    let output = dir.run(&["score", "-r", "ref", "a", "b", "--confidence", "--no-checks", "--fast"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
}

#[cfg(feature = "learned")]
#[test]
fn training_stops_with_a_checkpoint_and_says_how_to_go_on() {
    let endless = crate::train::RECIPE.replace("epochs = 12\npatience = 8\ncheckpoint = 0", "epochs = 1000000");
    stops_with_a_checkpoint(&crate::train::dir(), &endless);
    let endless = crate::train_reval::RECIPE.replace("epochs = 5", "epochs = 1000000");
    stops_with_a_checkpoint(&crate::train_reval::dir(), &endless);
}

#[cfg(feature = "learned")]
fn stops_with_a_checkpoint(dir: &TestDir, recipe: &str) {
    dir.write("recipe.toml", recipe.as_bytes());
    let before = files(dir);
    let output = interrupted(dir, &["train", "recipe.toml", "-o", "m"]);
    assert_eq!((output.code, output.stdout.as_str()), (130, ""), "{output:?}");
    assert!(output.stderr.contains("go on with: tercet train recipe.toml -o m --resume\n"), "{output:?}");
    let mut expected = before;
    expected.push("m.checkpoint".to_owned());
    expected.sort();
    assert_eq!(files(dir), expected);
    // The checkpoint can be read: it has the number of epochs.
    let error = dir.error(2, &["train", "recipe.toml", "--resume", "-o", "m", "--epochs", "1"]);
    assert!(error.contains("epochs behind it"), "{error}");
}
