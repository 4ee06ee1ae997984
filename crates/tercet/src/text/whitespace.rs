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

/// The words of a line as jiwer cuts them: parted by a space, or by two or more white-space characters of any kind.
/// A lone tab or no-break space between letters is a letter.
pub fn split_at_spaces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim_matches(is_whitespace);
    std::iter::from_fn(move || {
        let (end, next) = match first_gap(rest) {
            Some(gap) => gap,
            None if rest.is_empty() => return None,
            None => (rest.len(), rest.len()),
        };
        let word = &rest[..end];
        rest = &rest[next..];
        Some(word)
    })
}

/// Where the first white space that parts words starts and ends.
fn first_gap(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find(is_whitespace)?;
        let run = &text[start..];
        let run = &run[..run.find(|c| !is_whitespace(c)).unwrap_or(run.len())];
        if run == " " || run.chars().nth(1).is_some() {
            return Some((start, start + run.len()));
        }
        from = start + run.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_tab_is_a_letter_to_jiwer_and_a_pair_parts_words() {
        let words: Vec<&str> = split_at_spaces("\ta\tb \tc\t\td e\u{a0}f  g\u{2028} \u{1f}").collect();
        assert_eq!(words, ["a\tb", "c", "d", "e\u{a0}f", "g"]);
        assert_eq!(split_at_spaces(" \t ").count(), 0);
    }

    #[test]
    fn separators_and_no_break_spaces_split_zero_width_ones_do_not() {
        let words: Vec<&str> = split(" a\u{1f}b\u{a0}c\u{3000}d\u{200b}e\u{2028}f\u{85}g ").collect();
        assert_eq!(words, ["a", "b", "c", "d\u{200b}e", "f", "g"]);
        assert_eq!(trim_end("a b \u{2029}\r\n"), "a b");
    }
}
