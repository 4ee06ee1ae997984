//! Runs that are stopped by a signal at a random moment. The file that they write must be there whole or not at all,
//! and the same command must give the same file afterwards, with nothing else left in the folder.

use super::files::all_files;
use super::input::Input;
use super::process::{Limits, Outcome, Run};
use crate::random::Random;
use anyhow::Result;
use nix::sys::signal::Signal;
use std::collections::BTreeMap;
use std::path::Path;

/// The contents of what a run wrote, by name.
type Written = BTreeMap<String, Vec<u8>>;

/// The findings of one stopped run, and how it ended.
pub fn stop_and_repeat(
    input: &Input,
    binary: &Path,
    folder: &Path,
    random: &mut Random,
) -> Result<(Vec<String>, Outcome)> {
    let run = Run { binary, folder, words: &input.words, stdin: None };
    input.place(folder)?;
    let whole = run.wait(&Limits::seconds(60.0))?;
    let expected = written(input, folder);
    if whole.code != Some(0) {
        return Ok((vec!["the command fails without a signal".to_owned()], whole));
    }
    input.place(folder)?;
    let signal = *random.choose(&[Signal::SIGKILL, Signal::SIGKILL, Signal::SIGINT, Signal::SIGTERM]);
    // Sometimes after its end, when nothing may happen.
    let moment = whole.time.mul_f64(random.below(1_100) as f64 / 1_000.0);
    let stopped = run.wait(&Limits { signal: Some((moment, signal)), ..Limits::seconds(60.0) })?;
    let mut found = after_signal(&stopped, signal, &written(input, folder), &expected);
    found.extend(repeated(input, run, &expected)?);
    Ok((found, stopped))
}

/// The files that are no input, without caches.
fn written(input: &Input, folder: &Path) -> Written {
    let names = all_files(folder)
        .into_iter()
        .filter(|name| !name.starts_with("cache/") && !input.files.iter().any(|(known, _)| known == name));
    names.map(|name| (name.clone(), std::fs::read(folder.join(&name)).unwrap_or_default())).collect()
}

fn after_signal(stopped: &Outcome, signal: Signal, left: &Written, expected: &Written) -> Vec<String> {
    let mut found = Vec::new();
    for (name, bytes) in left {
        if expected.get(name).is_some_and(|whole| whole != bytes) {
            found.push(format!("{signal} leaves a part of {name}"));
        }
        if signal == Signal::SIGINT && name.contains(".partial") {
            found.push(format!("{signal} leaves a temporary file"));
        }
    }
    if stopped.timed_out {
        found.push(format!("{signal} has no effect"));
    }
    if signal == Signal::SIGINT && !matches!(stopped.code, Some(0 | 130)) && stopped.signal != Some(2) {
        found.push(format!("exit code {:?} after {signal}", stopped.code));
    }
    found
}

/// Runs the command again, resuming where it can be.
fn repeated(input: &Input, run: Run, expected: &Written) -> Result<Vec<String>> {
    let mut words = input.words.clone();
    let checkpoint = run.folder.join("out.checkpoint").exists();
    if checkpoint {
        words.push("--resume".to_owned());
    }
    if words[0] == "train" && run.folder.join("out").exists() {
        words.push("--force".to_owned());
    }
    let again = Run { words: &words, ..run }.wait(&Limits::seconds(60.0))?;
    let now = written(input, run.folder);
    let mut found = Vec::new();
    if again.code != Some(0) {
        found.push(format!(
            "the command fails after a stopped run: {}",
            String::from_utf8_lossy(&again.stderr).trim_end()
        ));
    } else if expected.iter().any(|(name, bytes)| now.get(name) != Some(bytes)) {
        found.push("another result after a stopped run".to_owned());
    } else if let Some(left) = now.keys().find(|name| !expected.contains_key(*name)) {
        let kind = if left.contains(".partial") { "temporary file" } else { left.as_str() };
        found.push(format!("{kind} left of a stopped run"));
    }
    Ok(found)
}
