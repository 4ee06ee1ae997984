//! The text normalisation of TERp (Snover et al., 2009), to the letter of its Java program.
//!
//! Lower-casing comes before everything else. [`TerpNorm::normalize`] then does this, in this order:
//!
//! 1. delete `<skipped>`, decode `&quot;`, `&amp;`, `&lt;`, `&gt;`, one after another;
//! 2. set ASCII marks apart, except `'`, `,`, `-` and `.`;
//! 3. split off `'s` at the end of a word;
//! 4. split off a final comma or stop of a word that has no other. The white space before the word is lost, so that the
//!    word joins a mark that step 2 has set apart: `"go."` becomes `"go . "`;
//! 5. set a hyphen after a digit apart.
//!
//! # Choices
//! White space is Java's `\s`: a no-break space is a letter like any other. Lines are trimmed as by `String.trim`.
//!
//! # Agreement
//! Equal to the tokens of TERp at commit e45c428 on all golden inputs. Word boundaries (only `new_norm` looks at them)
//! are those of Java 17 without its special case for combining marks.

/// How TERp turns a line into words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerpNorm {
    /// Set punctuation apart.
    pub normalize: bool,
    /// A second normalisation: hyphens between marks go, possessives of plurals are split off.
    pub new_norm: bool,
    /// Remove punctuation.
    pub no_punct: bool,
    /// Keep case.
    pub case_sensitive: bool,
    /// Write numbers as digits only: `1,000` is `1000`, `ten` is `10`.
    pub normalize_numbers: bool,
}

impl TerpNorm {
    /// The words of a line, each followed by a space.
    pub fn words(&self, line: &str) -> String {
        let mut text = collapse(line);
        if !self.case_sensitive && text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
            text = text.to_lowercase();
        }
        if self.normalize {
            text = normalize(text);
        }
        if self.new_norm {
            text = normalize_again(&text);
        }
        if self.no_punct {
            text.retain(|c| !matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')'));
        }
        let mut words = String::with_capacity(text.len() + 1);
        for word in trim(&text).split(is_space).filter(|word| !word.is_empty()) {
            match number(word).filter(|_| self.normalize_numbers) {
                Some(number) => words.push_str(&number),
                None => words.push_str(word),
            }
            words.push(' ');
        }
        words
    }
}

/// A token as digits, if it is a number: figures with marks between them, or one of some English words.
pub fn number(word: &str) -> Option<String> {
    let digits: String = word.chars().filter(|c| !matches!(c, '-' | ',' | '.' | '$' | '%')).collect();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(digits);
    }
    let lower = digits.to_lowercase();
    NUMBERS.iter().find(|(name, _)| *name == lower).map(|(_, digits)| (*digits).to_owned())
}

const NUMBERS: [(&str, &str); 32] = [
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("hundred", "100"),
    ("thousand", "1000"),
    ("million", "1000000"),
    ("billion", "1000000000"),
];

/// Java's `\s`.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Java's `String.trim`.
fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// Trims a text and replaces runs of white space by one space.
fn collapse(text: &str) -> String {
    let text = trim(text);
    if !text.bytes().any(|byte| matches!(byte, b'\t'..=b'\r')) && !text.contains("  ") {
        return text.to_owned();
    }
    let mut collapsed = String::with_capacity(text.len());
    let mut after_space = false;
    for c in text.chars() {
        let space = is_space(c);
        if !(space && after_space) {
            collapsed.push(if space { ' ' } else { c });
        }
        after_space = space;
    }
    collapsed
}

fn normalize(mut text: String) -> String {
    for (escape, character) in [("<skipped>", ""), ("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
        if text.contains(escape) {
            text = text.replace(escape, character);
        }
    }
    let text = set_marks_apart(&text);
    let text = if text.contains("'s ") { text.replace("'s ", " 's ") } else { text };
    let text = split_final_marks(&text);
    split_hyphens_after_digits(text)
}

fn set_marks_apart(text: &str) -> String {
    let mut apart = String::with_capacity(2 * text.len() + 2);
    apart.push(' ');
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        let is_mark = matches!(byte, b' '..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~');
        if is_mark {
            apart.push_str(&text[copied..at]);
            apart.push(' ');
            apart.push(char::from(byte));
            apart.push(' ');
            copied = at + 1;
        }
    }
    apart.push_str(&text[copied..]);
    apart.push(' ');
    apart
}

/// Splits off a comma or a stop between white space and a word without either, and white space; the first is lost.
fn split_final_marks(text: &str) -> String {
    let bytes = text.as_bytes();
    let ends_run = |byte: &u8| matches!(byte, b',' | b'.' | b' ' | b'\t');
    let is_space = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r'));
    let mut split = String::with_capacity(text.len() + 8);
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        if !is_space(at) {
            at += 1;
            continue;
        }
        let run = bytes[at + 1..].iter().position(ends_run).map_or(bytes.len(), |length| at + 1 + length);
        let has_mark = run > at + 1 && matches!(bytes.get(run), Some(b',' | b'.')) && is_space(run + 1);
        if has_mark {
            split.push_str(&text[copied..at]);
            split.push_str(&text[at + 1..run]);
            split.push(' ');
            split.push(char::from(bytes[run]));
            split.push(' ');
            copied = run + 2;
            at = run + 2;
        } else {
            at += 1;
        }
    }
    split.push_str(&text[copied..]);
    split
}

fn split_hyphens_after_digits(text: String) -> String {
    let after_digit = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1] == b'-';
    if !text.as_bytes().windows(2).any(after_digit) {
        return text;
    }
    let mut split = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in text.chars() {
        if c == '-' && before.is_ascii_digit() {
            split.push_str(" - ");
        } else {
            split.push(c);
        }
        before = c;
    }
    split
}

fn normalize_again(text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c == '_' || c.is_alphanumeric());
    let mut without_hyphens = String::with_capacity(text.len() + 8);
    let mut characters = text.chars().peekable();
    let mut before = None;
    while let Some(c) = characters.next() {
        let alone = c == '-' && !is_word(before) && !is_word(characters.peek().copied());
        without_hyphens.push(if alone { ' ' } else { c });
        before = Some(c);
    }
    let mut text = without_hyphens.replace("'s ", " 's ");
    if let Some(start) = text.strip_suffix("'s").map(str::len) {
        text.insert(start, ' ');
    }
    split_plural_possessives(&text)
}

/// `boys' ` becomes `boys 's `, at the end of the text too.
fn split_plural_possessives(text: &str) -> String {
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    let mut split = String::with_capacity(text.len() + 8);
    let mut copied = 0;
    for (at, _) in text.match_indices("s'") {
        let at_end = matches!(text.as_bytes().get(at + 2), None | Some(b' '));
        if at >= copied && at_end && text[..at].chars().next_back().is_some_and(is_word) {
            split.push_str(&text[copied..at]);
            split.push_str("s 's");
            copied = at + 2;
        }
    }
    split.push_str(&text[copied..]);
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: TerpNorm = TerpNorm {
        normalize: false,
        new_norm: false,
        no_punct: false,
        case_sensitive: false,
        normalize_numbers: false,
    };

    fn normalized(line: &str) -> String {
        TerpNorm { normalize: true, ..PLAIN }.words(line)
    }

    #[test]
    fn a_line_is_lower_cased_and_split_at_white_space() {
        assert_eq!(PLAIN.words("  A\tb\u{a0}C,  d. "), "a b\u{a0}c, d. ");
        assert_eq!(TerpNorm { case_sensitive: true, ..PLAIN }.words("A b"), "A b ");
        assert_eq!(PLAIN.words(" \u{1} "), "");
    }

    #[test]
    fn a_final_comma_or_stop_is_split_off_a_word_without_another() {
        assert_eq!(normalized("He, she. the U.S. and 5,000."), "he , she . the u.s. and 5,000. ");
        assert_eq!(normalized("Tom's dog's. it's"), "tom 's dog's . it 's ");
    }

    #[test]
    fn a_word_after_a_mark_joins_it_when_its_stop_is_split_off() {
        assert_eq!(normalized("\"go.\""), "\"go . \" ");
        assert_eq!(normalized("(foo, bar) $5."), "(foo , bar ) $5 . ");
    }

    #[test]
    fn escapes_are_decoded_one_after_another() {
        assert_eq!(normalized("a<skipped>b &amp;lt; &#38;"), "ab < & # 38 ; ");
    }

    #[test]
    fn a_hyphen_after_a_digit_stands_alone() {
        assert_eq!(normalized("1990-2000 -5 a-b"), "1990 - 2000 -5 a-b ");
    }

    #[test]
    fn other_options_change_the_words() {
        assert_eq!(TerpNorm { no_punct: true, ..PLAIN }.words("(a) b, c.d"), "a b cd ");
        assert_eq!(TerpNorm { new_norm: true, ..PLAIN }.words("the boys' - dog's"), "the boys 's dog 's ");
        assert_eq!(TerpNorm { normalize_numbers: true, ..PLAIN }.words("1,000 Ten 3.5% a-1"), "1000 10 35 a-1 ");
    }
}
