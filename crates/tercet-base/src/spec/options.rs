//! Options: declared once, with accepted values, default and one line of help.

use super::{Spec, TypedOptions};
use crate::error::{Error, Result};
use crate::nearest;
use std::path::{Path, PathBuf};

/// An option that a metric or an encoder declares.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key in `key=value`.
    pub key: &'static str,
    /// The values it accepts.
    pub values: Values,
    /// The value if none is given; `auto` lets the metric or encoder decide.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
}

impl OptionInfo {
    /// A file or a folder that need not be given.
    pub const fn file(key: &'static str, help: &'static str) -> Self {
        OptionInfo { key, values: Values::File, default: "auto", help }
    }
}

/// The largest number an option accepts; larger ones could overflow.
const MAX_NUMBER: f64 = 1e6;

/// The values that an option accepts.
#[derive(Debug)]
pub enum Values {
    /// `yes` or `no` (also `true`, `false`, `1`, `0`).
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range, ends included.
    Integer(usize, usize),
    /// A number at least this large and at most 1,000,000; also `auto` where that is the default.
    Number(f64),
    /// A file or a folder.
    File,
    /// One of these words, or a file.
    ChoiceOrFile(&'static [&'static str]),
    /// Any text; it is checked when it is used.
    Text,
}

impl Values {
    /// Whether a value is the path of a file or a folder.
    pub fn is_file(&self, value: &str) -> bool {
        match self {
            Values::File => true,
            Values::ChoiceOrFile(words) => !words.contains(&value),
            _ => false,
        }
    }

    /// The accepted values in words, for messages.
    pub fn expected(&self) -> String {
        match self {
            Values::Flag => "yes or no".to_owned(),
            Values::Choice(words) => format!("one of {}", words.join(", ")),
            Values::Integer(low, high) => format!("a whole number from {low} to {high}"),
            Values::Number(low) => format!("a number from {low} to {MAX_NUMBER}"),
            Values::File => "a file".to_owned(),
            Values::ChoiceOrFile(words) => format!("one of {}, or a file", words.join(", ")),
            Values::Text => "text".to_owned(),
        }
    }

    /// The spelling of a value in signatures; `None` if it is not accepted.
    fn canonical(&self, value: &str) -> Option<String> {
        match self {
            Values::Flag => match value {
                "yes" | "true" | "1" => Some("yes".to_owned()),
                "no" | "false" | "0" => Some("no".to_owned()),
                _ => None,
            },
            Values::Choice(words) => words.contains(&value).then(|| value.to_owned()),
            Values::Integer(low, high) => {
                let number: usize = value.parse().ok()?;
                (*low..=*high).contains(&number).then(|| number.to_string())
            }
            Values::Number(low) => {
                let number: f64 = value.parse().ok()?;
                (*low..=MAX_NUMBER).contains(&number).then(|| number.to_string())
            }
            Values::File | Values::ChoiceOrFile(_) | Values::Text => Some(value.to_owned()),
        }
    }
}

/// A path as the value of an option; an error if it has bytes that are no text.
pub fn file_value(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| {
        let path = path.display();
        Error::BadRequest(format!("{path}: a name with bytes that are no text is not understood (rename the file)"))
    })
}

/// The declaration of a name and its options: a metric, an encoder.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The kind of thing, for messages: `metric`, `encoder`.
    pub what: &'static str,
    /// The name before the options.
    pub name: &'static str,
    /// All options.
    pub options: &'static [OptionInfo],
}

/// The checked values of all declared options, in the order of declaration.
#[derive(Clone, Debug)]
pub struct Options {
    declared: Declared,
    values: Vec<String>,
}

impl Declared {
    /// The options of a spec, with defaults for those it does not have.
    pub fn read(self, spec: &Spec) -> Result<Options> {
        let values = self.options.iter().map(|option| option.default.to_owned()).collect();
        let mut options = Options { declared: self, values };
        spec.options().iter().try_for_each(|(key, value)| options.set(key, value))?;
        Ok(options)
    }
}

impl Options {
    /// Sets one option; an error if it is unknown or does not accept the value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let Declared { what, name, options } = self.declared;
        let known = || options.iter().map(|option| option.key);
        let Some(index) = known().position(|name| name == key) else {
            return Err(Error::UnknownOption {
                what,
                name,
                option: key.to_owned(),
                nearest: nearest(key, known()).map(str::to_owned),
                known: known().collect::<Vec<_>>().join(", "),
            });
        };
        let option = &options[index];
        let canonical = if value == option.default { Some(value.to_owned()) } else { option.values.canonical(value) };
        self.values[index] = canonical.ok_or_else(|| self.bad_value(key, value, &option.values.expected()))?;
        Ok(())
    }

    /// The error for a value that the declaration allows but the metric or encoder does not accept.
    pub fn bad_value(&self, key: &str, value: &str, expected: &str) -> Error {
        let Declared { what, name, options } = self.declared;
        let declared = options.iter().find(|option| option.key == key);
        let words: &[&str] = match declared.map(|option| &option.values) {
            Some(Values::Choice(words)) => words,
            _ => &[],
        };
        Error::BadValue {
            what,
            name,
            option: key.to_owned(),
            value: value.to_owned(),
            nearest: nearest(value, words.iter().copied()).map(str::to_owned),
            expected: expected.into(),
        }
    }

    /// Makes relative paths of files absolute, relative to a folder.
    pub fn resolve_files(&mut self, folder: &Path) -> Result<()> {
        for (option, value) in self.declared.options.iter().zip(&mut self.values) {
            if option.values.is_file(value) && *value != option.default {
                *value = file_value(&folder.join(&*value))?.to_owned();
            }
        }
        Ok(())
    }

    /// The files and folders that are named.
    pub fn files(&self) -> Vec<PathBuf> {
        let values = self.declared.options.iter().zip(&self.values);
        let is_named =
            |(option, value): &(&OptionInfo, &String)| option.values.is_file(value) && *value != option.default;
        values.filter(is_named).map(|(_, value)| PathBuf::from(value)).collect()
    }

    /// Whether there is an option with this key.
    pub fn declares(&self, key: &str) -> bool {
        self.declared.options.iter().any(|option| option.key == key)
    }

    /// The value of a declared option.
    ///
    /// # Panics
    /// If no such option was declared.
    pub fn text(&self, key: &str) -> &str {
        let Declared { what, name, options } = self.declared;
        let index = options.iter().position(|option| option.key == key);
        &self.values[index.unwrap_or_else(|| panic!("{what} {name} declares no option {key}"))]
    }

    /// The value of an option that is a file; `None` for `auto`.
    pub fn file(&self, key: &str) -> Option<&Path> {
        Some(self.text(key)).filter(|text| *text != "auto").map(Path::new)
    }

    /// The value of a flag.
    pub fn flag(&self, key: &str) -> bool {
        self.text(key) == "yes"
    }

    /// The value of an option that is a whole number.
    pub fn integer(&self, key: &str) -> usize {
        self.text(key).parse().expect("checked when it was set")
    }

    /// The value of an option that is a number; `None` for `auto`.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key).parse().ok()
    }

    /// The values as a struct that [`options!`](crate::options) declared with the same table.
    pub fn typed<T: TypedOptions>(&self) -> T {
        T::read(self)
    }

    /// The name with all options, except those that are still `auto`: a metric or encoder for which such an option
    /// matters sets its value with [`Options::set`].
    pub fn spec(&self) -> Spec {
        let options = self.declared.options.iter().zip(&self.values);
        let written = options.filter(|(_, value)| *value != "auto");
        let spec = Spec::new(self.declared.name);
        written.fold(spec, |spec, (option, value)| spec.with_option(option.key, value))
    }
}
