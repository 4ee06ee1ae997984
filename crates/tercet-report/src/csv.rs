//! Comma-separated values: the columns of TSV, quoted as RFC 4180 says, one row per line.
//!
//! A text that a spreadsheet would compute gets an apostrophe in front, which spreadsheets show as text: one that
//! starts with `=` or `@`, or with `+` or `-` and calls a function, names a program (`|`) or has nothing but numbers
//! and operators. White space before these characters does not matter, and their wide forms are like them. A text such
//! as `- What?` is written as it is. Numbers are written as in TSV.

/// Turns a table of TSV into CSV. Fields of TSV have no tabs and line ends.
pub fn from_tsv(tsv: &str) -> String {
    let line = |line: &str| line.split('\t').map(field).collect::<Vec<_>>().join(",") + "\n";
    tsv.lines().map(line).collect()
}

fn field(text: &str) -> String {
    let text = if is_formula(text) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Whether a spreadsheet might compute a text.
fn is_formula(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    let Some(first) = start.chars().next() else { return false };
    let rest = &start[first.len_utf8()..];
    match first {
        '=' | '@' | '\u{ff1d}' | '\u{ff20}' => true,
        '+' | '-' | '\u{ff0b}' | '\u{ff0d}' => {
            let has_operands = rest.chars().any(|c| c.is_ascii_digit());
            let is_arithmetic =
                has_operands && rest.chars().all(|c| c.is_ascii_digit() || " .,+-*/^&%()<>=:".contains(c));
            let is_number = text.parse::<f64>().is_ok();
            (is_arithmetic && !is_number) || rest.contains('|') || has_call(rest)
        }
        _ => false,
    }
}

/// Whether a word stands directly before a bracket.
fn has_call(text: &str) -> bool {
    let is_of_name = |before: char| before.is_alphanumeric() || matches!(before, '_' | '.');
    text.match_indices('(').any(|(place, _)| text[..place].chars().next_back().is_some_and(is_of_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted() {
        assert_eq!(
            from_tsv("system\tscore\na,b \"c\"\t-0.5\nx\t1e-3\n"),
            "system,score\n\"a,b \"\"c\"\"\",-0.5\nx,1e-3\n"
        );
    }

    #[test]
    fn what_a_spreadsheet_would_compute_is_marked_as_text() {
        for formula in [
            "=1+1",
            " =2+3",
            "\u{ff1d}1+1",
            "@SUM(1)",
            "\u{ff20}a",
            "-2+3",
            "+HYPERLINK(1)",
            "-1+cmd|' /C calc'!A0",
            "- SUM(1)",
            "+1",
        ] {
            let expected = if formula == "+1" { formula.to_owned() } else { format!("'{formula}") };
            assert_eq!(from_tsv(formula), format!("{expected}\n"), "{formula}");
        }
        for text in [
            "- What?",
            "-What?",
            "-",
            "+",
            "-0.5",
            "- I (really) do!",
            "-5 degrees",
            "a=b",
            "--- \u{2014} no",
            "- 'x'!",
        ] {
            assert_eq!(from_tsv(text), format!("{text}\n"), "{text}");
        }
    }
}
