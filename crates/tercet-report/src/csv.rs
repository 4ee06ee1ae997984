//! Comma-separated values: the columns of TSV, quoted as RFC 4180 says, one row per line.
//!
//! A text that a spreadsheet would take for a formula, since it starts with `=`, `+`, `-` or `@`, gets an apostrophe in
//! front, which spreadsheets show as text. Numbers are written as in TSV.

/// Turns a table of TSV into CSV. Fields of TSV have no tabs and line ends.
pub fn from_tsv(tsv: &str) -> String {
    let line = |line: &str| line.split('\t').map(field).collect::<Vec<_>>().join(",") + "\n";
    tsv.lines().map(line).collect()
}

fn field(text: &str) -> String {
    let is_number = text.parse::<f64>().is_ok();
    let formula = text.starts_with(['=', '+', '-', '@']) && !is_number && text != "-";
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_formulas_are_text() {
        assert_eq!(
            from_tsv("system\tscore\na,b \"c\"\t-0.5\n=HYPERLINK(1,2)\t1e-3\n-x\t\n@a\t-\n"),
            "system,score\n\"a,b \"\"c\"\"\",-0.5\n\"'=HYPERLINK(1,2)\",1e-3\n'-x,\n'@a,-\n"
        );
    }
}
