//! What a gate asks for, and its file: TOML with the keys `fail_if`, `no_worse_than`, `margin` and `strict`.

use std::path::Path;
use tercet::{Error, Result};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a gate asks for; all of it may be missing.
#[derive(Default)]
pub struct Gate {
    /// Conditions on which the gate fails.
    pub fail_if: Vec<String>,
    /// The system that others must not be worse than.
    pub no_worse_than: Option<String>,
    /// The largest loss that is accepted.
    pub margin: Option<f64>,
    /// Whether warnings are failures.
    pub strict: bool,
}

impl Gate {
    /// Reads a file; errors name the line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let error = |offset: usize, what: String| {
            let line = text[..offset.min(text.len())].matches('\n').count() + 1;
            Error::bad_line(path, line, what)
        };
        let table = DeTable::parse(&text)
            .map_err(|wrong| error(wrong.span().map_or(0, |span| span.start), wrong.message().to_owned()))?;
        let mut file = Gate::default();
        for (key, value) in table.get_ref() {
            let name = key.get_ref().as_ref();
            let refuse = |expected: &str| error(value.span().start, format!("{name}: expected {expected}"));
            match name {
                "fail_if" => file.fail_if = texts(value).ok_or_else(|| refuse("a list of conditions in quotes"))?,
                "no_worse_than" => {
                    file.no_worse_than = Some(text_of(value).ok_or_else(|| refuse("the name of a system in quotes"))?);
                }
                "strict" => file.strict = value.get_ref().as_bool().ok_or_else(|| refuse("true or false"))?,
                "margin" => file.margin = Some(number(value).ok_or_else(|| refuse("a number"))?),
                _ => {
                    let what = format!("unknown key {name} (known: fail_if, no_worse_than, margin, strict)");
                    return Err(error(key.span().start, what));
                }
            }
        }
        Ok(file)
    }
}

fn texts(value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().map(text_of).collect(),
        _ => None,
    }
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Float(written) => written.as_str().parse().ok(),
        DeValue::Integer(written) => written.as_str().parse().ok(),
        _ => None,
    }
}
