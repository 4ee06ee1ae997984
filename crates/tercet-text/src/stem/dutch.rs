//! Dutch, as in METEOR's copy of 2009.
//!
//! The word starts with a region that no ending is removed from: at least three *letters*, where the crate counts three
//! bytes, so that words with `è`, `ç` or a letter of another script lose more there.

use super::letters::Letters;

const VOWELS: &str = "aeiouyè";

pub(super) fn stem(word: &str, stem: &mut String) {
    let mut letters = Letters::new(word.chars().map(without_accent));
    mark_consonants(&mut letters);
    let first = letters.behind_vowel_and_consonant(0, VOWELS);
    let second = first.and_then(|start| letters.behind_vowel_and_consonant(start, VOWELS));
    let end = letters.len();
    let r1 = first.map_or(end, |start| start.max(3));
    let mut word = Word { letters, r1, r2: second.unwrap_or(end), lost_e: false };
    word.remove_plural();
    word.remove_e();
    word.remove_heid();
    word.remove_derivation();
    word.shorten_double_vowel();
    stem.extend(word.letters.into_letters().map(unmarked));
}

fn without_accent(letter: char) -> char {
    match letter {
        'á' | 'ä' => 'a',
        'é' | 'ë' => 'e',
        'í' | 'ï' => 'i',
        'ó' | 'ö' => 'o',
        'ú' | 'ü' => 'u',
        _ => letter,
    }
}

/// Writes `i` between vowels, and `y` at the start or after a vowel, as capitals, which count as consonants.
fn mark_consonants(letters: &mut Letters) {
    if letters.get(0) == Some('y') {
        letters.set(0, 'Y');
    }
    for place in 1..letters.len() {
        if !letters.before(place).is_some_and(is_vowel) {
            continue;
        }
        match letters.get(place) {
            Some('i') if letters.get(place + 1).is_some_and(is_vowel) => letters.set(place, 'I'),
            Some('y') => letters.set(place, 'Y'),
            _ => {}
        }
    }
}

fn unmarked(letter: char) -> char {
    match letter {
        'I' => 'i',
        'Y' => 'y',
        _ => letter,
    }
}

fn is_vowel(letter: char) -> bool {
    VOWELS.contains(letter)
}

struct Word {
    letters: Letters,
    /// Where the first region of endings starts.
    r1: usize,
    /// Where the second does.
    r2: usize,
    /// Whether the last look for a final *-e* removed one.
    lost_e: bool,
}

impl Word {
    fn remove_plural(&mut self) {
        let Some((start, ending)) = self.letters.longest(0, &["heden", "ene", "en", "se", "s"]) else {
            return;
        };
        match ending {
            "heden" if self.r1 <= start => {
                self.letters.truncate(start);
                self.letters.push_str("heid");
            }
            "ene" | "en" => self.remove_en(start),
            "se" | "s" if self.r1 <= start && self.consonant_before(start) && !self.has_before(start, "j") => {
                self.letters.truncate(start);
            }
            _ => {}
        }
    }

    fn remove_en(&mut self, start: usize) {
        if self.r1 <= start && self.consonant_before(start) && !self.has_before(start, "gem") {
            self.letters.truncate(start);
            self.undouble();
        }
    }

    fn remove_e(&mut self) {
        let start = self.letters.ending("e").filter(|&start| self.r1 <= start && self.consonant_before(start));
        self.lost_e = start.is_some();
        if let Some(start) = start {
            self.letters.truncate(start);
            self.undouble();
        }
    }

    fn remove_heid(&mut self) {
        let start = self.letters.ending("heid").filter(|&start| self.r2 <= start && !self.has_before(start, "c"));
        let Some(start) = start else { return };
        self.letters.truncate(start);
        if let Some(start) = self.letters.ending("en") {
            self.remove_en(start);
        }
    }

    fn remove_derivation(&mut self) {
        let Some((start, ending)) = self.letters.longest(self.r2, &["end", "ing", "ig", "lijk", "baar", "bar"]) else {
            return;
        };
        let removed = match ending {
            "ig" => !self.has_before(start, "e"),
            "bar" => self.lost_e,
            _ => true,
        };
        if removed {
            self.letters.truncate(start);
        }
        match ending {
            "end" | "ing" => self.remove_ig_or_undouble(),
            "lijk" => self.remove_e(),
            _ => {}
        }
    }

    fn remove_ig_or_undouble(&mut self) {
        match self.letters.ending("ig") {
            Some(start) if self.r2 <= start && !self.has_before(start, "e") => self.letters.truncate(start),
            _ => self.undouble(),
        }
    }

    /// Removes one vowel of *-aan*, *-eek* and the like after a consonant.
    fn shorten_double_vowel(&mut self) {
        let Some(last) = self.letters.len().checked_sub(1) else { return };
        let closed = self.consonant_before(last + 1) && !self.has_before(last + 1, "I");
        let doubled = ["aa", "ee", "oo", "uu"].iter().find_map(|pair| self.letters.ending_before(last, pair));
        if closed && doubled.is_some_and(|start| self.consonant_before(start)) {
            self.letters.remove(last - 1);
        }
    }

    fn undouble(&mut self) {
        if self.letters.longest(0, &["dd", "kk", "tt"]).is_some() {
            self.letters.truncate(self.letters.len() - 1);
        }
    }

    fn consonant_before(&self, end: usize) -> bool {
        self.letters.before(end).is_some_and(|letter| !is_vowel(letter))
    }

    fn has_before(&self, end: usize, ending: &str) -> bool {
        self.letters.ending_before(end, ending).is_some()
    }
}
