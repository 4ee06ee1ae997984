//! Numbers and strings as Python writes them.

use std::fmt::Write;

/// `f"{value:.{width}f}"`. Both languages round the exact binary value, ties to even.
pub(super) fn fixed(value: f64, width: usize) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:.width$}") }
}

/// `repr(value)`: the shortest digits that read back, an exponent below 1e-4 and from 1e16.
pub(super) fn repr(value: f64) -> String {
    let written = format!("{value:?}");
    let Some((digits, exponent)) = written.split_once('e') else {
        return written;
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// `json.dumps` of a number printed with a fixed number of decimals.
pub(super) fn json_rounded(printed: &str) -> String {
    printed.parse().map_or_else(|_| "NaN".to_owned(), json_number)
}

/// `json.dumps(value)`.
pub(super) fn json_number(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        repr(value)
    }
}

/// `json.dumps(text, ensure_ascii=ascii)`.
pub(super) fn json_string(text: &str, ascii: bool) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{c}' => quoted.push_str("\\f"),
            '\u{8}' => quoted.push_str("\\b"),
            ' '..='~' => quoted.push(c),
            '\u{7f}'.. if !ascii => quoted.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(quoted, "\\u{unit:04x}").expect("writing to a string cannot fail");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_python_writes_them() {
        let written: Vec<String> =
            [35.1, 100.0, 1e-5, 0.0001, 1e16, 123456789012345680.0, 1.5e-7, 0.0].map(repr).to_vec();
        let expected = ["35.1", "100.0", "1e-05", "0.0001", "1e+16", "1.2345678901234568e+17", "1.5e-07", "0.0"];
        assert_eq!(written, expected);
    }

    #[test]
    fn ties_go_to_even() {
        let written: Vec<String> = [0.25, 0.75, 0.35, 2.5, 1.5]
            .iter()
            .zip([1, 1, 1, 0, 0])
            .map(|(&value, width)| fixed(value, width))
            .collect();
        assert_eq!(written, ["0.2", "0.8", "0.3", "2", "2"]);
    }

    #[test]
    fn strings_are_escaped_as_json_dumps_does() {
        assert_eq!(json_string("a\"\\\n\u{1}é😀", false), "\"a\\\"\\\\\\n\\u0001é😀\"");
        assert_eq!(json_string("\u{7f}é😀", true), "\"\\u007f\\u00e9\\ud83d\\ude00\"");
    }
}
