//! `cargo xtask function-words`: derives the English list of function words inside the binary from texts.
//!
//! The rule is METEOR's (Denkowski & Lavie, 2011): a word is a function word if it makes up a thousandth or more of a
//! large text. The text here is English references of the WMT news tests; repeated lines count once. Words are in lower
//! case, punctuation marks are words, an apostrophe starts a word ("don 't"). Marks are listed with their other
//! spellings.

use crate::step::root;
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

const FILE: &str = "crates/tercet-metrics/src/resources/function_words/english.words";

/// A word is listed if its count times this is at least the number of words.
const RARITY: usize = 1000;

/// Marks and their other spellings, listed if the first is. "s" is the rest of "’s" if a tokenizer treats ’ as a
/// quotation mark.
const SPELLINGS: [(&str, &[&str]); 5] =
    [("\"", &["“", "”"]), ("(", &["-lrb-"]), (")", &["-rrb-"]), ("-", &["–", "—", "--"]), ("'s", &["'", "’", "s"])];

#[derive(clap::Args)]
pub struct FunctionWordsArgs {
    /// English texts, UTF-8
    #[arg(required = true)]
    texts: Vec<PathBuf>,
}

pub fn run(args: &FunctionWordsArgs) -> Result<()> {
    let mut lines = BTreeSet::new();
    for path in &args.texts {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        lines.extend(text.lines().map(|line| line.trim_start_matches('\u{feff}').to_lowercase()));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in lines.iter().flat_map(|line| split(line)) {
        *counts.entry(word).or_default() += 1;
    }
    let total = counts.values().sum();
    let words = frequent(&counts, total);
    ensure!(words.len() > 50, "only {} words are frequent; are these English texts?", words.len());
    fs::write(root().join(FILE), words.join("\n") + "\n").with_context(|| format!("cannot write {FILE}"))?;
    println!("{} lines, {total} words: {} function words", lines.len(), words.len());
    Ok(())
}

/// The words frequent enough, most frequent first, then other spellings.
fn frequent(counts: &BTreeMap<String, usize>, total: usize) -> Vec<String> {
    let mut words: Vec<&str> =
        counts.iter().filter(|(_, count)| *count * RARITY >= total).map(|(word, _)| word.as_str()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(counts[*word]));
    for (mark, others) in SPELLINGS {
        if words.contains(&mark) {
            let new: Vec<&str> = others.iter().copied().filter(|other| !words.contains(other)).collect();
            words.extend(new);
        }
    }
    words.into_iter().map(str::to_owned).collect()
}

/// The words and marks of a line.
fn split(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &character) in characters.iter().enumerate() {
        let next = characters.get(at + 1);
        let inside = !word.is_empty() && next.is_some_and(|next| next.is_alphanumeric());
        let apostrophe = matches!(character, '\'' | '’') && inside;
        let joined = character.is_alphanumeric() || (matches!(character, '.' | ',') && inside);
        if !joined {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if apostrophe {
            word.push('\'');
        } else if joined {
            word.push(character);
        } else if character == '-' && at > 0 && characters[at - 1].is_alphanumeric() {
            // A hyphen splits a word.
        } else if !character.is_whitespace() {
            words.push(character.to_string());
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_alone_and_apostrophes_start_words() {
        let words = split("\"don't,\" said u.s. well-known 1,000 britain’s – 'x'.");
        let expected = [
            "\"", "don", "'t", ",", "\"", "said", "u.s", ".", "well", "known", "1,000", "britain", "'s", "–", "'", "x",
            "'", ".",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn a_thousandth_is_enough() {
        let counts = BTreeMap::from([("a", 1), ("(", 2), ("b", 997)].map(|(word, n)| (word.to_owned(), n)));
        assert_eq!(frequent(&counts, 1000), ["b", "(", "a", "-lrb-"]);
        assert_eq!(frequent(&counts, 1001), ["b", "(", "-lrb-"]);
    }
}
