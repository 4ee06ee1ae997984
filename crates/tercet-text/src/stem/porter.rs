//! Porter's first algorithm (1980), which TERp uses: its author's own Java version with two departures from the paper
//! (-bli becomes -ble, -logi becomes -log).
//!
//! Letters are UTF-16 units. Whatever is no ASCII vowel in lower case is a consonant, so the algorithm runs on any
//! text.

/// Endings and what replaces them, in the order in which they are tried.
pub(super) type Rules = [(&'static str, &'static str)];

pub(super) const STEP_2: &Rules = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];

pub(super) const STEP_3: &Rules =
    &[("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// The stem of a word. Words of one or two letters are their own stems.
pub fn porter_stem(word: &str) -> String {
    let mut letters = Letters(word.encode_utf16().collect());
    if letters.0.len() > 2 {
        letters.remove_plural();
        letters.remove_past();
        letters.replace_final_y();
        letters.replace_first(STEP_2);
        letters.replace_first(STEP_3);
        letters.remove_suffix();
        letters.tidy_up();
    }
    // A stem is the word without its end, which is ASCII, or with an ASCII letter in its place.
    String::from_utf16_lossy(&letters.0)
}

/// A word that is being shortened.
struct Letters(Vec<u16>);

impl Letters {
    /// Whether each letter is a consonant. A y is one unless it follows one.
    fn consonants(&self) -> impl Iterator<Item = bool> {
        self.0.iter().scan(false, |after_consonant, &letter| {
            *after_consonant = match u8::try_from(letter) {
                Ok(b'a' | b'e' | b'i' | b'o' | b'u') => false,
                Ok(b'y') => !*after_consonant,
                _ => true,
            };
            Some(*after_consonant)
        })
    }

    /// How often a vowel is followed by a consonant among the first letters.
    fn measure(&self, length: usize) -> usize {
        let mut after_vowel = false;
        let mut count = 0;
        for consonant in self.consonants().take(length) {
            count += usize::from(after_vowel && consonant);
            after_vowel = !consonant;
        }
        count
    }

    fn has_vowel(&self, length: usize) -> bool {
        self.consonants().take(length).any(|consonant| !consonant)
    }

    fn ends_in_double_consonant(&self) -> bool {
        matches!(self.0[..], [.., a, b] if a == b) && self.consonants().last() == Some(true)
    }

    /// Whether the first letters end in consonant, vowel, consonant, the last of them not w, x or y.
    fn ends_in_short_syllable(&self, length: usize) -> bool {
        let Some(first) = length.checked_sub(3) else { return false };
        self.consonants().take(length).skip(first).eq([true, false, true])
            && !b"wxy".iter().any(|&letter| self.0[first + 2] == u16::from(letter))
    }

    /// The length without an ending, if the word ends in it.
    fn without(&self, ending: &str) -> Option<usize> {
        let rest = self.0.len().checked_sub(ending.len())?;
        self.0[rest..].iter().copied().eq(ending.bytes().map(u16::from)).then_some(rest)
    }

    fn set_end(&mut self, from: usize, ending: &str) {
        self.0.truncate(from);
        self.0.extend(ending.bytes().map(u16::from));
    }

    fn remove_plural(&mut self) {
        if let Some(rest) = self.without("sses") {
            self.0.truncate(rest + 2);
        } else if let Some(rest) = self.without("ies") {
            self.0.truncate(rest + 1);
        } else if self.without("s").is_some() && self.without("ss").is_none() {
            self.0.pop();
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
        if ["at", "bl", "iz"].iter().any(|ending| self.without(ending).is_some()) {
            self.set_end(rest, "e");
        } else if self.ends_in_double_consonant() {
            if !b"lsz".iter().any(|&letter| self.0[rest - 1] == u16::from(letter)) {
                self.0.pop();
            }
        } else if self.measure(rest) == 1 && self.ends_in_short_syllable(rest) {
            self.set_end(rest, "e");
        }
    }

    fn replace_final_y(&mut self) {
        if let Some(rest) = self.without("y").filter(|&rest| self.has_vowel(rest)) {
            self.set_end(rest, "i");
        }
    }

    /// Replaces the first of these endings that the word has, if enough is left of it.
    fn replace_first(&mut self, rules: &Rules) {
        let found = rules.iter().find_map(|(ending, by)| Some((self.without(ending)?, by)));
        if let Some((rest, by)) = found.filter(|&(rest, _)| self.measure(rest) > 0) {
            self.set_end(rest, by);
        }
    }

    fn remove_suffix(&mut self) {
        let found = STEP_4.iter().find_map(|ending| {
            let kept = usize::from(ending.ends_with("ion")); // s or t before -ion stays
            Some(self.without(ending)? + kept)
        });
        if let Some(rest) = found.filter(|&rest| self.measure(rest) > 1) {
            self.0.truncate(rest);
        }
    }

    fn tidy_up(&mut self) {
        let measure = self.measure(self.0.len());
        if let Some(rest) = self.without("e")
            && (measure > 1 || measure == 1 && !self.ends_in_short_syllable(rest))
        {
            self.0.truncate(rest);
        }
        if self.without("ll").is_some() && measure > 1 {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::porter_stem;

    #[test]
    fn words_of_the_paper_have_its_stems() {
        let pairs = [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("controll", "control"),
            ("roll", "roll"),
        ];
        for (word, stem) in pairs {
            assert_eq!(porter_stem(word), stem, "{word}");
        }
    }

    #[test]
    fn short_and_foreign_words_are_kept() {
        for word in ["is", "as", "", "Ünïcödé", "東京", "🙂🙂"] {
            assert_eq!(porter_stem(word), word);
        }
        assert_eq!(porter_stem("ééing"), "ééing");
        assert_eq!(porter_stem("RUNS"), "RUNS");
    }

    #[test]
    fn long_words_of_one_letter_take_linear_time() {
        let word = "y".repeat(2_000_000) + "ing";
        assert_eq!(porter_stem(&word).len(), 2_000_000);
    }
}
