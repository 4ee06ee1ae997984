//! Twelve features of the strings of two texts: what an encoder that is lower-case, or blind to spaces, cannot see.
//!
//! Of a hypothesis h and another text x, as Unicode scalars, after character references were read, a byte order mark
//! and white space at both ends removed. F is 2·overlap/(|h| + |x|) of multisets: 1 if both are empty, 0 if one is.
//!
//! | | |
//! |---|---|
//! | 0 | mean F of character n-grams without white space, n = 1 to 6; orders longer than both texts are left out |
//! | 1 | the same, lower-cased |
//! | 2 | as 0, of n-grams with white space in them, n = 2 to 4, of the texts with a space added at both ends |
//! | 3 | F of words: runs of letters, marks and decimal digits |
//! | 4 | the same, lower-cased |
//! | 5 | F of all other characters but white space: punctuation and symbols |
//! | 6 | F of numbers: runs of decimal digits, those of all scripts read as 0 to 9 |
//! | 7 | share of capitals among letters with case, h minus x |
//! | 8 | 1 if the first letters with case have the same case, or neither has one; else 0 |
//! | 9 | ln((characters of h + 1)/(characters of x + 1)), white space left out, from −2 to 2 |
//! | 10 | the absolute value of 9 |
//! | 11 | 1 if both end in a letter, mark or digit, in the same punctuation mark, or in neither; else 0 |
//!
//! Models of many languages have two [flags] of a hypothesis after these.
//!
//! A text is analysed once ([`LineStrings`]). All n-grams of a text are the beginnings of its longest ones: these are
//! sorted, and two texts are compared for all orders in one pass over both.

use crate::corpora::decoded;
use crate::encode::without_mark;
use std::ops::Range;
use tercet_text::{Language, Script, other_language};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The number of features.
pub const STRINGS: usize = 12;

/// The number of flags.
pub const FLAGS: usize = 2;

/// So many letters show the script of a text.
const MIN_LETTERS: usize = 20;

/// Whether a hypothesis is certainly in another language, and whether in another script, than it should be: 1 or 0 for
/// each.
pub fn flags(line: &str, language: &Language) -> [f32; FLAGS] {
    let text = decoded(without_mark(line));
    let scripts = Script::main([&text].into_iter(), MIN_LETTERS).zip(Script::of_language(language.code()));
    let is_other_script = scripts.is_some_and(|(found, expected)| found != expected);
    let is_other_language = other_language(&text, language).is_some();
    [is_other_language, is_other_script].map(|flag| f32::from(u8::from(flag)))
}

/// The longest n-grams.
const LONGEST: usize = 6;

/// The longest n-grams with white space.
const LONGEST_SPACED: u32 = 4;

/// Bits of a character in an n-gram: its number plus 1, so that 0 is the end of the text.
const BITS: u32 = 21;

/// What features are computed from, of one text.
#[derive(Clone, Debug, PartialEq)]
pub struct LineStrings {
    cased: Grams,
    lower: Grams,
    spaced: Grams,
    words: Pieces,
    lower_words: Pieces,
    marks: Vec<char>,
    numbers: Pieces,
    capitals: f64,
    is_first_capital: Option<bool>,
    end: End,
}

/// The last character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Word,
    Mark(char),
    Other,
}

/// The kinds of characters that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Space,
    Letter,
    Digit,
    Punctuation,
    Symbol,
}

impl Kind {
    fn of(c: char) -> Kind {
        if c.is_ascii() {
            return match c {
                'a'..='z' | 'A'..='Z' => Kind::Letter,
                '0'..='9' => Kind::Digit,
                _ if c.is_whitespace() => Kind::Space,
                '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' => Kind::Symbol,
                _ if c.is_ascii_punctuation() => Kind::Punctuation,
                _ => Kind::Symbol,
            };
        }
        if c.is_whitespace() {
            return Kind::Space;
        }
        let category = c.general_category();
        if category == GeneralCategory::DecimalNumber {
            return Kind::Digit;
        }
        match c.general_category_group() {
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark => Kind::Letter,
            GeneralCategoryGroup::Punctuation => Kind::Punctuation,
            _ => Kind::Symbol,
        }
    }

    fn is_of_word(self) -> bool {
        matches!(self, Kind::Letter | Kind::Digit)
    }
}

/// The value of a decimal digit. Digits of a script are ten in a row; rows may follow each other.
fn digit_value(digit: char) -> u8 {
    let is_digit =
        |code: &u32| char::from_u32(*code).is_some_and(|c| c.general_category() == GeneralCategory::DecimalNumber);
    let before = (0..u32::from(digit)).rev().take_while(is_digit).count();
    (before % 10) as u8
}

impl LineStrings {
    /// Analyses a text.
    pub fn new(line: &str) -> Self {
        let text = decoded(without_mark(line));
        let text = text.trim();
        let lower = text.to_lowercase();
        let (mut marks, mut last, mut is_first_capital) = (Vec::new(), Kind::Symbol, None);
        let (mut capital, mut with_case) = (0_u32, 0_u32);
        for c in text.chars() {
            last = Kind::of(c);
            if matches!(last, Kind::Punctuation | Kind::Symbol) {
                marks.push(c);
            }
            let is_capital = c.is_uppercase();
            if is_capital || c.is_lowercase() {
                is_first_capital = is_first_capital.or(Some(is_capital));
                capital += u32::from(is_capital);
                with_case += 1;
            }
        }
        marks.sort_unstable();
        let end = match last {
            Kind::Letter | Kind::Digit => End::Word,
            Kind::Punctuation => End::Mark(text.chars().next_back().unwrap_or_default()),
            Kind::Space | Kind::Symbol => End::Other,
        };
        let value = |c: char| if c.is_ascii() { c } else { char::from(b'0' + digit_value(c)) };
        LineStrings {
            cased: Grams::without_spaces(text),
            lower: Grams::without_spaces(&lower),
            spaced: Grams::with_spaces(text),
            words: Pieces::new(text, Kind::is_of_word, |c| c),
            lower_words: Pieces::new(&lower, Kind::is_of_word, |c| c),
            marks,
            numbers: Pieces::new(text, |kind| kind == Kind::Digit, value),
            capitals: f64::from(capital) / f64::from(with_case.max(1)),
            is_first_capital,
            end,
        }
    }

    /// The number of its characters without white space.
    pub fn characters(&self) -> f64 {
        f64::from(self.cased.counts[0])
    }

    /// The features of this text as a hypothesis, with another.
    pub fn features(&self, other: &LineStrings) -> [f32; STRINGS] {
        let length = ((self.characters() + 1.0) / (other.characters() + 1.0)).ln().clamp(-2.0, 2.0);
        let lists =
            |own: &Pieces, other: &Pieces| f(overlap(own.iter(), other.iter()), own.ranges.len(), other.ranges.len());
        let marks = overlap(self.marks.iter(), other.marks.iter());
        let same = |is_same: bool| f64::from(u8::from(is_same));
        [
            self.cased.mean_f(&other.cased, orders_that_fit),
            self.lower.mean_f(&other.lower, orders_that_fit),
            self.spaced.mean_f(&other.spaced, orders_with_spaces),
            lists(&self.words, &other.words),
            lists(&self.lower_words, &other.lower_words),
            f(marks, self.marks.len(), other.marks.len()),
            lists(&self.numbers, &other.numbers),
            self.capitals - other.capitals,
            same(self.is_first_capital == other.is_first_capital),
            length,
            length.abs(),
            same(self.end == other.end),
        ]
        .map(|feature| feature as f32)
    }
}

/// F of multisets of these sizes.
fn f(overlap: usize, own: usize, other: usize) -> f64 {
    if own + other == 0 { 1.0 } else { 2.0 * overlap as f64 / (own + other) as f64 }
}

/// The number of common elements of two sorted lists.
fn overlap<T: Ord>(own: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    let (mut own, mut other, mut common) = (own.peekable(), other.peekable(), 0);
    while let Some((first, second)) = own.peek().zip(other.peek()) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => drop(own.next()),
            std::cmp::Ordering::Greater => drop(other.next()),
            std::cmp::Ordering::Equal => {
                common += 1;
                own.next();
                other.next();
            }
        }
    }
    common
}

/// Parts of a text, sorted.
#[derive(Clone, Debug, PartialEq)]
struct Pieces {
    text: String,
    ranges: Vec<Range<usize>>,
}

impl Pieces {
    /// The longest runs of characters of some kinds, each character changed.
    fn new(line: &str, is_inside: impl Fn(Kind) -> bool, change: impl Fn(char) -> char) -> Self {
        let (mut text, mut ranges, mut start) = (String::new(), Vec::new(), None);
        for c in line.chars() {
            if is_inside(Kind::of(c)) {
                start.get_or_insert(text.len());
                text.push(change(c));
            } else if let Some(start) = start.take() {
                ranges.push(start..text.len());
            }
        }
        ranges.extend(start.map(|start| start..text.len()));
        ranges.sort_unstable_by(|a, b| text[a.clone()].cmp(&text[b.clone()]));
        Pieces { text, ranges }
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.ranges.iter().map(|range| &self.text[range.clone()])
    }
}

/// The n-grams of a text for all orders: its longest ones, sorted, and how many there are of each order.
///
/// The first character of an n-gram is in the highest bits, so that n-grams with the same beginning are neighbours.
#[derive(Clone, Debug, PartialEq)]
struct Grams {
    keys: Vec<u128>,
    counts: [u32; LONGEST],
}

/// A bit for each order up to this one, the lowest for single characters.
const fn orders_to(order: u32) -> u32 {
    (1 << order) - 1
}

/// The orders for which the beginning of an n-gram counts: all that the text is long enough for.
fn orders_that_fit(key: u128) -> u32 {
    let missing = (key.trailing_zeros() - (u128::BITS - LONGEST as u32 * BITS)) / BITS;
    orders_to(LONGEST as u32 - missing)
}

/// The orders for which the beginning of an n-gram with white space counts: the lowest bits, which it has no character
/// in.
fn orders_with_spaces(key: u128) -> u32 {
    key as u32 & orders_to(LONGEST_SPACED)
}

/// For a set of orders 1 where an order is in it. Two unused places make it as long as a vector register.
static PLACES: [[u32; 8]; 64] = {
    let (mut places, mut set) = ([[0; 8]; 64], 0);
    while set < 64 {
        let mut order = 0;
        while order < LONGEST {
            places[set][order] = (set >> order & 1) as u32;
            order += 1;
        }
        set += 1;
    }
    places
};

impl Grams {
    fn without_spaces(text: &str) -> Self {
        let mut keys = Vec::with_capacity(text.len());
        // Backwards: an n-gram is a character and the n-gram after it.
        let (mut key, unused) = (0, u128::MAX << (u128::BITS - LONGEST as u32 * BITS));
        for c in text.chars().rev().filter(|c| !c.is_whitespace()) {
            key = (first(c) | key >> BITS) & unused;
            keys.push(key);
        }
        Self::sorted(keys, orders_that_fit)
    }

    fn with_spaces(text: &str) -> Self {
        let mut keys = Vec::with_capacity(text.len() / 2);
        let (mut key, mut spaces, mut length) = (0, 0, 0);
        for c in [' '].into_iter().chain(text.chars().rev()).chain([' ']) {
            key = (first(c) | key >> BITS) & u128::MAX << (u128::BITS - LONGEST_SPACED * BITS);
            // A bit for each character, the lowest for the first.
            spaces = (spaces << 1 | u32::from(c.is_whitespace())) & orders_to(LONGEST_SPACED);
            length = LONGEST_SPACED.min(length + 1);
            let before_space = spaces.trailing_zeros().clamp(1, LONGEST_SPACED);
            let orders = orders_to(length) & !orders_to(before_space);
            if orders != 0 {
                keys.push(key | u128::from(orders));
            }
        }
        Self::sorted(keys, orders_with_spaces)
    }

    fn sorted(mut keys: Vec<u128>, orders: fn(u128) -> u32) -> Self {
        keys.sort_unstable();
        let mut counts = [0; LONGEST];
        for key in &keys {
            let counted = &PLACES[orders(*key) as usize];
            counts.iter_mut().zip(counted).for_each(|(count, counted)| *count += counted);
        }
        Grams { keys, counts }
    }

    /// The mean F of all orders of which there are n-grams on either side.
    fn mean_f(&self, other: &Grams, orders: impl Fn(u128) -> u32) -> f64 {
        let common = self.common(other, orders);
        let (mut sum, mut count) = (0.0, 0.0);
        for ((common, own), other) in common.iter().zip(self.counts).zip(other.counts) {
            if own + other > 0 {
                sum += f(*common as usize, own as usize, other as usize);
                count += 1.0;
            }
        }
        if count == 0.0 { 1.0 } else { sum / count }
    }

    /// The number of common n-grams of each order, the last two places unused.
    #[inline(always)]
    fn common(&self, other: &Grams, orders: impl Fn(u128) -> u32) -> [u32; 8] {
        // Of the n-grams with the beginning at hand, by side and order.
        let (mut counts, mut common, mut last) = ([[0_u32; 8]; 2], [0_u32; 8], 0);
        let (mut own, mut rest) = (&self.keys[..], &other.keys[..]);
        loop {
            let (side, key) = match (own, rest) {
                ([key, after @ ..], others) if others.first().is_none_or(|other| key <= other) => {
                    own = after;
                    (0, *key)
                }
                (_, [key, after @ ..]) => {
                    rest = after;
                    (1, *key)
                }
                _ => break,
            };
            let shared = ((last ^ key).leading_zeros() / BITS).min(LONGEST as u32);
            let same = &PLACES[orders_to(shared) as usize];
            let counted = &PLACES[orders(key) as usize];
            let [of_own, of_other] = &mut counts;
            for place in 0..8 {
                common[place] += of_own[place].min(of_other[place]) * (1 - same[place]);
                of_own[place] *= same[place];
                of_other[place] *= same[place];
            }
            counts[side].iter_mut().zip(counted).for_each(|(count, counted)| *count += counted);
            last = key;
        }
        let [own, other] = counts;
        std::array::from_fn(|place| common[place] + own[place].min(other[place]))
    }
}

/// A character in the first place of an n-gram.
fn first(c: char) -> u128 {
    u128::from(u32::from(c) + 1) << (u128::BITS - BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn features(hypothesis: &str, other: &str) -> [f32; STRINGS] {
        LineStrings::new(hypothesis).features(&LineStrings::new(other))
    }

    /// The mean F of n-grams by counting each order by itself.
    fn plain_mean(hypothesis: &str, other: &str, orders: Range<usize>, is_counted: impl Fn(&[char]) -> bool) -> f64 {
        let [own, other]: [Vec<char>; 2] = [hypothesis, other].map(|text| text.chars().collect());
        let mut all = Vec::new();
        for order in orders {
            let count = |text: &[char]| {
                let mut counts: BTreeMap<Vec<char>, usize> = BTreeMap::new();
                let grams = text.windows(order).filter(|gram| is_counted(gram));
                grams.for_each(|gram| *counts.entry(gram.to_vec()).or_default() += 1);
                counts
            };
            let (own, other) = (count(&own), count(&other));
            let common: usize = own.iter().map(|(gram, count)| *count.min(other.get(gram).unwrap_or(&0))).sum();
            let size: usize = own.values().chain(other.values()).sum();
            all.extend((size > 0).then(|| 2.0 * common as f64 / size as f64));
        }
        if all.is_empty() { 1.0 } else { all.iter().sum::<f64>() / all.len() as f64 }
    }

    proptest::proptest! {
        #[test]
        fn ngrams_of_all_orders_are_counted(one in "[abA É \u{10ffff}中]{0,24}", two in "[abA  É.]{0,24}") {
            let found = features(&one, &two);
            let (one, two) = (one.trim(), two.trim());
            let joined = |text: &str| text.split_whitespace().collect::<String>();
            let [cased, lower] = [
                plain_mean(&joined(one), &joined(two), 1..7, |_| true),
                plain_mean(&joined(&one.to_lowercase()), &joined(&two.to_lowercase()), 1..7, |_| true),
            ];
            let spaced = |text: &str| format!(" {text} ");
            let spaces = plain_mean(&spaced(one), &spaced(two), 2..5, |gram| gram.iter().any(|c| c.is_whitespace()));
            proptest::prop_assert_eq!(&found[..3], &[cased as f32, lower as f32, spaces as f32]);
        }
    }

    #[test]
    fn equal_texts_have_the_highest_features_whatever_they_are() {
        let expected = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        for text in ["", "a", "The 14 cats sat.", "¿Qué?", "猫が座った。", "३५ रुपये", "😀😀", "Á̈ b"]
        {
            assert_eq!(features(text, text), expected, "{text}");
        }
        assert_eq!(features("\u{feff} Tom &amp; Eve\n", "Tom & Eve"), expected);
    }

    #[test]
    fn each_feature_sees_what_it_is_for() {
        let near =
            |found: f32, expected: f64| assert!((f64::from(found) - expected).abs() < 1e-6, "{found} {expected}");
        let base = "He paid 14 euros.";
        let case = features("he paid 14 EUROS.", base);
        assert!(case[0] < 0.7 && case[1] == 1.0 && case[4] == 1.0, "{case:?}");
        near(case[3], 0.5);
        near(case[7], 5.0 / 11.0 - 1.0 / 11.0);
        assert_eq!(case[8], 0.0);
        let spaces = features("He paid 14euros .", base);
        assert!(spaces[0] == 1.0 && spaces[2] < 0.8, "{spaces:?}");
        near(spaces[3], 2.0 * 2.0 / 7.0);
        let marks = features("He paid 14 euros!?", base);
        assert_eq!([marks[5], marks[11]], [0.0, 0.0]);
        assert_eq!(features("He paid 14 euros", base)[11], 0.0);
        let numbers = features("He paid 41 euros.", base);
        assert_eq!(numbers[6], 0.0);
        near(features("१४ या 7", "14 or 8")[6], 0.5);
        assert_eq!(features("no number", "nor here")[6], 1.0);
        let short = features("He", "Hello there.");
        near(short[9], (3.0_f64 / 12.0).ln());
        near(short[10], (12.0_f64 / 3.0).ln());
        assert_eq!(features("", &"long ".repeat(99))[9], -2.0);
        assert_eq!(features("12", "34")[8], 1.0);
        assert_eq!(features("12", "a")[8], 0.0);
    }

    #[test]
    fn one_empty_text_has_nothing_in_common_with_another() {
        let found = features("", "A cat, 3 dogs.");
        assert_eq!(found[..7], [0.0; 7]);
    }

    #[test]
    fn another_language_or_script_is_flagged_where_it_is_certain() {
        let german = Language::target("de").unwrap();
        let english = "The cat that sat on the mat was not the one of my friend.";
        assert_eq!(flags(english, &german), [1.0, 0.0]);
        assert_eq!(flags("Кошка, которая сидела на коврике", &german), [0.0, 1.0]);
        assert_eq!(flags("Die Katze sitzt auf der Matte, und das ist gut.", &german), [0.0, 0.0]);
        assert_eq!(flags("Windows 11", &Language::target("ru").unwrap()), [0.0, 0.0]);
    }

    #[test]
    fn digits_of_all_scripts_have_their_value() {
        let values = "0٣٩०९𝟎𝟗𝟘𝟡𝟿".chars().map(digit_value).collect::<Vec<_>>();
        assert_eq!(values, [0, 3, 9, 0, 9, 0, 9, 0, 9, 9]);
        let digits = (0..=0x10ffff).filter_map(char::from_u32);
        let mut row = 0;
        for c in digits {
            match c.general_category() == GeneralCategory::DecimalNumber {
                true => row += 1,
                false => assert_eq!(std::mem::take(&mut row) % 10, 0, "before {c:?}"),
            }
        }
    }
}
