//! The numbers of a vector, from letters.

/// Appends the numbers of some fields; what is wrong with the first that is none. Each becomes the nearest `f32`.
pub(crate) fn parse_all(numbers: &str, into: &mut Vec<f32>) -> Result<(), String> {
    for (field, place) in fields(numbers).zip(1..) {
        match field.parse::<f32>() {
            Ok(number) if number.is_finite() => into.push(number),
            Ok(_) => return Err(format!("number {place} is `{field}`: every number must be finite")),
            Err(_) => return Err(format!("number {place} is `{}`, which is none", shortened(field))),
        }
    }
    Ok(())
}

/// What lies between blanks and tabs.
pub(super) fn fields(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    line.split([' ', '\t']).filter(|field| !field.is_empty())
}

/// A word or field as a message shows it.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(numbers: &str) -> Result<Vec<f32>, String> {
        let mut parsed = Vec::new();
        parse_all(numbers, &mut parsed).map(|()| parsed)
    }

    #[test]
    fn numbers_in_any_spelling_become_the_nearest() {
        assert_eq!(parse("0.418 -1e-3\t+2  .5").unwrap(), [0.418, -0.001, 2.0, 0.5]);
    }

    #[test]
    fn what_is_no_finite_number_is_named_with_its_place() {
        assert_eq!(parse("1 nan").unwrap_err(), "number 2 is `nan`: every number must be finite");
        assert_eq!(parse("-inf").unwrap_err(), "number 1 is `-inf`: every number must be finite");
        assert_eq!(parse("1e99").unwrap_err(), "number 1 is `1e99`: every number must be finite");
        assert_eq!(parse("1 2 x").unwrap_err(), "number 3 is `x`, which is none");
        let long = "y".repeat(99);
        assert_eq!(parse(&long).unwrap_err(), format!("number 1 is `{}…`, which is none", &long[..40]));
    }
}
