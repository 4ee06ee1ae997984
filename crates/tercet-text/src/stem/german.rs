//! German, as it was before Snowball removed the second `s` of *-nisse*.
//!
//! That rule is newer than METEOR's copy. It applies in one place only, after the first step has removed `e`, `en` or
//! `es`, and no later step changes *-nis* or *-niss*: so the `s` can be restored at the end.

use rust_stemmers::Algorithm;

pub(super) fn stem(word: &str, stem: &mut String) {
    let start = stem.len();
    super::by(Algorithm::German, word, stem);
    if ends_in_nisse(word) && stem[start..].ends_with("nis") {
        stem.push('s');
    }
}

/// Whether a word ends in *-nisse*, *-nissen* or *-nisses*, with ss or with ß.
fn ends_in_nisse(word: &str) -> bool {
    let inflected = word.strip_suffix(['n', 's']).unwrap_or(word);
    let bare = inflected.strip_suffix('e');
    bare.is_some_and(|bare| bare.ends_with("niss") || bare.ends_with("niß"))
}
