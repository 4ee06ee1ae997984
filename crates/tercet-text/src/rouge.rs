//! `rouge`: runs of ASCII letters and digits; everything else separates words (ROUGE-1.5.5, rouge-score 0.1.2).

pub(super) fn tokenize(line: &str, tokens: &mut String) {
    for word in line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !tokens.is_empty() {
            tokens.push(' ');
        }
        tokens.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use crate::Tokenizer;

    #[test]
    fn only_ascii_letters_and_digits_are_kept() {
        let tokens = |line: &str| Tokenizer::from_name("rouge").unwrap().tokenize(line);
        assert_eq!(tokens("  It's $5.20, well-known – für U.S."), "It s 5 20 well known f r U S");
        assert_eq!(tokens("我爱 …"), "");
    }
}
