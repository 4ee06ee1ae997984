//! Properties of the tokenizers. The same line always gives the same tokens, regardless of earlier contents of the buffers.

use tercet::text::Scratch;
use tercet::text::Tokenizer;
use tercet::text::{is_whitespace, split};

/// Tokenizers that put one space between tokens and none at the ends.
const SINGLE_SPACED: &[&str] = &["13a", "intl", "zh", "ud-en", "rouge"];

/// Tokenizers that only add or remove white space.
const LETTERS_KEPT: &[&str] = &["intl", "zh", "char", "ud-en", "none"];

/// Checks one tokenizer, by its name, on one line.
pub fn tokenizer(name: &str, line: &str) {
    let tokenizer = Tokenizer::from_name(name).expect("a listed tokenizer");
    assert_eq!(tokenizer.name(), name);
    let tokens = tokenizer.tokenize(line);
    let (mut scratch, mut again) = (Scratch::default(), String::from("left over"));
    tokenizer.tokenize_into("Something, else: 1.5 «é» 字.", &mut scratch, &mut again);
    tokenizer.tokenize_into(line, &mut scratch, &mut again);
    assert_eq!(tokens, again, "{name} depends on what its buffers held: {line:?}");
    if SINGLE_SPACED.contains(&name) {
        let respaced: Vec<&str> = split(&tokens).collect();
        assert_eq!(tokens, respaced.join(" "), "{name} left odd white space: {line:?}");
    }
    if LETTERS_KEPT.contains(&name) {
        assert_eq!(letters(&tokens), letters(line), "{name} changed a letter: {line:?}");
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|&c| !is_whitespace(c)).collect()
}
