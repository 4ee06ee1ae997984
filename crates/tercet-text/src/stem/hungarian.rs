//! Hungarian, as it was when Snowball read it in Latin-1: `õ` stands for `ő` and `û` for `ű`.
//!
//! In METEOR's copy the true `ő` and `ű` are consonants, and `õ` and `û` are vowels that suffixes have. The two pairs
//! are swapped before the stemmer and swapped back after it.

use rust_stemmers::Algorithm;

pub(super) fn stem(word: &str, stem: &mut String) {
    if word.is_ascii() {
        return super::by(Algorithm::Hungarian, word, stem);
    }
    let swapped: String = word.chars().map(swap).collect();
    let mut stem_of_swapped = String::new();
    super::by(Algorithm::Hungarian, &swapped, &mut stem_of_swapped);
    stem.extend(stem_of_swapped.chars().map(swap));
}

fn swap(c: char) -> char {
    match c {
        'ő' => 'õ',
        'õ' => 'ő',
        'ű' => 'û',
        'û' => 'ű',
        _ => c,
    }
}
