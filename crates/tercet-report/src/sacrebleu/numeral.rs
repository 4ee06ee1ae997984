//! Which cells the table printer treats as numbers: tabulate reformats a column if all its cells look numeric, even a
//! column of system names.

use super::colour::strip_colours;
use super::python::fixed;

/// The type of a column's cells, from special to general.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Nothing,
    Truth,
    Integer,
    Real,
    Text,
}

/// The cells of a column as they are printed: real numbers with `width` decimals, all else unchanged. `coloured` says
/// whether the table has any colour.
pub(super) fn formatted(column: &[String], width: usize, coloured: bool) -> Vec<String> {
    let kind = column.iter().map(|cell| kind(&strip_colours(cell))).max();
    let real = |cell: &String| {
        if coloured {
            let plain = strip_colours(cell);
            float(&plain).map(|value| cell.replace(&plain, &fixed(value, width)))
        } else {
            float(&cell.replace(',', "")).map(|value| fixed(value, width))
        }
    };
    column
        .iter()
        .map(|cell| match kind {
            Some(Kind::Real) => real(cell).unwrap_or_else(|| cell.clone()),
            _ => cell.clone(),
        })
        .collect()
}

fn kind(cell: &str) -> Kind {
    if cell.is_empty() {
        Kind::Nothing
    } else if cell == "True" || cell == "False" {
        Kind::Truth
    } else if is_integer(cell) || (is_grouped(cell) && !cell.contains('.')) {
        Kind::Integer
    } else if is_real(cell) || is_grouped(cell) {
        Kind::Real
    } else {
        Kind::Text
    }
}

/// Python's `int(cell)` succeeds.
fn is_integer(cell: &str) -> bool {
    let cell = cell.trim();
    let digits = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    without_underscores(digits)
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Python's `float(cell)` succeeds, and the result is infinite only if the cell says `inf`.
fn is_real(cell: &str) -> bool {
    let spelt_out = ["inf", "-inf", "nan"].contains(&cell.to_lowercase().as_str());
    float(cell).is_some_and(|value| value.is_finite() || spelt_out)
}

/// Python's `float(cell)`.
fn float(cell: &str) -> Option<f64> {
    without_underscores(cell.trim())?.parse().ok()
}

/// Removes underscores, which are allowed between two digits only.
fn without_underscores(number: &str) -> Option<String> {
    let bytes = number.as_bytes();
    let is_digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let well_placed =
        (0..bytes.len()).filter(|&i| bytes[i] == b'_').all(|i| is_digit(i.checked_sub(1)) && is_digit(Some(i + 1)));
    well_placed.then(|| number.replace('_', ""))
}

/// A number with commas between thousands: `-1,234.5`.
fn is_grouped(cell: &str) -> bool {
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match cell.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (cell, None),
    };
    if !fraction.is_none_or(all_digits) {
        return false;
    }
    if whole.is_empty() {
        return fraction.is_some_and(|digits| !digits.is_empty());
    }
    let mut groups = whole.strip_prefix(['+', '-']).unwrap_or(whole).split(',');
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len()) && all_digits(first) && groups.all(|group| group.len() == 3 && all_digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str], coloured: bool) -> Vec<String> {
        let cells: Vec<String> = cells.iter().map(|cell| cell.to_string()).collect();
        formatted(&cells, 1, coloured)
    }

    #[test]
    fn names_that_look_like_numbers_are_printed_as_such() {
        assert_eq!(column(&["1", "2.55"], true), ["1.0", "2.5"]);
        assert_eq!(column(&["1", "25"], true), ["1", "25"]);
        assert_eq!(column(&["1", "system"], true), ["1", "system"]);
        assert_eq!(column(&["1_0", "1e3", "True"], true), ["10.0", "1000.0", "True"]);
        assert_eq!(column(&["1e999", "1"], true), ["1e999", "1"]);
        assert_eq!(column(&["nan", "-inf"], true), ["nan", "-inf"]);
    }

    #[test]
    fn colours_keep_thousands_from_being_read() {
        assert_eq!(column(&["1,000.25", ".5"], true), ["1,000.25", "0.5"]);
        assert_eq!(column(&["1,000.25", ".5"], false), ["1000.2", "0.5"]);
        assert_eq!(column(&["\x1b[33m2.75\x1b[0m"], true), ["\x1b[33m2.8\x1b[0m"]);
    }
}
