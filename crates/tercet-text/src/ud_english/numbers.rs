//! Numbers: which stay one word with hyphens and slashes in them, and where a unit begins.

use super::piece::{Line, in_word};

/// Units and parts of the day that follow a number directly and are words of their own.
const UNITS: [&str; 62] = [
    "am", "pm", "a", "p", "k", "m", "mm", "cm", "km", "kg", "g", "mg", "lb", "lbs", "oz", "ft", "in", "bn", "b", "mn",
    "mb", "gb", "tb", "kb", "hz", "khz", "mhz", "ghz", "kw", "mw", "mwh", "kwh", "w", "v", "mph", "kph", "hr", "hrs",
    "h", "min", "mins", "sec", "secs", "yr", "yrs", "year", "years", "month", "months", "week", "weeks", "day", "days",
    "hour", "hours", "minutes", "percent", "million", "billion", "miles", "persons", "people",
];

/// Units of one letter that are split off only after a currency or a decimal point.
const ONLY_OF_AMOUNTS: [&str; 6] = ["b", "g", "w", "v", "h", "t"];

/// The lengths of the groups of digits of telephone numbers and postal codes, with hyphens between them.
const GROUPS: [&[usize]; 5] = [&[3, 4], &[3, 3, 4], &[1, 3, 3, 4], &[5, 4], &[3, 2, 4]];

/// The end of the date, telephone number or similar number that starts here.
pub(super) fn whole(line: &Line<'_>, start: usize) -> Option<usize> {
    if !line.byte(start).is_ascii_digit() {
        return None;
    }
    let end = date(line, start).or_else(|| telephone(line, start))?;
    let goes_on = |c: char| in_word(c) || (matches!(c, '-' | '/') && follows(line, end));
    (!line.char(end).is_some_and(goes_on)).then_some(end)
}

fn follows(line: &Line<'_>, at: usize) -> bool {
    line.byte(at + 1).is_ascii_digit()
}

/// `11/28/2000`, `11-20-2000`, `2000-11-20`, `9/11`.
fn date(line: &Line<'_>, start: usize) -> Option<usize> {
    let first = line.digits(start, 5);
    let sign = line.byte(first);
    let second = line.digits(first + 1, 5);
    if !matches!(sign, b'/' | b'-') || second == first + 1 || second - first > 3 {
        return None;
    }
    let third = (line.byte(second) == sign).then(|| line.digits(second + 1, 5) - second - 1);
    match (first - start, third) {
        (1 | 2, Some(2 | 4)) => line.digits(second + 1, 5).into(),
        (4, Some(1 | 2)) => line.digits(second + 1, 5).into(),
        (1 | 2, None) if sign == b'/' => is_day(line, start, first, second).then_some(second),
        _ => None,
    }
}

/// Whether this is a month and a day, `9/11`, and not a fraction, `3/4`.
fn is_day(line: &Line<'_>, start: usize, slash: usize, end: usize) -> bool {
    let number = |from: usize, to: usize| line.text[from..to].parse::<u32>().unwrap_or(0);
    let (month, day) = (number(start, slash), number(slash + 1, end));
    let fraction = month < day && matches!(day, 2..=6 | 8 | 10 | 16 | 32);
    (1..=12).contains(&month) && (1..=31).contains(&day) && !fraction
}

/// `713-853-3989`, `713/853-3989`.
fn telephone(line: &Line<'_>, start: usize) -> Option<usize> {
    GROUPS.iter().find_map(|groups| {
        let mut at = start;
        for (number, &length) in groups.iter().enumerate() {
            if number > 0 {
                let sign = line.byte(at);
                if sign != b'-' && !(sign == b'/' && number == 1 && groups.len() > 2) {
                    return None;
                }
                at += 1;
            }
            let end = line.digits(at, length + 1);
            if end - at != length {
                return None;
            }
            at = end;
        }
        (!in_number(line, at)).then_some(at)
    })
}

fn in_number(line: &Line<'_>, at: usize) -> bool {
    line.byte(at) == b'-' && follows(line, at)
}

/// Whether the text from `start` is a number and a unit starts at `at`.
pub(super) fn ends_before_unit(line: &Line<'_>, start: usize, at: usize) -> bool {
    if at == start || !line.byte(at - 1).is_ascii_digit() {
        return false;
    }
    let number = &line.bytes[start..at];
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b':');
    let end = line.letters(at, 9);
    if at - start > 16 || !number.iter().all(is_number) || line.char(end).is_some_and(in_word) {
        return false;
    }
    let unit = &line.text[at..end];
    let is = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(unit));
    let amount = || number.contains(&b'.') || matches!(line.char_before(start), Some('$' | '£' | '€'));
    if matches!(unit, "a" | "p" | "A" | "P") {
        return line.has(end, ".m") || line.has(end, ".M");
    }
    if is(&ONLY_OF_AMOUNTS) {
        return amount();
    }
    is(&UNITS)
}

/// Whether the slash here has exactly one letter on each side: `w/o`, `L/C`.
pub(super) fn single_letters(line: &Line<'_>, start: usize, slash: usize) -> bool {
    let apart = || line.char(slash + 2).is_none_or(|c| !in_word(c) && c != '/');
    let before_is_one = slash == start + 1 && line.char_before(start) != Some('/');
    let letters = [start, slash + 1].iter().all(|&at| line.byte(at).is_ascii_alphabetic());
    letters && before_is_one && apart() && !line.text[start..=slash + 1].eq_ignore_ascii_case("c/o")
}
