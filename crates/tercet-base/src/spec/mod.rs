//! The text form of everything that is chosen by name: metrics, encoders, features of learned metrics.
//!
//! ```text
//! name:key=value,key="a, b"|qualifier=value|…
//! ```
//!
//! A value in double quotes may have any characters; `""` in it stands for one quotation mark.
//!
//! The part before the first bar says what to build; [`Options`] holds its options, checked against their declarations
//! ([`OptionInfo`]). Qualifiers are everything else that can change a score: hashes of resources, the number of
//! references, the seed of a test, the version of tercet. A [`Spec`] parses, prints and edits this text. A score's
//! signature is the spec of its metric with all qualifiers ([`Spec::signed`]); the same metric can be built from it.

mod options;
mod qualifiers;
mod typed;

pub use options::{Declared, OptionInfo, Options, Values, file_value};
pub use qualifiers::Difference;
pub use typed::{OptionValue, TypedOptions};

use crate::error::{Error, Result};
use std::borrow::Cow;
use std::fmt;

/// The qualifier that names the version of tercet.
const VERSION: &str = "tercet";

/// A name with options and qualifiers. See the module's page for the written form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    name: String,
    options: Vec<(String, String)>,
    qualifiers: Vec<(String, String)>,
}

impl Spec {
    /// A name without options.
    pub fn new(name: impl Into<String>) -> Self {
        Spec { name: name.into(), options: Vec::new(), qualifiers: Vec::new() }
    }

    /// Parses the text form. `what` is the kind of thing that is named, for messages: `metric`, `encoder`. A key must
    /// not be given twice.
    pub fn parse(what: &'static str, text: &str) -> Result<Self> {
        let mut parts = split(text, '|').into_iter();
        let front = parts.next().unwrap_or_default();
        let (name, options) = front.split_once(':').unwrap_or((front, ""));
        let bad = |reason: String| Error::BadSpec { what, text: front.to_owned(), reason };
        Ok(Spec {
            name: name.trim().to_owned(),
            options: pairs(split(options, ',').into_iter()).map_err(bad)?,
            qualifiers: pairs(parts).map_err(bad)?,
        })
    }

    /// The part before the options.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All options in the order in which they were written.
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// The value of an option, by its key.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Whether an option is `yes`.
    pub fn is_yes(&self, key: &str) -> bool {
        self.option(key) == Some("yes")
    }

    /// Sets an option: replaces its value, or adds it after all others.
    pub fn with_option(mut self, key: &str, value: impl fmt::Display) -> Self {
        let value = value.to_string();
        match self.options.iter_mut().find(|(name, _)| name == key) {
            Some((_, known)) => *known = value,
            None => self.options.push((key.to_owned(), value)),
        }
        self
    }

    /// Leaves an option out.
    pub fn without_option(mut self, key: &str) -> Self {
        self.options.retain(|(name, _)| name != key);
        self
    }

    /// Adds a qualifier: the number of references, the seed of a test.
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.qualifiers.push((key.to_owned(), value.to_string()));
        self
    }

    /// The value of a qualifier.
    pub fn qualifier(&self, key: &str) -> Option<&str> {
        self.qualifiers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The part from which the same thing can be built: `name:key=value,key=value`.
    pub fn without_qualifiers(&self) -> Spec {
        Spec { qualifiers: Vec::new(), ..self.clone() }
    }

    /// The signature: this spec with the version of tercet at the end.
    pub fn signed(&self) -> String {
        let mut signed = self.clone();
        signed.qualifiers.retain(|(key, _)| key != VERSION);
        signed.with(VERSION, env!("CARGO_PKG_VERSION")).to_string()
    }
}

/// The parts of a text between separators outside of quotes. A quote starts a value: it follows `=`.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut can_open) = (false, false);
    for (place, c) in text.char_indices() {
        let is_mark = c == '"' && (is_quoted || can_open);
        is_quoted ^= is_mark;
        // A mark right after the closing one stands for itself, and the value goes on.
        can_open = c == '=' || (is_mark && !is_quoted) || (can_open && c != '"' && c.is_whitespace());
        if c == separator && !is_quoted {
            parts.push(&text[start..place]);
            start = place + c.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Keys and values of `key=value`, or why they cannot be read.
fn pairs<'t>(parts: impl Iterator<Item = &'t str>) -> Result<Vec<(String, String)>, String> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in parts.filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not key=value"))?;
        let key = key.trim();
        if pairs.iter().any(|(known, _)| known == key) {
            return Err(format!("`{key}` is given twice"));
        }
        pairs.push((key.to_owned(), unquoted(value.trim())?));
    }
    Ok(pairs)
}

/// A value without its quotes.
fn unquoted(written: &str) -> Result<String, String> {
    let Some(opened) = written.strip_prefix('"') else { return Ok(written.to_owned()) };
    let bad = || format!("{written}: expected a value in double quotes, with \"\" for each in it");
    let value = opened.strip_suffix('"').ok_or_else(bad)?.replace("\"\"", "\0");
    if value.contains('"') { Err(bad()) } else { Ok(value.replace('\0', "\"")) }
}

/// A value as it is written: in quotes if it could be read otherwise without.
fn quoted<'v>(value: &'v str, separators: &[char]) -> Cow<'v, str> {
    let is_plain = !value.contains(separators) && !value.contains('"') && value.trim() == value;
    if is_plain { Cow::Borrowed(value) } else { Cow::Owned(format!("\"{}\"", value.replace('"', "\"\""))) }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
            let value = quoted(value, &[',', '|']);
            write!(f, "{}{key}={value}", if number == 0 { ':' } else { ',' })?;
        }
        let mut qualifiers = self.qualifiers.iter();
        qualifiers.try_for_each(|(key, value)| write!(f, "|{key}={}", quoted(value, &['|'])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_specs_are_read_back() {
        for text in ["bleu", "bleu:tok=13a,smooth=exp", "bleu:tok=13a|refs=1|seed=none", "x|slope=0.5"] {
            assert_eq!(Spec::parse("metric", text).unwrap().to_string(), text);
        }
        let spec = Spec::parse("metric", " chrf : beta = 3 ,,word_order=2|refs=1|tercet=0.0.9").unwrap();
        assert_eq!((spec.name(), spec.option("beta"), spec.qualifier("refs")), ("chrf", Some("3"), Some("1")));
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(spec.signed(), format!("chrf:beta=3,word_order=2|refs=1|tercet={version}"));
        let error = Spec::parse("encoder", "average:file").unwrap_err().to_string();
        assert_eq!(
            error,
            "cannot read the encoder `average:file`: `file` is not key=value (write name:key=value,key=value)"
        );
    }

    #[test]
    fn any_value_is_written_and_read_back() {
        for value in ["a,b", "a|b=c", "", " x ", "\"", "a\"b,\"", "\"\",", "C:\\a b,c", "=\"", "a=b:c"] {
            let spec = Spec::new("x").with_option("file", value).with_option("y", 1).with("hash", value);
            let again = Spec::parse("metric", &spec.to_string());
            assert_eq!(again.unwrap(), spec, "{spec}");
        }
        let written = "x:file=\"my, \"\"own\"\" | file\",y=a b=c:d|seed=1,none";
        let spec = Spec::parse("metric", written).unwrap();
        assert_eq!((spec.option("file"), spec.to_string().as_str()), (Some("my, \"own\" | file"), written));
        for text in ["x:file=\"a", "x:file=\"a\"b", "x:file=\"", "x:a=1,file=\"a,b=2|c=3"] {
            let error = Spec::parse("metric", text).unwrap_err().to_string();
            assert!(error.contains("expected a value in double quotes"), "{error}");
        }
    }

    #[test]
    fn a_key_that_is_given_twice_is_refused() {
        for text in ["bleu:tok=13a,tok=intl", "bleu|tok=1|refs=1|tok=1"] {
            let error = Spec::parse("metric", text).unwrap_err().to_string();
            let front = text.split('|').next().unwrap();
            assert_eq!(
                error,
                format!("cannot read the metric `{front}`: `tok` is given twice (write name:key=value,key=value)")
            );
        }
        let error = Spec::parse("metric", "bleu|refs").unwrap_err().to_string();
        assert!(error.contains("`refs` is not key=value"), "{error}");
    }

    #[test]
    fn a_changed_option_keeps_its_position() {
        let spec = Spec::parse("encoder", "average:file=v.txt,tok=none").unwrap();
        let moved = spec.with_option("file", "/x").with_option("case", "mixed");
        assert_eq!(moved.to_string(), "average:file=/x,tok=none,case=mixed");
    }
}
