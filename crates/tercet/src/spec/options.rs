//! Options: declared once, with what they take, their default and one line of help.

use super::Spec;
use crate::error::{Error, Result};
use crate::text::nearest;
use std::path::Path;

/// An option that a metric or an encoder declares.
#[derive(Debug)]
pub struct OptionInfo {
    /// Its key.
    pub key: &'static str,
    /// What it takes.
    pub values: Values,
    /// Its value if none is given.
    pub default: &'static str,
    /// One line for the help.
    pub help: &'static str,
}

/// The largest number an option takes: more of anything would only overflow.
pub const LARGEST: f64 = 1e6;

/// What an option takes.
#[derive(Debug)]
pub enum Values {
    /// `yes` or `no` (also `true`, `false`, `1`, `0`).
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range, ends included.
    Integer(usize, usize),
    /// A number at least this large and at most [`LARGEST`]; `auto` where that is the default.
    Number(f64),
    /// A file or a folder.
    File,
    /// Anything that is only understood on use.
    Text,
}

impl Values {
    /// What is accepted, in words.
    pub fn expected(&self) -> String {
        match self {
            Values::Flag => "yes or no".to_owned(),
            Values::Choice(words) => format!("one of {}", words.join(", ")),
            Values::Integer(low, high) => format!("a whole number from {low} to {high}"),
            Values::Number(low) => format!("a number from {low} to {LARGEST}"),
            Values::File => "a file".to_owned(),
            Values::Text => "text".to_owned(),
        }
    }

    /// The one spelling of a value that signatures use, if it is a value at all.
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
                (*low..=LARGEST).contains(&number).then(|| number.to_string())
            }
            Values::File | Values::Text => Some(value.to_owned()),
        }
    }
}

/// A file's name as the value of an option, if it can stand in `name:key=value,key=value` and come back whole.
pub fn file_value(path: &Path) -> Result<&str> {
    let whole = |name: &&str| !name.contains([',', '|']) && name.trim() == *name;
    path.to_str().filter(whole).ok_or_else(|| {
        let path = path.display();
        Error::BadRequest(format!(
            "{path}: a name with a comma, a bar, white space at an end or bytes that are no text is not understood (rename the file)"
        ))
    })
}

/// Something with a name and options, as it was declared: a metric, an encoder.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// What kind of thing it is, for messages: `metric`, `encoder`.
    pub what: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
}

/// Every option of one declared thing with the value it has, checked, in the order of declaration.
#[derive(Clone, Debug)]
pub struct Options {
    declared: Declared,
    values: Vec<String>,
}

impl Declared {
    /// The options of this thing: the defaults, and what a spec says.
    pub fn read(self, spec: &Spec) -> Result<Options> {
        let values = self.options.iter().map(|option| option.default.to_owned()).collect();
        let mut options = Options { declared: self, values };
        spec.options().iter().try_for_each(|(key, value)| options.set(key, value))?;
        Ok(options)
    }
}

impl Options {
    /// Sets one option, or says why not.
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
        let canonical =
            if value == option.default { Some(value.to_owned()) } else { option.values.canonical(value) };
        self.values[index] =
            canonical.ok_or_else(|| self.bad_value(key, value, &option.values.expected()))?;
        Ok(())
    }

    /// The error for a value that an option does not take, though its declaration alone would allow it.
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

    /// Looks for files in a folder: those that are given with a path that is not absolute get one that is.
    pub fn place_files(&mut self, folder: &Path) -> Result<()> {
        for (option, value) in self.declared.options.iter().zip(&mut self.values) {
            if matches!(option.values, Values::File) && *value != option.default {
                let path = folder.join(&*value);
                let path = path.canonicalize().unwrap_or(path);
                *value = file_value(&path)?.to_owned();
            }
        }
        Ok(())
    }

    /// Whether an option of this key was declared.
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

    /// A file, or `None` while it is `auto`.
    pub fn file(&self, key: &str) -> Option<&Path> {
        Some(self.text(key)).filter(|text| *text != "auto").map(Path::new)
    }

    /// Whether a flag is set.
    pub fn flag(&self, key: &str) -> bool {
        self.text(key) == "yes"
    }

    /// A whole number.
    pub fn integer(&self, key: &str) -> usize {
        self.text(key).parse().expect("checked when it was set")
    }

    /// A number, or `None` while it is `auto`.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key).parse().ok()
    }

    /// The name with every option that decides a digit. An option left on `auto` has no say (whoever declared it
    /// resolves it with [`Options::set`] where it has) and stays out.
    pub fn spec(&self) -> Spec {
        let options = self.declared.options.iter().zip(&self.values);
        let written = options.filter(|(_, value)| *value != "auto");
        written
            .fold(Spec::new(self.declared.name), |spec, (option, value)| spec.with_option(option.key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_an_option_if_nothing_of_its_name_is_lost() {
        assert_eq!(file_value(Path::new("my models/a=b:c.bin")).unwrap(), "my models/a=b:c.bin");
        for name in ["a,b", "a|b", "a ", "\ta"] {
            let error = file_value(Path::new(name)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: a name with a comma")), "{error}");
        }
    }
}
