//! Ctrl-C, and how much is printed where there is no terminal.

use crate::place::{Place, Said};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts the command, presses Ctrl-C once it has run for a while, and waits for its end.
fn interrupted(place: &Place, words: &[&str]) -> Said {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("tercet"));
    command.current_dir(place.path("")).args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none(), "it ended before Ctrl-C: {:?}", said(child));
    let pressed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(pressed.success());
    said(child)
}

fn said(child: Child) -> Said {
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn files(place: &Place) -> Vec<String> {
    let entries = std::fs::read_dir(place.path("")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn texts() -> Place {
    let lines = |ending: &str| (0..400).map(|i| format!("line {i} of a text {ending}\n")).collect::<String>();
    Place::with(&[("ref", &lines("in full")), ("a", &lines("in part")), ("b", &lines("full"))])
}

#[test]
fn scoring_stops_without_a_result() {
    let place = texts();
    let words = ["score", "-r", "ref", "a", "b", "--paired", "ar", "--resamples", "500000000", "-o", "out"];
    let said = interrupted(&place, &words);
    assert_eq!((said.code, said.stdout.as_str()), (130, ""), "{said:?}");
    assert!(said.stderr.ends_with("error: stopped\n"), "{said:?}");
    assert_eq!(files(&place), ["a", "b", "ref"]);
}

#[test]
fn short_work_prints_no_progress_where_there_is_no_terminal() {
    let place = texts();
    let said = place.run(&["score", "-r", "ref", "a", "b", "--confidence", "--no-checks"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
}

#[cfg(feature = "learned")]
#[test]
fn training_stops_with_a_checkpoint_and_says_how_to_go_on() {
    let place = crate::train::place();
    let recipe = String::from_utf8(place.read("recipe.toml")).unwrap();
    let endless = recipe.replace("epochs = 12\npatience = 8\ncheckpoint = 0", "epochs = 1000000");
    place.write("recipe.toml", endless.as_bytes());
    let before = files(&place);
    let said = interrupted(&place, &["train", "recipe.toml", "-o", "m"]);
    assert_eq!((said.code, said.stdout.as_str()), (130, ""), "{said:?}");
    assert!(said.stderr.contains("go on with: tercet train recipe.toml --resume -o m\n"), "{said:?}");
    let mut expected = before;
    expected.push("m.checkpoint".to_owned());
    expected.sort();
    assert_eq!(files(&place), expected);
    // The checkpoint is whole: it knows how far it is.
    let error = place.error(1, &["train", "recipe.toml", "--resume", "-o", "m", "--epochs", "1"]);
    assert!(error.contains("epochs behind it"), "{error}");
}
