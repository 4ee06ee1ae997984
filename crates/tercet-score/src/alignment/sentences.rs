//! Sentences of an output, cut without knowledge of the language: what is cut wrongly is put together again where that
//! fits the references better.

/// A sentence, or what is taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// Its text, without white space around it.
    pub text: &'a str,
    /// The number of its line, from 0.
    pub line: usize,
    /// Where it begins and ends in the line.
    pub span: (usize, usize),
}

/// Ends a sentence if white space follows, perhaps after closing marks.
const ENDS: &[char] = &['.', '!', '?', '…', '؟', '۔', '।', '॥', '։', '።', '។', '။'];

/// Ends a sentence wherever it stands.
const FULL_WIDTH_ENDS: &[char] = &['。', '！', '？', '｡', '．'];

/// May follow the end of a sentence and belong to it.
const CLOSING: &[char] = &['"', '\'', '”', '’', '»', '›', ')', ']', '）', '】', '」', '』', '〉', '》'];

/// The sentences of some lines. Empty lines have none.
pub(super) fn sentences<'a>(lines: &[&'a str], numbers: &[usize]) -> Vec<Sentence<'a>> {
    let mut found = Vec::new();
    for &line in numbers {
        let text = lines[line];
        let mut start = 0;
        for end in ends(text) {
            let part = &text[start..end];
            let trimmed = part.trim();
            if !trimmed.is_empty() {
                let from = start + (part.len() - part.trim_start().len());
                found.push(Sentence { text: trimmed, line, span: (from, from + trimmed.len()) });
            }
            start = end;
        }
    }
    found
}

/// Where the sentences of a line end, the last at its end.
fn ends(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_line_end = matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        let is_full_width = FULL_WIDTH_ENDS.contains(&character);
        if is_line_end {
            found.push(at + character.len_utf8());
            continue;
        }
        if !is_full_width && !ENDS.contains(&character) {
            continue;
        }
        let mut end = at + character.len_utf8();
        let belongs = |c: char| ENDS.contains(&c) || FULL_WIDTH_ENDS.contains(&c) || CLOSING.contains(&c);
        while let Some((next, character)) = characters.next_if(|(_, next)| belongs(*next)) {
            end = next + character.len_utf8();
        }
        if is_full_width || text[end..].starts_with(char::is_whitespace) {
            found.push(end);
        }
    }
    if found.last() != Some(&text.len()) {
        found.push(text.len());
    }
    found
}

/// The text of sentences that follow each other: as it stands within a line, with a space between lines.
pub(super) fn text(sentences: &[Sentence<'_>], lines: &[&str]) -> String {
    let of_line = |same: &[Sentence<'_>]| {
        let (first, last) = (same[0], same[same.len() - 1]);
        in_one_line(&lines[first.line][first.span.0..last.span.1])
    };
    let parts: Vec<String> = sentences.chunk_by(|a, b| a.line == b.line).map(of_line).collect();
    parts.join(" ")
}

/// Line ends, with the white space around them, as a space.
fn in_one_line(text: &str) -> String {
    let is_end = |c: char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let parts: Vec<&str> = text.split(is_end).map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(&[text], &[0]).iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn sentences_end_at_marks_and_lines() {
        assert_eq!(cut("It rained. \"Why?\" he asked… No 3.5!"), ["It rained.", "\"Why?\"", "he asked…", "No 3.5!"]);
        assert_eq!(cut("雨が降った。「なぜ？」と聞いた。"), ["雨が降った。", "「なぜ？」", "と聞いた。"]);
        assert_eq!(cut("# A heading\n\nText without an end"), ["# A heading", "Text without an end"]);
        assert!(cut(" \n ").is_empty());
    }

    #[test]
    fn the_text_of_all_sentences_is_the_output() {
        let lines = ["One.  Two. ", "", "Three\n four. Five"];
        let all = sentences(&lines, &[0, 1, 2]);
        assert_eq!(text(&all, &lines), "One.  Two. Three four. Five");
        assert_eq!(text(&all[1..3], &lines), "Two. Three");
        assert_eq!(text(&[], &lines), "");
    }
}
