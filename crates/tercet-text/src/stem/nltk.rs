//! English stems of NLTK's `PorterStemmer` with its extensions, which is its default: Porter's algorithm (1980) with
//! a list of irregular words, *-ied*, *-y* only after a consonant, *-fulli* and a wider *-logi*. rouge-score uses it.

use super::porter::{STEP_2, STEP_3};
use super::rouge::Stem;

/// Words that no rule applies to, with their stems.
const IRREGULAR: &[(&str, &str)] = &[
    ("sky", "sky"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

/// The stem of a word in lower case; words of up to two letters, or with other letters than ASCII, are their own stems.
pub fn nltk_stem(word: &str) -> String {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == word) {
        return (*stem).to_owned();
    }
    let mut stem = Stem(word.to_owned());
    if word.len() > 2 && word.is_ascii() {
        stem.remove_plural_of_nltk();
        stem.remove_past_of_nltk();
        stem.replace_y_after_consonant();
        stem.apply_step_2();
        stem.replace_first(STEP_3);
        stem.remove_suffix();
        stem.remove_final_e();
        stem.remove_final_l();
    }
    stem.0
}

impl Stem {
    fn ends_in_consonant(&self, length: usize) -> bool {
        self.vowels(length).last() == Some(false)
    }

    /// Whether a beginning ends in consonant, vowel, consonant, the last one not w, x or y; two letters may lack the
    /// first.
    fn ends_in_short_syllable(&self, length: usize) -> bool {
        let vowels: Vec<bool> = self.vowels(length).collect();
        match vowels[..] {
            [true, false] => true,
            [.., false, true, false] => !b"wxy".contains(&self.0.as_bytes()[length - 1]),
            _ => false,
        }
    }

    fn remove_plural_of_nltk(&mut self) {
        if self.0.len() == 4 && self.0.ends_with("ies") {
            self.0.pop();
        } else {
            self.remove_plural();
        }
    }

    fn remove_past_of_nltk(&mut self) {
        if let Some(rest) = self.without("ied") {
            self.0.truncate(if rest == 1 { 3 } else { rest + 1 });
            return;
        }
        if let Some(rest) = self.without("eed") {
            if self.measure(rest) > 0 {
                self.0.pop();
            }
            return;
        }
        let rest = self.without("ed").or_else(|| self.without("ing"));
        let Some(rest) = rest.filter(|&rest| self.has_vowel(rest)) else { return };
        self.0.truncate(rest);
        let doubled = matches!(self.0.as_bytes(), [.., a, b] if a == b) && self.ends_in_consonant(rest);
        if ["at", "bl", "iz"].iter().any(|ending| self.0.ends_with(ending)) {
            self.0.push('e');
        } else if doubled {
            if !self.0.ends_with(['l', 's', 'z']) {
                self.0.pop();
            }
        } else if self.measure(rest) == 1 && self.ends_in_short_syllable(rest) {
            self.0.push('e');
        }
    }

    fn replace_y_after_consonant(&mut self) {
        if let Some(rest) = self.without("y").filter(|&rest| rest > 1 && self.ends_in_consonant(rest)) {
            self.set_end(rest, "i");
        }
    }

    fn apply_step_2(&mut self) {
        while let Some(rest) = self.without("alli").filter(|&rest| self.measure(rest) > 0) {
            self.set_end(rest, "al");
        }
        if let Some(rest) = self.without("fulli") {
            if self.measure(rest) > 0 {
                self.set_end(rest, "ful");
            }
        } else if let Some(rest) = self.without("logi") {
            if self.measure(rest + 1) > 0 {
                self.set_end(rest, "log");
            }
        } else {
            self.replace_first(STEP_2);
        }
    }

    fn remove_suffix(&mut self) {
        let found = STEP_4.iter().find_map(|ending| Some((self.without(ending)?, *ending)));
        let Some((rest, ending)) = found else { return };
        if self.measure(rest) > 1 && (ending != "ion" || self.0[..rest].ends_with(['s', 't'])) {
            self.0.truncate(rest);
        }
    }

    fn remove_final_e(&mut self) {
        let Some(rest) = self.without("e") else { return };
        let measure = self.measure(rest);
        if measure > 1 || measure == 1 && !self.ends_in_short_syllable(rest) {
            self.0.truncate(rest);
        }
    }

    fn remove_final_l(&mut self) {
        if self.0.ends_with("ll") && self.measure(self.0.len() - 1) > 1 {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::nltk_stem;

    /// What `nltk.stem.PorterStemmer().stem` of NLTK 3.10.4 returns.
    #[test]
    fn stems_are_those_of_nltk() {
        let pairs = include_str!("nltk_stems.txt");
        assert!(pairs.lines().count() > 500);
        for pair in pairs.lines() {
            let (word, stem) = pair.split_once(' ').unwrap();
            assert_eq!(nltk_stem(word), stem, "{word}");
        }
    }

    #[test]
    fn other_letters_are_left_alone() {
        for word in ["", "is", "naïvely", "東京"] {
            assert_eq!(nltk_stem(word), word);
        }
    }
}
