//! Tags of an SGML text, one after the other, with their lines.

use super::segment_text::segment_text;
use memchr::{memchr, memchr_iter};

/// A tag: `<name attribute="value">`, `</name>` or `<name/>`.
pub(super) struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    pub(super) closing: bool,
    /// Whether it is its own end.
    pub(super) empty: bool,
    /// Its line, from 1.
    pub(super) line: usize,
}

impl Tag<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of the first of these attributes that the tag has and that is not empty.
    pub(super) fn attribute(&self, names: &[&str]) -> Option<String> {
        let value = |wanted: &&str| {
            let mut attributes = Attributes(self.attributes);
            let (_, value) = attributes.find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
            Some(segment_text(value)).filter(|value| !value.is_empty())
        };
        names.iter().find_map(value)
    }
}

/// Names and values of attributes.
struct Attributes<'t>(&'t str);

impl<'t> Iterator for Attributes<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.0.trim_ascii_start();
        let name_end = start.find(|c: char| c == '=' || c.is_ascii_whitespace()).unwrap_or(start.len());
        let (name, rest) = start.split_at(name_end);
        let after_name = rest.trim_ascii_start();
        let Some(value) = after_name.strip_prefix('=') else {
            self.0 = after_name;
            return (!name.is_empty()).then_some((name, ""));
        };
        let value = value.trim_ascii_start();
        let quoted = value.strip_prefix(['"', '\'']).and_then(|inner| inner.split_once(&value[..1]));
        let (value, rest) = quoted.unwrap_or_else(|| {
            let end = value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len());
            value.split_at(end)
        });
        self.0 = rest;
        Some((name, value))
    }
}

/// The tags of a text outside of comments and declarations.
pub(super) struct Tags<'t> {
    text: &'t str,
    position: usize,
    /// The line of `counted`.
    line: usize,
    counted: usize,
}

impl<'t> Tags<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Tags { text, position: 0, line: 1, counted: 0 }
    }

    /// The text up to the end of a segment, or `None` if another one starts first or there is no end.
    pub(super) fn until_end_of_segment(&mut self) -> Option<&'t str> {
        let rest = &self.text[self.position..];
        for open in memchr_iter(b'<', rest.as_bytes()) {
            let (closing, inside) = match rest[open + 1..].strip_prefix('/') {
                Some(inside) => (true, inside),
                None => (false, &rest[open + 1..]),
            };
            let Some(after) = inside.get(3..).filter(|_| inside[..3].eq_ignore_ascii_case("seg")) else {
                continue;
            };
            let end = after.trim_ascii_start();
            if closing && end.starts_with('>') {
                self.position = self.text.len() - end.len() + 1;
                return Some(&rest[..open]);
            }
            if !closing && (end.starts_with('>') || end.len() < after.len()) {
                return None;
            }
        }
        None
    }

    fn line_of(&mut self, position: usize) -> usize {
        self.line += memchr_iter(b'\n', &self.text.as_bytes()[self.counted..position]).count();
        self.counted = position;
        self.line
    }
}

impl<'t> Iterator for Tags<'t> {
    type Item = Tag<'t>;

    fn next(&mut self) -> Option<Tag<'t>> {
        loop {
            let start = self.position + memchr(b'<', &self.text.as_bytes()[self.position..])?;
            let rest = &self.text[start..];
            if rest.starts_with("<!--") {
                self.position = start + rest.find("-->")? + 3;
                continue;
            }
            let end = start + memchr(b'>', rest.as_bytes())?;
            self.position = end + 1;
            if rest.starts_with("<!") || rest.starts_with("<?") {
                continue;
            }
            let inside = &self.text[start + 1..end];
            let (closing, inside) = (inside.starts_with('/'), inside.strip_prefix('/').unwrap_or(inside));
            let (empty, inside) = (inside.ends_with('/'), inside.strip_suffix('/').unwrap_or(inside));
            let inside = inside.trim_ascii();
            let (name, attributes) = inside.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((inside, ""));
            return Some(Tag { name, attributes, closing, empty, line: self.line_of(start) });
        }
    }
}
