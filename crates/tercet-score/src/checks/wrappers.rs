//! What programs and language models put around a translation: JSON, code fences, Markdown, quotation marks, labels,
//! reasoning.

use super::findings::Sink;
use super::marks::bytes;
use super::remarks_of_models::{may_say_translation, says_translation};
use super::texts::Segment;
use tercet_base::CheckKind::{CodeFence, Json, Label, Markdown, Quotes, Reasoning};
use tercet_base::Detail;

/// Labels of outputs that other texts may have too.
const LABELS: [&str; 32] = [
    "output",
    "answer",
    "response",
    "result",
    "target",
    "hypothesis",
    "assistant",
    "english",
    "german",
    "french",
    "spanish",
    "portuguese",
    "italian",
    "dutch",
    "russian",
    "chinese",
    "japanese",
    "deutsch",
    "englisch",
    "français",
    "español",
    "português",
    "italiano",
    "nederlands",
    "русский",
    "中文",
    "英文",
    "日本語",
    "訳",
    "訳文",
    "ausgabe",
    "antwort",
];

/// How the sentence starts that a language model puts before a translation.
const OPENINGS: [&str; 33] = [
    "sure",
    "certainly",
    "of course",
    "absolutely",
    "okay",
    "here is",
    "here's",
    "here you go",
    "here you are",
    "below is",
    "gerne",
    "natürlich",
    "selbstverständlich",
    "hier ist",
    "hier die",
    "bien sûr",
    "voici",
    "claro",
    "por supuesto",
    "aquí",
    "aqui está",
    "certamente",
    "ecco",
    "natuurlijk",
    "hier is",
    "конечно",
    "вот",
    "oto",
    "当然",
    "好的",
    "以下",
    "もちろん",
    "はい",
];

/// Checks an output. Tells whether it is JSON or has a label, either of which may say "translation".
pub(super) fn check(line: &str, classes: u8, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) -> bool {
    let line = line.trim();
    let mut has_json = false;
    if classes & bytes::WRAPPER != 0 {
        if is_json(line) && segment.lacks(|other| other.starts_with(['{', '['])) {
            sink.add(Json, Detail::None);
            has_json = true;
        } else if line.contains("```") && segment.lacks(|other| other.contains("```")) {
            sink.add(CodeFence, Detail::None);
        } else if let Some(mark) = markdown(line)
            && segment.lacks(|other| other.contains(mark.trim_end()))
        {
            sink.add(Markdown, Detail::None);
        }
    }
    if classes & bytes::TAG != 0
        && let Some(tag) = reasoning(line)
        && segment.lacks(|other| other.contains(tag))
    {
        sink.part(Reasoning, tag);
    }
    if sink.wants(Quotes) && is_quoted(line) && segment.others().next().is_some() && segment.lacks(has_quote_at_an_end)
    {
        sink.add(Quotes, Detail::None);
    }
    let label = label(line).filter(|label| segment.lacks(|other| label.is_expected_by(other)));
    if let Some(label) = &label {
        sink.part(Label, label.text);
    }
    has_json || label.is_some()
}

fn is_json(line: &str) -> bool {
    let inner = |open, close| line.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map(str::trim);
    let is_object = |inner: &str| inner.starts_with('"') && inner.contains("\":") || inner.contains("\" :");
    inner('{', '}').is_some_and(is_object)
        || inner('[', ']').is_some_and(|inner| inner.starts_with(['"', '{']) && inner.ends_with(['"', '}']))
}

/// Marks of bold letters or of a heading.
fn markdown(line: &str) -> Option<&'static str> {
    if line.match_indices("**").nth(1).is_some() && line.trim_matches('*').contains(char::is_alphanumeric) {
        return Some("**");
    }
    ["# ", "## ", "### ", "#### "].into_iter().find(|mark| line.starts_with(mark))
}

/// Tags of reasoning.
pub(super) const TAGS: [&str; 10] = [
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "<reasoning>",
    "</reasoning>",
    "<thought>",
    "</thought>",
    "<scratchpad>",
    "<reflection>",
];

fn reasoning(line: &str) -> Option<&'static str> {
    TAGS.into_iter().find(|tag| line.contains(tag))
}

const QUOTES: [char; 18] =
    ['"', '“', '”', '„', '‟', '«', '»', '‹', '›', '‘', '’', '‚', '\'', '「', '」', '『', '』', '＂'];

/// Whether a line is a quotation from the first to the last character, with none inside.
fn is_quoted(line: &str) -> bool {
    let Some(inner) = line.strip_prefix(QUOTES).and_then(|rest| rest.strip_suffix(QUOTES)) else { return false };
    // An apostrophe inside is no quotation mark.
    !inner.is_empty() && !inner.contains(|c| QUOTES.contains(&c) && !matches!(c, '\'' | '’'))
}

/// Whether a text has a quotation mark, or two of TeX, among its first or last characters.
fn has_quote_at_an_end(text: &str) -> bool {
    const NEAR: usize = 4;
    let is_quote = |c: char| QUOTES.contains(&c) || c == '`' || c == '´';
    text.trim().chars().take(NEAR).any(is_quote) || text.trim().chars().rev().take(NEAR).any(is_quote)
}

/// What is before a colon at the start of a line.
struct LabelOfLine<'l> {
    text: &'l str,
    /// Whether it says that a translation follows.
    names_translation: bool,
}

impl LabelOfLine<'_> {
    /// Whether another text of the segment starts with a label too, or is about translations: then this one is
    /// translated.
    fn is_expected_by(&self, other: &str) -> bool {
        const CHARACTERS: usize = 80;
        match self.names_translation {
            true => label(other).is_some() || may_say_translation(other),
            false => other.chars().take(CHARACTERS).any(|c| matches!(c, ':' | '：')),
        }
    }
}

/// The label of a line, if it says that a translation or an answer follows.
fn label(line: &str) -> Option<LabelOfLine<'_>> {
    const BYTES: usize = 90;
    let at = line.bytes().take(BYTES).position(|byte| byte == b':' || byte == 0xef)?;
    let end = at + line[at..].find([':', '：']).filter(|found| at + found < BYTES)?;
    let label = &line[..end];
    if !label.is_ascii() && label.chars().count() > 40 || label.split(' ').nth(9).is_some() {
        return None;
    }
    if label.starts_with(['{', '[']) {
        return None;
    }
    let plain = label.trim_matches(['*', ' ', '#']).to_lowercase();
    let names_translation = says_translation(&plain);
    let opens = |opening: &&str| {
        let rest = plain.strip_prefix(opening).map(|rest| rest.chars().next());
        rest.is_some_and(|next| next.is_none_or(|c| !c.is_alphabetic() || c >= '\u{e00}'))
    };
    let is_label = names_translation || LABELS.contains(&plain.as_str()) || OPENINGS.iter().any(opens);
    let text = &line[..end + line[end..].chars().next().map_or(0, char::len_utf8)];
    is_label.then_some(LabelOfLine { text, names_translation })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_that_a_translation_follows() {
        for (line, expected) in [
            ("Translation: The cat sat.", "Translation:"),
            ("Here is the German translation: Die Katze.", "Here is the German translation:"),
            ("**Translation:** The cat", "**Translation:"),
            ("Übersetzung: Die Katze", "Übersetzung:"),
            ("译文：猫坐下了。", "译文："),
            ("以下是翻译：猫", "以下是翻译："),
            ("Output: The cat", "Output:"),
            ("Sure, here you go: The cat", "Sure, here you go:"),
            ("当然可以：猫坐下了。", "当然可以："),
        ] {
            assert_eq!(label(line).map(|label| label.text), Some(expected));
        }
        for line in [
            "The question is: what is a translation?",
            "He said: no.",
            "At 10:30 it rained",
            "Surely not: no",
            "ａb",
            "",
        ] {
            assert!(label(line).is_none(), "{line}");
        }
    }

    #[test]
    fn json_markdown_and_quotes_are_told_from_text() {
        for line in [r#"{"translation": "a cat"}"#, r#"["a cat"]"#, r#"{ "a" : 1 }"#] {
            assert!(is_json(line), "{line}");
        }
        for line in ["{name}", "[laughs]", "[ \"a\" and b ]", "{}"] {
            assert!(!is_json(line), "{line}");
        }
        assert_eq!(markdown("**The cat** sat"), Some("**"));
        assert_eq!(markdown("## The cat"), Some("## "));
        assert_eq!((markdown("2 ** 3"), markdown("****"), markdown("#cat")), (None, None, None));
        for line in ["\"The cat sat.\"", "„Die Katze“", "«Il dit»", "“It's late.”"] {
            assert!(is_quoted(line), "{line}");
        }
        for line in ["\"Yes\" and \"no\"", "'tis", "\"", "\"\"", "The \"cat\""] {
            assert!(!is_quoted(line), "{line}");
        }
    }
}
