//! `char`: every character, with a space between any two (sacreBLEU 2.6.0).

pub(super) fn tokenize(line: &str, tokens: &mut String) {
    tokens.reserve(line.len() * 2);
    for (i, c) in line.chars().enumerate() {
        if i > 0 {
            tokens.push(' ');
        }
        tokens.push(c);
    }
}
