//! `moses`: the tokenizer of Moses (tokenizer.perl, by Josh Schroeder, Philipp Koehn and Pidong Wang), with which WMT
//! prepared the texts of its SentBLEU.
//!
//! Every character that is neither letter nor digit becomes a token, except five. Hyphens and backticks stay in their
//! words; a comma stays between numbers; apostrophes depend on the language (`don 't`, `l' eau`, `geht ' s`); a full
//! stop at the end of a word becomes a token unless the word is a known abbreviation or has stops inside (`e.g.`), or
//! the next word starts in lower case. At the end of the line it always does. A run of stops is one token. Last, eight
//! characters with a meaning in Moses' formats are escaped.
//!
//! | here | tokenizer.perl |
//! |---|---|
//! | `moses` | no flag: English |
//! | `moses-fr`, `moses-de`, … | `-l fr`, `-l de`, … |
//! | `+noescape` after the name | `-no-escape` |
//!
//! There is no splitting of hyphens (`-a`), no protection (`-protected`), no Penn rules (`-penn`).
//!
//! # Choices
//! - Escaping is one to one, so it changes no score that compares tokens; `moses` escapes because the script does, so
//!   that `tercet tokenize` can replace it.
//! - Lowercasing comes last, as in WMT's recipe (tokenizer.perl, then lowercase.perl), character by character (no
//!   final sigma). Done first, it would make every stop look as if a word in lower case followed.
//! - Moses has a list of abbreviations for each of 38 languages. We wrote our own for six: en, cs, de, es, fr, ru
//!   ([`Abbreviations`]). For another language the English list is used, as Moses does where it has none. Added here is
//!   what Moses' lists have and METEOR's lack: English months (in Moses since December 2014), Russian initials,
//!   common Czech abbreviations.
//! - Moses uses the words `DOT` and `DOTMULTI` internally for runs of stops, so it turns a literal `DOTMULTI` into
//!   stops. Here it is left alone.
//! - In Catalan the middle dot should become a token unless a small letter follows, but the script does not declare its
//!   own encoding, so that rule looks for `Â·`. Here too `·` never becomes a token; `Â·` is not looked for.
//! - As in the script, a blank line stays as it is, and `.'` at the end of a line leaves a space after it.
//!
//! # Agreement
//! With tokenizer.perl of mosesdecoder 34452895 under Perl 5.36, both with our abbreviations: no line of 510,000 of
//! real translations differs, nor of 60,000 made of the characters its rules look at, in each of the thirteen
//! languages, escaped or not. Perl 5.36 has Unicode 14: 14,097 single characters assigned since then differ, and 44
//! whose category has changed.
//!
//! With Moses' own abbreviations in the script, lines that differ: 0 of 10,720 (direct assessments of WMT15 and WMT16),
//! 2 of 150,150 (WMT12) and 1 of 102,010 (golden inputs) in English; 1 of 51,068 in German, 1 of 30,010 in Russian,
//! none of 6,366 in Czech, 1 of 3,003 in French, 2 of 3,003 in Spanish and 1 of 3,015 in Finnish. The months, the
//! initials and the Czech words were added after comparing these texts, so other texts may differ more.
//!
//! sacremoses 0.2.0 is another tokenizer: a last word with stops inside keeps its own (`10 a.m.`), Indic marks stay in
//! their words. 46 of the 10,720 lines differ, and 985 of 5,014 from Hindi.

use super::abbreviations::{Abbreviations, Prefix};
use super::passes::{Text, not};
use super::tokenizer::Case;
use std::ops::RangeInclusive;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

#[cfg(test)]
mod tests;

/// A language with tokenization rules of its own in Moses, or with a list of abbreviations here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MosesLanguage {
    /// `en`: words are split before apostrophes.
    English,
    /// `fr`: words are split after apostrophes.
    French,
    /// `it`: as `fr`.
    Italian,
    /// `ga`: as `fr`.
    Irish,
    /// `ca`: as `fr`, and the middle dot belongs to words.
    Catalan,
    /// `fi`: a colon before a small letter belongs to the word (`EU:ssa`).
    Finnish,
    /// `sv`: as `fi`.
    Swedish,
    /// `so`: apostrophes between letters belong to words.
    Somali,
    /// `tdt`: as `so`, but only before a small letter.
    Tetun,
    /// `cs`: apostrophes are tokens, as in the languages below.
    Czech,
    /// `de`
    German,
    /// `es`
    Spanish,
    /// `ru`
    Russian,
}

/// Every language with the tokenizer's names, with and without escaping.
const NAMES: [(MosesLanguage, [&str; 2]); 13] = [
    (MosesLanguage::English, ["moses", "moses+noescape"]),
    (MosesLanguage::French, ["moses-fr", "moses-fr+noescape"]),
    (MosesLanguage::Italian, ["moses-it", "moses-it+noescape"]),
    (MosesLanguage::Irish, ["moses-ga", "moses-ga+noescape"]),
    (MosesLanguage::Catalan, ["moses-ca", "moses-ca+noescape"]),
    (MosesLanguage::Finnish, ["moses-fi", "moses-fi+noescape"]),
    (MosesLanguage::Swedish, ["moses-sv", "moses-sv+noescape"]),
    (MosesLanguage::Somali, ["moses-so", "moses-so+noescape"]),
    (MosesLanguage::Tetun, ["moses-tdt", "moses-tdt+noescape"]),
    (MosesLanguage::Czech, ["moses-cs", "moses-cs+noescape"]),
    (MosesLanguage::German, ["moses-de", "moses-de+noescape"]),
    (MosesLanguage::Spanish, ["moses-es", "moses-es+noescape"]),
    (MosesLanguage::Russian, ["moses-ru", "moses-ru+noescape"]),
];

/// The options of Moses' tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MosesOptions {
    /// Decides rules and abbreviations.
    pub language: MosesLanguage,
    /// Write `&amp;` for `&`, `&apos;` for `'`, and so on.
    pub escape: bool,
}

impl MosesOptions {
    /// All combinations.
    pub fn all() -> impl Iterator<Item = MosesOptions> {
        NAMES.iter().flat_map(|(language, _)| [true, false].map(|escape| MosesOptions { language: *language, escape }))
    }

    /// The tokenizer's name: `moses`, the language unless it is English, `+noescape` if set.
    pub fn name(self) -> &'static str {
        let (_, names) = NAMES.iter().find(|(language, _)| *language == self.language).expect("all are named");
        names[usize::from(!self.escape)]
    }
}

/// English months by their first three letters. May is a word of its own.
const MONTHS: [&str; 11] = ["Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Czech measures, references, connectives and titles. METEOR needs none, so its list is empty.
#[rustfmt::skip]
const CZECH: [&str; 56] = [
    "tis", "mil", "mld", "r", "hod", "min", "max", "stol", "pol", "č", "čl", "odst", "kap", "obr", "tab", "roč",
    "např", "pozn", "apod", "atd", "atp", "aj", "mj", "tzv", "tzn", "tj", "resp", "popř", "příp", "hl", "vč", "ul",
    "nám", "tř", "tel", "sv", "Sv", "p", "pí", "ing", "Ing", "Mgr", "Bc", "Dr", "dr", "MUDr", "JUDr", "PhDr", "RNDr",
    "PaedDr", "doc", "Doc", "prof", "Prof", "gen", "arch",
];

impl MosesLanguage {
    fn abbreviation(self, word: &str) -> Option<Prefix> {
        let (code, added) = match self {
            MosesLanguage::French => ("fr", false),
            MosesLanguage::Czech => ("cz", CZECH.contains(&word)),
            MosesLanguage::German => ("de", false),
            MosesLanguage::Spanish => ("es", false),
            MosesLanguage::Russian => ("ru", is_initial(word, 'А'..='Я')),
            _ => ("en", MONTHS.contains(&word)),
        };
        if added {
            return Some(Prefix::Keeps);
        }
        Abbreviations::embedded(code).expect("a list inside the binary").get(word)
    }

    /// Whether a character is left in its word until a rule of its own decides.
    fn leaves(self, c: char, next: Option<char>) -> bool {
        match (c, self) {
            ('\'', MosesLanguage::Tetun) | (':', MosesLanguage::Finnish | MosesLanguage::Swedish) => {
                next.is_some_and(|next| next.general_category() == GeneralCategory::LowercaseLetter)
            }
            (' ' | '.' | '\'' | '`' | ',' | '-', _) | ('·', MosesLanguage::Catalan) => true,
            _ => is_alnum(c),
        }
    }
}

pub(super) fn tokenize(line: &str, options: MosesOptions, case: Case, tokens: &mut String) {
    if line.chars().all(char::is_whitespace) {
        tokens.push_str(line);
        return;
    }
    let mut text = Text::with_capacity(line.len() * 5 / 4 + 2);
    squeeze(line, &mut text.now);
    set_apart(&text.now, options.language, &mut text.next);
    text.swap();
    if text.has(b',') {
        split_at_commas(&mut text);
    }
    if text.has(b'\'') {
        split_at_apostrophes(&mut text, options.language);
    }
    settle_stops(&text.now, options.language, &mut text.next);
    text.swap();
    if let Some(front) = text.now.strip_suffix(".'") {
        let length = front.len();
        text.now.truncate(length);
        text.now.push_str(" . ' ");
    }
    if case == Case::Lowered {
        lower(&mut text);
    }
    if options.escape {
        escape(&text.now, tokens);
    } else {
        tokens.push_str(&text.now);
    }
}

/// One space for every run of white space, none at the ends, no control characters.
fn squeeze(line: &str, out: &mut String) {
    for c in line.chars() {
        if c.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if c > ' ' {
            out.push(c);
        }
    }
    out.truncate(out.trim_end_matches(' ').len());
}

/// Puts spaces around every character that belongs to no word, and around runs of stops.
fn set_apart(text: &str, language: MosesLanguage, out: &mut String) {
    let mut copied = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if c.is_ascii_alphanumeric() || c == ' ' {
            continue;
        }
        let next = characters.peek().map(|(_, next)| *next);
        let is_run = c == '.' && next == Some('.');
        if is_run {
            while characters.next_if(|(_, next)| *next == '.').is_some() {}
        } else if language.leaves(c, next) {
            continue;
        }
        let end = characters.peek().map_or(text.len(), |(end, _)| *end);
        out.push_str(&text[copied..at]);
        out.push(' ');
        out.push_str(&text[at..end]);
        out.push(' ');
        copied = end;
    }
    out.push_str(&text[copied..]);
}

fn split_at_commas(text: &mut Text) {
    text.replace_after(b',', not(is_number), " , ");
    text.replace_before(b',', not(is_number), " , ");
    if text.now.ends_with(',') {
        text.now.pop();
        text.now.push_str(if text.now.ends_with(is_number) { " ," } else { "," });
    }
}

fn split_at_apostrophes(text: &mut Text, language: MosesLanguage) {
    const APART: &str = " ' ";
    match language {
        MosesLanguage::English => {
            text.replace_between(b'\'', not(is_alpha), not(is_alpha), APART);
            text.replace_between(b'\'', |c| !is_alpha(c) && !is_number(c), is_alpha, APART);
            text.replace_between(b'\'', is_alpha, not(is_alpha), APART);
            text.replace_between(b'\'', is_alpha, is_alpha, " '");
            text.replace_between(b'\'', is_number, |c| c == 's', " '");
        }
        MosesLanguage::French | MosesLanguage::Italian | MosesLanguage::Irish | MosesLanguage::Catalan => {
            split_around_words(text);
            text.replace_between(b'\'', is_alpha, is_alpha, "' ");
        }
        MosesLanguage::Somali | MosesLanguage::Tetun => split_around_words(text),
        _ => text.replace("'", APART),
    }
}

/// Puts spaces around the apostrophes that are not between two letters.
fn split_around_words(text: &mut Text) {
    text.replace_between(b'\'', not(is_alpha), not(is_alpha), " ' ");
    text.replace_between(b'\'', not(is_alpha), is_alpha, " ' ");
    text.replace_between(b'\'', is_alpha, not(is_alpha), " ' ");
}

/// Splits off the stop at the end of each word, or keeps it; one space between words.
fn settle_stops(text: &str, language: MosesLanguage, out: &mut String) {
    out.clear();
    let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        match word.strip_suffix('.') {
            // A word of several stops is one token already.
            Some(front) if front.bytes().any(|byte| byte != b'.') => {
                let keeps = words.peek().is_some_and(|next| keeps_stop(front, next, language));
                out.push_str(front);
                out.push_str(if keeps { "." } else { " ." });
            }
            _ => out.push_str(word),
        }
    }
}

/// Whether a word, given without its stop, keeps it before the next word.
fn keeps_stop(front: &str, next: &str, language: MosesLanguage) -> bool {
    (front.contains('.') && front.contains(is_alpha))
        || next.starts_with(char::is_lowercase)
        || match language.abbreviation(front) {
            Some(Prefix::Keeps) => true,
            Some(Prefix::KeepsBeforeNumber) => next.starts_with(|c: char| c.is_ascii_digit()),
            None => false,
        }
}

fn lower(text: &mut Text) {
    if text.now.is_ascii() {
        text.now.make_ascii_lowercase();
    } else {
        text.next.clear();
        text.next.extend(text.now.chars().flat_map(char::to_lowercase));
        text.swap();
    }
}

/// Writes entities for characters with a meaning in Moses' formats: factors, XML, syntax.
fn escape(text: &str, out: &mut String) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'|' => "&#124;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'\'' => "&apos;",
            b'"' => "&quot;",
            b'[' => "&#91;",
            b']' => "&#93;",
            _ => continue,
        };
        out.push_str(&text[copied..at]);
        out.push_str(entity);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}

/// Whether a word is one of these capitals.
fn is_initial(word: &str, capitals: RangeInclusive<char>) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(|c| capitals.contains(&c)) && characters.next().is_none()
}

/// Perl's `\p{IsAlpha}`: Unicode's Alphabetic.
fn is_alpha(c: char) -> bool {
    c.is_alphabetic()
}

/// Perl's `\p{IsAlnum}`: letters and decimal digits.
fn is_alnum(c: char) -> bool {
    is_alpha(c) || c.general_category() == GeneralCategory::DecimalNumber
}

/// Perl's `\p{IsN}`: every number, Roman numerals and fractions too.
fn is_number(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    c.general_category_group() == GeneralCategoryGroup::Number
}
