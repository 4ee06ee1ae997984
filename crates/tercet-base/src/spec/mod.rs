//! The text form of everything that is chosen by name: metrics, encoders, features of learned metrics.
//!
//! ```text
//! name:key=value,key=value|qualifier=value|…
//! ```
//!
//! The part before the first bar says what to build; [`Options`] holds its options, checked against their declarations
//! ([`OptionInfo`]). Qualifiers are everything else that can change a score: hashes of resources, the number of
//! references, the seed of a test, the version of tercet. A [`Spec`] parses, prints and edits this text. A score's
//! signature is the spec of its metric with all qualifiers ([`Spec::signed`]); the same metric can be built from it.

mod options;
mod qualifiers;

pub use options::{Declared, OptionInfo, Options, Values, file_value};
pub use qualifiers::Difference;

pub use options::MAX_NUMBER;

use crate::error::{Error, Result};
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

    /// Parses the text form. `what` is the kind of thing that is named, for messages: `metric`, `encoder`. A key must not be
    /// given twice.
    pub fn parse(what: &'static str, text: &str) -> Result<Self> {
        let (front, qualifiers) = text.split_once('|').unwrap_or((text, ""));
        let (name, options) = front.split_once(':').unwrap_or((front, ""));
        let bad = |reason: String| Error::BadSpec { what, text: front.to_owned(), reason };
        Ok(Spec {
            name: name.trim().to_owned(),
            options: pairs(options, ',').map_err(bad)?,
            qualifiers: pairs(qualifiers, '|').map_err(bad)?,
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

    /// Sets an option: replaces its value, or adds it after all others.
    pub fn with_option(mut self, key: &str, value: impl fmt::Display) -> Self {
        let value = value.to_string();
        match self.options.iter_mut().find(|(name, _)| name == key) {
            Some((_, known)) => *known = value,
            None => self.options.push((key.to_owned(), value)),
        }
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

/// Keys and values of `key=value` between separators, or why they cannot be read.
fn pairs(text: &str, separator: char) -> Result<Vec<(String, String)>, String> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in text.split(separator).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not key=value"))?;
        let (key, value) = (key.trim(), value.trim());
        if pairs.iter().any(|(known, _)| known == key) {
            return Err(format!("`{key}` is given twice"));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if number == 0 { ':' } else { ',' })?;
        }
        self.qualifiers.iter().try_for_each(|(key, value)| write!(f, "|{key}={value}"))
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
        assert_eq!(
            (spec.name(), spec.option("beta"), spec.qualifier("refs")),
            ("chrf", Some("3"), Some("1"))
        );
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(spec.signed(), format!("chrf:beta=3,word_order=2|refs=1|tercet={version}"));
        let error = Spec::parse("encoder", "average:file").unwrap_err().to_string();
        assert_eq!(
            error,
            "cannot read the encoder `average:file`: `file` is not key=value (write name:key=value,key=value)"
        );
    }

    #[test]
    fn a_key_that_is_given_twice_is_refused() {
        for text in ["bleu:tok=13a,tok=intl", "bleu|tok=1|refs=1|tok=1"] {
            let error = Spec::parse("metric", text).unwrap_err().to_string();
            let front = text.split('|').next().unwrap();
            assert_eq!(
                error,
                format!(
                    "cannot read the metric `{front}`: `tok` is given twice (write name:key=value,key=value)"
                )
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
