//! `tercom`: sacreBLEU's version of the tokenizer of tercom, the tool that defined TER (Snover et al., 2006).
//!
//! By default it lowercases and collapses white space; four flags change that. Their names follow the word `tercom` in
//! this order: `+norm` unescapes SGML and makes punctuation tokens, `+nopunct` removes punctuation, `+asian` extends
//! both to Chinese and Japanese (a token per ideograph), `+case` keeps case.
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0, which differs from tercom 0.10 in three ways that are kept here:
//! - its rules for runs of kana match only at the start of the line, which always is a space, so they never apply;
//! - the range meant for enclosed letters and months is U+3200–U+3F22;
//! - a line end is dropped with the dash after it, not with the one before.
//!
//! The rule for a possessive at the very end of the line never applies in either tool, since a space is added there.

use super::punctuation;
use super::tokenizer::Scratch;
use super::whitespace::PYTHON;

/// The four flags; none is set by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TercomOptions {
    /// Unescape SGML, make punctuation tokens.
    pub normalized: bool,
    /// Remove punctuation.
    pub no_punct: bool,
    /// Extend `normalized` and `no_punct` to Chinese and Japanese.
    pub asian_support: bool,
    /// Keep case.
    pub case_sensitive: bool,
}

/// The name of each combination: bit 0 `norm`, bit 1 `nopunct`, bit 2 `asian`, bit 3 `case`.
const NAMES: [&str; 16] = [
    "tercom",
    "tercom+norm",
    "tercom+nopunct",
    "tercom+norm+nopunct",
    "tercom+asian",
    "tercom+norm+asian",
    "tercom+nopunct+asian",
    "tercom+norm+nopunct+asian",
    "tercom+case",
    "tercom+norm+case",
    "tercom+nopunct+case",
    "tercom+norm+nopunct+case",
    "tercom+asian+case",
    "tercom+norm+asian+case",
    "tercom+nopunct+asian+case",
    "tercom+norm+nopunct+asian+case",
];

impl TercomOptions {
    /// All sixteen combinations.
    pub fn all() -> impl Iterator<Item = TercomOptions> {
        (0..NAMES.len()).map(|bits| TercomOptions {
            normalized: bits & 1 > 0,
            no_punct: bits & 2 > 0,
            asian_support: bits & 4 > 0,
            case_sensitive: bits & 8 > 0,
        })
    }

    /// The tokenizer's name: `tercom` and the flags that are set.
    pub fn name(self) -> &'static str {
        let flags = [self.normalized, self.no_punct, self.asian_support, self.case_sensitive];
        let index = flags.iter().rev().fold(0, |bits, &flag| bits << 1 | usize::from(flag));
        NAMES[index]
    }
}

pub(super) fn tokenize(line: &str, options: TercomOptions, scratch: &mut Scratch, tokens: &mut String) {
    let plain = !options.normalized && !options.no_punct;
    if plain && line.is_ascii() {
        return collapse_ascii(line, options.case_sensitive, tokens);
    }
    let lowered;
    let line = if options.case_sensitive {
        line
    } else {
        lowered = line.to_lowercase();
        &lowered
    };
    if line.is_empty() || plain {
        return punctuation::collapse(line.as_bytes(), &PYTHON, tokens);
    }
    if options.normalized {
        normalize(line, scratch);
    } else {
        scratch.first.clear();
        scratch.first.extend_from_slice(line.as_bytes());
    }
    if options.normalized && options.asian_support {
        rewrite_characters(scratch, |c, out| {
            if is_ideograph(c) || is_asian_mark(c) {
                out.push(b' ');
                push(c, out);
                out.push(b' ');
            } else {
                push(c, out);
            }
        });
    }
    if options.no_punct {
        rewrite_characters(scratch, |c, out| {
            if !(is_mark(c) || options.asian_support && is_asian_mark(c)) {
                push(c, out);
            }
        });
    }
    punctuation::collapse(&scratch.first, &PYTHON, tokens);
}

/// The default flags on ASCII, in one pass; equal to the general passes.
fn collapse_ascii(line: &str, case_sensitive: bool, tokens: &mut String) {
    let start = tokens.len();
    punctuation::collapse(line.as_bytes(), &PYTHON, tokens);
    if !case_sensitive {
        tokens[start..].make_ascii_lowercase();
    }
}

/// The Western part, into `scratch.first`.
fn normalize(line: &str, scratch: &mut Scratch) {
    let Scratch { first, second, .. } = scratch;
    first.clear();
    first.push(b' ');
    if line.contains(['&', '\n']) {
        first.extend_from_slice(unescape(line).as_bytes());
    } else {
        first.extend_from_slice(line.as_bytes());
    }
    first.push(b' ');
    punctuation::set_symbols_apart(first, second);
    set_possessives_apart(second, first);
    punctuation::set_stops_and_dashes_apart(first, second);
}

/// Removes line ends and decodes the four entities, one after the other: `&amp;lt;` becomes `<`.
fn unescape(line: &str) -> String {
    let joined = line.replace("\n-", "").replace('\n', " ");
    joined.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

fn set_possessives_apart(text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for (i, &byte) in text.iter().enumerate() {
        if byte == b'\'' && text[i..].starts_with(b"'s ") {
            out.push(b' ');
        }
        out.push(byte);
    }
}

/// Applies a rule to every character of `scratch.first`.
fn rewrite_characters(scratch: &mut Scratch, mut rule: impl FnMut(char, &mut Vec<u8>)) {
    let Scratch { first, second, .. } = scratch;
    second.clear();
    let text = std::str::from_utf8(first).expect("only whole characters and ASCII were written");
    text.chars().for_each(|c| rule(c, second));
    std::mem::swap(first, second);
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
}

/// Characters that are tokens by themselves.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2eff}'
        | '\u{31c0}'..='\u{31ef}'
        | '\u{3200}'..='\u{4dbf}' // four ranges of the tool, one of which is too long
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}')
}

fn is_asian_mark(c: char) -> bool {
    matches!(c,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{30fb}'
        | '\u{ff61}'..='\u{ff65}'
        | '\u{ff01}' | '\u{ff02}' | '\u{ff08}' | '\u{ff09}' | '\u{ff0c}' | '\u{ff0e}' | '\u{ff1a}' | '\u{ff1b}'
        | '\u{ff1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tokenizer;

    #[test]
    fn every_combination_of_flags_has_a_name_that_is_read_back() {
        for options in TercomOptions::all() {
            let named = Tokenizer::from_name(options.name()).unwrap();
            assert_eq!(named, Tokenizer::Tercom(options));
            assert_eq!(named.name(), options.name());
        }
    }

    #[test]
    fn flags_do_what_their_names_say() {
        // Printed by sacreBLEU 2.6.0.
        for (name, line, tokens) in [
            ("tercom", " The\u{a0}CAT's\tmat. ", "the cat's mat."),
            ("tercom+norm", "The CAT's mat, 3-4 &amp;lt;x", "the cat 's mat , 3 - 4 < x"),
            ("tercom+norm+case", "Tom's a.b 1,5.", "Tom 's a . b 1,5 ."),
            ("tercom+nopunct", "(Hello), \"world\": why?!", "hello world why"),
            ("tercom+norm+asian", "我爱NLP。カタ", "我 爱 nlp 。 カタ"),
            ("tercom+nopunct+asian", "我爱、NLP。", "我爱nlp"),
            ("tercom+norm", "a\n-b\nc d-\ne", "ab c d- e"),
        ] {
            assert_eq!(Tokenizer::from_name(name).unwrap().tokenize(line), tokens, "{name} of {line:?}");
        }
    }
}
