//! What differs between a translation and its reference although their words are similar: numbers, names, negation,
//! capital letters. To an encoder, 14 and 41, or Prague and Vienna, are near each other.

use crate::metrics::{Difference, DifferenceKind};

/// Words that negate in English, where they stand alone; words that end in `n't` do too.
const NEGATIONS: [&str; 12] =
    ["not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "cannot", "without", "hardly"];

/// A word without the punctuation around it.
struct Word<'a> {
    text: &'a str,
    lower: String,
    /// Whether it begins a sentence.
    is_first: bool,
}

fn words(line: &str) -> Vec<Word<'_>> {
    let mut is_first = true;
    let mut words = Vec::new();
    for part in line.split_whitespace() {
        let text = part.trim_matches(|c: char| !c.is_alphanumeric());
        if !text.is_empty() {
            words.push(Word { text, lower: text.to_lowercase(), is_first });
            is_first = false;
        }
        is_first |= part.ends_with(['.', '!', '?', ':', '…', '"', '“', '”', '。', '！', '？']);
    }
    words
}

impl Word<'_> {
    fn is_number(&self) -> bool {
        self.text.contains(char::is_numeric)
    }

    fn is_name(&self) -> bool {
        let mut letters = self.text.chars();
        let has_capital = letters.next().is_some_and(char::is_uppercase);
        has_capital && !self.is_first && !self.is_number() && letters.any(char::is_lowercase)
    }

    fn is_negation(&self) -> bool {
        NEGATIONS.contains(&self.lower.as_str()) || self.lower.ends_with("n't") || self.lower.ends_with("n’t")
    }

    /// The digits of a number, however they are set apart.
    fn digits(&self) -> String {
        self.text.chars().filter(|c| c.is_numeric()).collect()
    }
}

/// The differences of a translation and a reference. Names are left out of languages in which all nouns have a capital,
/// and words that negate of others than English.
pub fn differences(hypothesis: &str, reference: &str, language: Option<&str>) -> Vec<Difference> {
    let [own, others] = [hypothesis, reference].map(words);
    let is_english = language.is_none_or(|code| code == "en");
    let mut found = Vec::new();
    let mut add = |kind, [hypothesis, reference]: [Vec<String>; 2]| {
        if !hypothesis.is_empty() || !reference.is_empty() {
            found.push(Difference { kind, hypothesis, reference });
        }
    };
    let numbers = |words: &[Word<'_>]| -> Vec<(String, String)> {
        words.iter().filter(|word| word.is_number()).map(|word| (word.digits(), word.text.to_owned())).collect()
    };
    add(DifferenceKind::Numbers, only(numbers(&own), numbers(&others)));
    if language != Some("de") {
        let names = |words: &[Word<'_>], others: &[Word<'_>]| -> Vec<String> {
            let is_missing = |word: &&Word<'_>| word.is_name() && others.iter().all(|other| other.lower != word.lower);
            words.iter().filter(is_missing).map(|word| word.text.to_owned()).collect()
        };
        add(DifferenceKind::Names, [names(&own, &others), names(&others, &own)]);
    }
    if is_english {
        let negations = |words: &[Word<'_>]| -> Vec<String> {
            words.iter().filter(|word| word.is_negation()).map(|word| word.text.to_owned()).collect()
        };
        let both = [negations(&own), negations(&others)];
        if both[0].len() != both[1].len() {
            add(DifferenceKind::Negation, both);
        }
    }
    let other_case = |words: &[Word<'_>], others: &[Word<'_>]| -> Vec<String> {
        let is_other = |word: &&Word<'_>| {
            let mut same = others.iter().filter(|other| other.lower == word.lower).peekable();
            // At the start of a sentence a capital says nothing.
            same.peek().is_some() && same.all(|other| other.text != word.text && other.is_first == word.is_first)
        };
        words.iter().filter(is_other).map(|word| word.text.to_owned()).collect()
    };
    add(DifferenceKind::Case, [other_case(&own, &others), other_case(&others, &own)]);
    found
}

/// The words of each list that the other does not have, by their keys, each as often as it is more often there.
fn only(own: Vec<(String, String)>, others: Vec<(String, String)>) -> [Vec<String>; 2] {
    let missing = |words: &[(String, String)], from: &[(String, String)]| {
        let mut rest: Vec<&str> = from.iter().map(|(key, _)| key.as_str()).collect();
        let mut missing = Vec::new();
        for (key, word) in words {
            match rest.iter().position(|other| other == key) {
                Some(place) => drop(rest.swap_remove(place)),
                None => missing.push(word.clone()),
            }
        }
        missing
    };
    [missing(&own, &others), missing(&others, &own)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use DifferenceKind::{Case, Names, Negation, Numbers};

    fn found(hypothesis: &str, reference: &str) -> Vec<(DifferenceKind, String, String)> {
        let differences = differences(hypothesis, reference, Some("en")).into_iter();
        differences.map(|one| (one.kind, one.hypothesis.join(" "), one.reference.join(" "))).collect()
    }

    #[test]
    fn numbers_names_negation_and_case_are_found() {
        let said = |kind, own: &str, other: &str| vec![(kind, own.to_owned(), other.to_owned())];
        let reference = "The committee said on Tuesday that 14,000 people in Prague agree.";
        let changed = |from: &str, to: &str| found(&reference.replace(from, to), reference);
        assert_eq!(changed("", ""), []);
        assert_eq!(changed("14,000", "14 000")[0].0, Numbers);
        assert_eq!(changed("14,000", "14000"), []);
        assert_eq!(changed("14,000", "41,000"), said(Numbers, "41,000", "14,000"));
        assert_eq!(changed("Prague", "Vienna"), said(Names, "Vienna", "Prague"));
        assert_eq!(changed("agree", "do not agree"), said(Negation, "not", ""));
        assert_eq!(changed("Tuesday", "tuesday"), said(Case, "tuesday", "Tuesday"));
        assert_eq!(found("It isn't so.", "It is not so."), []);
        assert_eq!(found("Today he came. Then he left.", "He came today. He left then."), []);
    }

    #[test]
    fn nouns_with_capitals_are_no_names_in_german() {
        assert_eq!(differences("Das Auto ist rot.", "Der Wagen ist rot.", Some("de")), []);
        assert_eq!(differences("", "", None), []);
    }
}
