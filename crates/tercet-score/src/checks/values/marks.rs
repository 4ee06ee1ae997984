//! Placeholders and tags, URLs, e-mail addresses.

use crate::checks::{marks, wrappers};

/// Placeholders and tags of a line, sorted: `{name}`, `{{0}}`, `%s`, `%1$d`, `%(name)s`, `${name}`, `<b>`.
pub(super) fn placeholders(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = line[at..].find(['{', '%', '<']) {
        at += next;
        let rest = &line[at..];
        let before = line[..at].chars().next_back();
        let length = match rest.as_bytes()[0] {
            b'{' => braces(rest),
            b'<' => tag(rest),
            _ => format(rest)
                .filter(|_| !before.is_some_and(|c| c.is_ascii_digit() || c == ' ' && follows_digit(line, at))),
        };
        // Tokens of models are another kind of finding.
        let is_own = |text: &&str| !marks::SPECIAL.contains(text) && !wrappers::TAGS.contains(text);
        found.extend(length.map(|length| &rest[..length]).filter(is_own).map(str::to_owned));
        at += length.unwrap_or(1);
    }
    found.sort_unstable();
    found
}

fn follows_digit(line: &str, at: usize) -> bool {
    line[..at].trim_end().ends_with(|c: char| c.is_ascii_digit())
}

/// `{name}`, `{0}`, `{{name}}`: no white space inside.
fn braces(rest: &str) -> Option<usize> {
    let end = rest.find('}')?;
    let end = end + rest[end..].bytes().take_while(|byte| *byte == b'}').count();
    let inner = rest[..end].trim_matches(['{', '}']);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '$' | '#');
    (!inner.is_empty() && inner.len() <= 40 && inner.chars().all(is_name)).then_some(end)
}

/// `%s`, `%1$s`, `%.2f`, `%(name)s`, not followed by a letter.
fn format(rest: &str) -> Option<usize> {
    let after = &rest[1..];
    let after_name = match after.strip_prefix('(') {
        Some(name) => &name[name.find(')')? + 1..],
        None => after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | '.')),
    };
    let mut letters = after_name.chars();
    letters.next().filter(|c| matches!(c, 's' | 'd' | 'i' | 'f' | 'u' | '@'))?;
    let ends = !letters.next().is_some_and(char::is_alphanumeric);
    ends.then(|| rest.len() - after_name.len() + 1)
}

/// `<b>`, `</b>`, `<br/>`, `<a href="…">`, `<1>`.
fn tag(rest: &str) -> Option<usize> {
    const LONGEST: usize = 200;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let inner = rest[1..end].trim_start_matches('/');
    let is_tag = inner.starts_with(|c: char| c.is_ascii_alphanumeric()) && !inner.contains('<');
    let name = inner.split([' ', '/']).next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'));
    let has_attributes = inner.len() == name.len() || inner.contains('=') || inner.ends_with('/');
    (is_tag && is_name && has_attributes).then_some(end + 1)
}

/// URLs of a line in lower case, sorted, without scheme, `www.` and the punctuation behind them.
pub(super) fn urls(line: &str) -> Vec<String> {
    if !line.contains("://") && !line.contains("www.") {
        return Vec::new();
    }
    let mut found: Vec<String> = line.split(is_no_part_of_url).filter_map(url).collect();
    found.sort_unstable();
    found
}

fn is_no_part_of_url(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '<' | '>' | '"' | '«' | '»' | '“' | '”' | '„' | '(' | ')' | '[' | ']')
        || c >= '\u{2e80}'
}

fn url(word: &str) -> Option<String> {
    let starts = ["https://", "http://", "ftp://", "www."];
    let start = starts.iter().filter_map(|start| word.find(start)).min()?;
    let lower = word[start..].to_ascii_lowercase();
    let plain = starts.iter().fold(lower.as_str(), |rest, start| rest.strip_prefix(start).unwrap_or(rest));
    let plain = plain.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '/', '’']);
    plain.contains('.').then(|| plain.to_owned())
}

/// E-mail addresses of a line in lower case, sorted.
pub(super) fn emails(line: &str) -> Vec<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    let mut found: Vec<String> = Vec::new();
    for (at, _) in line.match_indices('@') {
        let start =
            line[..at].rfind(|c| !part(c)).map_or(0, |i| i + line[i..].chars().next().map_or(1, char::len_utf8));
        let end = line[at + 1..].find(|c| !part(c)).map_or(line.len(), |i| at + 1 + i);
        let address = line[start..end].trim_end_matches(['.', '-']);
        let has_domain = address.len() > at - start + 1 && address[at - start + 1..].contains('.');
        if start < at && has_domain {
            found.push(address.to_ascii_lowercase());
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_tags_are_found() {
        let line = "Dear {name}, %1$s of %d files in ${folder} <b>done</b><br/> {{x}} %(n)s <a href=\"u\">";
        let expected = ["%(n)s", "%1$s", "%d", "</b>", "<a href=\"u\">", "<b>", "<br/>", "{folder}", "{name}", "{{x}}"];
        assert_eq!(placeholders(line), expected);
        for line in ["50 %de los", "100%s", "3 < 4 > 2", "{not a name}", "100 % sure", "a%", "{", "<", "%", "<3 you>"] {
            assert_eq!(placeholders(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn addresses_are_compared_without_what_is_around_them() {
        assert_eq!(
            urls("See https://www.Example.org/a?b=1, or www.example.com."),
            ["example.com", "example.org/a?b=1"]
        );
        assert_eq!(urls("请访问https://example.org。"), ["example.org"]);
        assert_eq!(emails("Write to Jo.Doe@example.org."), ["jo.doe@example.org"]);
        assert_eq!(emails("@home a@@ b @user x@y"), [""; 0]);
    }
}
