//! What must not happen, however bad the input: each finding is a defect.

use super::files::{Content, all_files};
use super::input::Input;
use super::process::Outcome;
use std::fs;
use std::path::Path;

/// Commands whose standard output repeats the input.
const ECHOING: [&str; 4] = ["tokenize", "parse", "meteor", "sacrebleu"];

/// All findings about one run, empty if there are none.
pub fn findings(input: &Input, outcome: &Outcome, folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    found.extend(ending(input, outcome, &stderr));
    if outcome.timed_out {
        return found;
    }
    found.extend(left_files(input, outcome, folder));
    if std::str::from_utf8(&outcome.stderr).is_err() {
        found.push("message is not UTF-8".to_owned());
    } else if has_control_characters(&stderr) {
        found.push("control character in a message".to_owned());
    }
    found.extend(bad_output(input, outcome));
    found
}

fn ending(input: &Input, outcome: &Outcome, stderr: &str) -> Option<String> {
    if stderr.contains("panicked at") || outcome.code == Some(101) {
        let at = stderr.lines().find(|line| line.contains("panicked at")).unwrap_or_default();
        return Some(format!("panic {}", at.split("panicked at ").nth(1).unwrap_or(at)));
    }
    if outcome.timed_out {
        return (!input.may_take_long).then(|| "hang".to_owned());
    }
    match (outcome.signal, outcome.code) {
        (Some(signal), _) => Some(format!("ended by signal {signal}: {}", first_line(stderr))),
        (_, Some(0)) => None,
        (_, Some(1 | 2)) if stderr.trim().is_empty() => Some("failure without a message".to_owned()),
        (_, Some(1 | 2)) => None,
        // A gate that failed, which says why and has a result.
        (_, Some(3)) if input.words[0] == "score" && stderr.contains("the gate failed") => None,
        // sacreBLEU's own code for lines with a wrong number of fields.
        (_, Some(17)) if input.words[0] == "sacrebleu" => None,
        (_, code) => Some(format!("exit code {code:?}")),
    }
}

fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default()
}

/// Whether there are characters that change how a terminal shows what follows.
fn has_control_characters(text: &str) -> bool {
    text.chars().any(|letter| letter.is_control() && letter != '\n' && letter != '\t')
}

fn left_files(input: &Input, outcome: &Outcome, folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let failed = !matches!(outcome.code, Some(0 | 3));
    let plotted = input.words.iter().any(|word| word.starts_with("--plot"));
    for file in all_files(folder) {
        if let Some((_, content)) = input.files.iter().find(|(name, _)| *name == file) {
            if let (Content::Bytes(bytes), 0) = (content, file.find("cache/").map_or(0, |_| 1)) {
                let named_as_output = input.words.windows(2).any(|pair| pair[0].starts_with('-') && pair[1] == file);
                if !named_as_output && fs::read(folder.join(&file)).is_ok_and(|now| now != *bytes) {
                    found.push(format!("input file {file} was changed"));
                }
            }
        } else if file.contains(".partial") || file.starts_with("tmp/") {
            found.push("temporary file left".to_owned());
        } else if failed && !plotted && !file.starts_with("cache/") && !file.ends_with(".checkpoint") {
            found.push(format!(
                "file {} after a failure",
                if file.starts_with("out") { "out" } else { "not asked for" }
            ));
        }
    }
    found
}

fn bad_output(input: &Input, outcome: &Outcome) -> Option<String> {
    let stdout = std::str::from_utf8(&outcome.stdout).ok()?;
    let value_of = |flag: &str| {
        let at = input.words.iter().position(|word| word == flag)?;
        input.words.get(at + 1).map(String::as_str)
    };
    let command = input.words[0].as_str();
    let json = matches!(
        (command, value_of("-f")),
        ("score" | "compare" | "rank" | "check" | "correlate" | "systems", Some("json" | "jsonl"))
    );
    if json && outcome.code == Some(0) && (stdout.len() as u64) < 1 << 20 {
        let parsed = serde_json::Deserializer::from_str(stdout).into_iter::<serde_json::Value>().find_map(Result::err);
        if let Some(error) = parsed {
            return Some(format!("output is not JSON: {error}"));
        }
    }
    // Rows come back with scores as they were.
    let has_rows = value_of("--level") == Some("segment") && matches!(value_of("-f"), Some("jsonl" | "csv"));
    let echoes = ECHOING.contains(&command) || (command == "score" && has_rows);
    let bad = !echoes && has_control_characters(stdout);
    bad.then(|| "control character in the output".to_owned())
}
