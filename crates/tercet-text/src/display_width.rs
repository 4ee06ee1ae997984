//! How many columns of a terminal a text takes: two for a wide character of East Asia or an emoji, none for a combining
//! mark or a character that is not shown, one for any other. This is approximate but enough to align columns: the
//! ranges are those of Unicode's East_Asian_Width W and F in blocks, and joined emoji are counted separately, as most
//! terminals show them.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The number of columns that a text takes on a terminal.
pub fn display_width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

fn width_of(c: char) -> usize {
    if c.is_ascii() {
        return 1;
    }
    let hidden = || {
        matches!(
            c.general_category(),
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark | GeneralCategory::Format
        )
    };
    if is_wide(c) { 2 } else { usize::from(!hidden()) }
}

fn is_wide(c: char) -> bool {
    matches!(
        c,
        '\u{1100}'..='\u{115f}'
            | '\u{2e80}'..='\u{a4cf}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}'
            | '\u{ff00}'..='\u{ff60}'
            | '\u{ffe0}'..='\u{ffe6}'
            | '\u{1f300}'..='\u{1faff}'
            | '\u{20000}'..='\u{3fffd}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns_and_marks_none() {
        for (text, width) in [
            ("", 0),
            ("abc", 3),
            ("é", 1),
            ("e\u{301}", 1),
            ("你好", 4),
            ("カ\u{ff76}", 3),
            ("a\u{200b}b", 2),
        ] {
            assert_eq!(display_width(text), width, "{text}");
        }
    }
}
