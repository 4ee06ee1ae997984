//! White space as Python's `str.split` and `str.rstrip` see it, since the tools we agree with are written in it:
//! Unicode's White_Space and the four ASCII separators U+001C to U+001F, which Rust does not count.

/// Whether Python's `str.isspace` holds.
pub fn is_whitespace(c: char) -> bool {
    matches!(c, '\u{1c}'..='\u{1f}') || c.is_whitespace()
}

/// The line without trailing white space: Python's `line.rstrip()`.
pub fn trim_end(line: &str) -> &str {
    line.trim_end_matches(is_whitespace)
}

/// The words of a line: Python's `line.split()`.
pub fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_whitespace).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_and_no_break_spaces_split_zero_width_ones_do_not() {
        let words: Vec<&str> = split(" a\u{1f}b\u{a0}c\u{3000}d\u{200b}e\u{2028}f\u{85}g ").collect();
        assert_eq!(words, ["a", "b", "c", "d\u{200b}e", "f", "g"]);
        assert_eq!(trim_end("a b \u{2029}\r\n"), "a b");
    }
}
