//! Finnish, as in METEOR's copy of 2009.
//!
//! The rules have conditions for the case endings *-den*, *-tten*, *-siin* (after a vowel and *i*) and *-seen* (after a
//! long vowel). The Java library of that time could not call these conditions and took every one of them for false:
//! such words lose *-n* only, like any other genitive.

use super::letters::Letters;

const VOWELS: &str = "aeiouyäö";
const LONG_VOWELS: [&str; 7] = ["aa", "ee", "ii", "oo", "uu", "ää", "öö"];

const PARTICLES: [&str; 10] = ["kaan", "kään", "sti", "han", "hän", "kin", "pa", "pä", "ko", "kö"];
/// What may come before a particle: a vowel, `n` or `t`.
const BEFORE_PARTICLE: &str = "aeiouyäönt";

const POSSESSIVES: [&str; 9] = ["nsa", "nsä", "mme", "nne", "ni", "si", "an", "än", "en"];

const CASES: [&str; 26] = [
    "lla", "ssa", "lta", "sta", "tta", "llä", "ssä", "ltä", "stä", "ttä", "lle", "ine", "ksi", "han", "hen", "hin",
    "hon", "hän", "hön", "na", "ta", "nä", "tä", "a", "ä", "n",
];

const COMPARATIVES: [&str; 14] =
    ["imma", "impa", "immi", "impi", "immä", "impä", "eja", "ejä", "mma", "mpa", "mmi", "mpi", "mmä", "mpä"];

pub(super) fn stem(word: &str, stem: &mut String) {
    let letters = Letters::new(word.chars());
    let first = letters.behind_vowel_and_consonant(0, VOWELS);
    let second = first.and_then(|start| letters.behind_vowel_and_consonant(start, VOWELS));
    let end = letters.len();
    let mut word = Word { letters, r1: first.unwrap_or(end), r2: second.unwrap_or(end) };
    word.remove_particle();
    word.remove_possessive();
    let inflected = word.remove_case();
    word.remove_ending_of(&COMPARATIVES);
    match inflected {
        true => word.remove_plural_i(),
        false => word.remove_plural_t(),
    }
    if word.letters.len() >= word.r1 {
        word.tidy();
        word.undouble_last_consonant();
    }
    stem.extend(word.letters.into_letters());
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
}

impl Word {
    fn remove_particle(&mut self) {
        let Some((start, ending)) = self.letters.longest(self.r1, &PARTICLES) else { return };
        let removed = match ending {
            "sti" => self.r2 <= start,
            _ => self.letters.before(start).is_some_and(|letter| BEFORE_PARTICLE.contains(letter)),
        };
        if removed {
            self.letters.truncate(start);
        }
    }

    fn remove_possessive(&mut self) {
        let Some((start, ending)) = self.letters.longest(self.r1, &POSSESSIVES) else { return };
        let removed = match ending {
            "si" => !self.has_before(start, &["k"]),
            "an" => self.has_before(start, &["lla", "na", "ssa", "ta"]),
            "än" => self.has_before(start, &["llä", "nä", "ssä", "tä"]),
            "en" => self.has_before(start, &["lle", "ine"]),
            _ => true,
        };
        if removed {
            self.letters.truncate(start);
        }
        if ending == "ni" && self.has_before(start, &["kse"]) {
            self.letters.set(start - 1, 'i');
        }
    }

    /// Removes the ending of a case and returns whether there was one.
    fn remove_case(&mut self) -> bool {
        let Some((start, ending)) = self.letters.longest(self.r1, &CASES) else { return false };
        let stem_end = match ending {
            "n" if self.has_before(start, &LONG_VOWELS) || self.has_before(start, &["ie"]) => start - 1,
            _ => start,
        };
        let removed = match ending {
            "han" => self.has_before(start, &["a"]),
            "hen" | "tta" | "ttä" => self.has_before(start, &["e"]),
            "hin" => self.has_before(start, &["i"]),
            "hon" => self.has_before(start, &["o"]),
            "hän" => self.has_before(start, &["ä"]),
            "hön" => self.has_before(start, &["ö"]),
            "a" | "ä" => self.vowel_before(start) && start > 1 && !self.vowel_before(start - 1),
            _ => true,
        };
        if removed {
            self.letters.truncate(stem_end);
        }
        removed
    }

    /// Removes the longest of `endings`, comparatives and the like, from the second region.
    fn remove_ending_of(&mut self, endings: &[&str]) {
        let Some((start, ending)) = self.letters.longest(self.r2, endings) else { return };
        if !(ending.starts_with('m') && self.has_before(start, &["po"])) {
            self.letters.truncate(start);
        }
    }

    fn remove_plural_i(&mut self) {
        if let Some((start, _)) = self.letters.longest(self.r1, &["i", "j"]) {
            self.letters.truncate(start);
        }
    }

    fn remove_plural_t(&mut self) {
        let Some((start, _)) = self.letters.longest(self.r1, &["t"]) else { return };
        if start > self.r1 && self.vowel_before(start) {
            self.letters.truncate(start);
            self.remove_ending_of(&["imma", "mma"]);
        }
    }

    /// Removes what is left of endings at the end of the stem: a doubled vowel, a final vowel, *-j*, *-o*.
    fn tidy(&mut self) {
        if self.letters.longest(self.r1, &LONG_VOWELS).is_some() {
            self.letters.truncate(self.letters.len() - 1);
        }
        if let Some((start, _)) = self.letters.longest(self.r1, &["a", "e", "i", "ä"])
            && start > self.r1
            && !self.vowel_before(start)
        {
            self.letters.truncate(start);
        }
        for pair in [&["oj", "uj"][..], &["jo"]] {
            if self.letters.longest(self.r1, pair).is_some() {
                self.letters.truncate(self.letters.len() - 1);
            }
        }
    }

    fn undouble_last_consonant(&mut self) {
        let is_consonant = |&place: &usize| !self.vowel_before(place + 1);
        let Some(last) = (0..self.letters.len()).rev().find(is_consonant) else { return };
        if last > 0 && self.letters.before(last) == self.letters.get(last) {
            self.letters.remove(last);
        }
    }

    fn vowel_before(&self, end: usize) -> bool {
        self.letters.before(end).is_some_and(is_vowel)
    }

    fn has_before(&self, end: usize, endings: &[&str]) -> bool {
        endings.iter().any(|ending| self.letters.ending_before(end, ending).is_some())
    }
}
