//! Abbreviations, which keep their full stop: METEOR's `-norm` and Moses' tokenizer use them to tell the end of a
//! sentence from an abbreviation.
//!
//! # Choices
//! The lists inside the binary were written from general knowledge: initials, titles, measures and other common
//! abbreviations of each language; Moses's English and German lists were known. They are not copies of METEOR's
//! (Moses's, under the LGPL), which can be read from its folder `nonbreaking`, but not independent of them either:
//! after comparing outputs, 23 entries METEOR lacks were dropped and 14 added or moved. Of the entries, 74 of 93 (en),
//! 233 of 298 (de), 84 of 247 (ru), 87 of 145 (fr) and 59 of 110 (es) were METEOR's too before the last few edits. The
//! Czech list is empty: METEOR's own list changed no line of the Czech texts we compared.
//! # Agreement
//! METEOR's own normaliser with our lists in place of its own gives other lines for 3 of 112,867 in English, 2 of
//! 51,068 in German and 5 of 30,010 in Russian (golden inputs); for 11 of 307,349 in English, 7 of 6,003 in German, 4
//! of 3,000 in Russian, 2 of 6,003 in French, 7 of 6,003 in Spanish and none of 3,003 in Czech (WMT12 to WMT14). The
//! lists were corrected after comparing both, so other texts may differ more. Before that, but after corrections from a
//! rougher count over the golden inputs, the WMT12 to WMT14 figures were 14, 9, 5, 11, 12 and none.

use foldhash::HashMap;
use std::sync::OnceLock;

/// When an abbreviation keeps its full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// Its full stop stays on the word.
    Keeps,
    /// Its full stop stays on the word before a number.
    KeepsBeforeNumber,
}

/// Abbreviations of one language.
pub struct Abbreviations {
    words: HashMap<String, Prefix>,
}

impl Abbreviations {
    /// The texts of the embedded lists, with METEOR's code of each language.
    pub const TEXTS: [(&'static str, &'static str); 6] = [
        ("en", include_str!("abbreviations/english.prefixes")),
        ("cz", include_str!("abbreviations/czech.prefixes")),
        ("fr", include_str!("abbreviations/french.prefixes")),
        ("es", include_str!("abbreviations/spanish.prefixes")),
        ("de", include_str!("abbreviations/german.prefixes")),
        ("ru", include_str!("abbreviations/russian.prefixes")),
    ];

    /// The list inside the binary for a language METEOR normalises (en, cz, fr, es, de, ru), if there is one.
    pub fn embedded(language: &str) -> Option<&'static Abbreviations> {
        static EMBEDDED: [OnceLock<Abbreviations>; Abbreviations::TEXTS.len()] =
            [const { OnceLock::new() }; Abbreviations::TEXTS.len()];
        let number = Self::TEXTS.iter().position(|(name, _)| *name == language)?;
        Some(EMBEDDED[number].get_or_init(|| Abbreviations::parse(Self::TEXTS[number].1)))
    }

    /// A list in the form METEOR and Moses share: one per line, `#NUMERIC_ONLY#` after some; lines that start with `#`
    /// are comments.
    pub fn parse(text: &str) -> Self {
        Abbreviations { words: entries(text).collect() }
    }

    /// What happens to the full stop after a word, if it is in the list.
    pub fn get(&self, word: &str) -> Option<Prefix> {
        self.words.get(word).copied()
    }
}

fn entries(text: &str) -> impl Iterator<Item = (String, Prefix)> {
    text.split(['\n', '\r']).filter_map(entry)
}

/// The word and kind of a line, unless it is empty or a comment.
fn entry(line: &str) -> Option<(String, Prefix)> {
    let mut words = line.split([' ', '\t', '\x0c']).filter(|word| !word.is_empty());
    let word = words.next().filter(|word| !word.starts_with('#'))?;
    let kind = match words.next() {
        Some("#NUMERIC_ONLY#") => Prefix::KeepsBeforeNumber,
        _ => Prefix::Keeps,
    };
    Some((word.to_owned(), kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_comments_and_kinds() {
        let list = Abbreviations::parse("# remark\n\nMr\r\n  Dr  # doctor\rNo #NUMERIC_ONLY#\n#x\n");
        let kinds = ["Mr", "Dr", "No", "x", "mr", "#"].map(|word| list.get(word));
        let (keeps, number) = (Some(Prefix::Keeps), Some(Prefix::KeepsBeforeNumber));
        assert_eq!(kinds, [keeps, keeps, number, None, None, None]);
    }

    #[test]
    fn embedded_lists_know_common_abbreviations() {
        let kind = |language, word| Abbreviations::embedded(language).and_then(|list| list.get(word));
        let known =
            [("en", "Mr"), ("en", "J"), ("de", "bzw"), ("de", "3"), ("fr", "Mme"), ("es", "Sra"), ("ru", "млн")];
        assert!(known.iter().all(|(language, word)| kind(language, word) == Some(Prefix::Keeps)));
        assert_eq!(kind("en", "No"), Some(Prefix::KeepsBeforeNumber));
        assert_eq!(kind("en", "house"), None);
        assert!(Abbreviations::embedded("cz").is_some() && Abbreviations::embedded("zh").is_none());
    }

    #[test]
    fn embedded_lists_name_each_word_once() {
        for (language, text) in Abbreviations::TEXTS {
            let list = Abbreviations::embedded(language).unwrap();
            assert_eq!(list.words.len(), entries(text).count(), "{language}");
        }
    }
}
