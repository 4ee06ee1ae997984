//! Marks that processing leaves in a line: subwords, special tokens, HTML entities, wrong encodings, line separators.

use super::findings::Sink;
use super::texts::Segment;
use crate::text::is_line_separator;
use tercet_base::CheckKind::{HtmlEntity, LineSeparator, Mojibake, SpecialToken, SubwordMarks};
use tercet_base::Detail;

/// Classes of bytes, of which a line has none that its checks look for in most cases.
pub(super) mod bytes {
    /// A control character, or the first byte of a line separator beyond ASCII.
    pub const SEPARATOR: u8 = 1;
    /// `&`.
    pub const AMPERSAND: u8 = 2;
    /// `@`, or the first byte of `▁`.
    pub const SUBWORD: u8 = 4;
    /// `<`, `[`, or the first byte of `⁇`.
    pub const TAG: u8 = 8;
    /// A letter with which misread characters start, or the replacement character.
    pub const MISREAD: u8 = 16;
    /// A digit, `%`, `{` or `:`: numbers, placeholders and URLs, which have one of these.
    pub const VALUE: u8 = 32;
    /// `` ` ``, `*`, `#`, `{`, `[`: wrappers.
    pub const WRAPPER: u8 = 64;

    const CLASSES: [u8; 256] = classes();

    const fn classes() -> [u8; 256] {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = match byte as u8 {
                b'\t' => 0,
                0..b' ' => SEPARATOR,
                b'&' => AMPERSAND,
                b'@' => SUBWORD | VALUE,
                b'<' => TAG | VALUE,
                b'[' => TAG | WRAPPER,
                b'{' => VALUE | WRAPPER,
                b'0'..=b'9' | b'%' | b'$' => VALUE,
                b'`' | b'*' | b'#' => WRAPPER,
                0xc2 => SEPARATOR,
                0xe2 => SEPARATOR | SUBWORD | TAG | MISREAD,
                0xc3..=0xc5 => MISREAD,
                // Digits of other scripts.
                0xd9 | 0xdb | 0xe0 => VALUE,
                0xef => MISREAD | VALUE,
                _ => 0,
            };
            byte += 1;
        }
        table
    }

    /// The classes of all bytes of a line.
    pub fn in_line(line: &str) -> u8 {
        line.as_bytes().iter().fold(0, |found, byte| found | CLASSES[*byte as usize])
    }
}

/// Tokens that models print instead of text.
pub(super) const SPECIAL: [&str; 16] = [
    "<unk>", "<s>", "</s>", "<pad>", "<eos>", "<bos>", "<mask>", "<|", "[UNK]", "[PAD]", "[SEP]", "[CLS]", "[MASK]",
    "<0x", "<sep>", "⁇",
];

/// Checks a line of any text.
pub(super) fn check(line: &str, classes: u8, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) {
    if classes & bytes::SEPARATOR != 0
        && sink.wants(LineSeparator)
        && let Some(separator) = separator(line)
    {
        sink.add(LineSeparator, Detail::Part(separator_name(separator)));
    }
    if classes & bytes::SUBWORD != 0
        && sink.wants(SubwordMarks)
        && let Some(part) = subword(line)
        && segment.lacks(|other| subword(other).is_some())
    {
        sink.part(SubwordMarks, part);
    }
    if classes & bytes::TAG != 0
        && sink.wants(SpecialToken)
        && let Some(token) = special_token(line)
        && segment.lacks(|other| other.contains(token))
    {
        sink.part(SpecialToken, token);
    }
    if classes & bytes::AMPERSAND != 0
        && sink.wants(HtmlEntity)
        && let Some(entity) = html_entity(line)
        && segment.lacks(|other| html_entity(other).is_some())
    {
        sink.part(HtmlEntity, entity);
    }
    if classes & bytes::MISREAD != 0
        && sink.wants(Mojibake)
        && let Some(part) = misread(line)
        && segment.lacks(|other| misread(other).is_some())
    {
        sink.part(Mojibake, part);
    }
}

/// The first line separator. Whoever has `\n` inside a text, in a row or in a list, has not read it from a line.
pub(super) fn separator(line: &str) -> Option<char> {
    let mut characters = line.chars().peekable();
    std::iter::from_fn(|| characters.next().map(|c| (c, characters.peek().copied())))
        .find(|(c, next)| is_line_separator(*c) && *c != '\n' && !(*c == '\r' && *next == Some('\n')))
        .map(|(c, _)| c)
}

/// How a message names a line separator.
fn separator_name(separator: char) -> String {
    match separator {
        '\r' => "\\r".to_owned(),
        other => format!("U+{:04X}", u32::from(other)),
    }
}

/// A word with `@@` of BPE behind it, or with `▁` of SentencePiece before it.
fn subword(line: &str) -> Option<&str> {
    let is_part = |word: &&str| {
        let joined = word.strip_suffix("@@").is_some_and(|start| start.ends_with(char::is_alphanumeric));
        joined || word.strip_prefix('▁').is_some_and(|rest| !rest.is_empty())
    };
    line.split(' ').find(is_part)
}

fn special_token(line: &str) -> Option<&'static str> {
    let known = |token: &&&str| {
        line.match_indices(**token).any(|(at, _)| match **token {
            "<|" => line[at..].contains("|>"),
            "<0x" => line.as_bytes().get(at + 5) == Some(&b'>'),
            _ => true,
        })
    };
    SPECIAL.iter().find(known).copied()
}

/// A character reference: `&amp;`, `&#39;`, `&#x27;`.
pub(super) fn html_entity(line: &str) -> Option<&str> {
    const NAMES: [&str; 12] =
        ["amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "hellip", "rsquo", "lsquo", "eacute"];
    line.match_indices('&').find_map(|(at, _)| {
        let end = line[at..].bytes().take(10).position(|byte| byte == b';')?;
        let name = &line[at + 1..at + end];
        let is_number = name.strip_prefix('#').is_some_and(|digits| {
            let digits = digits.strip_prefix(['x', 'X']).unwrap_or(digits);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        (NAMES.contains(&name) || is_number).then(|| &line[at..=at + end])
    })
}

/// Characters that are the bytes of UTF-8, read as Windows-1252; or a replacement character. One pair of characters
/// counts where it starts as pairs of misread Latin, Cyrillic and punctuation do; others may be letters in quotes.
pub(super) fn misread(line: &str) -> Option<&str> {
    if let Some(at) = line.find('\u{fffd}') {
        return Some(&line[at..at + '\u{fffd}'.len_utf8()]);
    }
    let mut places = line.char_indices();
    let (mut first, mut count) = (None, 0);
    while let Some((at, c)) = places.next() {
        let length = match windows_1252(c) {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            _ => continue,
        };
        let rest = &line[at + c.len_utf8()..];
        let following = rest.chars().take(length - 1);
        let continues = following.clone().filter(|c| matches!(windows_1252(*c), Some(0x80..=0xbf))).count();
        // A no-break space is also what follows a sign: `Ø 52`.
        let is_sign = rest.starts_with('\u{a0}') && !matches!(c, 'Ã' | 'Â');
        if continues + 1 < length || is_sign {
            continue;
        }
        let end = at + c.len_utf8() + following.map(char::len_utf8).sum::<usize>();
        first = first.or(Some((at, end)));
        count += if length > 2 || matches!(c, 'Ã' | 'Â' | 'Ð' | 'Ñ') { 2 } else { 1 };
        (1..length).for_each(|_| _ = places.next());
    }
    first.filter(|_| count > 1).map(|(from, end)| &line[from..end])
}

/// The byte of a character in Windows-1252, beyond ASCII; the control characters that it lacks are those of Latin-1.
fn windows_1252(c: char) -> Option<u8> {
    const FROM_80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    match c {
        '\u{80}'..='\u{ff}' => Some(c as u8),
        c if c.is_ascii() => None,
        c => FROM_80.chars().position(|known| known == c).map(|at| 0x80 + at as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_characters_are_found_and_letters_in_quotes_are_not() {
        for text in ["schÃ¶n", "itâ€™s", "Ð¿Ñ€Ð¸", "a\u{fffd}b", "donâ\u{80}\u{99}t", "Ä\u{8d}eÅ¡tina"]
        {
            assert!(misread(text).is_some(), "{text}");
        }
        for text in [
            "schön",
            "NÃO É",
            "„Ä“",
            "Â la carte",
            "it’s – “fine”…",
            "São Paulo",
            "Čeština",
            "20 €",
            "Ø\u{a0}52, Ø\u{a0}64",
            "",
        ] {
            assert_eq!(misread(text), None, "{text}");
        }
    }

    #[test]
    fn entities_have_a_known_name_or_a_number() {
        assert_eq!(html_entity("Johnson &amp; Johnson"), Some("&amp;"));
        assert_eq!(html_entity("it&#39;s"), Some("&#39;"));
        for text in ["AT&T; and others", "a & b;", "&", "&;", "R&D"] {
            assert_eq!(html_entity(text), None, "{text}");
        }
    }

    #[test]
    fn subwords_are_words_with_a_mark() {
        assert_eq!(subword("the mount@@ ain"), Some("mount@@"));
        assert_eq!(subword("▁the ▁mountain"), Some("▁the"));
        for text in ["@@", "a@b.de", "▁", "@ home"] {
            assert_eq!(subword(text), None, "{text}");
        }
    }
}
