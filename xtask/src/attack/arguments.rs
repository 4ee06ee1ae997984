//! Changes of command lines: values at their limits, unusual texts, further flags, missing and repeated words.

use super::extreme;
use super::mutation::mutate;
use crate::random::Random;
use std::collections::BTreeMap;

/// The flags of each subcommand, with whether they take a value.
pub type Flags = BTreeMap<String, Vec<(String, bool)>>;

/// Reads the flags in a help text: lines as `-o, --output <FILE>` or `--force`.
pub fn flags_of(help: &str) -> Vec<(String, bool)> {
    let mut flags = Vec::new();
    for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next().filter(|word| word.starts_with('-')) {
            if word.starts_with("--") {
                let takes_value = words.peek().is_some_and(|next| next.starts_with('<') || next.starts_with('['));
                let flag = word.trim_end_matches(',').split('[').next().unwrap_or(word);
                flags.push((flag.to_owned(), takes_value));
            }
        }
    }
    flags.retain(|(flag, _)| flag != "--help" && flag != "--version");
    flags
}

/// Changes one word or two after the subcommand; returns what was done.
pub fn change(words: &mut Vec<String>, flags: &Flags, random: &mut Random) -> String {
    let known = flags.get(&words[0]).map_or(&[][..], Vec::as_slice);
    for _ in 0..1 + random.below(5) / 4 {
        let at = 1 + random.below(words.len());
        match random.below(8) {
            0 | 1 if at < words.len() => words[at] = value(random),
            2 if at < words.len() => drop(words.remove(at)),
            3 if at < words.len() => words.insert(at, words[at].clone()),
            4 | 5 if at < words.len() => words[at] = mutated(&words[at], random),
            _ if !known.is_empty() => {
                let (flag, takes_value) = random.choose(known);
                words.insert(at, flag.clone());
                if *takes_value {
                    words.insert(at + 1, value(random));
                }
            }
            _ => words.insert(at.min(words.len()), value(random)),
        }
    }
    "command line".to_owned()
}

fn value(random: &mut Random) -> String {
    let value = match random.below(3) {
        0 => extreme::number(random).to_owned(),
        1 => (*random.choose(&[
            "a", "ref", "out", "-", "json", "text", "markdown", "bleu", "chrf++", "en-de", "zh", "all", "2", "none",
        ]))
        .to_owned(),
        _ => extreme::text(random),
    };
    allowed(value)
}

fn mutated(word: &str, random: &mut Random) -> String {
    let mut bytes = word.as_bytes().to_vec();
    mutate(&mut bytes, true, random);
    allowed(String::from_utf8_lossy(&bytes).into_owned())
}

/// Arguments have no NUL and at most 128 KiB.
fn allowed(word: String) -> String {
    word.chars().filter(|&letter| letter != '\0').take(20_000).collect()
}
