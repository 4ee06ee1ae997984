//! Portuguese, as it was while two groups of its endings were still Spanish: *-logía(s)* and *-ución*, *-uciones* where
//! later versions have *-logia(s)* and *-ução*, *-uções*.
//!
//! Both groups are removed if they start far enough to the right, regardless of their letters. So a word with a Spanish
//! ending is stemmed with *-ução* in its place; if that is not removed, the word is stemmed as it is, since no other
//! rule has the ending. In a word with a Portuguese ending one letter is replaced by one that no rule has, and restored
//! after.

use rust_stemmers::Algorithm;

/// Endings and what is left of each when it is removed.
const SPANISH: [(&str, &str); 4] = [("logía", "log"), ("logías", "log"), ("ución", "u"), ("uciones", "u")];

/// Endings and the letter to replace in each.
const PORTUGUESE: [(&str, char); 6] =
    [("logia", 'g'), ("logias", 'g'), ("ução", 'ç'), ("uções", 'ç'), ("uça~o", 'ç'), ("uço~es", 'ç')];

/// A consonant without rules. (If the word itself has it, it comes back as the replaced letter.)
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
