//! Portuguese, as it was while two groups of its endings were still Spanish: *-logía(s)* and *-ución*, *-uciones* where
//! later versions have *-logia(s)* and *-ução*, *-uções*.
//!
//! Both groups fall where they stand far enough to the right, whatever they are made of. So a word with an ending of the
//! first kind is tried with *-ução* in its place; if that does not fall, the word goes through the rest as it stands,
//! where no other rule knows the ending. A word with an ending of the second kind has a letter of it changed to one that
//! no rule knows, and back.

use rust_stemmers::Algorithm;

/// The ending, and what is left of it.
const SPANISH: [(&str, &str); 4] = [("logía", "log"), ("logías", "log"), ("ución", "u"), ("uciones", "u")];

/// The ending, and the letter to hide.
const PORTUGUESE: [(&str, char); 6] =
    [("logia", 'g'), ("logias", 'g'), ("ução", 'ç'), ("uções", 'ç'), ("uça~o", 'ç'), ("uço~es", 'ç')];

/// A consonant without rules. (A word that has it too gets it back as the letter that was changed.)
const UNKNOWN: char = '\u{f8ff}';

pub(super) fn stem(word: &str, stem: &mut String) {
    let start = stem.len();
    for (ending, rest) in SPANISH {
        if let Some(front) = word.strip_suffix(ending) {
            super::by(Algorithm::Portuguese, &format!("{front}ução"), stem);
            if stem.ends_with('u') {
                stem.pop();
                return stem.push_str(rest);
            }
            stem.truncate(start);
        }
    }
    for (ending, letter) in PORTUGUESE {
        if let Some(front) = word.strip_suffix(ending) {
            let mut changed = String::new();
            let hidden = ending.replace(letter, UNKNOWN.encode_utf8(&mut [0; 4]));
            super::by(Algorithm::Portuguese, &format!("{front}{hidden}"), &mut changed);
            stem.extend(changed.chars().map(|c| if c == UNKNOWN { letter } else { c }));
            return;
        }
    }
    super::by(Algorithm::Portuguese, word, stem);
}
