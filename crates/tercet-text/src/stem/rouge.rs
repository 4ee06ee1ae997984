//! English stems of ROUGE-1.5.5: Porter's algorithm (1980) with *-bli*, *-logi* and a fourth step in which an ending is
//! removed of what another one left: *-al* of `fundamental`, then *-ment*.

use super::porter::{Rules, STEP_2, STEP_3};

const STEP_4: &[&str] =
    &["al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti", "ous", "ive", "ize"];

/// The stem of a word in lower case; words of up to two letters, or with other letters than ASCII, are their own stems.
pub fn rouge_stem(word: &str) -> String {
    let mut stem = Stem(word.to_owned());
    if word.len() > 2 && word.is_ascii() {
        stem.remove_plural();
        stem.remove_past();
        stem.replace_y();
        stem.replace_longest(STEP_2);
        stem.replace_longest(STEP_3);
        stem.remove_suffixes();
        stem.remove_e_and_l();
    }
    stem.0
}

/// A word that is being shortened.
pub(super) struct Stem(pub(super) String);

impl Stem {
    /// The length without an ending, if the word ends in it.
    pub(super) fn without(&self, ending: &str) -> Option<usize> {
        self.0.strip_suffix(ending).map(str::len)
    }

    /// Whether each letter of a beginning is a vowel; *y* is one after a consonant.
    pub(super) fn vowels(&self, length: usize) -> impl Iterator<Item = bool> {
        let mut after_consonant = false;
        self.0.as_bytes()[..length].iter().map(move |letter| {
            let vowel = b"aeiou".contains(letter) || *letter == b'y' && after_consonant;
            after_consonant = !vowel;
            vowel
        })
    }

    /// How often a consonant follows a vowel in a beginning.
    pub(super) fn measure(&self, length: usize) -> usize {
        let mut after_vowel = false;
        self.vowels(length).filter(|&vowel| std::mem::replace(&mut after_vowel, vowel) && !vowel).count()
    }

    pub(super) fn has_vowel(&self, length: usize) -> bool {
        self.vowels(length).any(|vowel| vowel)
    }

    /// Whether a beginning is consonants, one vowel and a consonant that is not w, x or y.
    fn is_short(&self, length: usize) -> bool {
        let vowels: Vec<bool> = self.vowels(length).collect();
        let ends_so = matches!(vowels[..], [.., false, true, false]);
        ends_so && self.measure(length) == 1 && !b"wxy".contains(&self.0.as_bytes()[length - 1])
    }

    pub(super) fn set_end(&mut self, from: usize, ending: &str) {
        self.0.truncate(from);
        self.0.push_str(ending);
    }

    pub(super) fn remove_plural(&mut self) {
        if let Some(rest) = self.without("sses").map(|rest| rest + 2).or_else(|| Some(self.without("ies")? + 1)) {
            self.0.truncate(rest);
        } else if let Some(rest) = self.without("s").filter(|_| self.without("ss").is_none()) {
            self.0.truncate(rest);
        }
    }

    fn remove_past(&mut self) {
        if let Some(rest) = self.without("eed") {
            if self.measure(rest) > 0 {
                self.0.pop();
            }
            return;
        }
        let rest = self.without("ed").or_else(|| self.without("ing"));
        let Some(rest) = rest.filter(|&rest| self.has_vowel(rest)) else { return };
        self.0.truncate(rest);
        let letters = self.0.as_bytes();
        let doubled = matches!(letters, [.., a, b] if a == b && !b"aeiouylsz".contains(b));
        if ["at", "bl", "iz"].iter().any(|ending| self.0.ends_with(ending)) || self.is_short(rest) {
            self.0.push('e');
        } else if doubled {
            self.0.pop();
        }
    }

    fn replace_y(&mut self) {
        if let Some(rest) = self.without("y").filter(|&rest| self.has_vowel(rest)) {
            self.set_end(rest, "i");
        }
    }

    /// Replaces the longest ending that the word has, if enough is left of it.
    fn replace_longest(&mut self, rules: &Rules) {
        let found = rules.iter().filter_map(|(ending, by)| Some((self.without(ending)?, by)));
        if let Some((rest, by)) = found.min().filter(|(rest, _)| self.measure(*rest) > 0) {
            self.set_end(rest, by);
        }
    }

    /// Replaces the first ending of these that the word has, if enough is left of it.
    pub(super) fn replace_first(&mut self, rules: &Rules) {
        let found = rules.iter().find_map(|(ending, by)| Some((self.without(ending)?, by)));
        if let Some((rest, by)) = found.filter(|(rest, _)| self.measure(*rest) > 0) {
            self.set_end(rest, by);
        }
    }

    fn remove_suffixes(&mut self) {
        let longest = STEP_4.iter().filter_map(|ending| self.without(ending)).min();
        self.shorten(longest);
        self.shorten(self.without("ment"));
        if self.0.ends_with("ent") {
            self.shorten(self.without("ent"));
        } else if self.0.ends_with("sion") || self.0.ends_with("tion") {
            self.shorten(self.without("ion"));
        }
    }

    fn shorten(&mut self, rest: Option<usize>) {
        if let Some(rest) = rest.filter(|&rest| self.measure(rest) > 1) {
            self.0.truncate(rest);
        }
    }

    fn remove_e_and_l(&mut self) {
        if let Some(rest) = self.without("e") {
            let measure = self.measure(rest);
            if measure > 1 || measure == 1 && !self.is_short(rest) {
                self.0.truncate(rest);
            }
        }
        if self.0.ends_with("ll") && self.measure(self.0.len()) > 1 {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rouge_stem;

    /// What the function `stem` of ROUGE-1.5.5.pl returns.
    #[test]
    fn stems_are_those_of_the_tool() {
        for pair in include_str!("rouge_stems.txt").lines() {
            let (word, stem) = pair.split_once(' ').unwrap();
            assert_eq!(rouge_stem(word), stem, "{word}");
        }
    }

    #[test]
    fn other_letters_are_left_alone() {
        for word in ["", "is", "naïvely", "東京"] {
            assert_eq!(rouge_stem(word), word);
        }
    }
}
