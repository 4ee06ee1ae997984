//! Numbers and their units.
//!
//! Numbers are compared by their significant digits: `1,200,000`, `1.2 million` and `120万` are equal. Those of one
//! significant digit and those below 32, which may be words, are not looked for.

/// The numbers of a text.
pub(super) struct Numbers {
    found: Vec<Number>,
    /// All digits, in order.
    digits: String,
    /// Dates that are written as three numbers.
    dates: Vec<Date>,
}

/// One number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number {
    /// As it is written.
    text: String,
    /// Its digits without zeros at both ends.
    key: String,
    /// Whether it may as well be written as a word.
    is_small: bool,
}

impl Numbers {
    pub fn find(line: &str) -> Self {
        let (mut found, mut digits) = (Vec::new(), String::new());
        let dates = dates(line);
        for text in written(line) {
            // Of a date, the year is compared as a number: the month may be a word.
            let date = dates.iter().find(|date| date.text == text);
            let text = date.and_then(|_| text.split('.').find(|part| part.len() == 4)).unwrap_or(text);
            let of_number: String = text.chars().filter_map(digit).collect();
            digits.push_str(&of_number);
            let key = of_number.trim_matches('0').to_owned();
            let is_half = text.len() == 3 && (text.ends_with(".5") || text.ends_with(",5"));
            let is_small = is_half || (text.len() < 3 && of_number.parse().is_ok_and(|value: u32| value < 32));
            found.push(Number { text: text.to_owned(), key, is_small });
        }
        Numbers { found, digits, dates }
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether it has the digits of a number, perhaps apart or as a part of others; a year without its century; a time
    /// of the afternoon counted from midnight.
    fn has(&self, number: &Number) -> bool {
        let is_year = number.text.len() == 4 && (number.text.starts_with("19") || number.text.starts_with("20"));
        let is_decade = |one: &Number| is_year && one.text == number.text[2..];
        self.digits.contains(&number.key)
            || self.found.iter().any(is_decade)
            || number.of_afternoon().is_some_and(|time| self.digits.contains(&time))
    }
}

impl Number {
    /// The digits of a time such as 5.30, twelve hours later.
    fn of_afternoon(&self) -> Option<String> {
        let (hours, minutes) = self.text.split_once(['.', ','])?;
        let hours: u32 = hours.parse().ok().filter(|hours| (1..12).contains(hours))?;
        (minutes.len() == 2 && minutes < "60").then(|| format!("{}{minutes}", hours + 12))
    }
}

/// A date that is written as three numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Date {
    /// As it is written.
    text: String,
    /// Day, month and year, in order of size: texts in other languages have another order.
    parts: [u32; 3],
}

impl Date {
    /// `3.4.2016`, `2016-04-03`, `4/3/2016`: one of the numbers has four digits, the others are a day and a month.
    fn parse(text: &str) -> Option<Date> {
        let separator = text.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '.' | '/' | '-'))?;
        let written: Vec<&str> = text.split(separator).collect();
        let has_year = written.iter().filter(|part| part.len() == 4).count() == 1;
        let parts = written.iter().map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
        let mut parts: [u32; 3] = parts.try_into().ok()?;
        parts.sort_unstable();
        let is_date = has_year && (1..=12).contains(&parts[0]) && (1..=31).contains(&parts[1]);
        is_date.then(|| Date { text: text.to_owned(), parts })
    }

    fn is_in(&self, others: &[Date]) -> bool {
        others.iter().any(|other| other.parts == self.parts)
    }
}

fn dates(line: &str) -> Vec<Date> {
    /// That of `3.4.2016`.
    const MIN_LENGTH: usize = 8;
    let is_other = |c: char| !(c.is_ascii_digit() || matches!(c, '.' | '/' | '-'));
    let may_be_date = |word: &&str| word.len() >= MIN_LENGTH && word.bytes().any(|byte| byte.is_ascii_digit());
    let words = line.split_ascii_whitespace().filter(may_be_date).flat_map(|word| word.split(is_other));
    words.filter_map(|word| Date::parse(word.trim_matches(['.', '/', '-']))).collect()
}

/// The dates that all others have, where the output has as many, and another one.
fn other_dates(own: &Numbers, first: &Numbers, rest: &[Numbers]) -> Vec<String> {
    let is_sure = |date: &&Date| rest.iter().all(|other| date.is_in(&other.dates));
    let is_other = own.dates.len() == first.dates.len() && own.dates.iter().any(|date| !date.is_in(&first.dates));
    let missing = first.dates.iter().filter(|_| is_other).filter(is_sure).filter(|date| !date.is_in(&own.dates));
    missing.map(|date| date.text.clone()).collect()
}

/// The numbers that all others have and the output has not.
pub(super) fn missing(line: &str, others: &[Numbers]) -> Vec<String> {
    let Some((first, rest)) = others.split_first() else { return Vec::new() };
    let is_sure = |number: &&Number| {
        number.key.len() > 1
            && !number.is_small
            && rest.iter().all(|other| other.found.iter().any(|one| one.key == number.key))
    };
    let mut sure = first.found.iter().filter(is_sure).peekable();
    if sure.peek().is_none() && first.dates.is_empty() {
        return Vec::new();
    }
    let own = Numbers::find(line);
    let mut words: Option<String> = None;
    let mut is_word = |number: &Number| has_tens(words.get_or_insert_with(|| line.to_lowercase()), number);
    let mut missing: Vec<String> =
        sure.filter(|number| !own.has(number) && !is_word(number)).map(|number| number.text.clone()).collect();
    missing.extend(other_dates(&own, first, rest));
    missing.dedup();
    missing
}

/// How numbers from 30 to 90 start where they are words.
const TENS: [&[&str]; 7] = [
    &["thirt", "dreiß", "trent", "treint", "trint", "dertig", "三十", "тридца"],
    &["fort", "vierz", "quarant", "cuarent", "quarent", "veertig", "四十", "сорок"],
    &["fift", "fünfz", "cinquant", "cincuent", "cinquent", "vijftig", "五十", "пятьд"],
    &["sixt", "sechz", "soixant", "sessant", "sesent", "sessent", "zestig", "六十", "шестьд"],
    &["sevent", "siebz", "soixant", "settant", "setent", "zeventig", "七十", "семьд"],
    &["eight", "achtz", "quatre-vingt", "ottant", "ochent", "oitent", "tachtig", "八十", "восемьд"],
    &["ninet", "neunz", "quatre-vingt", "novant", "novent", "negentig", "九十", "девян"],
];

/// Whether a text, in lower case, may have this number of two digits as a word, as at the start of English sentences,
/// or the decade that starts with this year.
fn has_tens(text: &str, number: &Number) -> bool {
    let value = number.text.parse().ok().filter(|value: &usize| *value < 100 || value.is_multiple_of(10));
    let value = value.and_then(|value| (value < 100 || value / 100 == 19).then_some(value % 100));
    value
        .and_then(|value| TENS.get((value / 10).checked_sub(3)?))
        .is_some_and(|tens| tens.iter().any(|word| text.contains(word)))
}

/// The numbers of a line: digits, with single points, commas, apostrophes or narrow spaces between them.
fn written(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.find(|c| digit(c).is_some())?;
        let text = &rest[start..];
        let mut end = text.len();
        let mut letters = text.char_indices().peekable();
        while let Some((at, c)) = letters.next() {
            let next_is_digit = letters.peek().is_some_and(|(_, next)| digit(*next).is_some());
            let joins = matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '٫' | '٬') && next_is_digit;
            if digit(c).is_none() && !joins {
                end = at;
                break;
            }
        }
        rest = &text[end..];
        Some(&text[..end])
    })
}

/// The ASCII digit of a digit of some scripts.
fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 6] = [0x660, 0x6f0, 0x966, 0x9e6, 0xae6, 0xff10];
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let code = u32::from(c);
    let zero = ZEROS.into_iter().find(|zero| (*zero..zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

/// Units of the same quantity.
const UNITS: [&[&str]; 8] = [
    &["µg", "μg", "mcg", "mg", "g", "kg", "t"],
    &["µl", "μl", "ml", "mL", "cl", "dl", "l", "L"],
    &["nm", "µm", "μm", "mm", "cm", "m", "km"],
    &["°C", "°F"],
    &["kB", "KB", "MB", "GB", "TB", "PB"],
    &["W", "kW", "MW", "GW"],
    &["Hz", "kHz", "MHz", "GHz"],
    &["$", "€", "£", "¥", "₽", "₹", "%"],
];

/// Spellings of the same unit.
const SAME: [(&str, &str); 7] =
    [("μg", "µg"), ("mcg", "µg"), ("μl", "µl"), ("mL", "ml"), ("L", "l"), ("μm", "µm"), ("KB", "kB")];

/// A number with a unit that all others have, and that number with another unit of the same quantity in the output.
pub(super) fn wrong_unit<'a>(line: &str, others: impl Iterator<Item = &'a str>) -> Option<(String, String)> {
    let own = measures(line);
    if own.is_empty() {
        return None;
    }
    let others: Vec<Vec<Measure<'_>>> = others.map(measures).collect();
    let (first, rest) = others.split_first()?;
    first.iter().filter(|expected| rest.iter().all(|other| other.iter().any(|one| one.is_same(expected)))).find_map(
        |expected| {
            let has_it = own.iter().any(|one| one.is_same(expected));
            let is_known = |one: &Measure<'_>| others.iter().flatten().any(|other| other.is_same(one));
            let other =
                own.iter().find(|one| one.has_other_unit_than(expected) && !is_known(one)).filter(|_| !has_it)?;
            Some((expected.to_string(), other.to_string()))
        },
    )
}

/// A number with a unit.
struct Measure<'a> {
    number: &'a str,
    key: String,
    unit: &'static str,
    quantity: usize,
}

impl Measure<'_> {
    fn is_same(&self, other: &Measure<'_>) -> bool {
        self.key == other.key && self.unit == other.unit
    }

    fn has_other_unit_than(&self, other: &Measure<'_>) -> bool {
        self.key == other.key && self.quantity == other.quantity && self.unit != other.unit
    }
}

impl std::fmt::Display for Measure<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.number, self.unit)
    }
}

fn measures(line: &str) -> Vec<Measure<'_>> {
    let measure = |number: &'_ str| -> Option<(usize, &'static str)> {
        let at = number.as_ptr() as usize - line.as_ptr() as usize;
        let after = line[at + number.len()..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let ends = |unit: &str| {
            !after[unit.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '²' || c == '³')
        };
        let fits = |unit: &&&str| after.starts_with(**unit) && ends(unit);
        let behind = |units: &[&'static str]| units.iter().filter(fits).max_by_key(|unit| unit.len()).copied();
        let before = |units: &[&'static str]| {
            let start = line[..at].trim_end();
            units.iter().find(|unit| !unit.chars().all(char::is_alphanumeric) && start.ends_with(**unit)).copied()
        };
        UNITS.iter().enumerate().find_map(|(i, units)| Some((i, behind(units).or_else(|| before(units))?)))
    };
    let same = |unit: &'static str| SAME.iter().find(|(other, _)| *other == unit).map_or(unit, |(_, unit)| unit);
    written(line)
        .filter_map(|number| {
            let (quantity, unit) = measure(number)?;
            let key = number.chars().filter_map(digit).collect();
            Some(Measure { number, key, unit: same(unit), quantity })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing_in(line: &str, others: &[&str]) -> Vec<String> {
        missing(line, &others.iter().map(|other| Numbers::find(other)).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_are_compared_by_their_significant_digits() {
        let others = ["Im Jahr 2017 waren es 1,2 Millionen.", "In 2017 it was 1.2 million."];
        assert_eq!(missing_in("There were 1,200,000 in 2017.", &others), [""; 0]);
        assert_eq!(missing_in("There were 1.3 million in 2017.", &others), ["1,2"]);
        assert_eq!(missing_in("There were 120万 in ２０１７.", &others), [""; 0]);
        // Of one other text alone, or of small numbers, nothing is sure.
        assert_eq!(missing_in("It was him.", &["In 2017 it was he.", "It was he."]), [""; 0]);
        assert_eq!(missing_in("Twelve of ten.", &["12 of 10", "12 von 10"]), [""; 0]);
        assert_eq!(missing_in("Fifty-three of them", &["53 of them", "53 von ihnen"]), [""; 0]);
        assert_eq!(missing_in("Thirty-five of them", &["53 of them", "53 von ihnen"]), ["53"]);
        assert_eq!(missing_in("45 minutes", &["90 minutes and 45 seconds"]), [""; 0]);
        assert_eq!(missing_in("In den 90er Jahren", &["In the 1990s"]), [""; 0]);
        assert_eq!(missing_in("Um 17.30 Uhr", &["At 5.30 p.m."]), [""; 0]);
        assert_eq!(missing_in("Im Jahr 1616", &["In 2016", "2016年"]), ["2016"]);
        assert_eq!(missing_in("In den neunziger Jahren", &["In the 1990s", "1990年代"]), [""; 0]);
        assert_eq!(missing_in("In den achtziger Jahren", &["In the 1990s", "1990年代"]), ["1990"]);
    }

    #[test]
    fn dates_are_compared_in_any_order_and_with_names_of_months_by_their_years() {
        let others = ["am 03.04.2016", "on 4/3/2016"];
        for line in ["3-4-2016", "2016-04-03.", "on April 3, 2016"] {
            assert_eq!(missing_in(line, &others), [""; 0], "{line}");
        }
        assert_eq!(missing_in("on 5/3/2016", &others), ["03.04.2016"]);
        assert_eq!(missing_in("on April 3, 2015", &others), ["2016"]);
        assert_eq!(missing_in("version 3.4.20", &["Version 3.4.20"]), [""; 0]);
    }

    #[test]
    fn another_unit_of_the_same_quantity_is_wrong() {
        let wrong = |line, others: &[&'static str]| wrong_unit(line, others.iter().copied());
        let others = ["Take 5 mg twice.", "Zweimal 5 mg nehmen."];
        assert_eq!(wrong("Take 5 g twice.", &others), Some(("5 mg".to_owned(), "5 g".to_owned())));
        for line in ["Take 5mg twice.", "Take 5 milligrams twice.", "5 times", "Take 5 mg, then 5 g."] {
            assert_eq!(wrong(line, &others), None, "{line}");
        }
        assert_eq!(wrong("5 L", &["5 l"]), None);
        assert_eq!(wrong("$100", &["€100"]), Some(("100 €".to_owned(), "100 $".to_owned())));
    }
}
