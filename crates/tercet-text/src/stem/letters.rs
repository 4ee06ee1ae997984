//! A word as a list of letters, with what rules about endings ask of it.

/// The letters of a word that is being stemmed.
pub(super) struct Letters(Vec<char>);

impl Letters {
    pub(super) fn new(word: impl IntoIterator<Item = char>) -> Self {
        Letters(word.into_iter().collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<char> {
        self.0.get(index).copied()
    }

    pub(super) fn set(&mut self, index: usize, letter: char) {
        self.0[index] = letter;
    }

    pub(super) fn remove(&mut self, index: usize) {
        self.0.remove(index);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    pub(super) fn push_str(&mut self, letters: &str) {
        self.0.extend(letters.chars());
    }

    pub(super) fn into_letters(self) -> impl Iterator<Item = char> {
        self.0.into_iter()
    }

    /// The letter before position `end`, if there is one.
    pub(super) fn before(&self, end: usize) -> Option<char> {
        self.get(end.checked_sub(1)?)
    }

    /// Where `ending` starts if the first `end` letters end in it.
    pub(super) fn ending_before(&self, end: usize, ending: &str) -> Option<usize> {
        let length = ending.chars().count();
        let start = end.checked_sub(length)?;
        self.0[start..end].iter().copied().eq(ending.chars()).then_some(start)
    }

    /// Where the word's ending starts, if it has this one.
    pub(super) fn ending(&self, ending: &str) -> Option<usize> {
        self.ending_before(self.len(), ending)
    }

    /// The first of `endings` that the word has at or after `from`, and where it starts. A longer ending must be listed
    /// before its own endings.
    pub(super) fn longest<'e>(&self, from: usize, endings: &[&'e str]) -> Option<(usize, &'e str)> {
        let start_of = |ending| self.ending(ending).filter(|&start| start >= from);
        endings.iter().find_map(|&ending| Some((start_of(ending)?, ending)))
    }

    /// The position behind the first letter that is no vowel and follows a vowel at or after `from`.
    pub(super) fn behind_vowel_and_consonant(&self, from: usize, vowels: &str) -> Option<usize> {
        let is_vowel = |letter: &char| vowels.contains(*letter);
        let vowel = from + self.0[from..].iter().position(is_vowel)?;
        let consonant = vowel + self.0[vowel..].iter().position(|letter| !is_vowel(letter))?;
        Some(consonant + 1)
    }
}
