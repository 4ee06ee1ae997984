//! Parses the numbers of a vector.
//!
//! Each becomes the nearest `f32`. Files have mostly short decimals (`-0.41242`), for which one division is enough
//! (Clinger, 1990): if the digits make a whole number below 2²⁴ and at most ten of them follow the point, number and
//! power of ten are exact, and the quotient is rounded once. All others are parsed by the standard library.

use crate::text::shortened;
use std::borrow::Cow;

/// A vector with more numbers is taken for a mistake in the file.
pub const MAX_DIMENSIONS: usize = 1 << 20;

/// Appends the numbers to `into`; the error is about the first that is not a finite number.
pub fn parse_all(numbers: &str, into: &mut Vec<f32>) -> Result<(), String> {
    for (field, place) in fields(numbers).zip(1..) {
        match short_decimal(field).map_or_else(|| field.parse(), Ok) {
            Ok(number) if number.is_finite() => into.push(number),
            Ok(_) => return Err(format!("number {place} is `{field}`: every number must be finite")),
            Err(_) => return Err(format!("number {place} is `{}`, which is not a number", shown(field))),
        }
    }
    Ok(())
}

/// 10ⁿ, exact.
const POWERS: [f32; 11] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/// The value of a field, if it is a short decimal.
fn short_decimal(field: &str) -> Option<f32> {
    let digits = field.strip_prefix('-');
    let (mut whole, mut point, mut count) = (0u32, None, 0);
    for byte in digits.unwrap_or(field).bytes() {
        match byte {
            b'0'..=b'9' => {
                whole = whole * 10 + u32::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
        if whole >= 1 << 24 {
            return None;
        }
    }
    let decimals = point.map_or(0, |point| count - point);
    let number = whole as f32 / POWERS.get(decimals).filter(|_| count > 0)?;
    Some(if digits.is_some() { -number } else { number })
}

/// The error message for a first row with too many numbers.
pub fn check_dimension(dimension: usize) -> Result<(), String> {
    if dimension > MAX_DIMENSIONS {
        return Err(format!("a vector of {dimension} numbers, expected at most {MAX_DIMENSIONS}"));
    }
    Ok(())
}

/// The fields between spaces and tabs.
pub(super) fn fields(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    line.split([' ', '\t']).filter(|field| !field.is_empty())
}

/// A word or field as a message shows it.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    shortened(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(numbers: &str) -> Result<Vec<f32>, String> {
        let mut parsed = Vec::new();
        parse_all(numbers, &mut parsed).map(|()| parsed)
    }

    #[test]
    fn numbers_in_any_spelling_become_the_nearest_f32() {
        assert_eq!(parse("0.418 -1e-3\t+2  .5").unwrap(), [0.418, -0.001, 2.0, 0.5]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn short_decimals_are_the_nearest_too(text in "-?[0-9]{0,9}\\.?[0-9]{0,12}") {
            if let Some(number) = short_decimal(&text) {
                prop_assert_eq!(number.to_bits(), text.parse::<f32>().unwrap().to_bits(), "{}", text);
            }
        }
    }

    #[test]
    fn short_decimals_are_those_of_a_division() {
        for text in ["0.41242", "-0.00066023", "4.0071", "-0", "7", ".5", "5.", "16777215", "0.0000000001"] {
            assert_eq!(short_decimal(text).map(f32::to_bits), Some(text.parse::<f32>().unwrap().to_bits()), "{text}");
        }
        for text in ["16777216", "0.00000000001", "1e3", "nan", "", "-", ".", "1.2.3", "+1", "--1"] {
            assert_eq!(short_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn errors_name_the_position_of_the_number() {
        assert_eq!(parse("1 nan").unwrap_err(), "number 2 is `nan`: every number must be finite");
        assert_eq!(parse("-inf").unwrap_err(), "number 1 is `-inf`: every number must be finite");
        assert_eq!(parse("1e99").unwrap_err(), "number 1 is `1e99`: every number must be finite");
        assert_eq!(parse("1 2 x").unwrap_err(), "number 3 is `x`, which is not a number");
        let long = "y".repeat(99);
        assert_eq!(parse(&long).unwrap_err(), format!("number 1 is `{}…`, which is not a number", &long[..40]));
    }
}
