//! Comma-separated records as in RFC 4180, read as Python's `csv` does.
//!
//! A field that starts with `"` runs to the next `"` that is not doubled, over commas and line ends; `""` inside it is
//! one `"`. In a field that does not start with `"` the mark is a character like any other. `\r` before the end of a
//! record is removed. Stricter than Python in two places: a quoted field that is never closed, and text between a
//! closing mark and the comma, are errors.

use std::borrow::Cow;

/// The fields of the record that starts with this line; a quoted field may take more lines.
pub(super) fn record<'a>(
    line: &'a str,
    more: impl FnMut() -> Option<&'a str>,
) -> Result<Vec<Cow<'a, str>>, &'static str> {
    let whole = line.strip_suffix('\r').unwrap_or(line);
    if memchr::memchr(b'"', line.as_bytes()).is_none() {
        return Ok(whole.split(',').map(Cow::Borrowed).collect());
    }
    quoted_record(line, more)
}

fn quoted_record<'a>(line: &str, mut more: impl FnMut() -> Option<&'a str>) -> Result<Vec<Cow<'a, str>>, &'static str> {
    let mut text = line.to_owned();
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let field = if text[at..].starts_with('"') {
            quoted_field(&mut text, &mut at, &mut more)?
        } else {
            let rest = &text[at..];
            let field = &rest[..rest.find(',').unwrap_or(rest.len())];
            at += field.len();
            let last = at == text.len();
            if last { field.strip_suffix('\r').unwrap_or(field) } else { field }.to_owned()
        };
        fields.push(Cow::Owned(field));
        match &text[at..] {
            "" | "\r" => return Ok(fields),
            rest if rest.starts_with(',') => at += 1,
            _ => return Err("expected a comma after the closing quotation mark"),
        }
    }
}

/// The field whose opening mark is `text[*at]`; moves `at` behind its closing mark.
fn quoted_field<'a>(
    text: &mut String,
    at: &mut usize,
    more: &mut impl FnMut() -> Option<&'a str>,
) -> Result<String, &'static str> {
    let mut field = String::new();
    *at += 1;
    loop {
        let Some(mark) = text[*at..].find('"') else {
            field.push_str(&text[*at..]);
            field.push('\n');
            *at = text.len();
            text.push_str(more().ok_or("a quoted field starts here and is never closed")?);
            continue;
        };
        field.push_str(&text[*at..*at + mark]);
        *at += mark + 1;
        if !text[*at..].starts_with('"') {
            return Ok(field);
        }
        field.push('"');
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Result<Vec<String>, &'static str> {
        let mut lines = text.split('\n');
        let first = lines.next().unwrap();
        Ok(record(first, || lines.next())?.into_iter().map(Cow::into_owned).collect())
    }

    #[test]
    fn quoted_fields_may_contain_commas_quotation_marks_and_line_ends() {
        assert_eq!(fields("a,,b\r").unwrap(), ["a", "", "b"]);
        assert_eq!(fields("\"a,b\",\"say \"\"no\"\"\",\"\",c\r").unwrap(), ["a,b", "say \"no\"", "", "c"]);
        assert_eq!(fields("a,\"b\nc\n\",\"d\"\r\nnext").unwrap(), ["a", "b\nc\n", "d"]);
        assert_eq!(fields("5\" disk,b\"").unwrap(), ["5\" disk", "b\""]);
        assert_eq!(fields("").unwrap(), [""]);
    }

    #[test]
    fn records_that_python_would_guess_at_are_refused() {
        assert_eq!(fields("a,\"b\nc").unwrap_err(), "a quoted field starts here and is never closed");
        assert_eq!(fields("\"a\"b,c").unwrap_err(), "expected a comma after the closing quotation mark");
    }
}
